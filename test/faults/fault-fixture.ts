import { expect } from 'chai';
import { submit } from '../support/applications.ts';
import type { Observer } from '../support/engines.ts';
import { createEarner } from '../support/payouts.ts';
import { TestClock, TestService } from '../support/service.ts';
import { ApiClient, type RowQuery } from './api-client.ts';

const applicationsPerClient = 30;

/** A program with records to work on. `service` creates them and verifies the database later; clients call another service. */
export interface FaultFixture {
  service: TestService;
  clients: ApiClient[];
  /** The coupon of a shop that imports orders directly. */
  couponId: number;
}

export async function createFaultFixture(databaseUrl: string, numberOfClients: number): Promise<FaultFixture> {
  const service = await TestService.start({ databaseUrl, clock: new TestClock(Date.now()) });
  await service.withoutLimits();
  await service.settings.set('webhooks.ports', [9, 443]);
  const { headers } = await service.key(await service.user('boss', 'administrator'), ['read', 'write', 'manage']);
  const clients: ApiClient[] = [];
  for (let index = 0; index < numberOfClients; index += 1) {
    const { couponId } = await createEarner(service, `earner${index}`, 100);
    clients.push(new ApiClient(`client${index}`, couponId, headers, await submitApplications(service, index)));
  }
  return { service, clients, couponId: (await createEarner(service, 'shop', 100)).couponId };
}

async function submitApplications(service: TestService, index: number): Promise<number[]> {
  const ids: number[] = [];
  for (let number = 0; number < applicationsPerClient; number += 1) {
    const login = `hopeful${index}x${number}`;
    ids.push(await submit(service, { login, email: `${login}@mail.example`, couponCode: `HOPE${index}X${number}` }));
  }
  return ids;
}

/** Every acknowledged row exists. */
export async function expectRowsExist(observer: Observer, queries: readonly RowQuery[]): Promise<void> {
  const lost: RowQuery[] = [];
  for (const query of queries) if ((await observer.query(query)).length === 0) lost.push(query);
  expect(lost, 'acknowledged and lost').to.deep.equal([]);
}

// Rows that one transaction writes together: their counts must be equal.
const countPairs = {
  'keys and their events': ['select count(*) as n from api_keys', "select count(*) as n from events where kind = 'api_key_created'"],
  'payouts and their events': ['select count(*) as n from payouts', "select count(*) as n from events where kind = 'payout_request'"],
  'orders and their events': ['select count(*) as n from orders', "select count(*) as n from events where kind = 'referral'"],
  'visits and their days': ['select count(*) as n from clicks', 'select coalesce(sum(clicks), 0) as n from click_days'],
  'visits and their counts': [
    'select count(*) as n from clicks',
    "select coalesce(sum(clicks), 0) as n from visitor_counts where coupon_id = 0 and campaign = ''",
  ],
  'days of visitors and their counts': [
    'select count(*) as n from visitor_days',
    'select coalesce(sum(visitors), 0) as n from visitor_counts',
  ],
  'applications and their events': [
    'select count(*) as n from registrations',
    "select count(*) as n from events where kind = 'registration'",
  ],
  'accepted applications and their coupons': [
    "select count(*) as n from registrations where status = 'accepted'",
    'select count(*) as n from coupons where id in (select coupon_id from registrations)',
  ],
} as const;

/** No transaction is half written, and the ledger verifies. */
export async function expectConsistent(observer: Observer, { service }: FaultFixture): Promise<void> {
  for (const [what, [one, other]] of Object.entries(countPairs)) {
    const [first, second] = [await observer.query<{ n: unknown }>(one), await observer.query<{ n: unknown }>(other)];
    expect(Number(second[0]?.n), what).to.equal(Number(first[0]?.n));
  }
  expect(await service.differences()).to.deep.equal([]);
}
