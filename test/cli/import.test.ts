import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { onAnyEngine } from '../support/engines.ts';
import { expectCommandError, Machine, waitForExit } from './machine.ts';
import { waitUntil } from './running-service.ts';

const lines = (records: readonly object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');

const people = [
  { kind: 'user', login: 'ada', email: 'ada@example.com', display_name: 'Ada' },
  { kind: 'coupon', id: 301, code: 'ADA10', user: 'ada' },
];
const order = (order_id: number) => ({
  kind: 'order',
  order_id,
  coupon_id: 301,
  date: '2026-10-01T12:00:00',
  status: 'completed',
  total: 100,
  visitor: 'v',
});
const bad = { ...order(9), total: 'a lot' };
const reason = 'total must be an amount in USD, zero or more, as a number with at most 2 decimals.';

function fileOn(machine: Machine, name: string, text: string): string {
  mkdirSync(machine.folder, { recursive: true });
  const file = path.join(machine.folder, name);
  writeFileSync(file, text);
  return file;
}

/** Orders, balances and figures, read from the database, without columns that differ in every run. */
const content = (machine: Machine): Promise<unknown> =>
  machine.inside((database) =>
    database.read(async ({ exports, coupons, figures }) => ({
      orders: (await exports.orders(0, 100_000)).map(({ grantedAt: _grantedAt, visitorHash: _visitorHash, ...rest }) => rest),
      balances: (await coupons.newestOf([1], 100)).map(({ balances }) => balances),
      figures: [...(await figures.snapshotsOf([301])).values()].map(({ version: _version, ...rest }) => rest),
    })),
  );

describe('affiliate import', () => {
  it('prints the counts of lines, or one JSON document', async () => {
    const machine = new Machine();
    const file = fileOn(machine, 'shop.ndjson', lines([...people, order(1), order(2)]));
    expect(await machine.json('import', file)).to.deep.equal({ imported: 4, unchanged: 0, not_referred: 0, errors: [] });
    expect(await machine.json('import', file)).to.deep.equal({ imported: 0, unchanged: 4, not_referred: 0, errors: [] });
    expect(await machine.text('import', file)).to.match(/^4 lines in \d+\.\d s \([\d,]+\/s\): 0 imported, 4 unchanged, 0 refused\.\n$/);
  });

  it('reports invalid lines, imports the others and exits with 1', async () => {
    const machine = new Machine();
    const file = fileOn(machine, 'shop.ndjson', lines([...people, bad, order(1)]));
    const asDocument = await machine.run(['import', file, '--json']);
    expect(JSON.parse(asDocument.out)).to.deep.equal({ imported: 3, unchanged: 0, not_referred: 0, errors: [{ line: 3, reason }] });
    expect(asDocument).to.include({ code: 1, err: '1 line was refused; everything else was imported.\n' });
    const asText = await machine.run(['import', file]);
    expect(asText.out).to.match(/^line 3: total must be .*\n4 lines in .*: 0 imported, 3 unchanged, 1 refused\.\n$/);
  });

  it('imports all or nothing with --strict, also from standard input', async () => {
    const machine = new Machine();
    const refused = await machine.run(['import', '-', '--strict', '--json'], { input: lines([...people, order(1), bad]) });
    expect(JSON.parse(refused.out)).to.deep.equal({ imported: 0, unchanged: 0, not_referred: 0, errors: [{ line: 4, reason }] });
    expect(refused).to.include({ code: 1, err: 'Line 4 was refused, so nothing was imported.\n' });
    const taken = await machine.run(['import', '-', '--strict', '--json'], { input: lines([...people, order(1)]) });
    expect(JSON.parse(taken.out)).to.deep.equal({ imported: 3, unchanged: 0, not_referred: 0, errors: [] });
  });

  it('reads CSV of the kind in the file name or in --kind', async () => {
    const machine = new Machine();
    const users = fileOn(machine, 'users.csv', 'login,email,display_name\nada,ada@example.com,"Ada, the first"\n');
    expect(await machine.json('import', users)).to.deep.equal({ imported: 1, unchanged: 0, not_referred: 0, errors: [] });
    const coupons = await machine.run(['import', '-', '--kind', 'coupon', '--json'], { input: 'code,user\nADA10,ada\n' });
    expect(JSON.parse(coupons.out)).to.deep.equal({ imported: 1, unchanged: 0, not_referred: 0, errors: [] });
    const unknown = await machine.run(['import', fileOn(machine, 'x.csv', 'code\nA\n')]);
    expectCommandError(
      unknown,
      'Use --kind to say what the lines of this file are: user, coupon, order, click, registration, payout_details.',
    );
  });

  it('refuses lines of another kind than --kind, and administrators without --allow-privileged', async () => {
    const machine = new Machine();
    const boss = { ...people[0], login: 'boss', email: 'boss@example.com', role: 'administrator' };
    const run = async (records: readonly object[], ...flags: string[]) =>
      JSON.parse((await machine.run(['import', '-', '--json', ...flags], { input: lines(records) })).out);
    const reason = 'boss has the role administrator: an import creates and changes such users only with --allow-privileged.';
    expect(await run([...people, boss])).to.deep.equal({ imported: 2, unchanged: 0, not_referred: 0, errors: [{ line: 3, reason }] });
    const feed = [boss, order(1), { ...order(2), kind: undefined }, people[1] as object];
    expect(await run(feed, '--kind', 'order', '--allow-privileged')).to.deep.equal({
      imported: 2,
      unchanged: 0,
      not_referred: 0,
      errors: [1, 4].map((line) => ({ line, reason: 'kind must be order, as --kind says.' })),
    });
    expect(await run([boss], '--allow-privileged')).to.deep.equal({ imported: 1, unchanged: 0, not_referred: 0, errors: [] });
  });

  it('reports invalid arguments in one sentence', async () => {
    const machine = new Machine();
    expectCommandError(
      await machine.run(['import', 'nowhere.ndjson']),
      'There is no file nowhere.ndjson. Name a file, or - for standard input.',
    );
    expectCommandError(
      await machine.run(['import', machine.folder]),
      `${machine.folder} is a folder. Name a file, or - for standard input.`,
    );
    expectCommandError(
      await machine.run(['import', '-', '--kind', 'orders']),
      "Option '--kind <kind>' argument 'orders' is invalid. Allowed choices are user, coupon, order, click, registration, payout_details.",
    );
  });

  it('has the same result after being killed and run again', async () => {
    const all = [...people, ...Array.from({ length: 5000 }, (_, at) => order(at + 1))];
    const [killed, whole] = [new Machine(), new Machine()];
    const child = killed.start(['import', '-']);
    const gone = once(child, 'exit');
    // Standard input stays open, so the import cannot be complete.
    child.stdin.write(lines(all.slice(0, 2500)));
    const someAreIn = () => killed.inside((database) => database.read(async ({ exports }) => (await exports.orders(0, 1)).length > 0));
    await waitUntil(120_000, () => someAreIn().catch(() => false));
    child.kill('SIGKILL');
    expect(await gone).to.deep.equal([null, 'SIGKILL']);
    const before = (await content(killed)) as { orders: unknown[] };
    expect(before.orders.length).to.be.within(1, 2500);

    const { head } = await killed.json<{ head: string }>('ledger', 'head');
    const changed = [...all, { ...order(1), total: 50 }];
    await killed.json('import', fileOn(killed, 'orders.ndjson', lines(changed)));
    expect(await killed.json('ledger', 'verify', '--against', head)).to.include({ ok: true });
    await whole.json('import', fileOn(whole, 'orders.ndjson', lines(changed)));
    const [repaired, expected] = [await content(killed), await content(whole)];
    expect(repaired).to.deep.equal(expected);
    expect((expected as typeof before).orders).to.have.length(5000);
  });

  it('exits with 0 when standard output of an export is closed', async () => {
    const machine = new Machine();
    await machine.json(
      'import',
      fileOn(machine, 'orders.ndjson', lines([...people, ...Array.from({ length: 3000 }, (_, at) => order(at + 1))])),
    );
    const child = machine.start(['export', 'order']);
    const ended = waitForExit(child);
    child.stdout.once('data', () => child.stdout.destroy());
    const { code, err } = await ended;
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
  });
});

onAnyEngine((engine) => {
  const onPostgres = engine.name === 'postgres' ? it : () => {};

  onPostgres('counts the rows for the planner after an import of many lines, not after one of a few', async () => {
    const machine = new Machine({ DATABASE_URL: await engine.freshUrl() });
    const { query } = await engine.observe(machine.databaseUrl);
    const counted = () => query<{ reltuples: number }>("select reltuples from pg_class where relname = 'orders'");
    const orders = Array.from({ length: 1000 }, (_, index) => order(index + 1));
    await machine.json('import', fileOn(machine, 'few.ndjson', lines([...people, ...orders.slice(0, 2)])));
    expect(await counted()).to.deep.equal([{ reltuples: -1 }]);
    await machine.json('import', fileOn(machine, 'many.ndjson', lines(orders.slice(2).concat([order(1001), order(1002)]))));
    expect(await counted()).to.deep.equal([{ reltuples: 1002 }]);
  });
});

describe('affiliate export', () => {
  const machine = new Machine();
  before(() => machine.json('import', fileOn(machine, 'shop.ndjson', lines([...people, order(1)]))));

  it('writes lines in the format of import, or one array with --json', async () => {
    const [text, array] = await Promise.all([machine.text('export', 'coupon'), machine.json<object[]>('export', 'coupon')]);
    expect(text.split('\n')).to.have.length(2);
    expect(array).to.deep.equal([JSON.parse(text)]);
    expect(array[0]).to.include({ kind: 'coupon', id: 301, code: 'ADA10', user: 'ada' });
    expect(await machine.json('export', 'click')).to.deep.equal([]);
  });

  it('writes to a file that only its owner can read', async () => {
    const file = path.join(machine.folder, 'orders.ndjson');
    writeFileSync(file, 'what was there before');
    expect(await machine.json('export', 'order', '--out', file)).to.deep.equal({ kind: 'order', file, lines: 1 });
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).to.include({ kind: 'order', order_id: 1 });
  });

  it('reports an unknown kind, and a file that cannot be written', async () => {
    expectCommandError(await machine.run(['export', 'payouts']), /'payouts' is invalid.*Allowed choices are user, /);
    expectCommandError(await machine.run(['export', 'user', '--out', '/nowhere/users.ndjson']), /^There is no folder \/nowhere\. /);
  });
});
