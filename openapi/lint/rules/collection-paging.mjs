import { contractRule, isOfType, jsonSchemaOf } from '../contract.mjs';

const paging = {
  page: { type: 'integer', minimum: 1, default: 1 },
  per_page: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
};
const files = { page: 'Page', per_page: 'PerPage' };
const totals = ['X-Svc-Total', 'X-Svc-TotalPages'];

export default contractRule(({ operations }, report) => {
  // A POST answers an outcome for each record that was sent, which is no collection.
  for (const operation of operations.filter(({ method }) => method === 'get')) {
    const answer = operation.responses.get('200');
    if (!isOfType(jsonSchemaOf(answer), 'array')) continue;
    for (const [name, rule] of Object.entries(paging)) checkParameter(operation, name, rule, report);
    for (const name of totals) checkTotal(operation, answer, name, report);
    checkKey(jsonSchemaOf(answer).get('items'), report);
  }
});

function checkParameter({ name: operation, place, parameters }, name, rule, report) {
  const parameter = parameters.find(({ value }) => value.name === name && value.in === 'query');
  if (!parameter) {
    const remedy = `Add \`- $ref: ../components/parameters/${files[name]}.yaml\` to its parameters.`;
    return report(place, `\`${operation}\` answers an array but does not take \`${name}\`. ${remedy}`);
  }
  for (const [keyword, expected] of Object.entries(rule)) {
    const found = parameter.get('schema').get(keyword).value;
    if (found === expected) continue;
    const remedy = `Set \`${keyword}: ${expected}\`, as every collection has it.`;
    report(parameter.target.get('schema'), `The parameter \`${name}\` has ${keyword} ${found}. ${remedy}`);
  }
}

function checkTotal({ name: operation }, answer, name, report) {
  const header = answer.get('headers').get(name);
  if (!header.exists) {
    const remedy = `Add \`${name}: { $ref: ../components/headers/${name}.yaml }\` to its 200 response.`;
    report(answer, `\`${operation}\` answers an array but lacks the header ${name}. ${remedy}`);
  } else if (header.get('required').value !== true) {
    report(header.target, `The header ${name} is not required, so a collection could answer without it. Add \`required: true\` to it.`);
  }
}

function checkKey(record, report) {
  const key = record.get('x-key');
  if (key.exists && !record.get('required').list.includes(key.value))
    report(key, `\`x-key\` names \`${key.value}\`, which is no required field of the record. Name one that tells records apart.`);
}
