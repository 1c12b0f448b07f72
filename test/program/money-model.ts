import { groupBy } from '../../domain/group-by.ts';
import { type OrderStatus, orderStatuses } from '../../domain/orders/order.ts';
import type { PayoutStatus } from '../../domain/payouts/payout.ts';

// A second account of the money of a program, as the decisions state it, in integers and without the code under test. Steps that the program
// may refuse return whether it must accept them.

export interface World {
  zone: string;
  clearingDays: number;
  lifetime: boolean;
  /** The rates of the parents, in thousandths of a percent. */
  tiers: readonly number[];
  renewal: { percent: number | null; maxPayments: number };
}

interface Rates {
  percent: number;
  perOrder: number;
  perProduct: number;
}

export interface Version {
  id: number;
  placedAt: number;
  status: OrderStatus;
  total: number;
  discount: number;
  shipping: number;
  quantity: number;
  refunded: number;
}

interface ModelOrder extends Version {
  coupon: number;
  rates: Rates;
  /** How often the coupon had changed hands, or its owner was erased. */
  generation: number;
  /** What the clearing days count from. */
  clearsFrom: number;
  hasCompleted: boolean;
  state: 'pending' | 'granted' | 'reversed';
  commission: number;
  /** Fixed when the commission is first granted. */
  shares: { coupon: number; rate: number; generation: number; amount: number }[];
}

/** Where the commission came from and went to, beside that of the coupon's own orders. */
const noSources = { multiLevel: 0, handedOver: 0, adjusted: 0, forfeited: 0 };
const noPools = { unpaid: 0, pendingOrder: 0, pendingPayout: 0, paid: 0 };
type Sums = Record<string, number>;

export interface ModelCoupon {
  id: number;
  owner: number;
  rates: Rates;
  generation: number;
  forfeits: Set<number>;
  pools: typeof noPools;
  sources: typeof noSources;
}

export interface ModelPayout {
  id: number;
  coupon: ModelCoupon;
  payee: number;
  amount: number;
  status: PayoutStatus;
  batch: number;
}

/** What a connected shop adds: `tick` orders the versions, a complete list leaves out the refunds that were deleted. */
export interface Delivery {
  tick: number;
  refunds: Record<string, number>;
  isComplete: boolean;
}

const day = 86_400_000;
const lost = ['failed', 'cancelled', 'refunded'];
/** Updates of the same tick take no step back. */
const order = ['pending', 'failed', 'on-hold', 'processing', 'completed', 'cancelled', 'refunded'];
const poolOf = { pending: 'pendingOrder', granted: 'unpaid', reversed: null } as const;
const openPool = 'pendingPayout';
const poolOfPayout = {
  pending: openPool,
  created: openPool,
  processing: openPool,
  paid: 'paid',
  cancel: 'unpaid',
  failed: 'unpaid',
} as const;
const changes: Partial<Record<PayoutStatus, readonly PayoutStatus[]>> = {
  pending: ['created', 'paid', 'cancel'],
  created: ['pending', 'paid', 'cancel', 'failed'],
  paid: ['pending', 'created', 'cancel', 'failed'],
  cancel: ['pending', 'created'],
};

/** `amount × numerator / denominator`, half a unit up. */
const half = (amount: number, numerator: number, denominator: number): number =>
  Number((2n * BigInt(amount) * BigInt(numerator) + BigInt(denominator)) / (2n * BigInt(denominator)));

export const sumBy = <Item>(items: Iterable<Item>, amount: (item: Item) => number): number =>
  [...items].reduce((sum, item) => sum + amount(item), 0);
const sumAll = <Names extends Sums>(zeros: Names, all: readonly Names[]): Names =>
  Object.fromEntries(Object.keys(zeros).map((name) => [name, sumBy(all, (one) => one[name] ?? 0)])) as Names;

export class MoneyModel {
  readonly world: World;
  now: number;
  readonly coupons: readonly ModelCoupon[];
  readonly orders = new Map<number, ModelOrder>();
  readonly payouts: ModelPayout[] = [];
  readonly erased = new Set<number>();
  readonly openBatches = new Set<number>();
  readonly #delivered = new Map<number, Delivery>();
  readonly #links = new Map<string, { coupon: number; at: number }>();
  readonly #subscriptions = new Map<string, { coupon: number; payments: number }>();

