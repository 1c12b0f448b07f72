import { openDatabase } from '../../db/database.ts';
import { createVisitorHasher } from '../../domain/clicks/record.ts';
import { hashToken, prefixOf } from '../../domain/keys/key.ts';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { systemRandom } from '../../domain/random.ts';
import { importObjects } from '../program/import-support.ts';
import type { Engine } from './engines.ts';
import { masterKey, type TestService } from './service.ts';

// A program in which single records hold unusually much, so that each request is as slow as a legal one can be. What the import takes is
// imported; the rest is inserted.

export interface ProgramShape {
  /** Coupons of the owner of coupon 1, all with an order on one day. */
  coupons: number;
  /** Coupons of each of the hundred affiliates after that owner. */
  couponsOfEach: number;
  /** Days on which coupon 1 has orders of each status. */
  days: number;
  keys: number;
  webhooks: number;
  /** Also how many clicks led to one order. */
  deliveries: number;
  registrations: number;
}

export const adminId = 1;
/** Coupon n belongs to user n + 1, whose login is user<n + 1>. There are 120 coupons beside those of the shape. */
export const ownerOf = (couponId: number): number => couponId + 1;
const coupons = 120;
/** The coupon with half of the orders. */
export const whale = 1;
const owner = ownerOf(whale);

/** Of a key of the user, with all scopes. */
export const tokenOf = (userId: number): string => `svc_${String(userId).padStart(40, '0')}`;

/** Ids of what the shape adds begin here. */
const firstId = 10_000_000;
/** An order of coupon 1 with clicks, shares and movements. */
export const explainedOrder = firstId - 1;

export const connectionIdOf = (n: number): string => String(n).padStart(32, '0');

/** More than a program can have, so that each round of a test disconnects one. */
const activeConnections = 3;
/** The day on which all coupons of the shape have an order. */
export const busyDay = '2025-06-01';

const upTo = (count: number, first = 1): number[] => Array.from({ length: count }, (_, index) => first + index);
const long = (length: number): string => 'x'.repeat(length);
const lastMoment = Date.UTC(2026, 0, 1);
const daysBefore = (days: number): string => new Date(lastMoment - days * 86_400_000).toISOString();

export async function createLargeProgram(engine: Engine, url: string, shape: ProgramShape): Promise<void> {
  const observer = await engine.observe(url);
  const storage = await openDatabase({ url });
  const context = { hashVisitor: createVisitorHasher(masterKey), secrets: () => createSecrets('payout_details', masterKey, systemRandom) };
  const importAll = async (records: readonly object[], rates: number[] = []): Promise<void> => {
    const settings = { 'store.timezone': 'UTC', 'store.currency': 'USD', 'commission.clearing_days': 0, 'multi_level.rates': rates };
    const { errors } = await importObjects(storage, records, settings, context);
    if (errors[0]) throw new Error(`Line ${errors[0].line}: ${errors[0].reason}`);
  };
  const insert = async (table: string, columns: string, rows: readonly (string | number)[][]): Promise<void> => {
    const literal = (value: string | number): string => (typeof value === 'number' ? String(value) : `'${value}'`);
    for (let at = 0; at < rows.length; at += 500) {
      const values = rows.slice(at, at + 500).map((row) => `(${row.map(literal).join(', ')})`);
      const ownIds = engine.name === 'postgres' ? 'overriding system value' : '';
      await observer.query(`insert into ${table} (${columns}) ${ownIds} values ${values.join(', ')}`);
    }
  };
  try {
    await importAll([...people(), ...ofThreeYears()]);
    await insertCoupons(shape, insert);
    await importAll([...ordersOf(shape), ...clicksBeforeTheOrder(shape)]);
    // Each change of its amount is a movement of every share.
    for (const n of upTo(20)) await importAll([explained(100 + n)], upTo(10));
    await observer.query(`update users set profile = '${profile}', "groups" = '${groups}', custom_fields = '${customFields}'
      where id between ${owner} and ${owner + 100}`);
    await insertOthers(shape, insert);
  } finally {
    await storage.close();
    await observer.close();
  }
}

type Insert = (table: string, columns: string, rows: readonly (string | number)[][]) => Promise<void>;

const profile = JSON.stringify({ phone: long(5000), website: long(5000), promote: long(5000), referrer: long(5000) });
const groups = JSON.stringify(Array.from({ length: 1000 }, () => 'group'));
const customFields = JSON.stringify({ lists: Array.from({ length: 16_000 }, () => []) });

