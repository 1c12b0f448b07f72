import type { Fault } from './failing-writes.ts';

// What payouts do, written from the specification in as few words as possible, and nothing of the code under test. Amounts are cents.

export type Person = 'admin' | 'ann' | 'bob';
export type Target = 'pending' | 'created' | 'paid' | 'cancel';
export type Status = Target | 'processing';

/** Whose each coupon is. Ann has saved where her money goes, Bob has not. */
export const owners: readonly (Exclude<Person, 'admin'> | null)[] = ['ann', 'ann', 'bob', null];

export interface ModelPayout {
  /** Known once it is there. */
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

/** What each gateway makes of a payout. */
export const gatewayOutcomes = { manual: 'created', log: 'paid', failing: 'pending', throwing: 'pending' } as const;

export type Answer =
  | { is: 'refusal'; code: string }
  | { is: 'created'; payout: ModelPayout; triggered: boolean; notice: boolean }
  | { is: 'existing' | 'changed'; payout: ModelPayout }
  | { is: 'replay' };

export interface Prediction {
  answer: Answer;
  /** What the feed tells, each with its mail to the affiliate. */
  told: { kind: string; payout: ModelPayout; by: Person | 'nobody' }[];
  /** Of money, from one pool to another. */
  movements: number;
  /** The use of an Idempotency-Key that gets this answer again. */
  keeps: string | null;
}

export interface Request {
  by: Person;
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

export type Told = Prediction['told'];

const day = 86_400_000;
const refusal = (code: string, keeps: string | null = null): Prediction => ({
  answer: { is: 'refusal', code: `svc_api_${code}` },
  told: [],
  movements: 0,
  keeps,
});

/** Spec, "Payout status": the event of each change that is allowed. */
const changes: Record<Target, Partial<Record<Target, string>>> = {
  pending: { created: 'payout_created', paid: 'payout_paid', cancel: 'payout_cancelled' },
  created: { pending: 'payout_pending', paid: 'payout_paid', cancel: 'payout_cancelled' },
  paid: { pending: 'payout_reversed', created: 'payout_reversed', cancel: 'payout_cancelled' },
  cancel: { pending: 'payout_reopened', created: 'payout_reopened' },
};

const isOpen = (status: Status): boolean => status !== 'paid' && status !== 'cancel';
const poolOf = (status: Status): 'pending' | 'paid' | 'unpaid' => (isOpen(status) ? 'pending' : status === 'paid' ? 'paid' : 'unpaid');

export class PayoutModel {
  settings: ModelSettings = { enabled: true, requests: true, threshold: 0, details: true, paypal: true, auto: null };
  readonly payouts: ModelPayout[] = [];
  readonly orders = new Map<number, ModelOrder>();
  readonly #keys = new Map<string, KeyUse>();

  /** Commission of 10 percent, of which a refund takes its part; rounded half up. */
  tellOrder(id: number, coupon: number, { status, total, refunded }: { status: string; total: number; refunded: number }): void {
    const before = this.orders.get(id)?.state;
    const isLost = ['cancelled', 'failed', 'refunded'].includes(status) || (refunded > 0 && refunded === total);
    const full = Math.floor((total + 5) / 10);
    const left = refunded === 0 ? full : Math.floor((2 * full * (total - refunded) + total) / (2 * total));
    const state = isLost ? 'reversed' : before === 'granted' || status === 'completed' ? 'granted' : 'pending';
    this.orders.set(id, { coupon, commission: isLost ? 0 : left, state });
  }

  /** What each pool of the coupon holds. */
  pools(coupon: number): { pendingOrder: number; unpaid: number; pending: number; paid: number } {
    const orders = [...this.orders.values()].filter((order) => order.coupon === coupon);
    const earned = (state: ModelOrder['state']): number =>
      orders.filter((order) => order.state === state).reduce((sum, { commission }) => sum + commission, 0);
    const own = this.payouts.filter((payout) => payout.coupon === coupon);
    const held = (pool: string): number => own.filter(({ status }) => poolOf(status) === pool).reduce((sum, { amount }) => sum + amount, 0);
    const [pending, paid] = [held('pending'), held('paid')];
    return { pendingOrder: earned('pending'), unpaid: earned('granted') - pending - paid, pending, paid };
  }

