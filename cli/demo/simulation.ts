import { recordClicks } from '../../domain/clicks/record.ts';
import { createCoupon } from '../../domain/coupons/create.ts';
import { grantDue } from '../../domain/order-recording/apply-changes.ts';
import type { IncomingOrder } from '../../domain/order-recording/incoming.ts';
import { recordOrders } from '../../domain/order-recording/record.ts';
import { savePayoutDetails } from '../../domain/payout-details/save.ts';
import { systemRandom } from '../../domain/random.ts';
import { decideRegistration } from '../../domain/registrations/decide.ts';
import type { Registration } from '../../domain/registrations/registration.ts';
import { submitApplication } from '../../domain/registrations/submit.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { Transaction } from '../../domain/unit-of-work.ts';
import { setParent } from '../../domain/users/create.ts';
import { recordUser } from '../../domain/users/record.ts';
import type { PlannedApplication } from './affiliate-plan.ts';
import { dayMilliseconds } from './calendar.ts';
import { declinedApplication, declineMessage, firstIds, openApplication } from './contract-story.ts';
import type { DemoContext, PayoutSimulation } from './payout-simulation.ts';
import type { DayReport, PlannedAffiliate, PlannedCoupon } from './plan.ts';

export interface DemoPlan {
  affiliates: PlannedAffiliate[];
  applications: PlannedApplication[];
  /** A coupon of the store itself, without an affiliate. */
  unassigned: PlannedCoupon;
  days: DayReport[];
}

const week = 7;
const noLimit = 1_000_000;

/** The index of each affiliate's first coupon among all coupons. */
export function firstCouponIndexes(affiliates: readonly PlannedAffiliate[]): number[] {
  let index = 0;
  return affiliates.map(({ coupons }) => {
    index += coupons.length;
    return index - coupons.length;
  });
}

/** Records the plan in chronological order. */
export class YearSimulation {
  readonly #plan: DemoPlan;
  readonly #context: DemoContext;
  readonly #payouts: PayoutSimulation;
  readonly #couponIndexes: number[];
  readonly #userIds = new Map<number, number>();
  readonly #couponIds = new Map<number, number>();
  #nextRegistrationId = firstIds.registration;

  constructor(plan: DemoPlan, payouts: PayoutSimulation, context: DemoContext) {
    this.#plan = plan;
    this.#payouts = payouts;
    this.#context = context;
    this.#couponIndexes = firstCouponIndexes(plan.affiliates);
  }

