import { contractRule, isOfType, reach } from '../contract.mjs';

export default contractRule(({ operations, requestSchemas }, report) => {
  for (const parameter of operations.flatMap(({ parameters }) => parameters)) {
    for (const schema of reach([parameter.get('schema')])) check(schema, `the parameter \`${parameter.value.name}\``, report);
  }
  for (const schema of requestSchemas) check(schema, `the request field \`${fieldOf(schema)}\``, report);
});

const fieldOf = (schema) => /.*\/properties\/([^/]+)/.exec(schema.at.pointer)?.[1];

function check(schema, user, report) {
  const lacks = (...keywords) => !keywords.some((keyword) => schema.has(keyword));
  const title = schema.component.name ? `the schema ${schema.component.name}` : user;
  if (!lacks('const', 'enum')) return;
  const isNumber = isOfType(schema, 'integer') || isOfType(schema, 'number');
  if (isNumber && (lacks('minimum', 'exclusiveMinimum') || lacks('maximum', 'exclusiveMaximum'))) {
    report(schema.target, `The numbers of ${title} have no bounds, so 10^20 would reach the database. Add \`minimum\` and \`maximum\`.`);
  }
  if (isOfType(schema, 'string') && lacks('maxLength', 'pattern')) {
    report(schema.target, `The text of ${title} can be of any length. Add \`maxLength\`, \`pattern\` or \`enum\`.`);
  }
}
