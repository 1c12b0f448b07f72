import { undecided } from '../../domain/risk/signal.ts';
import { submit } from '../support/applications.ts';
import { clicks } from '../support/clicks.ts';
import type { ContractClient } from '../support/contract-client.ts';
import { coupon, exampleOrders, newOrderId, orders, parent, payoutDetails } from '../support/program.ts';
import { TestClock, TestService } from '../support/service.ts';
import { type Receiver, receiver } from '../support/webhooks.ts';
import { allScopes, type Caller, createCallers, password, type TestUsers } from './callers.ts';

/** Ids of existing records, by the first path segment of their operations. */
export interface Records {
  affiliates: number[];
  coupons: number[];
  payouts: number[];
  registrations: number[];
  /** Keys that no caller uses, so that requests may revoke them. */
  keys: number[];
  webhooks: number[];
  risk: number[];
  /** Connections to the shop. */
  store: string[];
  users: number[];
}

const aDay = 24 * 60 * 60;

export async function openFuzzFixture(databaseUrl: string): Promise<FuzzFixture> {
  const clock = new TestClock();
  // All names resolve to this machine, so no request leaves it.
  const service = await TestService.start({ databaseUrl, clock, sender: { resolve: async () => ['127.0.0.1'] } });
  await service.withoutLimits();
  await service.settings.set('addons.store', true);
  await service.settings.set('addons.insights', true);
  await service.settings.set('addons.management', true);
  await service.settings.set('addons.agents', true);
  await service.settings.set('addons.risk', true);
  await service.settings.set('service.url', 'https://affiliates.example');
  const webhookReceiver = await receiver();
  const users = await createUsers(service);
  // These get the lowest ids, which are tried first.
  const records: Records = {
    affiliates: [],
    coupons: [],
    payouts: [],
    registrations: [],
    keys: [],
    webhooks: [],
    risk: [],
    store: [],
    users: [],
  };
  for (let index = 0; index < 3; index += 1) records.keys.push((await service.key(users.customer, ['read'])).id);
  const expired = await service.key(users.boss, allScopes, new Date(clock.now()).toISOString().slice(0, 10));
  const revoked = await service.key(users.boss, allScopes);
  records.keys.push(expired.id, revoked.id);
  clock.advance(2 * aDay);
  const { headers, id: firstKey } = await service.key(users.boss, allScopes);
  const admin = await service.client(headers);
  await admin.call('DELETE', `/keys/${revoked.id}`);
  const callers = await createCallers(service, users, { expired: expired.token, revoked: revoked.token });
  const { id: lastKey } = await service.key(users.boss, allScopes);
  const fixture = new FuzzFixture({ service, users, callers, records, admin, webhookReceiver, clock, callerKeys: [firstKey, lastKey] });
  await fixture.fill();
  return fixture;
}

async function createUsers(service: TestService): Promise<TestUsers> {
  const users = {
    boss: await service.user('boss', 'administrator', { password }),
    chief: await service.user('chief', 'manager'),
    trail: await service.user('trail', 'affiliate', { password }),
    other: await service.user('other', 'affiliate'),
    upline: await service.user('upline', 'affiliate'),
    customer: await service.user('customer', 'customer'),
  };
  await parent(service, users.trail.id, users.upline.id);
  return users;
}

interface Parts {
  service: TestService;
  users: TestUsers;
  callers: Caller[];
  records: Records;
  admin: ContractClient;
  webhookReceiver: Receiver;
  clock: TestClock;
  callerKeys: readonly [first: number, last: number];
}

/** A service with records of every kind, and its callers. */
export class FuzzFixture {
  readonly service: TestService;
  readonly users: TestUsers;
  readonly callers: readonly Caller[];
  readonly records: Records;
  /** Range of ids of the callers' keys, which requests must not revoke. */
  readonly callerKeys: Parts['callerKeys'];
  readonly deletedWebhooks = new Set<number>();
  /** User ids by record: `coupons 301`. */
  readonly owners = new Map<string, number>();
  readonly #admin: ContractClient;
  readonly #webhookReceiver: Receiver;
  readonly #clock: TestClock;
  #applications = 0;

