import { contractRule } from '../contract.mjs';

// Spec, "GET /openapi": <method>_<path segments joined by underscore, parameters by their name>. A hyphen is an underscore, too.
const operationIdOf = (method, path) => [method, ...path.split('/').filter(Boolean)].join('_').replace(/[{}]/g, '').replaceAll('-', '_');

export default contractRule(({ operations }, report) => {
  for (const { method, path, place } of operations) {
    const expected = operationIdOf(method, path);
    const { value } = place.get('operationId');
    if (value === expected) continue;
    const found = value === undefined ? 'has no operationId' : `has the operationId \`${value}\``;
    report(value === undefined ? place : place.get('operationId'), `${method.toUpperCase()} ${path} ${found}. Name it \`${expected}\`.`);
  }
});