  constructor(world: World, now: number, rates: readonly Rates[]) {
    this.world = world;
    this.now = now;
    this.coupons = rates.map((own, at) => {
      const account = { generation: 0, forfeits: new Set<number>(), pools: { ...noPools }, sources: { ...noSources } };
      return { id: at + 1, owner: at + 1, rates: own, ...account };
    });
  }

  coupon = (id: number): ModelCoupon => this.coupons[id - 1] as ModelCoupon;

  deliver(version: Version, used: number, sent: Delivery, visitor?: string): void {
    const before = this.#delivered.get(version.id) ?? { tick: 0, refunds: {} };
    if (sent.tick < before.tick) return;
    const isNewer = sent.tick > before.tick;
    const refunds = isNewer && sent.isComplete ? { ...sent.refunds } : { ...before.refunds, ...sent.refunds };
    // A tie takes back no refund.
    if (!isNewer) for (const [id, amount] of Object.entries(before.refunds)) refunds[id] = Math.max(amount, sent.refunds[id] ?? 0);
    this.#delivered.set(version.id, { ...sent, refunds });
    const stored = isNewer ? undefined : this.orders.get(version.id)?.status;
    const status = stored && order.indexOf(stored) > order.indexOf(version.status) ? stored : version.status;
    const refunded = Math.min(sumBy(Object.values(refunds), Number), version.total - version.discount);
    this.record({ ...version, status, refunded }, used, visitor);
  }

  record(version: Version, used: number, visitor?: string, subscription?: string): void {
    const before = this.orders.get(version.id);
    // The same again changes nothing, not even where it is due meanwhile.
    if (before && Object.entries(version).every(([name, value]) => before[name as keyof Version] === value)) return;
    const after = { ...(before ?? this.#credit(version, used, visitor, subscription)), ...version };
    if (before) after.clearsFrom += version.placedAt - before.placedAt;
    const net = version.total - version.discount;
    const isLost = lost.includes(version.status) || (version.refunded > 0 && version.refunded === net);
    // The first completion counts, unless a reversal lies between.
    if (!isLost && version.status === 'completed' && before && !after.hasCompleted) after.clearsFrom = this.now;
    after.hasCompleted = !isLost && (after.hasCompleted || version.status === 'completed');
    after.state = isLost ? 'reversed' : before?.state === 'granted' || this.#isDue(after) ? 'granted' : 'pending';
    const { percent, perOrder, perProduct } = after.rates;
    const full = half(net, percent, 100_000) + perOrder + perProduct * version.quantity;
    after.commission = isLost ? 0 : version.refunded === 0 ? full : half(full, net - version.refunded, net);
    this.#move(before, after);
  }

  /** Who is credited, and by which rates: a link of the subscription, else of the visitor, else the coupon that was used. */
  #credit(version: Version, used: number, visitor = '', subscription = ''): ModelOrder {
    const isPlaced = version.status !== 'failed' && version.status !== 'cancelled';
    const link = this.#links.get(visitor);
    const begun = this.#subscriptions.get(subscription);
    const { id: coupon, rates: own, generation } = this.coupon(begun?.coupon ?? (link && link.at <= version.placedAt ? link.coupon : used));
    const payments = (begun?.payments ?? 0) + 1;
    if (subscription) this.#subscriptions.set(subscription, { coupon, payments: isPlaced ? payments : payments - 1 });
    if (isPlaced && visitor && this.world.lifetime && !link) this.#links.set(visitor, { coupon, at: version.placedAt });
    const { percent, maxPayments } = this.world.renewal;
    const isBeyond = maxPayments > 0 && payments > maxPayments;
    const renewed = isBeyond ? { percent: 0, perOrder: 0, perProduct: 0 } : { ...own, percent: percent ?? own.percent };
    const rates = payments > 1 ? renewed : own;
    const begins = { clearsFrom: version.placedAt, hasCompleted: false, state: 'reversed', commission: 0, shares: [] } as const;
    return { ...version, coupon, rates, generation, ...begins, shares: [] };
  }

  #isDue = ({ status, clearsFrom }: ModelOrder): boolean =>
    status === 'completed' && clearsFrom + this.world.clearingDays * day <= this.now;

