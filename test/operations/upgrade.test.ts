import { expect } from 'chai';
import { migrations } from '../../db/migrations/index.ts';
import { openSealingKey } from '../../domain/master-key/key-ownership.ts';
import { openMasterKey } from '../../server/auth/master-key.ts';
import { isSaved, savedUser } from '../db/samples.ts';
import { type Engine, forEachEngine, type Observer } from '../support/engines.ts';
import { findDifferences } from '../support/ledger-proof.ts';
import { openPayoutStore } from '../support/payouts.ts';
import { masterKey } from '../support/service.ts';
import { boundToNothing } from '../support/unbound-secrets.ts';
import { subscribed } from '../support/webhooks.ts';

type Row = Record<string, unknown>;
type Content = Map<string, Row[]>;

const questions = {
  sqlite: {
    tables: "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name <> 'migrations' order by name",
    columns: (table: string) => `select name from pragma_table_info('${table}') order by cid`,
  },
  postgres: {
    tables: "select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'migrations' order by 1",
    columns: (table: string) =>
      `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = '${table}' order by ordinal_position`,
  },
};

async function tablesIn(observer: Observer, { name }: Engine): Promise<string[]> {
  return (await observer.query<{ name: string }>(questions[name].tables)).map((row) => row.name);
}

async function columnsOf(observer: Observer, { name }: Engine, table: string): Promise<string[]> {
  return (await observer.query<{ name: string }>(questions[name].columns(table))).map((row) => row.name);
}

async function contentOf(observer: Observer, engine: Engine): Promise<Content> {
  const content: Content = new Map();
  for (const table of await tablesIn(observer, engine)) content.set(table, await observer.query<Row>(`select * from ${table}`));
  return content;
}

const literal = (value: unknown): string => {
  if (value === null) return 'null';
  return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
};

