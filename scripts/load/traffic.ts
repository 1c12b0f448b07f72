import { type Question, requestOf } from './ask.ts';
import type { Request } from './open-loop.ts';
import type { Store } from './store.ts';
import { Writers } from './writers.ts';

/** So many of a hundred reads. What dashboards and shops ask often is asked often; every read operation is asked. */
const reads: readonly [share: number, ask: (store: Store, at: number) => Omit<Question, 'token'>][] = [
  [18, ({ couponIds }, at) => ({ path: `/coupons/${anyOf(couponIds, at)}` })],
  [12, ({ couponIds }, at) => ({ path: `/coupons/${anyOf(couponIds, at)}/stats` })],
  [5, ({ couponIds }, at) => ({ path: `/coupons/${anyOf(couponIds, at)}/stats?from=2026-01-${day(at)}&to=2026-06-${day(at * 7)}` })],
  [12, ({ couponIds }, at) => ({ path: `/coupons/${anyOf(couponIds, at)}/orders?per_page=20&page=${1 + (at % 3)}` })],
  [8, () => ({ path: '/me' })],
  [8, (_, at) => ({ path: `/events?after=${(at * 37) % 1000}&per_page=50` })],
  [6, (_, at) => ({ path: `/payouts?per_page=20&page=${1 + (at % 2)}` })],
  [4, ({ payoutId }) => ({ path: `/payouts/${payoutId}` })],
  [5, (_, at) => ({ path: `/coupons?per_page=20&page=${1 + (at % 5)}` })],
  [3, (_, at) => ({ path: `/affiliates?per_page=20&page=${1 + (at % 5)}` })],
  [3, ({ affiliateId }) => ({ path: `/affiliates/${affiliateId}` })],
  [3, ({ affiliateId }) => ({ path: `/affiliates/${affiliateId}/stats` })],
  [3, ({ couponIds }, at) => ({ path: `/clicks/stats?coupon_id=${anyOf(couponIds, at)}` })],
  [2, () => ({ path: '/reports/summary' })],
  [2, (_, at) => ({ path: `/registrations?per_page=20&page=${1 + (at % 2)}` })],
  [1, ({ applicationIds }, at) => ({ path: `/registrations/${anyOf(applicationIds, at)}` })],
  [2, () => ({ path: '/keys?per_page=20' })],
  [1, () => ({ path: '/webhooks' })],
  [1, () => ({ path: '/webhooks/events' })],
  [1, () => ({ path: '/openapi' })],
];

const inHundred = reads.flatMap(([share, ask]) => Array.from({ length: share }, () => ask));
/** A step that has no divisor in common with a hundred visits them all, well mixed. */
const step = 37;

const anyOf = (ids: readonly number[], at: number): number => ids[(at * 7) % ids.length] ?? 0;
const day = (at: number): string => String(1 + (at % 28)).padStart(2, '0');

/** Nine reads for each write, for as long as it is asked. Where every writer waits for an answer, a read goes in its place. */
export function traffic(store: Store): () => Request {
  const writers = new Writers(store);
  let asked = 0;
  return () => {
    asked += 1;
    const write = asked % 10 === 0 ? writers.next() : undefined;
    const read = inHundred[(asked * step) % 100];
    return requestOf({ path: '/me', token: store.token, ...(write ?? read?.(store, asked)) });
  };
}
