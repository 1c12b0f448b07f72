import { contractRule, isError } from '../contract.mjs';

const always = ['401', '403', '404', '429', '500', '503'];

const statusesOf = ({ parameters, body, place }, unavailable) => [
  ...always,
  ...(parameters.length || body.exists ? ['400'] : []),
  ...(body.exists ? ['413', '415'] : []),
  ...(unavailable.includes(place.get('x-add-ons').list[0]) ? ['501'] : []),
];

export default contractRule(({ root, operations }, report) => {
  const usual = usualResponses(operations);
  const addOns = root.get('x-add-on-catalog').entries;
  const unavailable = addOns.filter(([, addOn]) => addOn.get('inactive').value === 'unavailable').map(([name]) => name);
  for (const operation of operations) {
    for (const status of statusesOf(operation, unavailable)) {
      if (!operation.responses.has(status)) report(operation.responses, missing(operation, status, usual[status]));
    }
    for (const [status, response] of errorsOf(operation)) {
      const { name } = response.component;
      if (!isShared(response)) report(response, notShared(operation, status, usual[status]));
      else if (name !== usual[status]) report(response, notTheSame(operation, status, name, usual[status]));
    }
  }
});

const errorsOf = ({ responses }) => responses.entries.filter(([status]) => isError(status));
const isShared = (response) => response.isReference && response.component.section === 'responses';

/** By status, the shared response that most operations refer to: if two differ, the rarer one is the mistake. */
function usualResponses(operations) {
  const uses = {};
  for (const [status, response] of operations.flatMap(errorsOf).filter(([, response]) => isShared(response))) {
    const counts = (uses[status] ??= {});
    counts[response.component.name] = (counts[response.component.name] ?? 0) + 1;
  }
  return Object.fromEntries(Object.entries(uses).map(([status, counts]) => [status, mostUsed(counts)]));
}

const mostUsed = (counts) => Object.keys(counts).reduce((one, other) => (counts[other] > counts[one] ? other : one));

const missing = ({ name }, status, shared) =>
  `\`${name}\` does not declare the response ${status}. Add ${line(status, shared)} to its responses.`;
const notShared = ({ name }, status, shared) =>
  `The ${status} of \`${name}\` is written out. Refer to the shared one: ${line(status, shared)}.`;
const notTheSame = ({ name }, status, found, shared) =>
  `The ${status} of \`${name}\` is ${found}, elsewhere it is ${shared}. Make it ${line(status, shared)}: a status always means the same.`;
const line = (status, shared = '<Name>') => `\`'${status}': { $ref: ../components/responses/${shared}.yaml }\``;
