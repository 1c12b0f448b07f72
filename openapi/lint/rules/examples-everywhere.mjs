import { contractRule } from '../contract.mjs';

export default contractRule((contract, report) => {
  for (const parameter of [...contract.parameters, ...contract.headers]) {
    if (!hasOwnExample(parameter)) report(parameter.target, parameterWithout(parameter));
  }
  for (const { name, body, responses } of contract.everything) {
    for (const [type, media] of body.get('content').entries) {
      if (!hasOwnExample(media)) report(media, `The ${type} body of \`${name}\` has no example. Add \`examples\` with a named entry.`);
    }
    for (const [status, response] of responses.entries) checkAnswer(name, status, response, report);
  }
  for (const schema of contract.schemas) {
    for (const [name, property] of schema.get('properties').entries) {
      if (!hasExample(property))
        report(property, `The property \`${name}\` has no example. Add \`examples: [ … ]\` to it, or next to its \`$ref\`.`);
    }
  }
});

const isFilled = (value) => value !== undefined && (typeof value !== 'object' || value === null || Object.keys(value).length > 0);
const hasOwnExample = (place) => place.has('example') || (place.has('examples') && isFilled(place.get('examples').value));

const parameterWithout = ({ value, at }) =>
  `The ${value.name ? `parameter \`${value.name}\`` : `header ${at.pointer.split('/').at(-1)}`} has no example. Add \`example: …\` to it.`;

function checkAnswer(operation, status, response, report) {
  for (const [type, media] of response.get('content').entries) {
    if (media.get('examples').keys.length > 0) continue;
    const { section, name } = response.component;
    const whose = section === 'responses' ? `the shared response ${name}` : `the ${status} of \`${operation}\``;
    report(media, `The ${type} answer of ${whose} has no named example. Add \`examples: { <name>: { summary, value } }\`.`);
  }
}

/** Has an example of its own, of the schema it refers to, or of its parts. */
function hasExample(schema) {
  if (hasOwnExample(schema)) return true;
  const alternatives = ['oneOf', 'anyOf', 'allOf'].flatMap((keyword) => schema.get(keyword).children);
  if (alternatives.some(hasExample)) return true;
  if (schema.get('properties').keys.length > 0) return true;
  return ['items', 'additionalProperties'].map((keyword) => schema.get(keyword)).some((part) => part.exists && hasExample(part));
}
