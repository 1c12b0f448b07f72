import type { Fault } from './failing-writes.ts';

// Payouts as the specification describes them, without any code under test. Amounts are cents.

export type UserName = 'admin' | 'ann' | 'bob';
export type Target = 'pending' | 'created' | 'paid' | 'cancel';
export type Status = Target | 'processing' | 'failed';
export type Resolution = Exclude<Target, 'cancel'> | 'failed';

/** The owner of each coupon. Ann has payout details, Bob has none. */
export const owners: readonly (Exclude<UserName, 'admin'> | null)[] = ['ann', 'ann', 'bob', null];

export interface ModelPayout {
  /** 0 until the response is known. */
  id: number;
  coupon: number;
  amount: number;
  status: Status;
  paidAt: number | null;
}

export interface ModelSettings {
  enabled: boolean;
  requests: boolean;
  threshold: number;
  details: boolean;
  paypal: boolean;
  auto: { max: number; gateway: keyof typeof gatewayOutcomes } | null;
}

/** The status of a payout after each gateway. */
export const gatewayOutcomes = { manual: 'created', log: 'paid', failing: 'pending', throwing: 'pending', rejecting: 'pending' } as const;

export type PredictedResponse =
  | { is: 'refusal'; code: string }
  | { is: 'created'; payout: ModelPayout; triggered: boolean; notice: boolean }
  | { is: 'existing' | 'changed'; payout: ModelPayout }
  | { is: 'replay' };

export interface Prediction {
  response: PredictedResponse;
  /** New events, each with a mail to the affiliate. */
  events: { kind: string; payout: ModelPayout; by: UserName | 'system' }[];
  /** Ledger movements between balances. */
  movements: number;
  /** User and Idempotency-Key whose repetition gets this response again. */
  keyUse: string | null;
}

export interface PayoutRequest {
  by: UserName;
  coupon: number;
  key: string | null;
  fault: Fault | null;
}

interface KeyUse {
  coupon: number;
  at: number;
}

interface ModelOrder {
  coupon: number;
  commission: number;
  state: 'pending' | 'granted' | 'reversed';
}

export type PredictedEvents = Prediction['events'];

const day = 86_400_000;
const refusal = (code: string): Prediction => ({
  response: { is: 'refusal', code: `svc_api_${code}` },
  events: [],
  movements: 0,
  keyUse: null,
});

/** The event of each change that is allowed. */
const changes: Record<Target, Partial<Record<Target, string>>> = {
  pending: { created: 'payout_created', paid: 'payout_paid', cancel: 'payout_cancelled' },
  created: { pending: 'payout_pending', paid: 'payout_paid', cancel: 'payout_cancelled' },
  paid: { pending: 'payout_reversed', created: 'payout_reversed', cancel: 'payout_cancelled' },
  cancel: { pending: 'payout_reopened', created: 'payout_reopened' },
};

const isOpen = (status: Status): boolean => status !== 'paid' && status !== 'cancel' && status !== 'failed';
const poolOf = (status: Status): 'pending' | 'paid' | 'unpaid' => (isOpen(status) ? 'pending' : status === 'paid' ? 'paid' : 'unpaid');

export class PayoutModel {
  settings: ModelSettings = { enabled: true, requests: true, threshold: 0, details: true, paypal: true, auto: null };
  readonly payouts: ModelPayout[] = [];
  readonly orders = new Map<number, ModelOrder>();
  readonly #keys = new Map<string, KeyUse>();

  /** Commission of 10 percent, reduced in proportion to a refund, rounded half up. */
  applyOrder(id: number, coupon: number, { status, total, refunded }: { status: string; total: number; refunded: number }): void {
    const before = this.orders.get(id)?.state;
    const isLost = ['cancelled', 'failed', 'refunded'].includes(status) || (refunded > 0 && refunded === total);
    const full = Math.floor((total + 5) / 10);
    const left = refunded === 0 ? full : Math.floor((2 * full * (total - refunded) + total) / (2 * total));
    const state = isLost ? 'reversed' : before === 'granted' || status === 'completed' ? 'granted' : 'pending';
    this.orders.set(id, { coupon, commission: isLost ? 0 : left, state });
  }

  /** The balances of a coupon. */
  pools(coupon: number): { pendingOrder: number; unpaid: number; pending: number; paid: number } {
    const orders = [...this.orders.values()].filter((order) => order.coupon === coupon);
    const earned = (state: ModelOrder['state']): number =>
      orders.filter((order) => order.state === state).reduce((sum, { commission }) => sum + commission, 0);
    const own = this.payouts.filter((payout) => payout.coupon === coupon);
    const held = (pool: string): number => own.filter(({ status }) => poolOf(status) === pool).reduce((sum, { amount }) => sum + amount, 0);
    const [pending, paid] = [held('pending'), held('paid')];
    return { pendingOrder: earned('pending'), unpaid: earned('granted') - pending - paid, pending, paid };
  }

