import { type ContractDocument, resolveReference, type SchemaObject } from '../contract/document.ts';
import { formatConstant, generatedNotice } from './operations.ts';

/** What the reader of records (domain/records/read-record.ts) applies. A keyword beyond these would not be checked. */
const keywords = [
  'type',
  'format',
  'enum',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'maxItems',
  'items',
  'properties',
  'additionalProperties',
  'description',
  'default',
];

/** generated/records.ts: the records of the import format by their kind, without references. */
export function formatRecords(contract: ContractDocument): string {
  const records = Object.values(contract.components.schemas).filter((schema) => 'x-import-kind' in schema);
  const entries = records.map((schema) => {
    const importOnly = (schema['x-import-only'] ?? {}) as Record<string, SchemaObject>;
    const { description, required = [], properties = {} } = schema as SchemaObject & { description: string; required?: string[] };
    const fields = describeFields(contract, properties);
    return [
      String(schema['x-import-kind']),
      { description: description.trim().replaceAll('\n', ' '), required, fields, importOnly: describeFields(contract, importOnly) },
    ];
  });
  return [generatedNotice, formatConstant('recordSchemas', Object.fromEntries(entries)), declarations].join('\n');
}

const declarations = `export type RecordKind = keyof typeof recordSchemas;
`;

const describeFields = (contract: ContractDocument, fields: Record<string, SchemaObject>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, describeField(contract, name, schema)]));

function describeField(contract: ContractDocument, name: string, written: SchemaObject): Record<string, unknown> {
  const { examples: _examples, ...schema } = resolveReference(contract, written);
  const unknown = Object.keys(schema).find((keyword) => !keywords.includes(keyword));
  if (unknown !== undefined) throw new Error(`Records cannot use the keyword ${unknown} of ${name}: teach domain/records/ to apply it.`);
  const { items, properties } = schema as { items?: SchemaObject; properties?: Record<string, SchemaObject> };
  const [type, ...otherTypes] = [schema.type].flat();
  return {
    ...schema,
    type,
    ...(otherTypes.includes('null') && { nullable: true }),
    ...(items && { items: describeField(contract, `an item of ${name}`, items) }),
    ...(properties && { properties: describeFields(contract, properties) }),
  };
}
