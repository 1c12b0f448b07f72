import { contractRule, jsonSchemaOf } from '../contract.mjs';

export default contractRule((contract, report) => {
  // A site without the change feed serves a document without its kinds.
  const kinds = contract.schemaNamed('EventKind')?.get('enum').list;
  const seen = new Map();
  for (const webhook of contract.webhooks) {
    const { event, entry, place, body } = webhook;
    const say = (found, fallback, message) => report(found.exists ? found : fallback, `The webhook ${event} ${message}`);
    if (entry.keys.join() !== 'post') {
      say(entry.target, entry, `has ${entry.keys.join(', ') || 'nothing'}. Give it \`post\` and nothing else: a delivery is one POST.`);
      continue;
    }
    const id = place.get('operationId');
    const expected = `webhook_${event.replaceAll('.', '_')}`;
    const found = id.exists ? `the operationId \`${id.value}\`` : 'no operationId';
    if (id.value !== expected) say(id, place, `has ${found}. Make it \`${expected}\`.`);
    const kind = place.get('x-feed-kind');
    const isKnown = kinds ? kinds.includes(kind.value) : typeof kind.value === 'string';
    if (event === 'ping' ? kind.value !== null : !isKnown) say(kind, place, wrongKind(event));
    else if (kind.value && seen.has(kind.value))
      say(kind, place, `has the kind of ${seen.get(kind.value)} in the change feed. Give each event a kind of its own in EventKind.`);
    seen.set(kind.value, event);
    for (const message of wrongBody(event, body)) say(body, place, message);
  }
});

const wrongKind = (event) =>
  event === 'ping'
    ? 'is no part of the change feed. Set `x-feed-kind: null`.'
    : 'has no kind of the change feed. Set `x-feed-kind` to one of the schema EventKind.';

function wrongBody(event, body) {
  const properties = jsonSchemaOf(body).get('properties');
  const examples = body.get('content').get('application/json').get('examples').keys;
  return [
    properties.get('event').get('const').value !== event &&
      `does not name itself in its body. Make the property \`event: { const: ${event} }\`.`,
    !properties.has('data') && 'has no `data` in its body. Add the property, with what the event is about.',
    examples.length === 0 && 'shows no delivery. Add `examples` with a named entry to its body.',
  ].filter(Boolean);
}
