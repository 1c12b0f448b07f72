import { contractRule, hasExactly, jsonSchemaOf } from '../contract.mjs';

/** Clients put a prefix before it, and some allow 64 characters in all. */
const toolName = /^[a-z0-9_]{1,37}$/;
const fields = ['name', 'title', 'description'];

export default contractRule(({ operations }, report) => {
  const names = new Set();
  for (const operation of operations.filter(({ place }) => place.has('x-tool'))) {
    const tool = operation.place.get('x-tool');
    const [field, wrong] = findProblem(operation, tool.value, names) ?? [];
    const at = field === 'x-dry-run' ? operation.place : tool;
    if (wrong) report(field && at.has(field) ? at.get(field) : tool, `\`x-tool\` of \`${operation.name}\` ${wrong}`);
    names.add(tool.value?.name);
  }
});

/** The field that is wrong, and why. */
function findProblem({ method, place, parameters, body, responses }, tool, names) {
  if (!hasExactly(tool, fields)) return [undefined, `needs exactly ${fields.join(', ')}.`];
  const { name, description } = tool;
  if (!toolName.test(name)) return ['name', `is named \`${name}\`. Use at most 37 of a to z, 0 to 9 and _.`];
  if (names.has(name)) return ['name', `is named \`${name}\`, as another tool is.`];
  const saysBoth = /\buse\b/i.test(description) && /\b(not|never|only)\b/i.test(description);
  if (!saysBoth) return ['description', 'does not say when to use it and when not. Say both in its description.'];
  if (method !== 'get' && place.get('x-dry-run').value !== true)
    return ['x-dry-run', 'writes without a preview. It needs `x-dry-run: true`.'];
  if (body.exists && (!jsonSchemaOf(body).has('properties') || ['allOf', 'anyOf', 'oneOf'].some((key) => jsonSchemaOf(body).has(key))))
    return [
      undefined,
      'has a body whose fields are not all in `properties`, so they are no arguments. Write them there, or remove the tool.',
    ];
  const empty = responses.entries.find(([status, response]) => status.startsWith('2') && !jsonSchemaOf(response).exists);
  if (empty) return [undefined, `has nothing to tell an agent: its ${empty[0]} has no JSON. Answer a record, or remove the tool.`];
  // The arguments of a tool are one flat object.
  const all = [...parameters.map(({ value }) => value.name), ...jsonSchemaOf(body).get('properties').keys, 'confirm'];
  const twice = all.find((argument, at) => all.indexOf(argument) < at);
  return twice && [undefined, `has two arguments named \`${twice}\`.`];
}
