import { expect } from 'chai';
import { requestOf } from '../../scripts/load/ask.ts';
import { OpenLoop } from '../../scripts/load/open-loop.ts';
import { type Affiliate, makeStore, type Store } from '../../scripts/load/store.ts';
import { traffic } from '../../scripts/load/traffic.ts';
import { bounds } from '../../server/limits/concurrency-limiter.ts';
import { Machine } from '../cli/command-line.ts';
import { type Served, serve } from '../cli/served.ts';
import { gate } from '../db/gate.ts';
import { type Engine, forEachEngine } from '../support/engines.ts';

// The compiled service under load. `npm run load` does the same for minutes, at what the machine holds and at four times of that.
// PROVE_LOAD_SECONDS: how long the mix of reads and writes is asked for; 2 by default.

const seconds = Number(process.env['PROVE_LOAD_SECONDS'] ?? 2);
/** What the slowest machine holds: how much a machine can do is not for a test to say. */
const perSecond = 30;

forEachEngine((engine) => {
  describe('the service under load', function loading() {
    this.timeout(60_000 + seconds * 2000);
    const { most } = bounds.writes;
    let machine: Machine;
    let service: Served;
    let store: Store;

    const affiliate: Affiliate = async (args, input = '') => {
      const { code, out, err } = await machine.run([...args, '--json'], { input });
      expect({ code, err }, args.join(' ')).to.deep.equal({ code: 0, err: '' });
      return JSON.parse(out);
    };
    const headers = () => ({ Authorization: `Bearer ${store.token}`, 'Content-Type': 'application/json' });
    const call = (path: string, init: RequestInit = {}) => fetch(`${service.url}${path}`, { headers: headers(), ...init });
    const page = 'https://app.example';
    const newKey = () => call('/api/v2/keys', { method: 'POST', headers: { ...headers(), Origin: page }, body: '{"scopes":["read"]}' });
    const port = () => Number(new URL(service.url).port);

    before(async () => {
      machine = new Machine({ DATABASE_URL: await engine.emptyUrl() });
      store = await makeStore(affiliate, { coupons: 20, payable: 20, applications: 20 });
      await affiliate(['settings', 'set', 'cors.origins', JSON.stringify([page])]);
      service = await serve(machine);
      const first = await call('/api/v2/payouts', { method: 'POST', body: JSON.stringify({ coupon_id: 1 }) });
      expect(first.status).to.equal(201);
    });
    after(async () => {
      service.child.kill('SIGTERM');
      await service.ended;
    });

    it('answers nine reads for each write as expected, every one of them', async () => {
      const next = traffic(store);
      const { answered, shed, faults } = await OpenLoop.run({ port: port(), perSecond, seconds, connections: 100, next });
      expect({ faults: Object.fromEntries(faults), shed: shed.length }).to.deep.equal({ faults: {}, shed: 0 });
      expect(answered).to.have.length(perSecond * seconds);
    });

    it('sheds writes that the database cannot take, goes on reading, and takes those that waited when it can', async () => {
      const more = 50;
      const isFull = gate();
      const settle = (body: string | null): void => void (body === null && isFull.open());
      const write = requestOf({ method: 'POST', path: '/keys', token: store.token, body: { scopes: ['read'] }, expect: 201, settle });
      const release = await holdWrites(engine, machine.databaseUrl);
      const pace = { perSecond: 10_000, seconds: (most + more) / 10_000, connections: most + more };
      const burst = OpenLoop.run({ port: port(), ...pace, next: () => write });
      await isFull.opened;
      const refused = await newKey();
      const { code, data } = (await refused.json()) as { code: string; data: { retry_after: number } };
      expect([refused.status, code]).to.deep.equal([503, 'svc_api_overloaded']);
      expect(refused.headers.get('Retry-After')).to.equal(String(data.retry_after));
      expect(refused.headers.get('Access-Control-Allow-Origin')).to.equal(page);
      for (const path of ['/healthz', '/readyz']) expect((await fetch(`${service.url}${path}`)).status, path).to.equal(200);
      expect((await call('/api/v2/coupons/1')).status).to.equal(200);
      await release();
      const { answered, shed, faults } = await burst;
      expect({ faults: Object.fromEntries(faults), all: answered.length + shed.length }).to.deep.equal({ faults: {}, all: most + more });
      // On a slow machine some of those who waited were sent away after all, by the database.
      // And those whose bodies arrive in the same turn are all taken.
      expect(answered.length).to.be.within(1, most + more - 1);
      expect((await newKey()).status).to.equal(201);
      expect((await affiliate<{ ok: boolean }>(['ledger', 'verify'])).ok).to.equal(true);
    });
  });
});

/** Nobody else can write a key meanwhile, and everybody can read. Resolves to what ends it. */
async function holdWrites({ name, observe }: Engine, url: string): Promise<() => Promise<unknown>> {
  const observer = await observe(url);
  const hold = name === 'sqlite' ? ['begin immediate'] : ['begin', 'lock table api_keys in exclusive mode'];
  for (const statement of hold) await observer.query(statement);
  return () => observer.query('rollback');
}
