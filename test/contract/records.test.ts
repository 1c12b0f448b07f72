import { expect } from 'chai';
import fc from 'fast-check';
import { fieldsOf, type RawRecord, RecordError, type RecordKind, readRecord } from '../../domain/records/read-record.ts';
import { createAjv } from '../../server/contract/ajv.ts';
import { readBundle } from '../../server/contract/document.ts';

const { components } = readBundle();
const schemas = Object.entries(components?.schemas ?? {}).filter(([, schema]) => 'x-import-kind' in schema);
// A compiler that knows nothing of our reader, except for the formats.
const ajv = createAjv({});
ajv.addSchema({ $id: 'contract', components });

const odd = [
  7,
  -1,
  1.5,
  1e13,
  2 ** 53,
  'x',
  ' x',
  'a\nb',
  'x'.repeat(70),
  'x'.repeat(300),
  '𝕏'.repeat(200),
  '2026-02-30',
  '2026-10-21',
  {},
  [],
  true,
];
const more = [['a', 7], { phone: 7 }, { phone: 'x' }, { color: 'x' }, 'hashed:x', 'ada@example.com', 'publish', 'completed', 'fixed_cart'];

const isAccepted = (kind: RecordKind, raw: RawRecord): boolean => {
  try {
    readRecord(kind, raw, { locale: { zone: 'UTC', currency: 'USD' }, origin: 'api' });
    return true;
  } catch (error) {
    if (error instanceof RecordError) return false;
    throw error;
  }
};

describe('the reader of records', () => {
  for (const [name, schema] of schemas) {
    const kind = schema['x-import-kind'] as RecordKind;
    const validate = ajv.getSchema(`contract#/components/schemas/${name}`);
    const fields = fieldsOf(kind, 'api');
    const examples = Object.fromEntries(
      Object.entries(schema['properties'] as Record<string, { $ref?: string; examples?: unknown[] }>).map(([field, { $ref, examples }]) => [
        field,
        (examples ?? (components?.schemas?.[$ref?.split('/').at(-1) ?? '']?.['examples'] as unknown[] | undefined))?.[0],
      ]),
    );
    // Dates and amounts depend on the store; JSON Schema alone cannot say that 30 February does not exist.
    const isOfStore = ([field, value]: [string, unknown]): boolean =>
      fields[field]?.format === 'moment'
        ? typeof value !== 'string' || value === '2026-10-21'
        : fields[field]?.format !== 'percent' || value !== 1.5;

    it(`accepts exactly the records that a JSON Schema validator accepts as ${name}`, () => {
      const oneChanged = fc.record({ field: fc.constantFrom(...Object.keys(fields), 'unknown'), value: fc.constantFrom(...odd, ...more) });
      const tally = { valid: 0, invalid: 0 };
      fc.assert(
        fc.property(fc.array(oneChanged, { maxLength: 2 }), fc.subarray(Object.keys(examples)), (changes, left) => {
          const kept = Object.entries(examples).filter(([field, value]) => left.includes(field) && value !== '');
          const changed = changes.map(({ field, value }): [string, unknown] => [field, value]).filter(isOfStore);
          const record = Object.fromEntries([...kept, ...changed]);
          const isValid = validate?.(record) === true;
          expect(isAccepted(kind, record), JSON.stringify(record)).to.equal(isValid);
          tally[isValid ? 'valid' : 'invalid'] += 1;
        }),
        { numRuns: 400 },
      );
      expect(tally.invalid).to.be.above(50);
    });
  }
});
