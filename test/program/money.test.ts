import { expect } from 'chai';
import fc from 'fast-check';
import { systemCaller } from '../../cli/operator.ts';
import { readAffiliate } from '../../domain/affiliates/reading.ts';
import { assignCoupon } from '../../domain/coupons/create.ts';
import { readCoupon } from '../../domain/coupons/reading.ts';
import { ApiError } from '../../domain/errors.ts';
import { explainOrder } from '../../domain/explanation/explain.ts';
import { toNumber } from '../../domain/money.ts';
import { orderStatuses } from '../../domain/orders/order.ts';
import { changeSinglePayout, findChange, resolveSinglePayout } from '../../domain/payouts/change.ts';
import { createBatch } from '../../domain/payouts/create-batch.ts';
import { cancelBatch, payBatch } from '../../domain/payouts/settle-batch.ts';
import { eraseUser } from '../../domain/privacy/erase-user.ts';
import { buildReport, createReportCaches, type ReportCaches } from '../../domain/reports/report.ts';
import { holdNothing } from '../../domain/risk/holds.ts';
import { recordUpdates } from '../../domain/store/record-updates.ts';
import { listSentences, verifyLedger } from '../../domain/verification/verify.ts';
import { type Engine, onAnyEngine } from '../support/engines.ts';
import { expectExplained, expectParts } from './invariants.ts';
import { MoneyModel, type Version, type World } from './money-model.ts';
import { requestedPayout } from './payouts.ts';
import { at, day, order, simpleProgram } from './samples.ts';
import { Shop } from './shop.ts';

/** The same programs in each run of the tests; the proof takes others. */
const sameSeed = process.env['PROVE_MONEY'] === undefined && { seed: 20_261_119 };
/** PROVE_MONEY: number of programs on each engine. */
const numberOfRuns = ({ name }: Engine): number => Number(process.env['PROVE_MONEY'] ?? (name === 'sqlite' ? 6 : 1));

/** Each with the moment of a change of its clocks. */
const zones = {
  'Europe/Berlin': at('2026-10-25T01:00:00Z'),
  'America/New_York': at('2026-11-01T06:00:00Z'),
  'Australia/Lord_Howe': at('2026-10-03T15:30:00Z'),
  'Pacific/Auckland': at('2026-09-26T14:00:00Z'),
};

type Made<Any> = Any extends fc.Arbitrary<infer Value> ? Value : never;

const anyWorld = fc.record({
  currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
  zone: fc.constantFrom(...(Object.keys(zones) as (keyof typeof zones)[])),
  clearingDays: fc.constantFrom(0, 2),
  lifetime: fc.boolean(),
  tiers: fc.constantFrom([], [12_345], [50_000, 33_333]),
  renewal: fc.record({ percent: fc.constantFrom(null, 5000), maxPayments: fc.constantFrom(0, 2) }),
  perOrder: fc.constantFrom(0, 199),
});

// Few orders, coupons, versions and days, so that steps meet.
const any = (max: number) => fc.integer({ min: 1, max });
const anyPart = fc.constantFrom(0, 0.37, 0.5, 1);
const anyVersion = fc.record({
  hours: fc.integer({ min: 0, max: 23 }),
  status: fc.constantFrom(...orderStatuses, 'completed' as const, 'completed' as const, 'completed' as const),
  net: fc.oneof(fc.constant(0), any(30_000)),
  discount: fc.integer({ min: 0, max: 3000 }),
  quantity: fc.integer({ min: 0, max: 3 }),
  visitor: fc.constantFrom(undefined, 'ann', 'bob'),
});
const anyDelivery = fc.record({ tick: any(3), refunds: fc.dictionary(fc.constantFrom('r1', 'r2'), anyPart), isComplete: fc.boolean() });
const anyStatus = fc.constantFrom('paid', 'paid', 'paid', 'pending', 'created', 'cancel', 'failed');
const mostly = fc.constantFrom(true, true, true, false);
const anyAmount = fc.integer({ min: -5000, max: 5000 }).filter((amount) => amount !== 0);

