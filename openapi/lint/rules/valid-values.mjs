import { Ajv2020 } from 'ajv/dist/2020.js';
import { contractRule } from '../contract.mjs';

// Formats are left to the service's own validator, which defines `calendar-day`; each format has a pattern beside it.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, logger: false });

export default contractRule(({ schemas }, report) => {
  for (const schema of schemas.filter((place) => place.has('default'))) {
    const { value } = schema.get('default');
    if (ajv.validate(dereference(schema), value)) continue;
    const reason = ajv.errorsText(ajv.errors, { dataVar: 'it' });
    report(
      schema.get('default'),
      `The default ${JSON.stringify(value)} is refused by its own schema: ${reason}. Correct the default or the schema.`,
    );
  }
});

/** As written, with each reference replaced by its target. Keys beside a reference apply as well. */
function dereference(place, above = []) {
  if (typeof place.raw !== 'object' || place.raw === null) return place.raw;
  if (above.includes(place.home.absolutePointer)) return {};
  const inside = [...above, place.home.absolutePointer];
  if (Array.isArray(place.raw)) return place.raw.map((_, index) => dereference(place.get(index), inside));
  const keys = Object.keys(place.raw).filter((key) => key !== '$ref' || !place.isReference);
  const written = Object.fromEntries(keys.map((key) => [key, dereference(place.get(key), inside)]));
  return place.isReference ? { allOf: [dereference(place.target, above), written] } : written;
}
