import { expect } from 'chai';
import { OpenLoop } from '../../scripts/load/open-loop.ts';
import { createStore, type RunAffiliate, type Store } from '../../scripts/load/store.ts';
import { toRequest, traffic } from '../../scripts/load/traffic.ts';
import { concurrencyBounds } from '../../server/limits/concurrency-limiter.ts';
import { Machine } from '../cli/machine.ts';
import { type RunningService, startService } from '../cli/running-service.ts';
import { gate } from '../db/gate.ts';
import { type Engine, mainlyOn } from '../support/engines.ts';

// The compiled service under load. `npm run load` does the same for minutes, at the capacity of the machine and at four times that.
// PROVE_LOAD_SECONDS: duration of the mix of reads and writes, 2 by default.

const seconds = Number(process.env['PROVE_LOAD_SECONDS'] ?? 2);
/** Low enough for the slowest machine. */
const perSecond = 30;

mainlyOn('sqlite', (engine) => {
  describe('the service under load', function loading() {
    this.timeout(180_000 + seconds * 2000);
    const { max: most } = concurrencyBounds.writes;
    let machine: Machine;
    let service: RunningService;
    let store: Store;

    const affiliate: RunAffiliate = async (args, input = '') => {
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
      store = await createStore(affiliate, { coupons: 20, payable: 20, applications: 20 });
      await affiliate(['settings', 'set', 'cors.origins', JSON.stringify([page])]);
      service = await startService(machine);
      const first = await call('/api/v2/payouts', { method: 'POST', body: JSON.stringify({ coupon_id: 1 }) });
      expect(first.status).to.equal(201);
    });
    after(async () => {
      service.child.kill('SIGTERM');
      await service.ended;
    });

    it('answers every request of a mix of nine reads for each write as expected', async () => {
      const next = traffic(store);
      const { answered, shed, faults } = await OpenLoop.run({ port: port(), perSecond, seconds, connections: 100, next });
      expect({ faults: Object.fromEntries(faults), shed: shed.length }).to.deep.equal({ faults: {}, shed: 0 });
      expect(answered).to.have.length(perSecond * seconds);
    });

    it('sheds writes while the database is locked, continues to read, and answers the waiting writes after the lock', async () => {
      const more = 50;
      const isFull = gate();
      const settle = (body: string | null): void => void (body === null && isFull.open());
      const write = toRequest({ method: 'POST', path: '/keys', body: { scopes: ['read'] }, expect: 201, settle }, store.token);
      const release = await lockWrites(engine, machine.databaseUrl);
      const pace = { perSecond: 10_000, seconds: (most + more) / 10_000, connections: most + more };
      const burst = OpenLoop.run({ port: port(), ...pace, next: () => write });
      await isFull.opened;
      const shedResponse = await newKey();
      const { code, data } = (await shedResponse.json()) as { code: string; data: { retry_after: number } };
      expect([shedResponse.status, code]).to.deep.equal([503, 'svc_api_overloaded']);
      expect(shedResponse.headers.get('Retry-After')).to.equal(String(data.retry_after));
      expect(shedResponse.headers.get('Access-Control-Allow-Origin')).to.equal(page);
      for (const path of ['/healthz', '/readyz']) expect((await fetch(`${service.url}${path}`)).status, path).to.equal(200);
      expect((await call('/api/v2/coupons/1')).status).to.equal(200);
      await release();
      const { answered, shed, faults } = await burst;
      expect({ faults: Object.fromEntries(faults), all: answered.length + shed.length }).to.deep.equal({ faults: {}, all: most + more });
      // On a slow machine some waiting writes time out in the database, and bodies that arrive in the same tick are all accepted.
      expect(answered.length).to.be.within(1, most + more - 1);
      expect((await newKey()).status).to.equal(201);
      expect((await affiliate<{ ok: boolean }>(['ledger', 'verify'])).ok).to.equal(true);
    });
  });
});

/** Locks the keys against writes but not against reads. Resolves to a function that releases the lock. */
async function lockWrites({ name, observe }: Engine, url: string): Promise<() => Promise<unknown>> {
  const observer = await observe(url);
  const statements = name === 'sqlite' ? ['begin immediate'] : ['begin', 'lock table api_keys in exclusive mode'];
  for (const statement of statements) await observer.query(statement);
  return () => observer.query('rollback');
}
