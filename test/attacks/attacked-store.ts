import { createSecrets } from '../../domain/master-key/secrets.ts';
import { systemRandom } from '../../domain/random.ts';
import { undecided } from '../../domain/risk/signal.ts';
import { connectStore } from '../../domain/store/manage-connections.ts';
import type { User } from '../../domain/users/user.ts';
import { submit } from '../support/applications.ts';
import type { Engine } from '../support/engines.ts';
import { coupon, orders, parent, payoutDetails } from '../support/program.ts';
import { masterKey, type ServiceOptions, TestService } from '../support/service.ts';
import { subscribed } from '../support/webhooks.ts';

export const password = 'correct horse battery';
export const storeSecret = 'what the attacked shop signs with';

const people = {
  boss: 'administrator',
  mara: 'manager',
  // The owner of the records that the others attack.
  victim: 'affiliate',
  // An affiliate like any other, with records of her own.
  eve: 'affiliate',
  recruit: 'affiliate',
  // Above the recruit, whose coupon it may read, and nothing else.
  upline: 'affiliate',
  customer: 'customer',
} as const;

export type Person = keyof typeof people;

/** By what a path begins with: every record of the kind. */
export interface Records {
  affiliates: Record<'victim' | 'eve' | 'recruit' | 'customer', number>;
  coupons: Record<'victim' | 'eve' | 'recruit' | 'draft' | 'unassigned', number>;
  payouts: Record<'victim' | 'eve' | 'recruit', number>;
  batches: Record<'paypal', number>;
  registrations: { applied: number };
  keys: Record<'boss' | 'victim', number>;
  webhooks: { books: number };
  risk: { signal: number };
  store: { connection: string };
}

export interface AttackedStore {
  service: TestService;
  users: Record<Person, User>;
  records: Records;
  /** The headers of a key of the boss. */
  admin: Record<string, string>;
  /** A key of the person, with all scopes. */
  keyOf(person: Person): Promise<Record<string, string>>;
}

/** A store in which there is something to steal of every kind. */
export async function openAttackedStore(engine: Engine, options: Partial<ServiceOptions> = {}): Promise<AttackedStore> {
  const service = await (await TestService.start({ databaseUrl: await engine.freshUrl(), ...options })).withoutLimits();
  await service.settings.set('addons.store', true);
  await service.settings.set('addons.insights', true);
  await service.settings.set('addons.management', true);
  await service.settings.set('addons.agents', true);
  await service.settings.set('addons.risk', true);
  const users = {} as Record<Person, User>;
  for (const [name, role] of Object.entries(people)) users[name as Person] = await service.user(name, role);
  await parent(service, users.recruit.id, users.upline.id);
  const keyOf = async (person: Person) => (await service.key(users[person], ['read', 'write', 'manage'])).headers;
  const boss = await service.key(users.boss, ['read', 'write', 'manage']);
  return { service, users, keyOf, admin: boss.headers, records: await fill(service, users, boss) };
}

async function fill(
  service: TestService,
  users: Record<Person, User>,
  boss: { id: number; headers: Record<string, string> },
): Promise<Records> {
  const admin = await service.client(boss.headers);
  const coupons = {
    draft: await coupon(service, 'DRAFT10', { userId: users.victim.id, status: 'draft' }),
    unassigned: await coupon(service, 'NOBODY10'),
  } as Records['coupons'];
  const payouts = {} as Records['payouts'];
  const batches = {} as Records['batches'];
  for (const person of ['victim', 'eve', 'recruit'] as const) {
    coupons[person] = await coupon(service, `${person}10`, { userId: users[person].id });
    await orders(service, [{ id: users[person].id, coupon: coupons[person], at: '2026-10-05T10:00:00Z', total: 1000 }]);
    const details = {
      userId: users[person].id,
      method: 'PayPal',
      methodType: 'paypal',
      details: { email: `${person}@bank.example` },
    } as const;
    await payoutDetails(service, details);
    payouts[person] = (await admin.post('/payouts', { json: { coupon_id: coupons[person] } })).body.id;
    // The others stay pending.
    if (person === 'victim') batches.paypal = (await admin.post('/payout-batches', { json: { format: 'paypal' } })).body.id;
  }
  const { eve, victim, recruit, customer } = users;
  return {
    affiliates: { victim: victim.id, eve: eve.id, recruit: recruit.id, customer: customer.id },
    coupons,
    payouts,
    batches,
    registrations: { applied: await submit(service) },
    keys: { boss: boss.id, victim: (await service.key(victim, ['read'])).id },
    risk: { signal: await openSignal(service, victim.id) },
    webhooks: { books: (await subscribed(admin, 'https://books.example/hook')).id },
    store: { connection: await connect(service) },
  };
}

/** Of low severity, so that it holds no payout. */
const openSignal = ({ storage }: TestService, userId: number): Promise<number> =>
  storage.write(({ riskSignals }) =>
    riskSignals.insert({
      kind: 'high_commission',
      severity: 'low',
      userId,
      couponId: null,
      status: 'open',
      openedAt: 1,
      lastSeenAt: 1,
      count: 1,
      text: 'A secret of the store.',
      evidence: [],
      ...undecided,
    }),
  );

async function connect({ storage }: TestService): Promise<string> {
  const context = { now: 1, random: systemRandom, secrets: createSecrets('store_secret', masterKey, systemRandom) };
  const connection = { platform: 'woocommerce', name: '', secret: storeSecret } as const;
  return (await storage.write((transaction) => connectStore(transaction, connection, context))).id;
}
