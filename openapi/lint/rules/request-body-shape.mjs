import { contractRule, isOfType, jsonSchemaOf, partsOf, reach } from '../contract.mjs';

const availability = ['x-edition', 'x-add-ons', 'x-switch-group'];
const mediaTypes = ['application/json', 'application/x-www-form-urlencoded'];

export default contractRule(({ operations }, report) => {
  for (const operation of operations.filter(({ body }) => body.exists)) {
    const { name, body, place } = operation;
    const content = body.get('content');
    const form = content.get(mediaTypes[1]);
    if (form.exists && !hasForm(form.get('schema')))
      report(form, `A form cannot carry the lists or objects of \`${name}\`. Remove it; JSON can.`);
    const map = jsonSchemaOf(body).get('additionalProperties');
    if (typeof map.value === 'object') {
      report(
        map,
        `The body of \`${name}\` is a map with a schema, of which the service would read nothing. Write \`additionalProperties: true\`.`,
      );
      continue;
    }
    for (const schema of nestedIn(jsonSchemaOf(body)))
      for (const field of availability.filter((key) => schema.has(key)))
        report(
          schema.get(field),
          `The service leaves out only whole fields of the body of \`${name}\`, not what is inside one. Move \`${field}\` to the field.`,
        );
    const missing = (hasForm(jsonSchemaOf(body)) ? mediaTypes : ['application/json']).filter((type) => !content.has(type));
    for (const type of missing) report(body, `The body of \`${name}\` cannot be sent as ${type}. Add it, with the schema of the other.`);
    if (missing.length === 0 && content.keys.length > 1 && !isOneSchema(content)) {
      report(body, `JSON and form of \`${name}\` do not refer to one schema. Write the same \`schema: { $ref: … }\` under both.`);
    }
    if (typeof body.get('required').value !== 'boolean') {
      report(body, `The body of \`${name}\` does not say whether it may be left out. Write \`required: true\` or \`required: false\`.`);
    }
    if (!codesOf(operation, '400').includes('rest_invalid_json')) {
      report(place, `\`${name}\` reads JSON but does not declare \`rest_invalid_json\`. Add it to its \`x-error-codes\` under '400'.`);
    }
  }
});

/** A list of records, a map, and a field with fields of its own cannot be sent as a form. */
const hasForm = (schema) =>
  !isOfType(schema, 'array') &&
  schema.get('additionalProperties').value !== true &&
  !schema.get('properties').children.some((property) => isOfType(property, 'object'));

/** What is inside the fields of a body, or in the records of a list. */
function nestedIn(schema) {
  const fieldsOf = (place) => [
    ...place.get('properties').children,
    ...['allOf', 'anyOf', 'oneOf'].flatMap((key) => place.get(key).children.flatMap(fieldsOf)),
  ];
  return reach([...fieldsOf(schema).flatMap(partsOf), ...(schema.has('items') ? partsOf(schema.get('items')) : [])]);
}

function isOneSchema(content) {
  const [json, form] = mediaTypes.map((type) => content.get(type).get('schema'));
  return json.isReference && form.isReference && json.home.absolutePointer === form.home.absolutePointer;
}

const codesOf = ({ place, responses }, status) => [
  ...responses.get(status).get('x-error-codes').list,
  ...place.get('x-error-codes').get(status).list,
];
