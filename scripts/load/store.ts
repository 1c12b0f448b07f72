/** What the traffic has to know of the store that it goes to. */
export interface Store {
  /** Of a key that may do everything. */
  token: string;
  userId: number;
  affiliateId: number;
  payoutId: number;
  couponIds: readonly number[];
  payableIds: readonly number[];
  applicationIds: readonly number[];
}

/** How many there are of each. */
export interface Size {
  coupons: number;
  /** Coupons that nobody reads but who requests payouts for them. */
  payable: number;
  applications: number;
}

export const usualSize: Size = { coupons: 200, payable: 200, applications: 300 };

const upTo = (count: number, first = 1): number[] => Array.from({ length: count }, (_, index) => first + index);
const firstPayable = 1001;

const ordersPerCoupon = 25;
const firstMoment = Date.UTC(2026, 0, 1);
const hour = 3_600_000;

const moment = (hours: number): string => new Date(firstMoment + hours * hour).toISOString();

type Ids = Pick<Store, 'couponIds' | 'payableIds' | 'applicationIds'>;

/** A small store, as lines for `affiliate import`: so it is what the service itself makes of it. */
function* storeLines({ couponIds, payableIds, applicationIds }: Ids): Generator<Record<string, unknown>> {
  for (const id of [...couponIds, ...payableIds]) {
    yield { kind: 'user', login: `aff${id}`, email: `aff${id}@example.com`, display_name: `Affiliate ${id}`, role: 'affiliate' };
    yield { kind: 'coupon', id, code: `LOAD${id}`, user: `aff${id}`, percent: 10 };
    yield { kind: 'payout_details', user: `aff${id}`, method: 'PayPal', method_type: 'paypal', details: { email: `aff${id}@example.com` } };
  }
  for (const id of couponIds) yield { kind: 'click', coupon_id: id, date: moment(id), visitor: `visitor ${id}` };
  for (const id of couponIds) yield* upTo(ordersPerCoupon).map((number) => orderLine(id * 1000 + number, id, number * 150));
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
  date: moment(hours),
  status: 'completed',
  total: 1000,
});

/** What a shop sends meanwhile: orders and clicks of today. `round` makes them new ones. */
export function* newLines({ couponIds }: Store, round: number, count: number): Generator<Record<string, unknown>> {
  for (const number of upTo(count)) {
    const couponId = couponIds[(round * 13 + number) % couponIds.length] ?? 1;
    yield { kind: 'click', coupon_id: couponId, date: moment(5000 + round), visitor: `visitor ${round}.${number}` };
    yield { ...orderLine(10_000_000 + round * 10_000 + number, couponId, 5000 + round), total: 20 };
  }
}

export const asText = (lines: Iterable<Record<string, unknown>>): string => [...lines].map((line) => `${JSON.stringify(line)}\n`).join('');

/** Runs `affiliate` with these arguments and this input, and reads the document that it prints. */
export type Affiliate = <Document>(args: string[], input?: string) => Promise<Document>;

/** Fills an empty installation. */
export async function makeStore(affiliate: Affiliate, { coupons, payable, applications }: Size = usualSize): Promise<Store> {
  const ids: Ids = { couponIds: upTo(coupons), payableIds: upTo(payable, firstPayable), applicationIds: upTo(applications) };
  const admin = ['user', 'create', '--login', 'boss', '--email', 'boss@example.com', '--role', 'administrator'];
  const { id: userId } = await affiliate<{ id: number }>(admin);
  await affiliate(['import', '-'], asText(storeLines(ids)));
  // The limits are for callers who ask too much; here somebody does so on purpose.
  await affiliate(['settings', 'set', 'limits.authenticated', '1000000']);
  const key = await affiliate<{ token: string }>(['key', 'create', '--user', 'boss', '--scopes', 'read,write,manage']);
  return { token: key.token, userId, affiliateId: userId + 1, payoutId: 1, ...ids };
}
