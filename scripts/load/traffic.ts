import type { RawResponse } from '../shared/connection.ts';
import type { LoadRequest, Outcome } from './open-loop.ts';
import type { Store } from './store.ts';

interface ApiCall {
  method?: 'GET' | 'POST' | 'DELETE';
  /** Below `/api/v2`. */
  path: string;
  body?: unknown;
  /** 200 by default. */
  expect?: number;
  /** Called with the response body, or with null where the request was shed and had no effect. */
  settle?(body: string | null): void;
}

/** The request as a proxy in front of the service forwards it. */
export function toRequest({ method = 'GET', path, body, expect = 200, settle }: ApiCall, token: string): LoadRequest {
  const content = body === undefined ? '' : JSON.stringify(body);
  const lines = [
    `${method} /api/v2${path} HTTP/1.1`,
    'Host: load',
    `Authorization: Bearer ${token}`,
    'X-Forwarded-Proto: https',
    'X-Forwarded-For: 192.0.2.10',
    ...(content ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`] : []),
    '',
    content,
  ];
  const classify = (response: RawResponse): Outcome | Error => {
    const isShed = isOverloaded(response);
    // Numbers are masked, so that equal faults of many requests count as one.
    if (!isShed && response.status !== expect)
      return new Error(`${method} ${path.replaceAll(/\d+/g, '…')} was answered ${response.status}: ${response.body.slice(0, 200)}`);
    settle?.(isShed ? null : response.body);
    return isShed ? 'shed' : 'answered';
  };
  return { bytes: Buffer.from(lines.join('\r\n')), classify };
}

/** Any other 503 is a fault: a shed request has the documented error with a retry time. */
const isOverloaded = ({ status, body }: RawResponse): boolean =>
  status === 503 && /"code":"svc_api_overloaded".*"retry_after":[1-9]/.test(body);

/** Shares of a hundred reads, roughly as dashboards and shops send them. Every read operation is among them. */
const reads: readonly [share: number, path: (store: Store, index: number) => string][] = [
  [18, ({ couponIds }, index) => `/coupons/${pick(couponIds, index)}`],
  [12, ({ couponIds }, index) => `/coupons/${pick(couponIds, index)}/stats`],
  [5, ({ couponIds }, index) => `/coupons/${pick(couponIds, index)}/stats?from=2026-01-${day(index)}&to=2026-06-${day(index * 7)}`],
  [12, ({ couponIds }, index) => `/coupons/${pick(couponIds, index)}/orders?per_page=20&page=${1 + (index % 3)}`],
  [8, () => '/me'],
  [8, (_, index) => `/events?after=${(index * 37) % 1000}&per_page=50`],
  [6, (_, index) => `/payouts?per_page=20&page=${1 + (index % 2)}`],
  [4, ({ payoutId }) => `/payouts/${payoutId}`],
  [5, (_, index) => `/coupons?per_page=20&page=${1 + (index % 5)}`],
  [3, (_, index) => `/affiliates?per_page=20&page=${1 + (index % 5)}`],
  [3, ({ affiliateId }) => `/affiliates/${affiliateId}`],
  [3, ({ affiliateId }) => `/affiliates/${affiliateId}/stats`],
  [3, ({ couponIds }, index) => `/clicks/stats?coupon_id=${pick(couponIds, index)}`],
  [2, () => '/reports/summary'],
  [2, (_, index) => `/registrations?per_page=20&page=${1 + (index % 2)}`],
  [1, ({ applicationIds }, index) => `/registrations/${pick(applicationIds, index)}`],
  [2, () => '/keys?per_page=20'],
  [1, () => '/webhooks'],
  [1, () => '/webhooks/events'],
  [1, () => '/openapi'],
];

const hundredReads = reads.flatMap(([share, path]) => Array.from({ length: share }, () => path));
/** Coprime to a hundred, so that all reads are visited, well mixed. */
const stride = 37;

const pick = (ids: readonly number[], index: number): number => ids[(index * 7) % ids.length] ?? 0;
const day = (index: number): string => String(1 + (index % 28)).padStart(2, '0');

/** Nine reads for each write. While all writers wait for responses, a read replaces the write. */
export function traffic(store: Store): () => LoadRequest {
  const nextWrite = writeMix(store);
  let index = 0;
  return () => {
    index += 1;
    const write = index % 10 === 0 ? nextWrite() : undefined;
    return toRequest(write ?? { path: hundredReads[(index * stride) % 100]?.(store, index) ?? '/me' }, store.token);
  };
}

/** Sends one write after the other, each after the response to the last. */
interface Writer {
  call(): ApiCall;
  /** Returns whether there is more to write. */
  settle(body: string | null): boolean;
}

/** Of ten writes, six create or cancel a payout, three create or revoke a key, and one accepts an application while there are any. */
function writeMix({ payableIds, applicationIds, userId }: Store): () => ApiCall | undefined {
  const payouts = payableIds.map((couponId) =>
    alternate({ method: 'POST', path: '/payouts', body: { coupon_id: couponId }, expect: 201 }, (id) => ({
      method: 'POST',
      path: `/payouts/${id}/status`,
      body: { status: 'cancel' },
    })),
  );
  const createKey: ApiCall = { method: 'POST', path: '/keys', body: { user_id: userId, scopes: ['read'] }, expect: 201 };
  const keys = Array.from({ length: 40 }, () => alternate(createKey, (id) => ({ method: 'DELETE', path: `/keys/${id}` })));
  const applications = applicationIds.map((id): Writer => {
    const accept: ApiCall = { method: 'POST', path: `/registrations/${id}/status`, body: { status: 'accepted' } };
    return { call: () => accept, settle: (body) => body === null };
  });
  let count = 0;
  return () => {
    count += 1;
    const turn = count % 10;
    const chosen = turn < 6 ? payouts : turn < 9 ? keys : applications;
    const queue = chosen.length > 0 ? chosen : keys;
    const writer = queue.shift();
    return writer && { ...writer.call(), settle: (body) => void (writer.settle(body) && queue.push(writer)) };
  };
}

/** Creates a record, removes it, creates the next. */
function alternate(create: ApiCall, remove: (id: number) => ApiCall): Writer {
  let id: number | undefined;
  return {
    call: () => (id === undefined ? create : remove(id)),
    settle(body) {
      if (body !== null) id = id === undefined ? (JSON.parse(body) as { id: number }).id : undefined;
      return true;
    },
  };
}
