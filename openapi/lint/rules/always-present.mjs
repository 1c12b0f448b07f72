import { contractRule } from '../contract.mjs';

const reasons = ['x-absent', 'x-edition', 'x-add-ons'];

export default contractRule(({ answerSchemas, requestSchemas }, report) => {
  for (const schema of requestSchemas) {
    for (const name of schema.get('required').list) {
      const property = schema.get('properties').get(name);
      const reason = reasons.find((field) => property.has(field));
      if (reason) report(property, contradiction(name, reason));
    }
  }
  for (const schema of answerSchemas) {
    const required = schema.get('required').list;
    for (const [name, property] of schema.get('properties').entries) {
      const reason = reasons.find((field) => property.has(field));
      checkAbsence(name, property, report);
      if (required.includes(name) && reason) report(property, contradiction(name, reason));
      if (!required.includes(name) && !reason) report(property, unexplained(name));
    }
  }
});

function checkAbsence(name, property, report) {
  const absent = property.get('x-absent');
  if (!absent.exists || (typeof absent.value === 'string' && /^[a-z].*[^.]$/.test(absent.value))) return;
  report(absent, `The \`x-absent\` of \`${name}\` does not complete "absent …". Write a fragment such as "unless \`interval\` is given".`);
}

const contradiction = (name, reason) =>
  `The property \`${name}\` is required and has \`${reason}\`, so it can be absent. Take it out of \`required\`, or remove \`${reason}\`.`;
const unexplained = (name) =>
  `The property \`${name}\` of a response may be missing, and nothing says when. Add it to \`required\`, or say when in \`x-absent\`.`;
