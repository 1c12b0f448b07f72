import type { Engine } from '../support/engines.ts';

const tablesOf: Record<Engine['name'], string> = {
  sqlite: "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'",
  postgres: "select tablename as name from pg_tables where schemaname = 'public'",
};

/** Random by their nature, so that no two stores have them alike. */
const random = /^(hash|prefix|csrf_token|encrypted_\w+|secret|lease\w*|answer|movement)$/;

/** Every row of every table, as text, without what is random. */
export async function wholeDatabase(engine: Engine, url: string): Promise<Record<string, string[]>> {
  const observer = await engine.observe(url);
  const names = (await observer.query<{ name: string }>(tablesOf[engine.name])).map(({ name }) => name).toSorted();
  const dump: Record<string, string[]> = {};
  for (const name of names) dump[name] = (await observer.query<Record<string, unknown>>(`select * from "${name}"`)).map(written).toSorted();
  return dump;
}

const written = (row: Record<string, unknown>): string =>
  JSON.stringify(Object.fromEntries(Object.entries(row).filter(([name]) => !random.test(name)))).replaceAll(
    /svc_[0-9a-f]{8}|\b[0-9a-f]{32}\b/g,
    '…',
  );

/** Every name of a column, of which an attacker who has read the source knows. */
export async function allColumns(engine: Engine, url: string): Promise<string[]> {
  const observer = await engine.observe(url);
  const sql =
    engine.name === 'sqlite'
      ? "select distinct p.name from sqlite_master m join pragma_table_info(m.name) p where m.type = 'table'"
      : "select distinct column_name as name from information_schema.columns where table_schema = 'public'";
  return (await observer.query<{ name: string }>(sql)).map(({ name }) => name);
}
