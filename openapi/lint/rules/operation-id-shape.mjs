import { contractRule } from '../contract.mjs';

// Spec, "GET /openapi": <method>_<path segments joined by underscore, parameters by their name>. A hyphen is an underscore, too.
const operationIdOf = (method, path) => [method, ...path.split('/').filter(Boolean)].join('_').replace(/[{}]/g, '').replaceAll('-', '_');

export default contractRule(({ operations }, report) => {
  for (const { method, path, place } of operations) {
    const expected = operationIdOf(method, path);
    const { value } = place.get('operationId');
    if (value === expected) continue;
    const found = value === undefined ? 'has no operationId' : `has the operationId \`${value}\``;
    const pattern = '<method>_<segments of the path joined by _, parameters by their name, a hyphen as _>';
    const sentence = `${method.toUpperCase()} ${path} ${found}. Name it \`${expected}\`: ${pattern}.`;
    report(value === undefined ? place : place.get('operationId'), sentence);
  }
});
