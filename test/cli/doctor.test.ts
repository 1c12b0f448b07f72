import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import type { Check } from '../../cli/doctor/check.ts';
import { webhooksTo } from '../support/load.ts';
import { masterKey as serviceKey } from '../support/service.ts';
import { certificate, newPrivateKey } from './certificate.ts';
import { Machine } from './machine.ts';

const oneDayMs = 86_400_000;

interface Examination {
  code: number | null;
  err: string;
  ok: boolean;
  checks: Check[];
  /** Warnings and problems by name. */
  found: Record<string, string>;
}

async function examine(machine: Machine, variables: Record<string, string> = {}): Promise<Examination> {
  const { code, out, err } = await machine.run(['doctor', '--json'], variables);
  const { ok, checks } = JSON.parse(out) as { ok: boolean; checks: Check[] };
  const found = Object.fromEntries(
    checks.filter(({ state }) => state !== 'ok').map(({ name, state, message }) => [name, `${state}: ${message}`]),
  );
  return { code, err, ok, checks, found };
}

describe('affiliate doctor', () => {
  const machine = new Machine({ ENVIRONMENT: 'local', PORT: '0' });
  const masterKey = path.join(machine.dataDir, 'master.key');

  it('creates nothing', async () => {
    const { code, ok, found } = await examine(machine);
    expect({ code, ok, found: Object.keys(found) }).to.deep.equal({ code: 1, ok: false, found: ['data folder', 'master key', 'database'] });
    expect(found['database']).to.match(/^problem: There is no database at .*affiliate\.sqlite yet\. Run affiliate migrate/);
    expect(existsSync(machine.dataDir)).to.equal(false);
  });

  it('reports migrations that have not run', async () => {
    mkdirSync(machine.dataDir);
    await machine.inside((database) => database.ping());
    expect((await examine(machine)).found['migrations']).to.match(/^problem: Migrations to run: \d+\. Run affiliate migrate\.$/);
  });

  it('reports that there is no administrator', async () => {
    await machine.inside((database) => database.migrate());
    const { code, err, found } = await examine(machine);
    expect({ code, err }).to.deep.equal({ code: 1, err: 'Problems found: 1.\n' });
    expect(found['administrator']).to.match(/^problem: There is no administrator\. Run affiliate user create .*--role administrator\./);
  });

  it('exits with 0 when there are only warnings, such as a store with the default name', async () => {
    await machine.addUser('ada', 'administrator');
    const { code, err, ok, found } = await examine(machine);
    expect({ code, err, ok }).to.deep.equal({ code: 0, err: '', ok: true });
    expect(Object.keys(found)).to.deep.equal(['master key', 'store']);
    expect(found['store']).to.match(
      /^warning: .*affiliate settings set store\.name … and affiliate settings set store\.url …\. The currency is USD, the time zone UTC\. Set store\.currency .* before the first order/,
    );
  });

  it('reports nothing in a healthy installation, and prints one line for each check', async () => {
    await machine.store('store.name', 'Tea & Co');
    expect((await examine(machine)).found['store']).to.match(
      /^warning: Customers would see the default "https:\/\/\S+"\. Run affiliate settings set store\.url …\. /,
    );
    await machine.store('store.url', 'https://tea.example');
    writeFileSync(masterKey, 'k'.repeat(64), { mode: 0o600 });
    const [{ code, found, checks }, text] = await Promise.all([examine(machine), machine.text('doctor')]);
    expect({ code, found }).to.deep.equal({ code: 0, found: {} });
    expect(text.trimEnd().split('\n')).to.have.length(checks.length);
    expect(text).to.match(/^ok {7}database {7}SQLite answers\.$/m);
  });

  it('reports a master key that others can read', async () => {
    chmodSync(masterKey, 0o644);
    const { code, found } = await examine(machine);
    expect({ code, found }).to.deep.equal({
      code: 1,
      found: { 'master key': `problem: ${masterKey} can be read by others. Run: chmod 600 ${masterKey}.` },
    });
    chmodSync(masterKey, 0o600);
  });

  it('reports signing secrets that the master key cannot decrypt', async () => {
    const [made] = await machine.inside((database) => webhooksTo(database, ['https://hooks.example/']));
    const { code, found } = await examine(machine);
    expect(found['webhooks']).to.include('Set MASTER_KEY');
    expect(code).to.equal(1);
    expect((await examine(machine, { MASTER_KEY: serviceKey })).found).to.deep.equal({});
    await machine.inside((database) => database.write(({ webhooks }) => webhooks.remove(made?.id ?? 0)));
  });

  it('reports settings as valid only when they do not contradict each other', async () => {
    await machine.store('payouts.auto_accept.enabled', true);
    await machine.store('payouts.enabled', false);
    const { checks } = await examine(machine);
    const states = checks.filter(({ name }) => name === 'settings').map(({ state }) => state);
    expect(states).to.deep.equal(['warning']);
    for (const path of ['payouts.auto_accept.enabled', 'payouts.enabled']) await machine.store(path, null);
  });

  it('names stored settings that say more than is used', async () => {
    const values = { 'commission.percent': 12.3456, 'commission.fixed_per_order': 0.005, 'multi_level.rates': [60, 50] };
    for (const [path, value] of Object.entries(values)) await machine.store(path, value);
    const { checks } = await examine(machine);
    const named = checks.flatMap(({ name, message }) => (name === 'settings' ? [message.split('. ').slice(0, 2).join('. ')] : []));
    expect(named).to.have.members([
      'commission.percent cannot be 12.3456. A percentage has at most 3 decimals',
      'commission.fixed_per_order cannot be 0.005. An amount in USD has at most 2 decimals',
      'multi_level.rates cannot be [60,50]. The tiers together can have at most 100 percent of the commission',
    ]);
    for (const path of Object.keys(values)) await machine.store(path, null);
  });

  it('reports a stored setting that is invalid, and how to remove it', async () => {
    await machine.store('store.currency', 'GOLD');
    const { code, found } = await examine(machine);
    expect(code).to.equal(1);
    expect(found['settings']).to.match(/^problem: store\.currency cannot be "GOLD"\. .*affiliate settings unset store\.currency/);
    await machine.store('store.currency', null);
  });

  it('warns that keys are refused over plain HTTP in production, unless TLS or a trusted proxy is configured', async () => {
    const [plain, proxied] = await Promise.all([
      examine(machine, { ENVIRONMENT: 'production' }),
      examine(machine, { ENVIRONMENT: 'production', TRUSTED_PROXIES: '10.0.0.0/8' }),
    ]);
    expect(plain.code).to.equal(0);
    expect(plain.found['https']).to.match(/^warning: Keys are refused over plain HTTP: set TLS_CERT and TLS_KEY, or TRUSTED_PROXIES/);
    expect(Object.keys(proxied.found)).to.deep.equal(['mail']);
    expect(proxied.found['mail']).to.match(
      /^warning: Mails are written to .*mail and not sent: 0 so far\. People who apply cannot confirm .* no password can be reset\. Set SMTP_URL\.$/,
    );
  });

  const file = (name: string, text: string): string => {
    writeFileSync(path.join(machine.folder, name), text);
    return path.join(machine.folder, name);
  };

  it('reports a key that does not belong to the certificate, or is not a key', async () => {
    const { cert } = certificate({ from: Date.now() - oneDayMs, to: Date.now() + 90 * oneDayMs });
    for (const key of [newPrivateKey(), 'no key']) {
      const { code, checks } = await examine(machine, { TLS_CERT: file('cert.pem', cert), TLS_KEY: file('key.pem', key) });
      const message = 'TLS_CERT and TLS_KEY must name a certificate and its private key, both in PEM form.';
      expect([code, checks]).to.deep.equal([1, [{ name: 'configuration', state: 'problem', message }]]);
    }
  });

  it('reports a site module that does not load', async () => {
    const { code, found } = await examine(machine, { SITE_MODULE: file('site.mjs', 'export {') });
    expect(code).to.equal(1);
    expect(found['site module']).to.match(/^problem: The site module .*site\.mjs could not be loaded/);
  });

  it('reports only an invalid configuration, because nothing else can be checked', async () => {
    const { code, checks } = await examine(machine, { PORT: 'http' });
    expect(code).to.equal(1);
    expect(checks).to.deep.equal([
      { name: 'configuration', state: 'problem', message: 'PORT is "http". It must be a whole number from 0 to 65535.' },
    ]);
  });

  it('reports a clock that was set back behind the newest key', async () => {
    const key = { userId: 1, description: '', prefix: 'svc_00000000', hash: 'h', scopes: [], createdBy: 1, expiresDay: null };
    await machine.inside((database) => database.write(({ keys }) => keys.insert({ ...key, createdAt: Date.now() + oneDayMs })));
    expect((await examine(machine)).found['clock']).to.match(/^problem: The newest key was created at .* Set the clock\.$/);
  });
});