const anyStep = fc.oneof(
  { weight: 12, arbitrary: fc.record({ deliver: any(3), version: anyVersion, delivery: anyDelivery }) },
  { weight: 4, arbitrary: fc.record({ record: any(3), version: anyVersion, refunded: anyPart, isRenewal: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ hours: any(60) }) },
  { weight: 1, arbitrary: fc.record({ adjust: any(4), amount: anyAmount }) },
  { weight: 4, arbitrary: fc.record({ request: any(4) }) },
  { weight: 4, arbitrary: fc.record({ payout: any(6), to: anyStatus }) },
  { weight: 1, arbitrary: fc.record({ file: fc.constant(true) }) },
  { weight: 2, arbitrary: fc.record({ batch: any(3), to: fc.constantFrom('paid', 'pending'), fails: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ handOver: any(4), to: any(4), transfers: mostly }) },
  { weight: 2, arbitrary: fc.record({ erase: any(4), forfeits: mostly }) },
);
type Step = Made<typeof anyStep>;
type Write = Parameters<Parameters<Shop['database']['write']>[0]>[0];

const secrets = { encrypt: (text: string) => text, decrypt: (text: string) => text };
const payer = { name: '', iban: '', bic: '', town: '', country: '' };
const platform = { kind: 'order', isTrashed: false, isRestored: false, includesTax: false, notice: null } as const;

/** A program beside its model. Users and coupons have the numbers 1 to 4; the parent of each user is the one before. */
class Machine {
  readonly #shop: Shop;
  readonly #model: MoneyModel;
  readonly #changeOfClock: number;
  readonly #caches: ReportCaches = createReportCaches();
  readonly #batches: number[] = [];

  private constructor(shop: Shop, model: MoneyModel, changeOfClock: number) {
    this.#shop = shop;
    this.#model = model;
    this.#changeOfClock = changeOfClock;
  }

  static async open(
    engine: Engine,
    { currency, perOrder, ...world }: World & Pick<Made<typeof anyWorld>, 'currency' | 'perOrder' | 'zone'>,
  ) {
    const { zone, renewal, tiers, clearingDays, lifetime } = world;
    const recurring = { percentThousandths: renewal.percent, maxPayments: renewal.maxPayments, maxMonths: 0 };
    const rules = { attribution: { windowDays: 1, lifetime }, recurring, multiLevelThousandths: tiers };
    const shop = await Shop.open(engine, { ...simpleProgram, zone, currency, clearingDays, ...rules });
    shop.now = zones[zone] + 2 * day;
    const rates = [10_000, 12_500, 33_333, 100_000].map((percent) => ({ percent, perOrder, perProduct: perOrder && 1 }));
    for (const [index, { percent, perProduct }] of rates.entries()) {
      const terms = { percentThousandths: percent, fixedPerOrder: perOrder, fixedPerProduct: perProduct };
      await shop.affiliate(`CODE${index + 1}`, { ...terms, ...(index > 0 && { parent: index }) });
      const credit = { userId: index + 1, method: 'Credit', methodType: 'credit', encryptedDetails: null, firstSavedAt: 0 } as const;
      await shop.database.write(({ payoutDetails }) => payoutDetails.save({ ...credit, updatedAt: 0 }));
    }
    return new Machine(shop, new MoneyModel(world, shop.now, rates), zones[zone]);
  }

  close = (): Promise<void> => this.#shop.close();

  get #context() {
    return { program: this.#shop.program, now: this.#shop.now, userId: 0 };
  }

