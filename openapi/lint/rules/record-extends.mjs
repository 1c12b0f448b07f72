import { isDeepStrictEqual } from 'node:util';
import { contractRule } from '../contract.mjs';

export default contractRule((contract, report) => {
  for (const record of contract.schemas.filter((schema) => schema.has('x-extends')).map(({ target }) => target)) {
    const extension = record.get('x-extends');
    const { schema: baseName, except = [], ...rest } = extension.value ?? {};
    const base = contract.schemaNamed(baseName);
    if (!base) report(extension, `\`x-extends\` names the schema \`${baseName}\`, which the contract does not use. Correct the name.`);
    else if (!Array.isArray(except) || Object.keys(rest).length)
      report(extension, '`x-extends` has another shape. Write `{ schema, except }`.');
    else checkRecord(record, base, except, report);
  }
});

function checkRecord(record, base, except, report) {
  const [ourName, baseName] = [record, base].map(({ component }) => component.name);
  const inherited = base.get('properties').keys;
  for (const name of except.filter((field) => !inherited.includes(field))) {
    report(record.get('x-extends'), `${baseName} has no \`${name}\` to except. Remove it from \`except\`.`);
  }
  for (const name of inherited.filter((field) => !except.includes(field))) {
    const ours = record.get('properties').get(name);
    const theirs = base.get('properties').get(name);
    if (!ours.exists) {
      report(record.get('properties'), `${ourName} lacks \`${name}\` of ${baseName}. Add it in the same words, or name it in \`except\`.`);
    } else if (!isDeepStrictEqual(ours.canonical, theirs.canonical)) {
      report(ours, `\`${name}\` is not the same in ${ourName} and ${baseName}. Write it in the same words, or name it in \`except\`.`);
    } else if (isRequired(record, name) !== isRequired(base, name)) {
      report(ours, `\`${name}\` is required in only one of ${ourName} and ${baseName}. Make the two \`required\` lists agree.`);
    }
  }
}

const isRequired = (schema, name) => schema.get('required').list.includes(name);
