import { contractRule } from '../contract.mjs';

const secretName = /(^|_)(token|secret|password)$/;

export default contractRule(({ parameters, schemas }, report) => {
  const check = (place, name) => {
    if (secretName.test(name) && place.get('x-secret').value !== true) {
      report(place, `\`${name}\` looks like a secret but would be logged. Add \`x-secret: true\` to it.`);
    }
  };
  for (const parameter of parameters) check(parameter.target, parameter.value.name);
  for (const schema of schemas) {
    for (const [name, property] of schema.get('properties').entries) check(property, name);
  }
});
