import { contractRule, isOfType } from '../contract.mjs';

const forQueries = ['x-admin-only', 'x-add-ons'];

export default contractRule(({ operations }, report) => {
  for (const parameter of operations.flatMap(({ parameters }) => parameters)) {
    const { name, in: place } = parameter.value;
    const schema = parameter.get('schema');
    const say = (field, sentence) =>
      report(parameter.has(field) ? parameter.get(field) : parameter.target, `The parameter \`${name}\` ${sentence}`);
    if (place === 'cookie') say('in', 'is in a cookie, which the service does not read. Make it a header or a query parameter.');
    for (const field of forQueries.filter((one) => place !== 'query' && parameter.has(one)))
      say(field, `has \`${field}\`, which the service applies to query parameters alone. Remove it.`);
    const usual = place === 'query' ? 'form' : 'simple';
    const style = parameter.get('style').value ?? usual;
    if (style !== usual) say('style', `has the style ${style}, which the service does not read. Remove it: \`${usual}\` is read.`);
    else if (isOfType(schema, 'object') || schema.has('properties'))
      say('schema', 'is an object, which no text of a request becomes. Give each field a parameter of its own.');
    else if (isOfType(schema, 'array')) checkList(parameter, schema, say);
    if (parameter.get('required').value === true && schema.has('default'))
      say('required', 'is required and has a default, so a client must send what the service would fill in. Remove one of the two.');
  }
});

function checkList(parameter, schema, say) {
  const items = schema.get('items');
  if (parameter.value.in !== 'query') say('schema', 'is a list outside of the query, where it would be read as one text. Make it a text.');
  else if (parameter.get('explode').value !== false)
    say('explode', 'is a list that the client sends with commas, and that would be read as one text. Add `explode: false`.');
  else if (isOfType(items, 'array') || isOfType(items, 'object'))
    say('schema', 'is a list of lists or objects, which no text of a request becomes. Make its items texts or numbers.');
}
