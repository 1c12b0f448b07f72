const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** The part of OpenAPI that service, client, mock and tools read; openapi/STYLE.md has it in words. */
const fieldsOf = {
  PathItem: ['parameters', ...methods],
  Operation: ['operationId', 'tags', 'summary', 'description', 'deprecated', 'parameters', 'requestBody', 'responses', 'security'],
  Parameter: ['name', 'in', 'required', 'description', 'deprecated', 'schema', 'example', 'examples', 'style', 'explode'],
  RequestBody: ['description', 'required', 'content'],
  MediaType: ['schema', 'example', 'examples'],
  Response: ['description', 'headers', 'content'],
  Header: ['description', 'required', 'deprecated', 'schema', 'example', 'examples'],
  Schema: [
    ...['title', 'description', 'deprecated', 'type', 'format', 'enum', 'const', 'default', 'example', 'examples'],
    ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength', 'pattern'],
    ...['items', 'minItems', 'maxItems', 'uniqueItems', 'allOf', 'anyOf', 'oneOf'],
    ...['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
  ],
};

export default () => ({
  any: check,
  ref: check,
  // A webhook's receiver may answer with any success.
  Paths: { Responses: checkStatuses },
});

function check(node, ctx) {
  const thing = ctx.type.name;
  const allowed = fieldsOf[thing];
  if (!allowed || typeof node !== 'object' || node === null) return;
  for (const field of Object.keys(node)) {
    if (field === '$ref' || field.startsWith('x-') || allowed.includes(field)) continue;
    const message = `Nothing here reads \`${field}\` of ${thing}, so it would be ignored. Remove it; openapi/STYLE.md has what is read.`;
    ctx.report({ message, location: ctx.location.child([field]).key() });
  }
}

function checkStatuses(responses, ctx) {
  for (const status of Object.keys(responses).filter((key) => !/^([1-5]\d\d|x-.*)$/.test(key))) {
    const message = `The status \`${status}\` stands for several, which nothing checks. Declare each status by its number.`;
    ctx.report({ message, location: ctx.location.child([status]).key() });
  }
}
