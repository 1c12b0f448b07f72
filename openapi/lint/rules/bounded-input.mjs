import { contractRule, isOfType, reach } from '../contract.mjs';

export default contractRule(({ operations, requestSchemas }, report) => {
  // Each record is checked by itself.
  const records = new Set(reach(requestSchemas.filter((schema) => schema.target.has('x-import-kind'))).map(({ at }) => at.absolutePointer));
  for (const schema of requestSchemas.filter(({ at }) => !records.has(at.absolutePointer))) checkMap(schema, report);
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
  if (isOfType(schema, 'array') && lacks('maxItems')) {
    report(schema.target, `The list of ${title} can be of any length. Add \`maxItems\`.`);
  }
  const isNumber = isOfType(schema, 'integer') || isOfType(schema, 'number');
  if (isNumber && (lacks('minimum', 'exclusiveMinimum') || lacks('maximum', 'exclusiveMaximum'))) {
    report(schema.target, `The numbers of ${title} have no bounds, so 10^20 would reach the database. Add \`minimum\` and \`maximum\`.`);
  }
  const { value: pattern } = schema.get('pattern');
  if (pattern !== undefined && !isAnchored(pattern)) {
    const remedy = 'Begin it with `^` and end it with `$`, with alternatives in parentheses.';
    report(schema.get('pattern'), `The pattern ${pattern} of ${title} also accepts texts that only contain what it describes. ${remedy}`);
  } else if (isOfType(schema, 'string') && lacks('maxLength') && !isBounded(pattern)) {
    report(
      schema.target,
      `The text of ${title} can be of any length. Add \`maxLength\`, \`enum\`, or a \`pattern\` without \`*\` and \`+\`.`,
    );
  }
}

/** Without what is escaped and without classes of characters, in which signs have no meaning. */
const signsOf = (pattern) => String(pattern).replace(/\\.|\[(\\.|[^\]])*\]/g, 'x');

function isAnchored(pattern) {
  let signs = signsOf(pattern);
  for (let outer = ''; outer !== signs; ) [outer, signs] = [signs, signs.replace(/\([^()]*\)/g, 'x')];
  return /^\^[^|]*\$$/.test(signs);
}

const isBounded = (pattern) => pattern !== undefined && !/[*+]|\{\d+,\}/.test(signsOf(pattern));

/** Ajv reports every invalid value of a map. One of any values is checked by code, and has at most the 10,000 values of a body. */
function checkMap(schema, report) {
  const { value } = schema.get('additionalProperties');
  if (typeof value !== 'object' || schema.has('maxProperties')) return;
  report(schema.get('additionalProperties'), 'A request may hold any number of fields here. Add `maxProperties` beside it.');
}
