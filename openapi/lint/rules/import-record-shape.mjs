import { contractRule, reach } from '../contract.mjs';

/** What domain/records/ applies: a file is not read by a JSON schema. scripts/generate/records.ts has the same list. */
const keywords = [
  ...['type', 'format', 'enum', 'minimum', 'maximum', 'minLength', 'maxLength', 'maxItems', 'items'],
  ...['properties', 'additionalProperties', 'description', 'default', 'examples'],
];

export default contractRule(({ schemas }, report) => {
  for (const record of schemas.filter((schema) => schema.target.has('x-import-kind'))) {
    for (const schema of reach(record.get('properties').children)) {
      const written = new Set([...schema.keys, ...(schema.isReference ? Object.keys(schema.raw) : [])]);
      for (const keyword of [...written].filter((key) => key !== '$ref' && !keywords.includes(key))) {
        report(
          schema.get(keyword),
          `\`${keyword}\` is not applied to records of \`affiliate import\` and \`POST /store/…\`. Remove it from the record.`,
        );
      }
    }
  }
});
