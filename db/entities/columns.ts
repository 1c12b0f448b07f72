import type { EntitySchemaColumnOptions, ValueTransformer } from 'typeorm';

/** PostgreSQL gives a bigint as text. Whatever does not fit a JavaScript number exactly must not pass as one. */
export function wholeNumber(stored: unknown): number {
  const number = Number(stored);
  if (!Number.isSafeInteger(number)) throw new Error('A number in the database is not a whole number, or too large to be exact.');
  return number;
}

const exactly: ValueTransformer = {
  from: (stored: unknown) => (stored === null ? null : wholeNumber(stored)),
  to: (value: unknown) => (typeof value === 'number' ? wholeNumber(value) : value),
};

const listed: ValueTransformer = { from: (stored: string) => stored.split(','), to: (items: string[]) => items.join(',') };

const json: ValueTransformer = {
  from: (stored: string | null) => (stored === null ? null : JSON.parse(stored)),
  to: (value: unknown) => (value === null ? null : JSON.stringify(value)),
};

export const id: EntitySchemaColumnOptions = { type: 'bigint', primary: true, generated: 'increment', transformer: exactly };

/** An id of another row, a moment in milliseconds since 1970 UTC, or an amount in minor units. */
export const whole = (name: string): EntitySchemaColumnOptions => ({ name, type: 'bigint', transformer: exactly });

export const text = (name: string): EntitySchemaColumnOptions => ({ name, type: 'text' });

/** Words without commas, in their order. */
export const list = (name: string): EntitySchemaColumnOptions => ({ name, type: 'text', transformer: listed });

export const jsonText = (name: string): EntitySchemaColumnOptions => ({ name, type: 'text', transformer: json });

export const nullable = (column: EntitySchemaColumnOptions): EntitySchemaColumnOptions => ({ ...column, nullable: true });

/** Read only by those who ask for it by name. */
export const hidden = (column: EntitySchemaColumnOptions): EntitySchemaColumnOptions => ({ ...column, select: false });

/** Any other number is no id, so no row has it; PostgreSQL would refuse to compare. */
export const isId = (value: number): boolean => Number.isSafeInteger(value) && value > 0;
