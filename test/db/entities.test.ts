import { expect } from 'chai';
import type { EntitySchema, EntitySchemaColumnOptions } from 'typeorm';
import { entities } from '../../db/entities/index.ts';
import { type Engine, forEachEngine, type Observer } from '../support/engines.ts';
import { suiteFixture } from '../support/fixture.ts';

interface ColumnShape {
  type: string;
  isNullable: boolean;
  isPrimary: boolean;
  default: string | null;
}

type Shape = Record<string, ColumnShape>;

const listed = entities as EntitySchema[];

const shapeOf = ({ name, type, nullable, primary, default: declared }: EntitySchemaColumnOptions): [string, ColumnShape] => [
  String(name),
  {
    type: String(type),
    isNullable: nullable ?? false,
    isPrimary: primary ?? false,
    default: declared === undefined ? null : String(declared),
  },
];

function declaredShape({ options }: EntitySchema): Shape {
  const nested = Object.values(options.embeddeds ?? {}).flatMap(({ schema }) => Object.values(schema.options.columns));
  const columns = [...Object.values(options.columns), ...nested] as EntitySchemaColumnOptions[];
  return Object.fromEntries(columns.map(shapeOf));
}

interface Found {
  name: string;
  type: string;
  required: number;
  pk: number;
  declared: string | null;
}

const catalogs: Record<Engine['name'], { tables: string; views: string; columns(table: string): string }> = {
  sqlite: {
    tables: "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name <> 'migrations'",
    views: "select name from sqlite_master where type = 'view'",
    columns: (table) => `
      select name, case lower(type) when 'integer' then 'bigint' else lower(type) end as type, "notnull" as required, pk > 0 as pk,
        dflt_value as declared
      from pragma_table_info('${table}')`,
  },
  postgres: {
    tables:
      "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'migrations'",
    views: "select table_name as name from information_schema.views where table_schema = 'public'",
    columns: (table) => `
      select column_name as name, data_type as type, case is_nullable when 'NO' then 1 else 0 end as required, column_default as declared,
        (select count(*)::int from information_schema.table_constraints join information_schema.key_column_usage
         using (constraint_name, table_name)
         where constraint_type = 'PRIMARY KEY' and table_name = columns.table_name and column_name = columns.column_name) as pk
      from information_schema.columns as columns where table_schema = 'public' and table_name = '${table}'`,
  },
};

/** `'percent'::text` on PostgreSQL and `'percent'` on SQLite are both percent. */
const plainDefault = (declared: string | null): string | null => declared?.replace(/::text$/, '').replace(/^'(.*)'$/, '$1') ?? null;

const namesIn = async (observer: Observer, sql: string): Promise<string[]> =>
  (await observer.query<{ name: string }>(sql)).map(({ name }) => name).toSorted();

describe('the entities', () => {
  forEachEngine((engine) => {
    const catalog = catalogs[engine.name];
    // Counters are kept in memory where one process serves the file.
    const expected = listed.filter(({ options }) => engine.name === 'postgres' || options.name !== 'window_counters');
    const observer = suiteFixture(async () => engine.observe(await engine.freshUrl()));

    async function migratedShape(table: string): Promise<Shape> {
      const rows = await observer.query<Found>(catalog.columns(table));
      return Object.fromEntries(
        rows.map(({ name, type, required, pk, declared }) => [
          name,
          { type, isNullable: required === 0 && pk === 0, isPrimary: pk > 0, default: plainDefault(declared) },
        ]),
      );
    }

    it('are one for each table and view that the migrations create', async () => {
      const migrated = [...(await namesIn(observer, catalog.tables)), ...(await namesIn(observer, catalog.views))];
      expect(expected.map(({ options }) => options.name).toSorted()).to.deep.equal(migrated.toSorted());
    });

    for (const entity of expected)
      it(`declare the columns of ${entity.options.name} as the migrations create them`, async () => {
        const { name, type } = entity.options;
        const migrated = await migratedShape(name);
        const declared = declaredShape(entity);
        const isView = type === 'view' || (await namesIn(observer, catalog.views)).includes(name);
        // Columns of a view have neither keys nor defaults, and are all nullable.
        if (isView) expect(Object.keys(declared).toSorted()).to.deep.equal(Object.keys(migrated).toSorted());
        else expect(declared).to.deep.equal(migrated);
      });
  });
});