  /** What the program refuses changes nothing, which the comparison shows. */
  async #expectDone(isDone: boolean, work: (transaction: Write) => Promise<unknown>): Promise<void> {
    const done = await this.#shop.database.write(work).then(
      () => true,
      (error) => {
        if (error instanceof ApiError) return false;
        throw error;
      },
    );
    expect(done).to.equal(isDone);
  }

  #version(id: number, { hours, net, status, discount, quantity }: Made<typeof anyVersion>, part = 0): Version {
    const placedAt = this.#changeOfClock + (hours - 12 - (id % 3)) * 3_600_000 - (hours % 2);
    return { id, placedAt, status, total: net + discount, discount, shipping: 490, quantity, refunded: Math.floor(net * part) };
  }

  async run(step: Step): Promise<void> {
    const shop = this.#shop;
    const model = this.#model;
    if ('deliver' in step) return this.#deliver(step);
    if ('record' in step) return this.#record(step);
    if ('hours' in step) {
      model.pass(step.hours);
      shop.now = model.now;
      await shop.grant();
    } else if ('adjust' in step) {
      model.adjust(model.coupon(step.adjust), step.amount);
      await shop.adjust(step.adjust, toNumber(step.amount, shop.program.currency));
    } else if ('request' in step) {
      const payable = model.coupons.filter((one) => one.pools.unpaid > 0 && !model.openOf(one) && !model.erased.has(one.owner));
      const coupon = payable[step.request % Math.max(1, payable.length)];
      if (!coupon) return;
      model.request((await requestedPayout(shop, { userId: coupon.owner, couponId: coupon.id })).id, coupon);
    } else if ('payout' in step) {
      const payout = model.payouts[step.payout % Math.max(1, model.payouts.length)];
      const { to } = step;
      if (!payout || model.erased.has(payout.payee)) return;
      await this.#expectDone(model.change(payout, to), async (transaction) =>
        to === 'failed'
          ? resolveSinglePayout(transaction, payout.id, { to, atOnce: true }, this.#context)
          : changeSinglePayout(transaction, await findChange(transaction, payout.id, to), this.#context),
      );
    } else if ('file' in step) {
      const options = { change: this.#context, detailsSecrets: secrets, fileSecrets: secrets, holds: holdNothing };
      const request = { format: 'csv', fileName: 'payouts.csv', payer } as const;
      const { batch } = await shop.database.write((transaction) => createBatch(transaction, request, options));
      expect(model.batch(batch?.id ?? 0)).to.equal(batch?.count ?? 0);
      if (batch) this.#batches.push(batch.id);
    } else if ('batch' in step) {
      const id = this.#batches[step.batch % Math.max(1, this.#batches.length)];
      if (id === undefined) return;
      const isFailing = step.fails && step.to === 'paid' && model.openBatches.has(id);
      const failed = isFailing ? model.payouts.find(({ batch }) => batch === id) : undefined;
      await this.#expectDone(model.settleBatch(id, step.to, failed), (transaction) =>
        step.to === 'paid'
          ? payBatch(transaction, id, failed ? [failed.id] : [], this.#context)
          : cancelBatch(transaction, id, this.#context),
      );
    } else if ('handOver' in step) {
      if (model.erased.has(step.to)) return;
      shop.transferBalance = step.transfers;
      const isDone = model.handOver(model.coupon(step.handOver), step.to, step.transfers);
      await this.#expectDone(isDone, (transaction) => assignCoupon(transaction, step.handOver, step.to, shop));
    } else if (!model.erased.has(step.erase)) {
      const options = { ...this.#context, currency: shop.program.currency, forfeits: step.forfeits };
      await this.#expectDone(model.erase(step.erase, step.forfeits), async (transaction) => {
        const [user] = await transaction.users.byIds([step.erase]);
        if (user) await eraseUser(transaction, user, options);
      });
    }
  }

  async #deliver({ deliver: id, version: given, delivery }: Extract<Step, { deliver: number }>): Promise<void> {
    const { id: orderId, refunded: _, ...version } = this.#version(id, given);
    const refunds = Object.fromEntries(Object.entries(delivery.refunds).map(([name, part]) => [name, Math.floor(given.net * part)]));
    const used = (id % 4) + 1;
    this.#model.deliver({ id, refunded: 0, ...version }, used, { ...delivery, refunds }, given.visitor);
    const { tick: modifiedAt, isComplete } = delivery;
    const sent = { ...platform, orderId, externalId: String(id), codes: [`CODE${used}`], modifiedAt, paid: given.net };
    const update = { ...sent, order: { ...version, tax: 0, visitor: given.visitor, campaign: undefined } };
    const context = { ...this.#context, hashVisitor: (visitor: string) => `hash of ${visitor}` };
    await this.#shop.database.write((transaction) =>
      recordUpdates(transaction, [{ ...update, refunds: { byId: refunds, isComplete, goods: null } }], context),
    );
  }

  async #record({ record, version: given, refunded, isRenewal }: Extract<Step, { record: number }>): Promise<void> {
    const version = this.#version(10 + record, given, refunded);
    const [visitor, subscription] = isRenewal ? [undefined, 'subscription'] : [given.visitor, undefined];
    const couponId = (record % 4) + 1;
    this.#model.record(version, couponId, visitor, subscription);
    const { id: orderId, ...sent } = version;
    await this.#shop.record(order({ orderId, ...sent, tax: 0, couponId, visitor, subscription }));
  }

  /** Balances, figures, day ranges, explanations, report and ledger, each beside the model. */
  async compare(): Promise<void> {
    const model = this.#model;
    const { program, database } = this.#shop;
    const allTime = { from: null, to: null };
    const range = { from: model.dayOf(this.#changeOfClock), to: model.dayOf(this.#changeOfClock + day / 2) };
    await database.read(async (db) => {
      expect(listSentences(await verifyLedger(db, { written: String }))).to.deep.equal([]);
      for (const coupon of model.coupons) {
        const which = `coupon ${coupon.id}`;
        const shown = await readCoupon(db, { caller: systemCaller, couponId: coupon.id, levels: { upline: false } }, true);
        expect([shown.coupon.balances, shown.sources], which).to.deep.equal([coupon.pools, model.sources([coupon])]);
        if (shown.sources) expectParts(shown.sources, shown.coupon.balances, which);
        expect(shown.snapshot, which).to.deep.include(model.figures([coupon]));
        const days = await db.figures.byDay({ couponId: coupon.id }, allTime);
        expect(new Map(days.map(({ day: one, ...figures }) => [one, figures])), which).to.deep.equal(model.byDay([coupon]));
      }
      for (const userId of [1, 2, 3, 4]) {
        const own = model.coupons.filter(({ owner }) => owner === userId);
        const { balances, sources } = await readAffiliate(db, systemCaller, userId, { withSources: true });
        expect(balances, `user ${userId}`).to.deep.equal({ ...model.pools(own), paid: model.paidTo(userId) });
        expect({ ...sources, handedOver: 0 }, `user ${userId}`).to.deep.equal({ ...model.sources(own), handedOver: 0 });
        if (sources) expectParts(sources, balances, `user ${userId}`);
        const sales = model.figures(own, range.from, range.to);
        expect(await db.figures.inRange({ userId }, range), `user ${userId}`).to.deep.equal(sales);
      }
      const report = await buildReport(db, { range, top: 1, refresh: false, withPayouts: false }, this.#caches, 0);
      expect([report.balances, report.sources]).to.deep.equal([model.pools(model.coupons), model.sources(model.coupons)]);
      expectParts(report.sources, report.balances, 'report');
      expect(model.figures(model.coupons, range.from, range.to)).to.deep.include(report.sums.total);
      const stored = await db.orders.byIds([...model.orders.keys()]);
      expect(stored.length).to.equal(model.orders.size);
      for (const { orderId, couponId, status, refunded, commission, commissionStatus: state } of stored) {
        const { shares = [], ...expected } = model.orders.get(orderId) ?? {};
        expect(expected, `order ${orderId}`).to.include({ coupon: couponId, status, refunded, commission, state });
        const explained = await explainOrder(db, { caller: systemCaller, couponId, levels: { upline: false } }, orderId, program);
        expectExplained(explained, program.currency);
        const parts = explained.shares.map(({ share: { couponId: coupon, amount } }) => ({ coupon, amount }));
        expect(parts, `order ${orderId}`).to.deep.equal(shares.map(({ coupon, amount }) => ({ coupon, amount })));
      }
    });
  }
}

onAnyEngine((engine) => {
  describe('the money of any program', () => {
    it('is what an independent model says, after each step, in balances, figures, day ranges, explanations, report and ledger', async () => {
      const steps = fc.array(anyStep, { minLength: 20, maxLength: 40, size: 'max' });
      const property = fc.asyncProperty(anyWorld, steps, async (world, taken) => {
        const machine = await Machine.open(engine, world);
        try {
          for (const step of taken) {
            await machine.run(step);
            await machine.compare();
          }
        } finally {
          await machine.close();
        }
      });
      // A failure shows the seed and the path to shrink it with.
      await fc.assert(property, { numRuns: numberOfRuns(engine), endOnFailure: true, ...sameSeed });
    }).timeout(3_600_000);
  });
});
