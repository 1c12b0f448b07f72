import { submit } from '../support/applications.ts';
import { clicks } from '../support/clicks.ts';
import type { ContractClient } from '../support/contract-client.ts';
import { coupon, newOrderId, orders, parent, payoutDetails, storyOrders } from '../support/program.ts';
import { TestClock, TestService } from '../support/service.ts';
import { type Receiver, receiver } from '../support/webhooks.ts';
import { allScopes, type Caller, callersOf, type People, password } from './callers.ts';

/** Ids of what there is, by the first segment of the paths that name it. */
export interface Records {
  affiliates: number[];
  coupons: number[];
  payouts: number[];
  registrations: number[];
  /** Those that may be revoked without closing the door to a caller. */
  keys: number[];
  webhooks: number[];
  users: number[];
}

/** A service that holds something of everything, and the people who call it. */
export interface World {
  readonly service: TestService;
  readonly people: People;
  readonly callers: readonly Caller[];
  readonly records: Records;
  /** Keys of callers, from the first to the last: nobody revokes them. */
  readonly callerKeys: readonly [first: number, last: number];
  /** Webhooks that are deleted: nobody ever finds them again. */
  readonly gone: Set<number>;
  readonly adminHeaders: Caller['headers'];
  readonly receiverUrl: string;
  /** Whose it is: `coupons 301` → the user. */
  readonly owners: Map<string, number>;
  /** New things to be used up, and a later moment. */
  refill(): Promise<void>;
  stop(): Promise<void>;
}

const aDay = 24 * 60 * 60;

export async function openWorld(databaseUrl: string): Promise<World> {
  const clock = new TestClock();
  // Names lead to this machine, where nobody listens but the one receiver: nothing leaves it.
  const service = await TestService.start({ databaseUrl, clock, sender: { resolve: async () => ['127.0.0.1'] } });
  await service.withoutLimits();
  const listening = await receiver();
  const people = await peopleOf(service);
  // The lowest ids are what a fuzzer tries first.
  const records: Records = { affiliates: [], coupons: [], payouts: [], registrations: [], keys: [], webhooks: [], users: [] };
  for (let made = 0; made < 3; made += 1) records.keys.push((await service.key(people.customer, ['read'])).id);
  const expired = await service.key(people.boss, allScopes, new Date(clock.now()).toISOString().slice(0, 10));
  const revoked = await service.key(people.boss, allScopes);
  records.keys.push(expired.id, revoked.id);
  clock.advance(2 * aDay);
  const { headers, id: firstKey } = await service.key(people.boss, allScopes);
  const admin = await service.client(headers);
  await admin.call('DELETE', `/keys/${revoked.id}`);
  const callers = await callersOf(service, people, { expired: expired.token, revoked: revoked.token });
  const { id: lastKey } = await service.key(people.boss, allScopes);
  const adminHeaders = Object.entries(headers);
  const callerKeys: World['callerKeys'] = [firstKey, lastKey];
  const world = new FilledWorld({ service, people, callers, records, admin, adminHeaders, listening, clock, callerKeys });
  await world.fill();
  return world;
}

async function peopleOf(service: TestService): Promise<People> {
  const people = {
    boss: await service.user('boss', 'administrator', { password }),
    chief: await service.user('chief', 'manager'),
    trail: await service.user('trail', 'affiliate', { password }),
    other: await service.user('other', 'affiliate'),
    upline: await service.user('upline', 'affiliate'),
    customer: await service.user('customer', 'customer'),
  };
  await parent(service, people.trail.id, people.upline.id);
  return people;
}

interface Parts {
  service: TestService;
  people: People;
  callers: Caller[];
  records: Records;
  admin: ContractClient;
  adminHeaders: Caller['headers'];
  listening: Receiver;
  clock: TestClock;
  callerKeys: World['callerKeys'];
}

class FilledWorld implements World {
  readonly service: TestService;
  readonly people: People;
  readonly callers: readonly Caller[];
  readonly records: Records;
  readonly adminHeaders: Caller['headers'];
  readonly callerKeys: World['callerKeys'];
  readonly gone = new Set<number>();
  readonly owners = new Map<string, number>();
  readonly #admin: ContractClient;
  readonly #listening: Receiver;
  readonly #clock: TestClock;
  #applications = 0;

  constructor({ service, people, callers, records, admin, adminHeaders, listening, clock, callerKeys }: Parts) {
    [this.service, this.people, this.callers, this.records] = [service, people, callers, records];
    [this.adminHeaders, this.callerKeys] = [adminHeaders, callerKeys];
    [this.#admin, this.#listening, this.#clock] = [admin, listening, clock];
  }

  get receiverUrl(): string {
    return this.#listening.url;
  }

  async fill(): Promise<void> {
    const { trail, other, upline } = this.people;
    this.records.users.push(...Object.values(this.people).map(({ id }) => id));
    for (const { id } of [trail, other, upline]) this.records.affiliates.push(this.#owned('affiliates', id, id));
    for (const [code, owner] of Object.entries({ TRAIL10: trail, OTHER10: other, UP10: upline, trail10: other }))
      this.records.coupons.push(this.#owned('coupons', await coupon(this.service, code, { userId: owner.id }), owner.id));
    this.records.coupons.push(this.#owned('coupons', await coupon(this.service, 'DRAFT', { userId: trail.id, status: 'draft' }), trail.id));
    this.records.coupons.push(await coupon(this.service, 'NOBODY'));
    for (const { id } of [trail, other])
      await payoutDetails(this.service, { userId: id, method: 'PayPal', methodType: 'paypal', details: { email: 'pay@shop.example' } });
    const [first = 0, second = 0] = this.records.coupons;
    await orders(this.service, [...storyOrders(first), ...storyOrders(second)]);
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

  async refill(): Promise<void> {
    this.#clock.advance(61);
    this.service.log.length = 0;
    this.#listening.received.length = 0;
    for (let made = 0; made < 3; made += 1) {
      this.records.keys.push((await this.service.key(this.people.customer, ['read'])).id);
      this.records.registrations.push(await this.#application(made));
      this.records.webhooks.push(await this.#webhook());
    }
    await this.#payouts();
    const deleted = await this.#webhook();
    await this.#admin.call('DELETE', `/webhooks/${deleted}`);
    this.gone.add(deleted);
    this.records.webhooks.push(deleted);
  }

  #application(made: number): Promise<number> {
    this.#applications += 1;
    const login = `applicant${this.#applications}`;
    const couponCode = made === 2 ? '' : made === 1 ? 'TRAIL10' : `APPLY${this.#applications}`;
    return submit(this.service, { login, email: `${login}@shop.example`, couponCode });
  }

  async #webhook(): Promise<number> {
    const { body } = await this.#admin.post('/webhooks', { json: { url: this.#listening.url, events: ['payout.paid'] } });
    return body.id;
  }

  /** The first coupon is paid and has earned again, the second waits to be paid. */
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
    await this.#listening.close();
    await this.service.stop();
  }
}
