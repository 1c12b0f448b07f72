import type { IncomingClick } from '../../domain/clicks/incoming.ts';
import { createVisitorHasher, recordClicks } from '../../domain/clicks/record.ts';
import type { IncomingOrder } from '../../domain/order-recording/incoming.ts';
import { type NewPayoutDetails, savePayoutDetails } from '../../domain/payout-details/save.ts';
import { decideSignal, type SignalDecision } from '../../domain/risk/decide.ts';
import type { RiskRules } from '../../domain/risk/rules.ts';
import { type ScanOutcome, scanRisks } from '../../domain/risk/scan.ts';
import type { Signal } from '../../domain/risk/signal.ts';
import { buildRiskRules } from '../../site/risk-rules.ts';
import { buildSettings } from '../../site/settings/settings.ts';
import { changedPayout, requestedPayout } from '../program/payouts.ts';
import { day, order } from '../program/samples.ts';
import { Shop } from '../program/shop.ts';
import type { Engine } from '../support/engines.ts';

const { settings } = buildSettings({});
export const defaultRules: RiskRules = { ...buildRiskRules(settings), zone: 'Europe/Berlin', currency: 'EUR' };
const intake = { marksSelfReferrals: true, highCommissionPercent: settings.risk.high_commission.percent };

const unencrypted = { encrypt: (text: string) => text, decrypt: (text: string) => text };

interface Sale extends Partial<IncomingOrder> {
  daysAgo?: number;
}

interface ScanFields {
  isFull?: boolean;
  rules?: RiskRules;
  hash?: (text: string) => string;
}

/** A store whose program has the default thresholds. */
export class RiskShop {
  readonly shop: Shop;
  #orders = 0;

  private constructor(shop: Shop) {
    this.shop = shop;
  }

  static async open(engine: Engine): Promise<RiskShop> {
    return new RiskShop(await Shop.open(engine, { risk: intake }));
  }

  /** Orders of 100.00, an hour apart. Returns their numbers. */
  async sell(couponId: number, count: number, { daysAgo = 1, ...fields }: Sale = {}): Promise<number[]> {
    const orders = Array.from({ length: count }, (_, at) => {
      this.#orders += 1;
      return order({ orderId: this.#orders, couponId, placedAt: this.shop.now - daysAgo * day - (at % 10) * 60_000, ...fields });
    });
    await this.shop.record(...orders);
    return orders.map(({ orderId }) => orderId);
  }

  /** So many orders on each of the days before. */
  async sellDaily(couponId: number, perDay: number, from: number, to: number, fields: Sale = {}): Promise<void> {
    for (let daysAgo = from; daysAgo >= to; daysAgo -= 1) await this.sell(couponId, perDay, { ...fields, daysAgo });
  }

  async refund(orderIds: readonly number[], fields: Partial<IncomingOrder> = { status: 'refunded' }): Promise<void> {
    const stored = await this.shop.database.read(({ orders }) => orders.byIds(orderIds));
    const sent = stored.map(({ orderId, placedAt, total, discount, status }) =>
      order({ orderId, placedAt, total, discount, status, ...fields }),
    );
    await this.shop.record(...sent);
  }

  async click(...clicks: IncomingClick[]): Promise<void> {
    const context = { program: this.shop.program, hashVisitor: (visitor: string) => `hash of ${visitor}` };
    await this.shop.database.write((transaction) => recordClicks(transaction, clicks, context));
  }

  async clickDay(couponId: number, count: number, daysAgo: number): Promise<void> {
    const clickedAt = this.shop.now - daysAgo * day;
    await this.click(...Array.from({ length: count }, (_, at) => ({ couponId, clickedAt, visitor: `visitor ${daysAgo} ${at}` })));
  }

  async details(
    userId: number,
    details: Record<string, unknown>,
    methodType: NewPayoutDetails['methodType'] = 'paypal',
    method = 'x',
  ): Promise<void> {
    const context = { ...unencrypted, now: this.shop.now, userId: 0 };
    await this.shop.database.write((transaction) => savePayoutDetails(transaction, { userId, method, methodType, details }, context));
  }

  /** Requests the coupon's balance, and pays it if asked to. */
  async payout(affiliate: { userId: number; couponId: number }, status?: 'paid'): Promise<number> {
    const payout = await requestedPayout(this.shop, affiliate);
    if (status) await changedPayout(this.shop, payout, status);
    return payout.id;
  }

  scan({ isFull = false, rules = defaultRules, hash = createVisitorHasher('a key') }: ScanFields = {}): Promise<ScanOutcome> {
    const secrets = { hash, decrypt: unencrypted.decrypt };
    const now = (): number => this.shop.now;
    return scanRisks({ storage: this.shop.database, secrets, rules, now, holder: 'test', isFull });
  }

  decide(id: number | undefined, status: SignalDecision['status']): Promise<Signal> {
    const context = { now: this.shop.now, userId: 0 };
    return this.shop.database.write((transaction) => decideSignal(transaction, id ?? 0, { status, note: '' }, context));
  }

  async signals(): Promise<Signal[]> {
    const { items } = await this.shop.database.read(({ riskSignals }) => riskSignals.page({}, { page: 1, perPage: 1000 }));
    return items.toReversed();
  }

  /** What a scan finds: kind, user and count. */
  async found(options: ScanFields = {}): Promise<string[]> {
    await this.scan(options);
    return (await this.signals()).map(({ kind, userId, count }) => `${kind} ${userId} ×${count}`).toSorted();
  }
}
