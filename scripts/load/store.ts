/** The records that the traffic reads and writes. */
export interface Store {
  /** Of a key with all scopes. */
  token: string;
  userId: number;
  affiliateId: number;
  payoutId: number;
  couponIds: readonly number[];
  payableIds: readonly number[];
  applicationIds: readonly number[];
}

interface StoreSize {
  coupons: number;
  /** Coupons for payout requests only. */
  payable: number;
  applications: number;
}

const defaultSize: StoreSize = { coupons: 200, payable: 200, applications: 300 };

const idRange = (count: number, first = 1): number[] => Array.from({ length: count }, (_, index) => first + index);
const firstPayable = 1001;

const ordersPerCoupon = 25;
const hoursAfterStart = (hours: number): string => new Date(Date.UTC(2026, 0, 1, hours)).toISOString();

type Ids = Pick<Store, 'couponIds' | 'payableIds' | 'applicationIds'>;

/** A small store, as records for `affiliate import`. */
function* storeLines({ couponIds, payableIds, applicationIds }: Ids): Generator<Record<string, unknown>> {
  for (const id of [...couponIds, ...payableIds]) {
    yield { kind: 'user', login: `aff${id}`, email: `aff${id}@example.com`, display_name: `Affiliate ${id}`, role: 'affiliate' };
    yield { kind: 'coupon', id, code: `LOAD${id}`, user: `aff${id}`, percent: 10 };
    yield { kind: 'payout_details', user: `aff${id}`, method: 'PayPal', method_type: 'paypal', details: { email: `aff${id}@example.com` } };
  }
  for (const id of couponIds) yield { kind: 'click', coupon_id: id, date: hoursAfterStart(id), visitor: `visitor ${id}` };
  for (const id of couponIds) yield* idRange(ordersPerCoupon).map((number) => orderLine(id * 1000 + number, id, number * 150));
  for (const id of payableIds) yield orderLine(id * 1000, id, 1);
  for (const id of applicationIds)
    yield {
      kind: 'registration',
      id,
      login: `new${id}`,
      email: `new${id}@example.com`,
      display_name: `New ${id}`,
      coupon_code: `NEW${id}`,
    };
}

const orderLine = (orderId: number, couponId: number, hours: number): Record<string, unknown> => ({
  kind: 'order',
  order_id: orderId,
  coupon_id: couponId,
  date: hoursAfterStart(hours),
  status: 'completed',
  total: 1000,
});

/** New orders and clicks for one import during the load. Each round has ids of its own. */
export function* newLines({ couponIds }: Store, round: number, count: number): Generator<Record<string, unknown>> {
  for (const number of idRange(count)) {
    const couponId = couponIds[(round * 13 + number) % couponIds.length] ?? 1;
    yield { kind: 'click', coupon_id: couponId, date: hoursAfterStart(5000 + round), visitor: `visitor ${round}.${number}` };
    yield { ...orderLine(10_000_000 + round * 10_000 + number, couponId, 5000 + round), total: 20 };
  }
}

export const toJsonLines = (lines: Iterable<Record<string, unknown>>): string =>
  [...lines].map((line) => `${JSON.stringify(line)}\n`).join('');

/** Runs `affiliate` with arguments and standard input, and parses the JSON document that it prints. */
export type RunAffiliate = <Document>(args: string[], input?: string) => Promise<Document>;

/** Fills an empty installation. */
export async function createStore(affiliate: RunAffiliate, { coupons, payable, applications }: StoreSize = defaultSize): Promise<Store> {
  const ids: Ids = { couponIds: idRange(coupons), payableIds: idRange(payable, firstPayable), applicationIds: idRange(applications) };
  const admin = ['user', 'create', '--login', 'boss', '--email', 'boss@example.com', '--role', 'administrator'];
  const { id: userId } = await affiliate<{ id: number }>(admin);
  await affiliate(['import', '-'], toJsonLines(storeLines(ids)));
  // The load exceeds the rate limit on purpose.
  await affiliate(['settings', 'set', 'limits.authenticated', '1000000']);
  // All of the load comes from one address.
  await affiliate(['settings', 'set', 'limits.connections_per_address', '4000']);
  const key = await affiliate<{ token: string }>(['key', 'create', '--user', 'boss', '--scopes', 'read,write,manage']);
  return { token: key.token, userId, affiliateId: userId + 1, payoutId: 1, ...ids };
}