/** The first hundred affiliates are the upline of one another. */
const people = (): object[] => [
  ...upTo(coupons + 1).map((id) => ({
    kind: 'user',
    id,
    login: `user${id}`,
    email: `user${id}@example.com`,
    display_name: `User ${id}`,
    role: id === adminId ? 'administrator' : 'affiliate',
    parent: id >= owner && id < owner + 100 ? `user${id + 1}` : null,
  })),
  ...upTo(coupons).map((id) => ({ kind: 'coupon', id, code: `CODE${id}`, user: `user${ownerOf(id)}` })),
  ...upTo(coupons).map((id) => ({
    kind: 'payout_details',
    user: `user${ownerOf(id)}`,
    method: 'PayPal',
    method_type: 'paypal',
    details: { email: 'paid@example.com' },
  })),
];

const order = (id: number, couponId: number, date: string, status = 'completed'): object => ({
  kind: 'order',
  order_id: id,
  coupon_id: couponId,
  date,
  status,
  total: 100,
  discount: 10,
});

/** 1,500 clicks, two of each visitor, and 600 orders, half of them of coupon 1. */
const ofThreeYears = (): object[] => {
  const dateOf = (part: number): string => daysBefore(Math.floor(1095 * (1 - part)));
  const couponOf = (n: number): number => (n % 2 === 0 ? whale : n % 20 === 1 ? 2 : 3 + ((n >> 1) % (coupons - 2)));
  return [
    ...upTo(1500).map((n) => ({ kind: 'click', coupon_id: couponOf(n), date: dateOf(n / 1500), visitor: `visitor ${n >> 1}` })),
    ...upTo(600).map((n) => order(n, couponOf(n), dateOf(n / 600))),
  ];
};

const couponsOf = ({ coupons, couponsOfEach }: ProgramShape): [id: number, userId: number][] => [
  ...upTo(coupons).map((n): [number, number] => [firstId + n, owner]),
  ...upTo(couponsOfEach * 100).map((n): [number, number] => [firstId + coupons + n, owner + 1 + (n % 100)]),
];

async function insertCoupons(shape: ProgramShape, insert: Insert): Promise<void> {
  const columns = 'id, code, code_folded, user_id, status, created_at, discount_amount';
  const rows = couponsOf(shape).map(([id, userId]) => [id, `W${id}${long(80)}`, `w${id}${long(80)}`, userId, 'publish', id, 10_000]);
  await insert('coupons', columns, rows);
}

const ordersOf = (shape: ProgramShape): object[] => [
  ...couponsOf(shape).map(([id]) => order(id, id, `${busyDay}T00:00:00Z`, 'processing')),
  ...['processing', 'failed', 'cancelled'].flatMap((status, at) =>
    upTo(shape.days).map((day) => order(2 * firstId + at * shape.days + day, whale, daysBefore(day), status)),
  ),
];

/** The last one is of coupon 1. */
const clicksBeforeTheOrder = ({ deliveries }: ProgramShape): object[] =>
  upTo(deliveries).map((n) => ({
    kind: 'click',
    coupon_id: n === deliveries ? whale : firstId + 1 + (n % 5),
    visitor: 'the visitor',
    date: new Date(lastMoment - 2 * 86_400_000 + n).toISOString(),
  }));

const explained = (total: number): object => ({ ...order(explainedOrder, whale, daysBefore(1)), visitor: 'the visitor', total });

const events = ['referral.created', 'commission.added', 'payout.requested', 'payout.paid', 'payout.cancelled', 'registration.accepted'];

/** The longest custom fields of an application, in characters and values. */
const ofApplication = JSON.stringify(Object.fromEntries(upTo(490).map((n) => [`k${n}`, long(88)])));

