import { EntitySchema, type EntitySchemaColumnOptions, type EntitySchemaOptions, type ValueTransformer } from 'typeorm';

declare const valueType: unique symbol;

/** The options of a column, with the type that its values have in an object. */
export interface Column<Value> extends EntitySchemaColumnOptions {
  readonly [valueType]?: Value;
}

type Columns = Record<string, Column<unknown>>;
type Values<Own extends Columns> = { [Property in keyof Own]: Own[Property] extends Column<infer Value> ? Value : never };
type Row<Own extends Columns, Groups extends Record<string, Columns>> = Values<Own> & { [Group in keyof Groups]: Values<Groups[Group]> };

/** PostgreSQL returns a bigint as text. A number that JavaScript cannot represent exactly must not pass as one. */
export function toSafeInteger(stored: unknown): number {
  const number = Number(stored);
  if (!Number.isSafeInteger(number)) throw new Error('A number in the database is not a whole number, or too large to be exact.');
  return number;
}

const unlessNull = (convert: (value: unknown) => unknown) => (value: unknown) => (value === null ? null : convert(value));

const safeInteger: ValueTransformer = {
  from: unlessNull(toSafeInteger),
  to: (value: unknown) => (typeof value === 'number' ? toSafeInteger(value) : value),
};

const commaSeparated: ValueTransformer = { from: (stored: string) => stored.split(','), to: (items: string[]) => items.join(',') };

const jsonText: ValueTransformer = {
  from: unlessNull((stored) => JSON.parse(String(stored))),
  to: unlessNull((value) => JSON.stringify(value)),
};

const zeroOrOne: ValueTransformer = { from: (stored: unknown) => Number(stored) === 1, to: (value: boolean) => (value ? 1 : 0) };

/** An id of another row, a moment in milliseconds since 1970 UTC, an amount in minor units, or a count. */
export const bigint = (name: string): Column<number> => ({ name, type: 'bigint', transformer: safeInteger });

export const text = <Value extends string = string>(name: string): Column<Value> => ({ name, type: 'text' });

/** Words without commas, in their order. */
export const list = <Word extends string>(name: string): Column<Word[]> => ({ name, type: 'text', transformer: commaSeparated });

export const json = <Value>(name: string): Column<Value> => ({ name, type: 'text', transformer: jsonText });

export const boolean = (name: string): Column<boolean> => ({ name, type: 'bigint', transformer: zeroOrOne });

export const nullable = <Value>(column: Column<Value>): Column<Value | null> => ({ ...column, nullable: true });

export const primary = <Value>(column: Column<Value>): Column<Value> => ({ ...column, primary: true });

/** The default that its migration declares, as it is stored. */
export const withDefault = <Value>(column: Column<Value>, stored: string | number): Column<Value> => ({ ...column, default: stored });

/** Selected only by name. */
export const hidden = <Value>(column: Column<Value>): Column<Value> => ({ ...column, select: false });

/** A key that the database assigns. */
export const generatedId: Column<number> = { ...primary(bigint('id')), generated: 'increment' };

/** Any other number is no id, so no row has it; PostgreSQL would refuse to compare. */
export const isId = (value: number): boolean => Number.isSafeInteger(value) && value > 0;

/**
 * The EntitySchema of a table. The type of its objects follows from the columns. `groups` are columns that an object has in one nested
 * property: `coupon.balances.unpaid`.
 */
export function entity<Own extends Columns, Groups extends Record<string, Columns> = Record<never, never>>(
  name: string,
  columns: Own,
  groups?: Groups,
  type: 'regular' | 'view' = 'regular',
): EntitySchema<Row<Own, Groups>> {
  const embedded = (group: string, own: Columns) => ({ schema: new EntitySchema({ name: `${name}.${group}`, columns: own }), prefix: '' });
  const embeddeds: unknown = Object.fromEntries(Object.entries(groups ?? {}).map(([group, own]) => [group, embedded(group, own)]));
  // Migrations create the tables. TypeORM would keep a table about views of its own otherwise.
  return new EntitySchema({ name, type, columns, embeddeds, synchronize: false } as EntitySchemaOptions<Row<Own, Groups>>);
}

/** The type of an entity's objects. */
export type EntityRow<Entity> = Entity extends EntitySchema<infer Own> ? Own : never;
