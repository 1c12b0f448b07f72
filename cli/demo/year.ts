import { recordClicks } from '../../domain/clicks/record.ts';
import { grantDue } from '../../domain/orders/grant-due.ts';
import type { IncomingOrder } from '../../domain/orders/incoming.ts';
import { recordOrders } from '../../domain/orders/record.ts';
import type { Transaction } from '../../domain/ports.ts';
import type { PlannedAffiliate } from './affiliates.ts';
import { takeApplication } from './applications.ts';
import type { Surroundings } from './demo-context.ts';
import { join, makeCoupon } from './joining.ts';
import type { Paydays } from './paydays.ts';
import { type Plan, placesOf } from './plan.ts';

const dayMilliseconds = 86_400_000;
const week = 7;
const noLimit = 1_000_000;

/** Lets the plan come true, in the order in which it would have. */
export class Year {
  readonly #plan: Plan;
  readonly #surroundings: Surroundings;
  readonly #adminId: number;
  readonly #paydays: Paydays;
  readonly #places: number[];
  readonly #userIds = new Map<number, number>();
  readonly #couponIds = new Map<number, number>();

  constructor(plan: Plan, adminId: number, paydays: Paydays, surroundings: Surroundings) {
    this.#plan = plan;
    this.#adminId = adminId;
    this.#paydays = paydays;
    this.#surroundings = surroundings;
    this.#places = placesOf(plan.affiliates);
  }

  userIdOf(affiliate: number): number {
    return known(this.#userIds, affiliate);
  }

  couponIdOf(affiliate: number): number {
    return known(this.#couponIds, this.#places[affiliate] ?? -1);
  }

  /** Those who were affiliates before the year began, in the order in which they joined. */
  begin(): Promise<void> {
    const { storage, calendar } = this.#surroundings;
    const start = calendar.nightOf(0) - dayMilliseconds;
    return storage.write(async (transaction) => {
      await makeCoupon(transaction, this.#plan.unassigned, null, start - 800 * dayMilliseconds);
      for (const [at, planned] of this.#plan.affiliates.entries())
        if (planned.joined < 0) await this.#join(transaction, at, planned, start + planned.joined * dayMilliseconds);
    });
  }

  /** A week in one transaction: each would wait for the disk. */
  async live(progress: (part: number) => void): Promise<void> {
    for (let first = 0; first < this.#plan.days.length; first += week) {
      progress(first / this.#plan.days.length);
      await this.#surroundings.storage.write((transaction) => this.#liveWeek(transaction, first));
    }
  }

  async #liveWeek(transaction: Transaction, first: number): Promise<void> {
    const { calendar } = this.#surroundings;
    const days = this.#plan.days.slice(first, first + week);
    await this.#takeOn(transaction, first);
    // A click is older than the order it leads to, and nothing else follows from it: those of a week may come at once.
    const clicks = this.#withIds(days.flatMap((report) => report.clicks));
    refuseRefusals((await recordClicks(transaction, clicks, this.#surroundings)).refusals);
    for (const [at, { orders }] of days.entries()) await this.#liveNight(transaction, orders, calendar.nightOf(first + at));
    const moment = { now: calendar.nightOf(first + days.length - 1), adminId: this.#adminId };
    await this.#paydays.hold(transaction, first / week, [...this.#couponIds.values()], moment);
  }

  /** What the shop tells, and what is cleared by then. */
  async #liveNight(transaction: Transaction, orders: readonly IncomingOrder[], now: number): Promise<void> {
    const surroundings = { ...this.#surroundings, now, userId: 0 };
    if (orders.length > 0) {
      const outcomes = await recordOrders(transaction, this.#withIds(orders), surroundings);
      refuseRefusals(outcomes.map((outcome) => ('reason' in outcome ? outcome.reason : null)));
    }
    if (await transaction.orders.anyDue(now)) await grantDue(transaction, surroundings, noLimit);
  }

  /** New affiliates, and those whom nobody wanted. */
  async #takeOn(transaction: Transaction, first: number): Promise<void> {
    const { calendar } = this.#surroundings;
    for (const [at, planned] of this.#plan.affiliates.entries())
      if (planned.joined === first) await this.#join(transaction, at, planned, calendar.nightOf(first));
    for (const application of this.#plan.applications)
      if (application.day >= first && application.day < first + week) {
        const moment = { now: calendar.nightOf(application.day), adminId: this.#adminId };
        await takeApplication(transaction, application, moment, this.#surroundings);
      }
  }

  /** Remembered by place: should the transaction run again, the same places are filled again. */
  async #join(transaction: Transaction, at: number, planned: PlannedAffiliate, now: number): Promise<void> {
    const parentId = planned.parent === null ? null : known(this.#userIds, planned.parent);
    const { userId, couponIds } = await join(transaction, planned, parentId, { now, adminId: this.#adminId }, this.#surroundings);
    this.#userIds.set(at, userId);
    for (const [index, couponId] of couponIds.entries()) this.#couponIds.set((this.#places[at] ?? 0) + index, couponId);
  }

  #withIds<Item extends { couponId?: number | undefined }>(items: readonly Item[]): Item[] {
    return items.map((item) => (item.couponId === undefined ? item : { ...item, couponId: known(this.#couponIds, item.couponId) }));
  }
}

function known(ids: ReadonlyMap<number, number>, place: number): number {
  const id = ids.get(place);
  if (id === undefined) throw new Error(`Nothing was made at place ${place} of the plan.`);
  return id;
}

/** The plan is ours: what the domain refuses of it is a mistake here. */
function refuseRefusals(reasons: readonly (string | null)[]): void {
  const reason = reasons.find((one) => one !== null);
  if (reason) throw new Error(`The demo store could not be made as planned: ${reason}`);
}