  getUserId(affiliate: number): number {
    return getId(this.#userIds, affiliate);
  }

  getCouponId(affiliate: number): number {
    return getId(this.#couponIds, this.#couponIndexes[affiliate] ?? -1);
  }

  /** Creates the affiliates who joined before the year. */
  prepare(): Promise<void> {
    const { storage, calendar } = this.#context;
    const start = calendar.nightOf(0) - dayMilliseconds;
    return storage.write(async (transaction) => {
      await addCoupon(transaction, this.#plan.unassigned, null, start - 800 * dayMilliseconds);
      await this.#declineStoryApplication(transaction, start - 700 * dayMilliseconds);
      for (const [at, planned] of this.#plan.affiliates.entries())
        if (planned.joined < 0) await this.#addAffiliate(transaction, at, planned, start + planned.joined * dayMilliseconds);
    });
  }

  /** One transaction for each week: every commit waits for the disk. */
  async run(progress: (part: number) => void): Promise<void> {
    for (let first = 0; first < this.#plan.days.length; first += week) {
      progress(first / this.#plan.days.length);
      await this.#context.storage.write((transaction) => this.#runWeek(transaction, first));
    }
    const { storage, program, calendar } = this.#context;
    const now = calendar.nightOf(this.#plan.days.length - 1);
    await storage.write((transaction) => submitApplication(transaction, { ...openApplication, at: now }, { program, now }));
  }

  async #runWeek(transaction: Transaction<Repositories>, first: number): Promise<void> {
    const { calendar } = this.#context;
    const days = this.#plan.days.slice(first, first + week);
    for (const [at, planned] of this.#plan.affiliates.entries())
      if (planned.joined === first) await this.#addAffiliate(transaction, at, planned, calendar.nightOf(first));
    for (const application of this.#plan.applications)
      if (application.day >= first && application.day < first + week) await this.#addApplication(transaction, application);
    // A click precedes the order that it leads to and has no other effect, so the clicks of a week can be recorded first.
    const clicks = this.#withIds(days.flatMap((report) => report.clicks));
    throwRejection((await recordClicks(transaction, clicks, this.#context)).refusals);
    for (const [at, { orders }] of days.entries()) await this.#runNight(transaction, orders, calendar.nightOf(first + at));
    await this.#payouts.run(transaction, first / week, [...this.#couponIds.values()], calendar.nightOf(first + days.length - 1));
  }

  async #runNight(transaction: Transaction<Repositories>, orders: readonly IncomingOrder[], now: number): Promise<void> {
    const context = { ...this.#context, now, userId: 0 };
    if (orders.length > 0) {
      const outcomes = await recordOrders(transaction, this.#withIds(orders), context);
      throwRejection(outcomes.map((outcome) => ('reason' in outcome ? outcome.reason : null)));
    }
    if (await transaction.orders.anyDue(now)) await grantDue(transaction, context, noLimit);
  }

  async #declineStoryApplication(transaction: Transaction<Repositories>, at: number): Promise<void> {
    const { program, adminId: userId } = this.#context;
    const { registration } = await submitApplication(transaction, { ...declinedApplication, at }, { program, now: at });
    const decision = { to: 'declined', message: declineMessage, sendEmail: false } as const;
    await decideRegistration(transaction, registration, decision, { program, now: at + dayMilliseconds, userId, random: systemRandom });
  }

  async #addApplication(transaction: Transaction<Repositories>, planned: PlannedApplication): Promise<void> {
    const now = this.#context.calendar.nightOf(planned.day);
    const registration = await this.#apply(transaction, planned, now - 3_600_000);
    if (planned.isDeclined) await this.#decide(transaction, registration, 'declined', now);
  }

  /** Sets ids by index, so that a transaction that is run again overwrites them. */
  async #addAffiliate(transaction: Transaction<Repositories>, at: number, planned: PlannedAffiliate, now: number): Promise<void> {
    const [main, ...others] = planned.coupons;
    if (!main) throw new Error(`${planned.displayName} is planned without a coupon.`);
    const { userId, couponId } = await (planned.applied
      ? this.#addApplicant(transaction, planned, now)
      : this.#addInvited(transaction, planned, main, now));
    const couponIds = [couponId];
    for (const coupon of others) couponIds.push(await addCoupon(transaction, coupon, userId, now));
    if (planned.parent !== null) await setParent(transaction, userId, getId(this.#userIds, planned.parent));
    if (planned.payout) await savePayoutDetails(transaction, { ...planned.payout, userId }, { now, userId, ...this.#context.secrets });
    this.#userIds.set(at, userId);
    for (const [index, id] of couponIds.entries()) this.#couponIds.set((this.#couponIndexes[at] ?? 0) + index, id);
  }

  async #addInvited(transaction: Transaction<Repositories>, planned: PlannedAffiliate, coupon: PlannedCoupon, now: number) {
    const { login, email = `hello@${login}.example`, displayName, promote, referrer, groups, customFields, ids } = planned;
    const profile = { website: `https://${login}.example`, promote, ...(referrer !== undefined && { referrer }) };
    const user = { id: ids?.user, login, email, displayName, registeredAt: now, profile, groups, customFields };
    const context = { now, program: this.#context.program, userId: 0, origin: 'file' } as const;
    const { id: userId } = await recordUser(transaction, user, context);
    return { userId, couponId: await addCoupon(transaction, coupon, userId, now, ids?.coupon) };
  }

  /** The store's template gives the coupon the planned terms. */
  async #addApplicant(transaction: Transaction<Repositories>, planned: PlannedAffiliate, now: number) {
    const submitted = await this.#apply(transaction, planned, now - dayMilliseconds);
    const { userId, couponId } = await this.#decide(transaction, submitted, 'accepted', now);
    if (userId === null || couponId === null) throw new Error(`${planned.displayName} was accepted without a user or a coupon.`);
    return { userId, couponId };
  }

  async #apply(
    transaction: Transaction<Repositories>,
    planned: Omit<PlannedApplication, 'day' | 'isDeclined'>,
    at: number,
  ): Promise<Registration> {
    const { login, displayName, promote, coupons } = planned;
    const website = `https://${login}.example`;
    const id = this.#nextRegistrationId++;
    const application = { id, login, email: `hello@${login}.example`, displayName, couponCode: coupons[0]?.code, promote, website, at };
    return (await submitApplication(transaction, application, { program: this.#context.program, now: at })).registration;
  }

  /** Without a mail, which would have been sent long ago. */
  #decide(
    transaction: Transaction<Repositories>,
    registration: Registration,
    to: 'accepted' | 'declined',
    now: number,
  ): Promise<Registration> {
    const message = to === 'accepted' ? 'Welcome!' : 'We are looking for sites about being outdoors.';
    const { program, adminId } = this.#context;
    return decideRegistration(
      transaction,
      registration,
      { to, message, sendEmail: false },
      { program, now, userId: adminId, random: systemRandom },
    );
  }

  #withIds<Item extends { couponId?: number | undefined }>(items: readonly Item[]): Item[] {
    return items.map((item) => (item.couponId === undefined ? item : { ...item, couponId: getId(this.#couponIds, item.couponId) }));
  }
}

async function addCoupon(
  transaction: Transaction<Repositories>,
  planned: PlannedCoupon,
  userId: number | null,
  now: number,
  id?: number,
): Promise<number> {
  const { code, status, percent, discountType, discount } = planned;
  const terms = {
    percentThousandths: percent === null ? null : percent * 1000,
    fixedPerOrder: null,
    fixedPerProduct: null,
    discountType,
    discountAmount: discountType === 'percent' ? discount * 1000 : discount,
  };
  const { coupon } = await createCoupon(transaction, { id, code, status, userId, createdAt: now, ...terms }, { now, userId: 0 });
  return coupon.id;
}

function getId(ids: ReadonlyMap<number, number>, index: number): number {
  const id = ids.get(index);
  if (id === undefined) throw new Error(`Nothing was created for index ${index} of the plan.`);
  return id;
}

/** A rejected record of the plan is a bug. */
function throwRejection(reasons: readonly (string | null)[]): void {
  const reason = reasons.find((one) => one !== null);
  if (reason) throw new Error(`The demo store could not be created as planned: ${reason}`);
}
