import { Ajv2020 } from 'ajv/dist/2020.js';
import { contractRule } from '../contract.mjs';

// Formats are left to the service's own validator, which defines `calendar-day`; each format has a pattern beside it.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, logger: false });

/** By the text of the schema: many references lead to the same one, and compiling takes longer than validating. */
const compiledSchemas = new Map();

function compile(schema) {
  const dereferenced = dereference(schema);
  const text = JSON.stringify(dereferenced);
  if (!compiledSchemas.has(text)) compiledSchemas.set(text, ajv.compile(dereferenced));
  return compiledSchemas.get(text);
}

export default contractRule(({ schemas, requestSchemas }, report) => {
  // Redocly checks the examples of a schema, but not those beside a `$ref`.
  for (const schema of schemas.filter(({ isReference, raw }) => isReference && Object.hasOwn(raw, 'examples'))) {
    const compiled = compile(schema);
    for (const example of schema.get('examples').children.filter(({ value }) => !compiled(value))) {
      compiled(example.value);
      report(
        example,
        `The example ${JSON.stringify(example.value)} is refused by the schema that it stands beside: ${reasonOf(compiled)}. Correct it.`,
      );
    }
  }
  for (const schema of requestSchemas) {
    for (const name of schema.get('required').list) {
      const property = schema.get('properties').get(name);
      if (!property.has('default')) continue;
      report(
        property.get('default'),
        `The request field \`${name}\` is required and has a default, so a client must send what the service would fill in. Remove one of the two.`,
      );
    }
  }
  for (const schema of schemas.filter((place) => place.has('default'))) {
    const { value } = schema.get('default');
    const compiled = compile(schema);
    if (compiled(value)) continue;
    report(
      schema.get('default'),
      `The default ${JSON.stringify(value)} is refused by its own schema: ${reasonOf(compiled)}. Correct the default or the schema.`,
    );
  }
});

const reasonOf = ({ errors }) => ajv.errorsText(errors, { dataVar: 'it' });

/** Texts and examples that validate nothing. A field of these names is no text and no list. */
const isAnnotation = (key, value) => (key === 'description' && typeof value === 'string') || (key === 'examples' && Array.isArray(value));

/** As written, with each reference replaced by its target. Keys beside a reference apply as well. */
function dereference(place, above = []) {
  if (typeof place.raw !== 'object' || place.raw === null) return place.raw;
  if (above.includes(place.home.absolutePointer)) return {};
  const inside = [...above, place.home.absolutePointer];
  if (Array.isArray(place.raw)) return place.raw.map((_, index) => dereference(place.get(index), inside));
  const keys = Object.keys(place.raw).filter((key) => !(key === '$ref' && place.isReference) && !isAnnotation(key, place.raw[key]));
  const written = Object.fromEntries(keys.map((key) => [key, dereference(place.get(key), inside)]));
  return place.isReference ? { allOf: [dereference(place.target, above), written] } : written;
}
