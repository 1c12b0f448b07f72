import { bodyPropertyOf, contractRule, hasExactly } from '../contract.mjs';

const furtherScopes = ['read', 'write', 'manage'];
const shapes = { 'x-scope-when': ['parameter', 'equals', 'scope'], 'x-csrf-when': ['parameter', 'equals'] };

export default contractRule(({ operations }, report) => {
  for (const operation of operations) {
    for (const [field, shape] of Object.entries(shapes)) {
      const rows = operation.place.get(field);
      const wrong = rows.exists && (wrongRows(rows.value, shape) ?? wrongNames(operation, rows.value) ?? wrongMethod(operation, field));
      if (wrong) report(rows, `\`${field}\` of \`${operation.name}\` ${wrong}`);
    }
  }
});

function wrongRows(rows, shape) {
  const expected = `Write \`[{ ${shape.join(', ')} }]\`.`;
  if (!Array.isArray(rows) || rows.length === 0) return `is no list. ${expected}`;
  return rows.every((row) => hasExactly(row, shape)) ? undefined : `has a row of another shape. ${expected}`;
}

function wrongNames(operation, rows) {
  const isParameter = (name) => operation.parameters.some(({ value }) => value.name === name);
  const stray = rows.find(({ parameter }) => !isParameter(parameter) && !bodyPropertyOf(operation, parameter).exists);
  if (stray) return `names the parameter \`${stray.parameter}\`, which the operation does not take. Name one of its own.`;
  const wrongScope = rows.find(({ scope }) => scope !== undefined && !furtherScopes.includes(scope));
  return wrongScope && `names the scope \`${wrongScope.scope}\`. Use ${furtherScopes.join(', ')}.`;
}

const wrongMethod = ({ method }, field) =>
  field === 'x-csrf-when' && !['get', 'head'].includes(method)
    ? 'is needless: an unsafe method always needs the CSRF header. Remove it.'
    : undefined;
