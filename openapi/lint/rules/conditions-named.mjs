import { contractRule, hasExactly } from '../contract.mjs';

const furtherScopes = ['read', 'write', 'manage'];
const shapes = { 'x-scope-when': ['parameter', 'equals', 'scope'], 'x-csrf-when': ['parameter', 'equals'] };

export default contractRule(({ operations }, report) => {
  for (const operation of operations) {
    for (const [field, shape] of Object.entries(shapes)) {
      const rows = operation.place.get(field);
      const wrong = rows.exists && (wrongRows(rows.value, shape) ?? wrongMethod(operation, field) ?? wrongNames(operation, rows.value));
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
  // Both are decided before the body is read, so the service reads only the query.
  const isInQuery = (name) => operation.parameters.some(({ value }) => value.in === 'query' && value.name === name);
  const stray = rows.find(({ parameter }) => !isInQuery(parameter));
  if (stray) return `names \`${stray.parameter}\`, which is no query parameter of the operation. Name one; nothing else is read.`;
  const wrongScope = rows.find(({ scope }) => scope !== undefined && !furtherScopes.includes(scope));
  return wrongScope && `names the scope \`${wrongScope.scope}\`. Use ${furtherScopes.join(', ')}.`;
}

const wrongMethod = ({ method }, field) =>
  field === 'x-csrf-when' && !['get', 'head'].includes(method)
    ? 'is needless: an unsafe method always needs the CSRF header. Remove it.'
    : undefined;