/** Puts rows into an older database, as far as it has tables and columns for them. Those that refer to others come in the order of ids. */
async function fill(observer: Observer, engine: Engine, content: Content): Promise<void> {
  // Tables refer to each other, and all of it comes from a database where those references held.
  if (engine.name === 'postgres') await observer.query("set session_replication_role = 'replica'");
  const tables = await tablesIn(observer, engine);
  // The derived ones last: filling the others changes them.
  for (const table of [...tables.filter((each) => !derived.includes(each)), ...tables.filter((each) => derived.includes(each))]) {
    const columns = await columnsOf(observer, engine, table);
    const rows = content.get(table) ?? [];
    if (rows.length === 0) continue;
    const values = rows.map((row) => `(${columns.map((column) => literal(row[column] ?? null)).join(', ')})`);
    const names = columns.map((column) => `"${column}"`).join(', ');
    await observer.query(`delete from ${table}`);
    const overriding = engine.name === 'postgres' ? 'overriding system value' : '';
    await observer.query(`insert into ${table} (${names}) ${overriding} values ${values.join(', ')}`);
    if (engine.name === 'postgres' && columns.includes('id') && table !== 'events' && table !== 'settings_version')
      await observer.query(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`);
  }
}

const kindOf = { payout_details: 'payout_details', webhooks: 'webhook_secret' } as const;

/** Older versions did not bind secrets to their owner. */
function unbind(content: Content, table: keyof typeof kindOf, column: string, owner: string): void {
  for (const row of content.get(table) ?? [])
    row[column] = boundToNothing(kindOf[table], masterKey, String(row[column]), Number(row[owner]));
}

/** A store as its operators had it when there was nothing but people and coupons, when orders came in, and when payouts and webhooks did. */
async function storesOf(engine: Engine): Promise<Record<'people' | 'orders' | 'payouts', Content>> {
  const store = await openPayoutStore(engine, { earned: 0 });
  const observer = await engine.observe(store.service.databaseUrl);
  const people = await contentOf(observer, engine);
  await store.earn(100);
  const orders = await contentOf(observer, engine);
  await subscribed(store.admin, 'http://127.0.0.1:1/hook');
  const { body } = await store.affiliate.post('/payouts', { json: { coupon_id: store.couponId }, headers: { 'Idempotency-Key': 'one' } });
  await store.service.work();
  await store.admin.post(`/payouts/${body.id}/status`, { json: { status: 'paid' } });
  await store.earn(50);
  await store.affiliate.post('/payouts', { json: { coupon_id: store.couponId } });
  const payouts = await contentOf(observer, engine);
  await store.service.stop();
  for (const content of [people, orders, payouts]) {
    unbind(content, 'payout_details', 'encrypted_details', 'user_id');
    unbind(content, 'webhooks', 'encrypted_secret', 'id');
  }
  return { people, orders, payouts };
}

const numberOf = (what: string): number => migrations.findIndex(({ name }) => name.endsWith(what)) + 1;

/** PROVE_UPGRADES=all: from every migration. Otherwise the first, the newest and some between; fewer on PostgreSQL, which is slower. */
const isTried = ({ name }: Engine, index: number): boolean =>
  process.env['PROVE_UPGRADES'] === 'all' ||
  (name === 'sqlite' && index % 5 === 0) ||
  index === 0 ||
  index >= migrations.length - 3 ||
  ['create-ledger', 'create-payouts', 'create-webhook-deliveries'].some((what) => index + 1 === numberOf(what));

/** Kept by SQLite as tables, worked out by PostgreSQL as views. */
const derived = ['affiliate_totals', 'program_totals', 'program_standing'];

forEachEngine((engine) => {
  describe('an upgrade', () => {
    let stores: Awaited<ReturnType<typeof storesOf>>;
    before(async () => {
      stores = await storesOf(engine);
    });

    /** What there can have been by then: no order without a ledger, no payout without a table of payouts. */
    const contentAfter = (count: number): Content => {
      if (count < numberOf('create-ledger')) return new Map([...stores.people].filter(([table]) => !table.startsWith('order')));
      return count < numberOf('create-payouts') ? stores.orders : stores.payouts;
    };

    for (const [index, { name }] of [...migrations.slice(0, -1).entries()].filter(([at]) => isTried(engine, at)))
      it(`from ${name} keeps all data, ends with the tables of a new database, and its ledger is sound`, async () => {
        const url = await engine.emptyUrl();
        const observer = await engine.observe(url);
        const old = await engine.open({ url, migrations: migrations.slice(0, index + 1) });
        await old.migrate();
        await old.close();
        await fill(observer, engine, contentAfter(index + 1));
        const before = await contentOf(observer, engine);
        const columns = new Map<string, string[]>();
        for (const table of before.keys()) columns.set(table, await columnsOf(observer, engine, table));

        const database = await engine.open({ url });
        await database.migrate();

        expect(before.get('users')).to.have.length(2);
        for (const [table, rows] of before) {
          const kept = await observer.query(
            `select ${columns
              .get(table)
              ?.map((column) => `"${column}"`)
              .join(', ')} from ${table}`,
          );
          expect(kept, table).to.have.deep.members(rows);
        }
        expect(await database.schemaDifferences()).to.deep.equal([]);
        if (engine.name === 'sqlite' && index + 1 >= numberOf('create-clicks'))
          for (const table of derived)
            expect(await derivedIn(observer, table), table).to.deep.equal(rowsOf(contentAfter(index + 1), table));
        expect(await findDifferences(database, masterKey)).to.deep.equal([]);
        await savedUser(database, { login: 'newcomer' });
        expect(await isSaved(database, 'newcomer')).to.equal(true);
        await unsentMailsAreDue(observer);

        // As the first start of the service does.
        await openMasterKey(database, { dataDir: '', masterKey }, () => {});
        database.setSealingKey((sealed) => openSealingKey(sealed, masterKey));
        expect(await findDifferences(database, masterKey)).to.deep.equal([]);
        await observer.query('update coupons set percent_thousandths = 90000 where id = 1');
        const found = 'The owner, code and rates of coupon 1 is not what the service wrote last: the record or its digest was changed.';
        expect(await findDifferences(database, masterKey)).to.deep.equal(before.has('coupons') ? [found] : []);
      });

    /** What a migration works out from older data is what the service would have kept, had it kept it from the start. */
    const derivedIn = async (observer: Observer, table: string): Promise<Row[]> =>
      withoutVersion(await observer.query<Row>(`select * from ${table}`));
    const rowsOf = (content: Content, table: string): Row[] => withoutVersion(content.get(table) ?? []);
    const withoutVersion = (rows: readonly Row[]): Row[] => rows.map(({ version: _version, ...row }) => row);

    /** Mails that waited when they could be sent only once are sent by the workers that came later. */
    const unsentMailsAreDue = async (observer: Observer): Promise<void> => {
      const forgotten = await observer.query("select id from mails where sent_at is null and next_at is null and last_error = ''");
      expect(forgotten).to.deep.equal([]);
    };
  });
});