  constructor({ service, users, callers, records, admin, webhookReceiver, clock, callerKeys }: Parts) {
    [this.service, this.users, this.callers, this.records] = [service, users, callers, records];
    [this.callerKeys, this.#admin, this.#webhookReceiver, this.#clock] = [callerKeys, admin, webhookReceiver, clock];
  }

  get receiverUrl(): string {
    return this.#webhookReceiver.url;
  }

  async fill(): Promise<void> {
    const { trail, other, upline } = this.users;
    this.records.users.push(...Object.values(this.users).map(({ id }) => id));
    for (const { id } of [trail, other, upline]) this.records.affiliates.push(this.#owned('affiliates', id, id));
    for (const [code, owner] of Object.entries({ TRAIL10: trail, OTHER10: other, UP10: upline, trail10: other }))
      this.records.coupons.push(this.#owned('coupons', await coupon(this.service, code, { userId: owner.id }), owner.id));
    this.records.coupons.push(this.#owned('coupons', await coupon(this.service, 'DRAFT', { userId: trail.id, status: 'draft' }), trail.id));
    this.records.coupons.push(await coupon(this.service, 'UNOWNED'));
    for (const { id } of [trail, other])
      await payoutDetails(this.service, { userId: id, method: 'PayPal', methodType: 'paypal', details: { email: 'pay@shop.example' } });
    const [first = 0, second = 0] = this.records.coupons;
    await orders(this.service, [...exampleOrders(first), ...exampleOrders(second)]);
    const at = '2026-10-05T11:00:00Z';
    await clicks(
      this.service,
      [first, second, first].map((coupon, visitor) => ({ coupon, at, visitor: String(visitor), campaign: 'autumn' })),
    );
    await this.refill();
  }

  #owned(kind: keyof Records, id: number, owner: number): number {
    this.owners.set(`${kind} ${id}`, owner);
    return id;
  }

  async enableAffiliates(): Promise<void> {
    for (const id of this.records.affiliates) await this.#admin.post(`/affiliates/${id}/status`, { json: { status: 'active' } });
  }

  /** Adds records that requests may use up, and advances the clock. */
  async refill(): Promise<void> {
    this.#clock.advance(61);
    this.service.log.length = 0;
    this.#webhookReceiver.received.length = 0;
    for (let index = 0; index < 3; index += 1) {
      this.records.keys.push((await this.service.key(this.users.customer, ['read'])).id);
      this.records.registrations.push(await this.#application(index));
      this.records.webhooks.push(await this.#webhook());
      this.records.risk.push(await this.#signal());
    }
    await this.#payouts();
    await this.#connection();
    const deleted = await this.#webhook();
    await this.#admin.call('DELETE', `/webhooks/${deleted}`);
    this.deletedWebhooks.add(deleted);
    this.records.webhooks.push(deleted);
  }

  #application(index: number): Promise<number> {
    this.#applications += 1;
    const login = `applicant${this.#applications}`;
    const couponCode = index === 2 ? '' : index === 1 ? 'TRAIL10' : `APPLY${this.#applications}`;
    return submit(this.service, { login, email: `${login}@shop.example`, couponCode });
  }

  async #webhook(): Promise<number> {
    const { body } = await this.#admin.post('/webhooks', { json: { url: this.#webhookReceiver.url, events: ['payout.paid'] } });
    return body.id;
  }

  /** Expired, so that any decision about it is a change. */
  #signal(): Promise<number> {
    const found = { couponId: null, openedAt: 1, lastSeenAt: 1, count: 1, text: 'A sentence.', evidence: [] };
    const signal = {
      kind: 'click_spike',
      severity: 'low',
      status: 'expired',
      userId: this.users.trail.id,
      ...found,
      ...undecided,
    } as const;
    return this.service.storage.write(({ riskSignals }) => riskSignals.insert(signal));
  }

  /** There is one that is not disconnected. */
  async #connection(): Promise<void> {
    const { status, body } = await this.#admin.post('/store/connections', { json: { platform: 'woocommerce' } });
    if (status === 201) this.records.store.push(body.id);
  }

  /** The first coupon has a paid payout and new commission, the second a pending payout. */
  async #payouts(): Promise<void> {
    const [first = 0, second = 0] = this.records.coupons;
    for (const couponId of [first, second]) await this.#earn(couponId);
    for (const couponId of [first, second]) {
      const { status, body } = await this.#admin.post('/payouts', { json: { coupon_id: couponId } });
      if (status === 201) this.records.payouts.push(this.#owned('payouts', body.id, body.user.id));
      if (couponId === first) await this.#admin.post(`/payouts/${body.id}/status`, { json: { status: 'paid' } });
    }
    await this.#earn(first);
  }

  async #earn(couponId: number): Promise<void> {
    const at = new Date(this.#clock.now()).toISOString();
    await orders(this.service, [{ id: newOrderId(), coupon: couponId, at, total: 1000 }]);
  }

  async stop(): Promise<void> {
    await this.#webhookReceiver.close();
    await this.service.stop();
  }
}
