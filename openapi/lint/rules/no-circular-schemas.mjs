import { contractRule, partsOf } from '../contract.mjs';

export default contractRule(({ schemas }, report) => {
  const finished = new Set();
  const visit = (schema, above) => {
    const address = schema.home.absolutePointer;
    if (above.includes(address)) return report(schema, circular(schema));
    if (finished.has(address)) return undefined;
    for (const part of partsOf(schema)) visit(part, [...above, address]);
    finished.add(address);
  };
  for (const schema of schemas) visit(schema, []);
});

const circular = ({ component }) =>
  `The schema ${component.name ?? 'here'} contains itself, which the service refuses to load. Describe a fixed number of levels, or refer to others by their ids.`;
