import { expect } from 'chai';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { systemRandom } from '../../domain/random.ts';
import { connectStore } from '../../domain/store/manage-connections.ts';
import { Machine } from '../cli/machine.ts';
import { startService, waitUntil } from '../cli/running-service.ts';
import { createEarner } from '../support/payouts.ts';
import { makePostgres } from '../support/postgres.ts';
import { masterKey, TestService } from '../support/service.ts';
import { type ScrapedMetric, scrape } from './exposition.ts';

/** A store with one of everything that traffic below needs. */
async function createStore() {
  const databaseUrl = await makePostgres();
  const service = await TestService.start({ databaseUrl });
  await service.withoutLimits();
  await service.settings.set('payouts.auto_accept.enabled', true);
  await service.settings.set('payouts.auto_accept.gateway', 'log');
  await service.settings.set('lockout.max_failures', 1);
  const { headers } = await service.key(await service.user('boss', 'administrator'), ['read', 'write', 'manage']);
  const { couponId } = await createEarner(service, 'trail', 10);
  await service.settings.set('addons.store', true);
  const secrets = createSecrets('store_secret', masterKey, systemRandom);
  const context = { now: service.clock.now(), random: systemRandom, secrets };
  const { id: connectionId } = await service.storage.write((transaction) =>
    connectStore(transaction, { platform: 'shopify', name: 'shop', secret: null }, context),
  );
  await service.stop();
  return { databaseUrl, headers, couponId, connectionId };
}

type Call = (path: string, init?: RequestInit) => Promise<number>;

const createCall =
  (url: string, headers: Record<string, string>): Call =>
  async (path, init = {}) =>
    (await fetch(url + path, { ...init, headers: { 'Content-Type': 'application/json', ...headers, ...init.headers } })).status;

interface Store {
  couponId: number;
  connectionId: string;
}

/** Causes at least one sample of every metric: an unsigned webhook of the shop, a payout, a 501 of an inactive add-on, a lock-out. */
async function causeTraffic(call: Call, { couponId, connectionId }: Store, switchPayoutsOff: () => Promise<void>): Promise<void> {
  expect(await call(`/connect/${connectionId}`, { method: 'POST', body: '{}', headers: { Authorization: '' } })).to.equal(401);
  expect(await call('/healthz', { headers: { Authorization: '' } })).to.equal(200);
  expect(await call('/api/v2/nowhere')).to.equal(404);
  expect(await call('/api/v2/payouts', { method: 'POST', body: JSON.stringify({ coupon_id: couponId }) })).to.equal(201);
  await switchPayoutsOff();
  await waitUntil(10_000, async () => (await call('/api/v2/payouts/1')) === 501);
  const guess = () => call('/api/v2/me', { headers: { Authorization: `Bearer svc_${'0'.repeat(40)}` } });
  expect([await guess(), await guess()]).to.deep.equal([401, 429]);
}

/** Scrapes a service of two processes after traffic. */
export async function scrapeAfterTraffic(): Promise<Map<string, ScrapedMetric>> {
  const { databaseUrl, headers, ...store } = await createStore();
  const machine = new Machine({ DATABASE_URL: databaseUrl, MASTER_KEY: masterKey });
  const service = await startService(machine, { WORKERS: '2', METRICS_PORT: '0', LOG_LEVEL: 'info' });
  const metrics = (): string => /"url":"([^"]+\/metrics)"/.exec(service.log())?.[1] ?? '';
  await waitUntil(10_000, async () => metrics() !== '');
  const switchPayoutsOff = () => machine.inside((database) => database.write(({ settings }) => settings.set('addons.payouts', false)));
  await causeTraffic(createCall(service.url, headers), store, switchPayoutsOff);
  const scraped = await scrape(metrics());
  service.child.kill('SIGTERM');
  await service.ended;
  return scraped;
}