async function insertOthers({ keys, webhooks, deliveries, registrations }: ProgramShape, insert: Insert): Promise<void> {
  const settings = ['limits.authenticated', 'limits.anonymous'].map((limit) => [limit, '1000000']);
  await insert('settings', 'path, value', [
    ...settings,
    ['addons.store', 'true'],
    ['addons.insights', 'true'],
    ['addons.management', 'true'],
    ['addons.agents', 'true'],
    ['addons.risk', 'true'],
    ['service.url', '"https://partners.example"'],
  ]);
  await insert('api_keys', 'hash, prefix, user_id, description, scopes, created_by, created_at', [
    ...upTo(coupons + 1).map((id) => [hashToken(tokenOf(id)), prefixOf(tokenOf(id)), id, 'test', 'read,write,manage', id, 0]),
    ...upTo(keys).map((n) => [`hash ${n}`, 'svc_01234567', adminId, long(200), 'read', adminId, n]),
  ]);
  const { encrypt } = createSecrets('webhook_secret', masterKey, systemRandom);
  const secret = `whsec_${Buffer.alloc(32).toString('base64')}`;
  // At most a hundred are active: each event has a delivery to every one of them, so that thousands would measure nothing else.
  const webhook = (n: number): (string | number)[] => [
    long(100),
    `https://receiver.invalid/${long(1900)}`,
    JSON.stringify(events),
    n % 2 === 0 && n <= 200 ? 'active' : 'disabled',
    encrypt(secret, n),
    adminId,
    n,
  ];
  await insert('webhooks', 'name, url, events, status, encrypted_secret, created_by, created_at', upTo(webhooks).map(webhook));
  await insert(
    'webhook_health',
    'webhook_id, failures, last_error',
    upTo(webhooks).map((n) => [n, 0, '']),
  );
  const failed = ['failed', 1, lastMoment];
  await insert(
    'webhook_deliveries',
    'webhook_id, event, created_at, status, attempts, finished_at',
    // The last one is of an active webhook.
    upTo(deliveries + 1).map((n) => [n > deliveries ? 2 : 1, 'payout.paid', lastMoment, ...failed]),
  );
  await insert(
    'webhook_attempts',
    'delivery_id, attempted_at, error, excerpt, milliseconds',
    upTo(25 * deliveries).map((n) => [1 + (n % deliveries), lastMoment, 'x', long(200), 1]),
  );
  const connections = upTo(webhooks).map((n) => [connectionIdOf(n), 'woocommerce', long(200), n]);
  await insert('store_connections', 'id, platform, name, created_at', connections.slice(0, activeConnections));
  await insert(
    'store_connections',
    'id, platform, name, created_at, disconnected_at',
    connections.slice(activeConnections).map((connection) => [...connection, lastMoment]),
  );
  await insert(
    'store_deliveries',
    'connection_id, received_at, topic, outcome, reason',
    upTo(deliveries).map((n) => [connectionIdOf(1), n, 'order.updated', 'refused', long(200)]),
  );
  // As much evidence as a signal keeps.
  const evidence = JSON.stringify(upTo(50).map((n) => ({ key: `order ${n}`, text: long(150), orderId: n, payoutId: null, at: n })));
  const signal = ['high_commission', owner, 'confirmed', 1, 1, 50, long(200), evidence, long(500)];
  await insert(
    'risk_signals',
    'kind, user_id, status, opened_at, last_seen_at, count, text, evidence, note',
    upTo(200).map(() => signal),
  );
  const registration = (n: number): (string | number)[] => [
    `a${n}`,
    `a${n}@shop.example`,
    `a${n}@shop.example`,
    long(200),
    `a${n}`,
    `LARGE${n}`,
    'pending',
    long(100),
    long(5000),
    long(5000),
    `https://shop.example/${long(1900)}`,
    ofApplication,
    '',
    lastMoment + n,
  ];
  const columns = `login, email, email_folded, display_name, search_folded, coupon_code, status, type, promote, referrer, website,
    custom_fields, message, created_at`;
  await insert('registrations', columns, upTo(registrations).map(registration));
}

/** Requests and pays payouts, of other coupons than 6, 10, 14 …, which have a balance and no payout. */
export async function payOut(service: TestService, count: number): Promise<void> {
  const client = await service.client({ Authorization: `Bearer ${tokenOf(adminId)}`, 'X-Forwarded-Proto': 'https' });
  for (let n = 0; n < count; n += 1) {
    const couponId = 4 * Math.floor(n / 3) + 3 + (n % 3);
    const requested = await client.post('/payouts', { json: { coupon_id: couponId } });
    const paid = await client.post(`/payouts/${n + 1}/status`, { json: { status: 'paid' } });
    if (requested.status !== 201 || paid.status !== 200) throw new Error(JSON.stringify([requested.body, paid.body]));
  }
}