  request(request: PayoutRequest, now: number): Prediction {
    const { by, coupon, key, fault } = request;
    const use = key === null ? null : `${by} ${key}`;
    const stored = use === null ? undefined : this.#keys.get(use);
    if (stored && now - stored.at <= day) {
      if (stored.coupon !== coupon) return refusal('idempotency_mismatch');
      return { response: { is: 'replay' }, events: [], movements: 0, keyUse: use };
    }
    if (by !== 'admin' && owners[coupon] !== by) return refusal('not_found');
    const obstacle = this.#obstacle(by, coupon, use);
    if (obstacle?.response.is === 'refusal') return obstacle;
    const touched: Fault[] = obstacle ? [] : ['payouts insert', 'payout_days', 'ledger', 'coupons', 'events', 'mails'];
    if (fault !== null && [...touched, ...(use === null ? [] : ['idempotency_keys'])].includes(fault)) return refusal('not_created');
    const prediction = obstacle ?? this.#create(request, use, now);
    if (use !== null) this.#keys.set(use, { coupon, at: now });
    return prediction;
  }

  openOf(coupon: number): ModelPayout | undefined {
    return this.payouts.find((payout) => payout.coupon === coupon && isOpen(payout.status));
  }

  /** Undefined where a payout can be created. */
  #obstacle(by: UserName, coupon: number, use: string | null): Prediction | undefined {
    const open = this.openOf(coupon);
    if (open) return { response: { is: 'existing', payout: open }, events: [], movements: 0, keyUse: use };
    const { enabled, requests, threshold, details, paypal } = this.settings;
    const { unpaid } = this.pools(coupon);
    const owner = owners[coupon];
    const rules: [string, boolean][] = [
      ['payouts_disabled', !enabled],
      ['requests_disabled', by !== 'admin' && !requests],
      ['no_affiliate', owner === null],
      ['no_balance', unpaid <= 0],
      ['below_threshold', unpaid < threshold],
      ['no_payout_details', details && owner === 'bob'],
      ['method_disabled', by !== 'admin' && owner === 'ann' && !paypal],
    ];
    const broken = rules.find(([, isBroken]) => isBroken);
    return broken && refusal(broken[0]);
  }

  #create({ by, coupon, fault }: PayoutRequest, use: string | null, now: number): Prediction {
    const { auto } = this.settings;
    const payout: ModelPayout = { id: 0, coupon, amount: this.pools(coupon).unpaid, status: 'pending', paidAt: null };
    this.payouts.push(payout);
    const events: PredictedEvents = [{ kind: 'payout_request', payout, by }];
    if (!auto || payout.amount > auto.max)
      return { response: { is: 'created', payout, triggered: false, notice: false }, events, movements: 1, keyUse: use };
    // The gateway was called, but its result could not be written.
    if (fault === 'payouts update') {
      payout.status = 'processing';
      return { response: { is: 'created', payout, triggered: true, notice: true }, events, movements: 1, keyUse: use };
    }
    const to = gatewayOutcomes[auto.gateway];
    const isAccepted = to !== 'pending';
    const movements = 1 + this.#settle(payout, to, now);
    if (isAccepted) events.push({ kind: `payout_${to}`, payout, by: 'system' });
    return {
      response: { is: 'created', payout, triggered: isAccepted, notice: !isAccepted },
      events,
      movements,
      keyUse: use,
    };
  }

  /** Returns the number of movements. */
  #settle(payout: ModelPayout, to: Status, now: number): number {
    const moves = poolOf(payout.status) === poolOf(to) ? 0 : 1;
    payout.status = to;
    payout.paidAt = to === 'paid' ? now : null;
    return moves;
  }

  change(payout: ModelPayout, to: Target, fault: Fault | null, now: number): Prediction {
    const from = payout.status;
    if (from === to) return refusal('no_change');
    const kind = from === 'processing' || from === 'failed' ? undefined : changes[from][to];
    if (kind === undefined) return refusal('invalid_transition');
    if (from === 'cancel' && this.pools(payout.coupon).unpaid < payout.amount) return refusal('insufficient_unpaid');
    if (!isOpen(from) && isOpen(to) && this.openOf(payout.coupon)) return refusal('conflict');
    const money: Fault[] = poolOf(from) === poolOf(to) ? [] : ['ledger', 'coupons'];
    const touched: Fault[] = ['payouts update', 'payout_days', 'events', 'mails', ...money];
    if (fault !== null && touched.includes(fault)) return refusal('db_error');
    const movements = this.#settle(payout, to, now);
    return { response: { is: 'changed', payout }, events: [{ kind, payout, by: 'admin' }], movements, keyUse: null };
  }

  /** An operator settles a payout that is processing, or records that it failed. */
  resolve(payout: ModelPayout, to: Resolution, now: number): Prediction {
    const canFail = to === 'failed' && (payout.status === 'created' || payout.status === 'paid');
    if (payout.status !== 'processing' && !canFail) return refusal('invalid_transition');
    const movements = this.#settle(payout, to, now);
    const events: PredictedEvents = to === 'pending' ? [] : [{ kind: `payout_${to}`, payout, by: 'system' }];
    return { response: { is: 'changed', payout }, events, movements, keyUse: null };
  }
}
