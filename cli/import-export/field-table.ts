import { type FieldSchema, fieldsOf, isRequired, type RecordKind } from '../../domain/records/read-record.ts';
import { recordKinds } from './record-reader.ts';

export interface DescribedField {
  name: string;
  required: boolean;
  /** What the value must be: `text`, `amount`, `one of publish, draft, private`. */
  value: string;
  description: string;
}

const formatNames: Readonly<Record<string, string>> = {
  amount: 'amount',
  percent: 'percent',
  moment: 'date',
  login: 'login',
  'email-address': 'email address',
  'single-line': 'one line',
  website: 'http or https address',
};
const typeNames: Readonly<Record<FieldSchema['type'], string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  object: 'JSON object',
  array: 'JSON array',
};

function describeValue({ type, format = '', enum: options, default: byDefault }: FieldSchema): string {
  const value = options ? `one of ${options.join(', ')}` : (formatNames[format] ?? typeNames[type]);
  return byDefault === undefined ? value : `${value}, default ${byDefault}`;
}

/** The fields of every kind of record, from the schemas of the contract. */
export const fieldTable: Readonly<Record<RecordKind, readonly DescribedField[]>> = Object.fromEntries(
  recordKinds.map((kind) => [
    kind,
    Object.entries(fieldsOf(kind, 'file')).map(([name, schema]) => ({
      name,
      required: isRequired(kind, name),
      value: describeValue(schema),
      description: schema.description ?? '',
    })),
  ]),
) as Record<RecordKind, DescribedField[]>;

/** For the help page: one line for each field, required ones marked with an asterisk. */
export function formatFieldHelp(): string {
  const width = Math.max(...Object.values(fieldTable).flatMap((fields) => fields.map(({ name }) => name.length))) + 2;
  const rows = recordKinds.map((kind) => [
    `  ${kind}`,
    ...fieldTable[kind].map(
      ({ name, required, value, description }) => `    ${`${name}${required ? '*' : ''}`.padEnd(width)}${value}. ${description}`,
    ),
  ]);
  return rows.flat().join('\n');
}
