import { expect } from 'chai';
import { listSentences, verifyLedger } from '../../domain/ledger/verify.ts';
import { submit } from '../support/applications.ts';
import type { Observer } from '../support/engines.ts';
import { coupon, newOrderId, orders, payoutDetails } from '../support/program.ts';
import { TestClock, TestService } from '../support/service.ts';
import { ApiClient, type Proof } from './api-client.ts';

const applicationsOfEach = 30;

/** A store's program with something to do in it, made by a service that nobody calls, which looks at the books later. */
export interface Scene {
  service: TestService;
  clients: ApiClient[];
  /** For a shop beside the service. */
  couponId: number;
}

export async function makeScene(databaseUrl: string, numberOfClients: number): Promise<Scene> {
  const service = await TestService.start({ databaseUrl, clock: new TestClock(Date.now()) });
  await service.withoutLimits();
  await service.settings.set('webhooks.ports', [9, 443]);
  const { headers } = await service.key(await service.user('boss', 'administrator'), ['read', 'write', 'manage']);
  const clients: ApiClient[] = [];
  for (let index = 0; index < numberOfClients; index += 1) {
    const couponId = await earningCoupon(service, `earner${index}`);
    clients.push(new ApiClient(`client${index}`, couponId, headers, await applications(service, index)));
  }
  return { service, clients, couponId: await earningCoupon(service, 'shop') };
}

async function earningCoupon(service: TestService, code: string): Promise<number> {
  const { id: userId } = await service.user(code, 'affiliate');
  await payoutDetails(service, { userId, method: 'PayPal', methodType: 'paypal', details: { email: `${userId}@bank.example` } });
  const couponId = await coupon(service, code, { userId });
  await orders(service, [{ id: newOrderId(), coupon: couponId, at: '2026-11-01T12:00:00Z', total: 1000 }]);
  return couponId;
}

async function applications(service: TestService, index: number): Promise<number[]> {
  const ids: number[] = [];
  for (let number = 0; number < applicationsOfEach; number += 1) {
    const login = `hopeful${index}x${number}`;
    ids.push(await submit(service, { login, email: `${login}@mail.example`, couponCode: `HOPE${index}X${number}` }));
  }
  return ids;
}

/** Everything that was acknowledged is there. */
export async function expectKept(observer: Observer, proofs: readonly Proof[]): Promise<void> {
  const lost: Proof[] = [];
  for (const proof of proofs) if ((await observer.query(proof)).length === 0) lost.push(proof);
  expect(lost, 'acknowledged and lost').to.deep.equal([]);
}

// What belongs together in one transaction, each counted on its own.
const pairs = {
  'keys and their events': ['select count(*) as n from api_keys', "select count(*) as n from events where kind = 'api_key_created'"],
  'payouts and their events': ['select count(*) as n from payouts', "select count(*) as n from events where kind = 'payout_request'"],
  'orders and their events': ['select count(*) as n from orders', "select count(*) as n from events where kind = 'referral'"],
  'visits and their days': ['select count(*) as n from clicks', 'select coalesce(sum(clicks), 0) as n from click_days'],
  'applications and their events': [
    'select count(*) as n from registrations',
    "select count(*) as n from events where kind = 'registration'",
  ],
  'accepted applications and their coupons': [
    "select count(*) as n from registrations where status = 'accepted'",
    'select count(*) as n from coupons where id in (select coupon_id from registrations)',
  ],
} as const;

/** No half of anything, and books that prove themselves. */
export async function expectWhole(observer: Observer, { service }: Scene): Promise<void> {
  for (const [what, [one, other]] of Object.entries(pairs)) {
    const [first, second] = [await observer.query<{ n: unknown }>(one), await observer.query<{ n: unknown }>(other)];
    expect(Number(second[0]?.n), what).to.equal(Number(first[0]?.n));
  }
  expect(listSentences(await service.storage.read((stores) => verifyLedger(stores, String)))).to.deep.equal([]);
}