  #move(before: ModelOrder | undefined, after: ModelOrder): void {
    const coupon = this.coupon(after.coupon);
    const isOwn = after.generation === coupon.generation;
    const [from, to] = [before && poolOf[before.state], poolOf[after.state]];
    if (isOwn && before && from) coupon.pools[from] -= before.commission;
    if (isOwn && to) coupon.pools[to] += after.commission;
    if (!isOwn) this.#bear(after, coupon, after.commission - (before?.commission ?? 0), before);
    if (isOwn && after.state === 'granted' && after.shares.length === 0) after.shares = this.#tiersAbove(coupon.owner);
    after.shares = after.shares.map((share) => {
      const amount = after.state === 'granted' ? half(after.commission, share.rate, 100_000) : 0;
      const paidTo = this.coupon(share.coupon);
      paidTo.sources.multiLevel += amount - share.amount;
      if (share.generation === paidTo.generation) paidTo.pools.unpaid += amount - share.amount;
      else this.#bear(share, paidTo, amount - share.amount, before);
      return { ...share, amount };
    });
    this.orders.set(after.id, after);
  }

  /** What was recorded for a former owner moves no balance: it is forfeited where it was not granted before, or goes to the store's account. */
  #bear({ generation }: { generation: number }, { forfeits, sources }: ModelCoupon, difference: number, before?: ModelOrder): void {
    if (forfeits.has(generation) && before?.state === 'pending') sources.forfeited -= difference;
    else sources.handedOver += difference;
  }

  /** The parent of each user is the one before. Credited is the oldest coupon of a parent. */
  #tiersAbove = (owner: number): ModelOrder['shares'] =>
    this.world.tiers.flatMap((rate, at) => {
      const coupon = this.coupons.find((one) => one.owner === owner - 1 - at);
      return coupon ? [{ coupon: coupon.id, rate, generation: coupon.generation, amount: 0 }] : [];
    });

  pass(hours: number): void {
    this.now += hours * 3_600_000;
    for (const due of [...this.orders.values()])
      if (due.state === 'pending' && this.#isDue(due)) this.#move(due, { ...due, state: 'granted' });
  }

  adjust({ pools, sources }: ModelCoupon, amount: number): void {
    pools.unpaid += amount;
    sources.adjusted += amount;
  }

  openOf = (coupon: ModelCoupon): ModelPayout | undefined =>
    this.payouts.find((payout) => payout.coupon === coupon && poolOfPayout[payout.status] === openPool);

  request(id: number, coupon: ModelCoupon): void {
    const payout: ModelPayout = { id, coupon, payee: coupon.owner, amount: coupon.pools.unpaid, status: 'cancel', batch: 0 };
    this.payouts.push(payout);
    this.#settle(payout, 'pending');
  }

  /** By an admin, or `failed`, which a provider says. Payouts of an open file become paid, or are set back from there. */
  change(payout: ModelPayout, to: PayoutStatus): boolean {
    const { status, batch, coupon, amount } = payout;
    const [from, target] = [poolOfPayout[status], poolOfPayout[to]];
    const isBound = this.openBatches.has(batch) && to !== 'paid' && !(status === 'paid' && to === 'created');
    if (!changes[status]?.includes(to) || isBound) return false;
    if (from === 'unpaid' && coupon.pools.unpaid < amount) return false;
    if (from !== openPool && target === openPool && this.openOf(coupon)) return false;
    if (coupon.owner !== payout.payee && (from !== openPool || target === 'unpaid')) return false;
    return this.#settle(payout, to);
  }

  #settle(payout: ModelPayout, to: PayoutStatus): true {
    payout.coupon.pools[poolOfPayout[payout.status]] -= payout.amount;
    payout.coupon.pools[poolOfPayout[to]] += payout.amount;
    payout.status = to;
    return true;
  }

  /** Takes pending payouts that are in no file, of payees who owe nothing. Returns their number. */
  batch(id: number): number {
    const unpaidOf = (user: number): number => sumBy(this.coupons, ({ owner, pools }) => (owner === user ? pools.unpaid : 0));
    const chosen = this.payouts.filter(({ status, batch, payee }) => status === 'pending' && batch === 0 && unpaidOf(payee) >= 0);
    for (const payout of chosen) Object.assign(payout, { batch: id, status: 'created' });
    if (id > 0) this.openBatches.add(id);
    return chosen.length;
  }

  settleBatch(id: number, to: 'paid' | 'pending', failed: ModelPayout | undefined): boolean {
    const own = this.payouts.filter(({ batch }) => batch === id);
    if (!this.openBatches.has(id) || (to === 'pending' && own.some(({ status }) => status === 'paid'))) return false;
    if (failed && failed.coupon.owner !== failed.payee) return false;
    if (failed) this.#settle(failed, 'failed');
    for (const payout of own) {
      if (payout.status === 'created') this.#settle(payout, to);
      if (to === 'pending') payout.batch = 0;
    }
    return this.openBatches.delete(id);
  }

  handOver(coupon: ModelCoupon, to: number, transfers: boolean): boolean {
    const { pools, owner } = coupon;
    if (owner === to) return true;
    if (this.openOf(coupon) || (!transfers && (pools.unpaid !== 0 || pools.pendingOrder !== 0))) return false;
    Object.assign(coupon, { owner: to, generation: coupon.generation + 1 });
    Object.assign(pools, { unpaid: pools.unpaid + pools.pendingOrder, pendingOrder: 0 });
    return true;
  }

  erase(user: number, forfeits: boolean): boolean {
    const held = this.coupons.filter(({ owner, pools }) => owner === user && (pools.unpaid !== 0 || pools.pendingOrder !== 0));
    const isOpen = ({ status, batch }: ModelPayout): boolean => poolOfPayout[status] === openPool || this.openBatches.has(batch);
    if (this.payouts.some((payout) => payout.payee === user && isOpen(payout)) || (held.length > 0 && !forfeits)) return false;
    for (const coupon of held) {
      coupon.sources.forfeited -= coupon.pools.unpaid + coupon.pools.pendingOrder;
      coupon.forfeits.add(coupon.generation);
      coupon.generation += 1;
      Object.assign(coupon.pools, { unpaid: 0, pendingOrder: 0 });
    }
    this.erased.add(user);
    return true;
  }

  dayOf = (moment: number): string => new Intl.DateTimeFormat('sv-SE', { timeZone: this.world.zone }).format(moment);

  #ofCoupons = (coupons: readonly ModelCoupon[]): ModelOrder[] =>
    [...this.orders.values()].filter(({ coupon }) => coupons.includes(this.coupon(coupon)));

  byDay = (coupons: readonly ModelCoupon[]) =>
    new Map([...groupBy(this.#ofCoupons(coupons), ({ placedAt }) => this.dayOf(placedAt))].map(([one, own]) => [one, figuresOf(own)]));

  figures = (coupons: readonly ModelCoupon[], from = '', to = '9999') =>
    figuresOf(this.#ofCoupons(coupons).filter(({ placedAt }) => this.dayOf(placedAt) >= from && this.dayOf(placedAt) <= to));

  pools = (coupons: readonly ModelCoupon[]) => sumAll(noPools, coupons.map(({ pools }) => pools)); // biome-ignore format: one line

  sources(coupons: readonly ModelCoupon[]) {
    const awaiting = this.#ofCoupons(coupons).filter(({ status }) => status === 'pending');
    const ofOrders = { referred: this.figures(coupons).commission, awaitingPayment: sumBy(awaiting, ({ commission }) => commission) };
    const others = coupons.map(({ sources }) => sources);
    return { ...ofOrders, ...sumAll(noSources, others) };
  }

  paidTo = (user: number): number => sumBy(this.payouts, ({ payee, status, amount }) => (payee === user && status === 'paid' ? amount : 0));
}

function figuresOf(all: readonly ModelOrder[]) {
  const sales = all.filter(({ status }) => ['processing', 'on-hold', 'completed'].includes(status));
  const counts = orderStatuses.map((status) => [status, all.filter((one) => one.status === status).length]);
  return {
    ordersCount: sales.length,
    sales: sumBy(sales, ({ total, refunded }) => total - refunded),
    discount: sumBy(sales, ({ discount }) => discount),
    shipping: sumBy(sales, ({ shipping }) => shipping),
    commission: sumBy(sales, ({ commission }) => commission),
    statusCounts: Object.fromEntries(counts) as Record<OrderStatus, number>,
  };
}
