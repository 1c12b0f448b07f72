import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { listBlocks } from '../guides/pages.ts';
import { ScratchRoot } from '../operations/scratch-root.ts';
import { waitUntilShown } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { temporaryFolder } from '../support/postgres.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { emptyFolder } from './support/checkout.ts';
import { it, journey, openWindow } from './support/journey.ts';
import { signIn } from './support/people.ts';
import { promised } from './support/promised.ts';
import { showTerminals, Terminal } from './support/terminal.ts';

const page = 'docs/guides/run-in-production.md';
const problems = /^problem /m;

journey(`an operator who follows ${page} (skipped where root cannot become another user)`, () => {
  let root: ScratchRoot;
  let output: string;
  before(async function () {
    const created = await ScratchRoot.create();
    // Root without runuser, or with a Node that others may not run.
    if (created === null) return this.skip();
    root = created;
  });

  it('installs, starts, backs up, restores and upgrades a service, and doctor finds no problem at any step', async () => {
    const blocks = listBlocks(page).filter(({ language }) => language === 'sh');
    output = root.run(blocks.map(({ line, source }) => `echo '--- ${page}:${line}'\n${source}`).join('\n'));
    expect(output.match(/^--- /gm)).to.have.length(blocks.length);
    expect(output.match(/^ok +database +SQLite answers\.$/gm)).to.have.length(3);
    expect(output)
      .to.match(/copy\.sqlite is the database now\. Its ledger is sound\.$/m)
      .and.match(/^The copy was restored for a check: its ledger is sound\.$/m)
      .and.match(/^The database belongs to the last key in .*master-key now\./m)
      .and.match(/^ok +port +The service answers /m)
      .and.match(/^ok +master key +The database belongs to it\.$/m)
      .and.not.match(problems);
  });

  it('has data that belongs to the user of the service, which no other user can read', async () => {
    const owner = statSync(root.path('var/lib/affiliate-api')).uid;
    for (const file of [
      'var/lib/affiliate-api/affiliate.sqlite',
      'var/backups/affiliate-api/copy.sqlite',
      'etc/affiliate-api/master-key',
    ]) {
      const { uid, mode } = statSync(root.path(file));
      expect([uid, mode & 0o777], file).to.deep.equal([owner, 0o600]);
    }
  });

  it('has a checkout in which npx affiliate works, without the packages that compile it', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(root.run('test ! -e node_modules/tsx && npx affiliate --version').trim().split('\n').at(-1)).to.equal(version);
  });

  it('has a command that the user of the service can run as well, with the variables of the service and not of the shell', async () => {
    root.run(`printf '# a note\\n\\nLOG_LEVEL="warn"\\nSMTP_URL=smtp://u:p%%24$(x)@127.0.0.1:1' >>/etc/affiliate-api/environment`);
    // Root logs in to a folder that no other user may enter.
    expect(root.run('mkdir private && cd private && chmod 0 . && affiliate user list --json')).to.include('"login":');
    const doctor = 'export DATA_DIR=/nowhere MASTER_KEY=short PORT=http\naffiliate doctor --json 2>&- || true';
    const { checks } = JSON.parse(root.run(doctor, 'service')) as { checks: { name: string; message: string }[] };
    expect(checks.find(({ name }) => name === 'configuration')?.message).to.match(/are valid/);
    expect(checks.find(({ name }) => name === 'mail')?.message).to.match(/127\.0\.0\.1/);
    const read = [...readFileSync('server/configuration.ts', 'utf8').matchAll(/(?:env\['|readSecret\(env, '|\(env, ')([A-Z_]+)'/g)];
    const wrapper = readFileSync('docs/operations/affiliate', 'utf8');
    for (const [, name = ''] of read) expect(wrapper, name).to.match(new RegExp(`^unset .*\\b${name}\\b`, 'm'));
  });

  globalThis.it('has units that systemd accepts (where systemd-analyze is installed)', function () {
    const units = ['affiliate-api.service', 'affiliate-backup.service', 'affiliate-backup.timer'];
    const files = units.map((name) => root.path(`etc/systemd/system/${name}`));
    const { status, error, stderr } = spawnSync('systemd-analyze', ['verify', ...files], { encoding: 'utf8' });
    if (error) return this.skip();
    return expect([status, stderr]).to.deep.equal([0, '']);
  });
});

const boss = { login: 'boss', password: 'a long password of the boss' };

journey('an operator who starts the service on data of an earlier version', () => {
  showTerminals();
  const dataDir = emptyFolder('data');
  /** Made by make-data.sh in that version, with this key and this last line of `affiliate ledger head`. */
  const data = 'test/journeys/fixtures/data-of-af1936f9.sqlite.gz';
  const masterKey = '0123456789abcdef'.repeat(4);
  const head =
    '2.55d3a1b3ea469ca5f29ddc1bc65f9cbb63fa954eb71be818b6e08626f5bd3180.vrPZH8pfyJ0alfyqMSRJu-l1kNlNjOeHZs_tNDy3tvqiNSZs3-FfvQv7BGYjDIMg8XXsMXJjiI0-TCcJc3HnCw';
  let port: number;
  let second: Terminal;

  before(async () => {
    port = await freePort();
    writeFileSync(path.join(dataDir, 'affiliate.sqlite'), gunzipSync(readFileSync(data)));
    writeFileSync(path.join(dataDir, 'master.key'), masterKey, { mode: 0o600 });
    const variables = { DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn' };
    second = new Terminal('.', variables);
    await new Terminal('.', variables).start(promised('README.md', 'npm start'), 'listening on');
  });

  it('has a database that doctor finds current, with secrets that can be read', async () => {
    expect(await second.run(promised('README.md', 'npx affiliate doctor')))
      .to.match(/^ok +migrations /m)
      .and.match(/^ok +secrets /m)
      .and.not.match(problems);
  });

  it('can prove that the books are unchanged, by a head from before', async () => {
    await second.run(`npx ${promised('docs/guides/run-in-production.md', 'affiliate ledger verify --against')} ${head}`);
    expect(second.exitCode).to.equal(0);
    expect(await second.run(promised('docs/guides/run-in-production.md', 'npx affiliate report')))
      .to.match(/Unpaid +12\.00 EUR/)
      .and.match(/Pending +100\.00 EUR/);
  });

  it('signs in to the console with the password from before, and sees the payout that was requested', async () => {
    const { page: own } = await openWindow();
    await own.goto(`http://localhost:${port}/console`);
    await signIn(own, boss);
    await waitUntilShown(own);
    await own.locator('#navigation').getByRole('link', { name: 'Payouts', exact: true }).click();
    await own.getByText('€100.00').first().waitFor();
    await own.getByText('Trail Notes').first().waitFor();
  });
});

const major = /\d+/.exec(spawnSync('pg_dump', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[0] ?? '';
/** Debian's server of the same version as pg_dump, which makes the backups. */
const installed = { initdb: `/usr/lib/postgresql/${major}/bin/initdb`, postgres: `/usr/lib/postgresql/${major}/bin/postgres` };
const hasDump = existsSync(installed.initdb);

/** Without waiting for a disk, since no data needs to survive a crash. */
const settings = { fsync: 'off', unix_socket_directories: '', dynamic_shared_memory_type: 'mmap' };

const program = [
  { kind: 'user', login: 'trail', email: 'trail@shop.example', display_name: 'Trail Notes', role: 'affiliate' },
  { kind: 'coupon', code: 'TRAIL10', user: 'trail' },
  { kind: 'payout_details', user: 'trail', method: 'PayPal', method_type: 'paypal', details: { email: 'trail@pay.example' } },
  { kind: 'order', order_id: 1, coupon_code: 'TRAIL10', date: '2026-11-02', status: 'completed', total: 100 },
];

journey('an operator of several processes on PostgreSQL', () => {
  showTerminals();
  const dataDir = emptyFolder('postgres');
  let server: PostgresServer;
  let service: Terminal;
  let second: Terminal;
  let port: number;
  let metricsPort: number;
  const open = (database: string): Terminal =>
    new Terminal('.', { DATA_DIR: dataDir, DATABASE_URL: server.urlOf(database), PORT: String(port), LOG_LEVEL: 'warn' });
  const createDatabase = (name: string): Promise<string> =>
    second.run(`psql --quiet "${server.urlOf('postgres')}" -c 'create database ${name}'`);
  const readUnpaid = async (terminal: Terminal): Promise<string> =>
    /Unpaid +\S+ \w+/.exec(await terminal.run(promised('docs/guides/run-in-production.md', 'npx affiliate report')))?.[0] ?? '';

  before(async () => {
    server = await startPostgresServer(temporaryFolder('journey-postgres-'), settings, undefined, hasDump ? installed : undefined);
    [port, metricsPort] = await Promise.all([freePort(), freePort()]);
    [service, second] = [open('shop'), open('shop')];
  });
  after(async () => {
    await server.stop();
  });

  const command = promised('docs/guides/several-processes.md', 'WORKERS=4 npm start').replace('4', '2');
  it(`starts two processes on an empty database with ${command}`, async () => {
    await createDatabase('shop');
    await service.start(`METRICS_PORT=${metricsPort} ${command}`, 'listening on');
    const metrics = await second.run(`curl -s http://127.0.0.1:${metricsPort}/metrics`);
    expect(new Set(metrics.match(/process_resident_memory_bytes\{worker="\d+"\}/g))).to.have.length(2);
  });

  it('creates an administrator, types a password that is not shown, and signs in', async () => {
    await second.run(
      `npx ${promised('docs/guides/run-in-production.md', 'affiliate user create --login boss --email boss@shop.example --role administrator')}`,
    );
    const typed = second.run(`npx ${promised('docs/guides/run-in-production.md', 'affiliate user password boss')}`);
    await second.answer('New password: ', boss.password);
    await second.answer('The same again: ', boss.password);
    expect(await typed)
      .to.include('The password of boss is set.')
      .and.not.include(boss.password);
    const { page: own } = await openWindow();
    await own.goto(`http://localhost:${port}/console`);
    await signIn(own, boss);
    await waitUntilShown(own);
  });

  it('imports a program, and has a doctor that finds no problem', async () => {
    const file = path.join(dataDir, 'store.ndjson');
    writeFileSync(file, program.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await second.run(`cat ${file} | npx ${promised('docs/guides/run-in-production.md', 'affiliate import -')}`);
    expect(await second.run(promised('README.md', 'npx affiliate doctor')))
      .to.match(/^ok +database +PostgreSQL answers\.$/m)
      .and.not.match(problems);
    expect(await readUnpaid(second)).to.include('10.00');
  });

  it('replaces the master key while both processes run, and the secrets can be read', async () => {
    const output = await second.run(`npx ${promised('docs/guides/run-in-production.md', 'affiliate secrets rotate')}`);
    expect(output).to.include('The database belongs to the last key in');
    expect(await second.run(promised('README.md', 'npx affiliate doctor')))
      .to.match(/^ok +secrets /m)
      .and.not.match(problems);
  });

  it('starts a worker beside them, which only sends mails and webhooks', async () => {
    const third = open('shop');
    await third.start(`npx ${promised('docs/guides/run-in-production.md', 'affiliate worker')}`, 'ready');
    await third.interrupt();
  });

  const itWithDump = hasDump ? it : globalThis.it.skip;
  itWithDump(
    'backs up while they run, and restores into another database (skipped where PostgreSQL of pg_dump is not installed)',
    async () => {
      const copy = path.join(dataDir, 'copy.dump');
      await second.run(`npx affiliate backup ${copy}`);
      expect(second.exitCode).to.equal(0);
      const unpaid = await readUnpaid(second);
      await service.interrupt();
      await createDatabase('restored');
      const restored = open('restored');
      await restored.run(`npx affiliate restore ${copy}`);
      expect(restored.exitCode).to.equal(0);
      expect(await readUnpaid(restored)).to.equal(unpaid);
      expect(await restored.run('npx affiliate doctor')).to.match(/^ok +secrets /m);
    },
  );
});