  request(asked: Request, now: number): Prediction {
    const { by, coupon, key, fault } = asked;
    const use = key === null ? null : `${by} ${key}`;
    const kept = use === null ? undefined : this.#keys.get(use);
    if (kept && now - kept.at <= day) {
      if (kept.coupon !== coupon) return refusal('idempotency_mismatch');
      return { answer: { is: 'replay' }, told: [], movements: 0, keeps: use };
    }
    if (by !== 'admin' && owners[coupon] !== by) return refusal('not_found');
    const standing = this.#standing(by, coupon, use);
    const touched: Fault[] = standing ? [] : ['payouts insert', 'payout_days', 'ledger', 'coupons', 'events', 'mails'];
    if (fault !== null && [...touched, ...(use === null ? [] : ['idempotency_keys'])].includes(fault)) return refusal('not_created');
    const prediction = standing ?? this.#create(asked, use, now);
    if (use !== null) this.#keys.set(use, { coupon, at: now });
    return prediction;
  }

  openOf(coupon: number): ModelPayout | undefined {
    return this.payouts.find((payout) => payout.coupon === coupon && isOpen(payout.status));
  }

  /** Undefined where a payout can be made. */
  #standing(by: Person, coupon: number, use: string | null): Prediction | undefined {
    const open = this.openOf(coupon);
    if (open) return { answer: { is: 'existing', payout: open }, told: [], movements: 0, keeps: use };
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
    return broken && refusal(broken[0], use);
  }

  #create({ by, coupon, fault }: Request, use: string | null, now: number): Prediction {
    const { auto } = this.settings;
    const payout: ModelPayout = { id: 0, coupon, amount: this.pools(coupon).unpaid, status: 'pending', paidAt: null };
    this.payouts.push(payout);
    const told: Told = [{ kind: 'payout_request', payout, by }];
    if (!auto || payout.amount > auto.max)
      return { answer: { is: 'created', payout, triggered: false, notice: false }, told, movements: 1, keeps: use };
    // The gateway has had its say, but what it said could not be written.
    if (fault === 'payouts update') {
      payout.status = 'processing';
      return { answer: { is: 'created', payout, triggered: true, notice: true }, told, movements: 1, keeps: use };
    }
    const to = gatewayOutcomes[auto.gateway];
    const isTaken = to !== 'pending';
    const movements = 1 + this.#settle(payout, to, now);
    if (isTaken) told.push({ kind: `payout_${to}`, payout, by: 'nobody' });
    return { answer: { is: 'created', payout, triggered: isTaken, notice: !isTaken }, told, movements, keeps: use };
  }

  /** How many movements of money it takes. */
  #settle(payout: ModelPayout, to: Status, now: number): number {
    const moves = poolOf(payout.status) === poolOf(to) ? 0 : 1;
    payout.status = to;
    payout.paidAt = to === 'paid' ? now : null;
    return moves;
  }

  change(payout: ModelPayout, to: Target, fault: Fault | null, now: number): Prediction {
    const from = payout.status;
    if (from === to) return refusal('no_change');
    const kind = from === 'processing' ? undefined : changes[from][to];
    if (kind === undefined) return refusal('invalid_transition');
    if (!isOpen(from) && isOpen(to) && this.openOf(payout.coupon)) return refusal('conflict');
    const money: Fault[] = poolOf(from) === poolOf(to) ? [] : ['ledger', 'coupons'];
    const touched: Fault[] = ['payouts update', 'payout_days', 'mails', ...money];
    if (fault !== null && touched.includes(fault)) return refusal('db_error');
    if (from === 'cancel' && this.pools(payout.coupon).unpaid < payout.amount) return refusal('insufficient_unpaid');
    // The feed is written last.
    if (fault === 'events') return refusal('db_error');
    const movements = this.#settle(payout, to, now);
    return { answer: { is: 'changed', payout }, told: [{ kind, payout, by: 'admin' }], movements, keeps: null };
  }

  /** An operator says what became of a payout that was left processing. */
  resolve(payout: ModelPayout, to: Exclude<Target, 'cancel'>, now: number): Prediction {
    if (payout.status !== 'processing') return refusal('invalid_transition');
    const movements = this.#settle(payout, to, now);
    const told: Told = to === 'pending' ? [] : [{ kind: `payout_${to}`, payout, by: 'nobody' }];
    return { answer: { is: 'changed', payout }, told, movements, keeps: null };
  }
}
