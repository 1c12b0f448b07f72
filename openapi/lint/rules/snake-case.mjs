import { contractRule } from '../contract.mjs';

const snakeCase = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const asSnakeCase = (name) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();

export default contractRule((contract, report) => {
  const check = (place, thing, name) => {
    if (!snakeCase.test(name)) report(place, `The ${thing} \`${name}\` is not in snake_case. Name it \`${asSnakeCase(String(name))}\`.`);
  };
  for (const { value, target } of contract.parameters.filter((parameter) => ['query', 'path'].includes(parameter.value.in))) {
    check(target.get('name'), `${value.in} parameter`, value.name);
  }
  for (const schema of contract.schemas) {
    for (const [name, property] of schema.get('properties').entries) check(property, 'property', name);
  }
});
