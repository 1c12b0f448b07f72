import type { HashVisitor } from '../../domain/clicks/record.ts';
import type { Secrets } from '../../domain/master-key/secrets.ts';
import { savePayoutDetails } from '../../domain/payout-details/save.ts';
import { changePayout } from '../../domain/payouts/change.ts';
import { createPayout, type PayoutPolicy } from '../../domain/payouts/create.ts';
import { checkRequest } from '../../domain/payouts/eligibility.ts';
import { findTransition, type NamedPayout, type PublicStatus } from '../../domain/payouts/payout.ts';
import type { Program } from '../../domain/program.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { Transaction, UnitOfWork } from '../../domain/unit-of-work.ts';
import { type Calendar, dayMilliseconds } from './calendar.ts';
import { firstIds, isBeforePayout, isPayoutWeek, storyIds } from './contract-story.ts';
import { isOfRiskCase, listRiskRequests, type RiskRequest } from './risk-cases.ts';

export interface DemoContext {
  storage: UnitOfWork<Repositories>;
  program: Program;
  calendar: Calendar;
  secrets: Secrets;
  hashVisitor: HashVisitor;
  /** The user who decides about applications and payouts. */
  adminId: number;
}

const weeksBetweenRequests = 4;
const noLimit = { page: 1, perPage: 100_000 };
const allTime = { from: null, to: null };

/** Exceptions are derived from ids, so that they are the same in every run. */
const isWithdrawn = ({ id }: NamedPayout): boolean => id % 25 === 3;
const isMistaken = ({ id }: NamedPayout): boolean => id % 25 === 7;
const isReturned = ({ id }: NamedPayout): boolean => id % 40 === 11;

/** The mails would have been sent long ago. */
const withoutMails = (transaction: Transaction<Repositories>): Transaction<Repositories> =>
  Object.create(transaction, { mails: { value: { ...transaction.mails, insert: async () => 0 } } });

/** Affiliates request a payout every four weeks; it is created a week later and paid after two, with a few exceptions. */
export class PayoutSimulation {
  readonly #policy: PayoutPolicy;
  readonly #context: DemoContext;
  #nextId = firstIds.payout;

  constructor(policy: PayoutPolicy, context: DemoContext) {
    this.#policy = policy;
    this.#context = context;
  }

  async run(transaction: Transaction<Repositories>, week: number, couponIds: readonly number[], now: number): Promise<void> {
    const quiet = withoutMails(transaction);
    await this.#settle(quiet, now);
    const { calendar } = this.#context;
    const isDue = (couponId: number): boolean =>
      couponId % weeksBetweenRequests === week % weeksBetweenRequests &&
      !isOfRiskCase(couponId) &&
      !(couponId === storyIds.trailNotes.coupon && isBeforePayout(week, calendar));
    for (const couponId of couponIds) if (isDue(couponId)) await this.#request(quiet, couponId, now, this.#nextId);
    if (isPayoutWeek(week, calendar)) await this.#request(quiet, storyIds.trailNotes.coupon, now, storyIds.payout);
    for (const request of listRiskRequests(week, calendar)) await this.#requestDoubtful(quiet, request, now);
    await this.#cancelDebts(quiet, now);
  }

  async #requestDoubtful(transaction: Transaction<Repositories>, { id, userId, couponId, replacedDetails }: RiskRequest, now: number) {
    const saved = { now: now - 20 * 3_600_000, userId, ...this.#context.secrets };
    if (replacedDetails) await savePayoutDetails(transaction, { ...replacedDetails, userId }, saved);
    await this.#request(transaction, couponId, now, id);
  }

  /** Returned orders can leave an affiliate in debt after a request. The administrator pays nothing then. */
  async #cancelDebts(transaction: Transaction<Repositories>, now: number): Promise<void> {
    const open = [...(await this.#list(transaction, 'pending')), ...(await this.#list(transaction, 'created'))];
    const doubts = await transaction.payouts.doubtsAbout(open.map(({ couponId }) => couponId));
    const inDebt = new Set(doubts.filter(({ unpaidOfPayee }) => unpaidOfPayee < 0).map(({ couponId }) => couponId));
    for (const payout of open)
      if (payout.id !== storyIds.payout && inDebt.has(payout.couponId)) await this.#move(transaction, payout, 'cancel', now);
  }

  /** As the affiliate, if the rules allow it. */
  async #request(transaction: Transaction<Repositories>, couponId: number, now: number, id: number): Promise<void> {
    const [coupon] = await transaction.couponTerms.byIds([couponId]);
    const user = coupon?.userId ? await transaction.users.byId(coupon.userId) : null;
    const { user: saver, coupon: requested } = storyIds.trailNotes;
    if (!user || (user.id === saver && couponId !== requested)) return;
    const caller = { user, method: 'session', keyId: null, scopes: null } as const;
    const eligibility = await checkRequest(transaction, { caller, couponId }, this.#policy.rules);
    if (eligibility.kind !== 'requestable') return;
    await createPayout(transaction, eligibility.claim, this.#policy, { program: this.#context.program, now, userId: user.id, id });
    this.#nextId = Math.max(this.#nextId, id + 1);
  }

  async #list({ payouts }: Transaction<Repositories>, status: PublicStatus): Promise<NamedPayout[]> {
    return (await payouts.page({ status, range: allTime }, { by: 'date', direction: 'asc' }, noLimit)).items;
  }

  async #settle(transaction: Transaction<Repositories>, now: number): Promise<void> {
    const list = (status: PublicStatus): Promise<NamedPayout[]> => this.#list(transaction, status);
    const weeksSince = (at: number | null): number => Math.floor((now - (at ?? 0)) / (7 * dayMilliseconds));
    const [pending, created, cancelled, paid] = [await list('pending'), await list('created'), await list('cancel'), await list('paid')];
    const move = (payout: NamedPayout, to: PublicStatus): Promise<void> => this.#move(transaction, payout, to, now);
    for (const payout of pending) {
      if (payout.id === storyIds.payout) continue;
      const weeks = weeksSince(payout.requestedAt);
      if (weeks === 1) await move(payout, isWithdrawn(payout) || isMistaken(payout) ? 'cancel' : 'created');
      if (weeks > 1) await move(payout, 'paid');
    }
    for (const payout of created) if (weeksSince(payout.requestedAt) > 1) await move(payout, 'paid');
    for (const payout of cancelled) if (isMistaken(payout) && weeksSince(payout.requestedAt) === 2) await move(payout, 'pending');
    for (const payout of paid)
      if (isReturned(payout) && weeksSince(payout.requestedAt) < 4 && weeksSince(payout.paidAt) === 1) await move(payout, 'created');
  }

  /** As the administrator, if nothing prevents it. */
  async #move(transaction: Transaction<Repositories>, payout: NamedPayout, to: PublicStatus, now: number): Promise<void> {
    const transition = findTransition(payout.status, to, 'admin');
    if (!transition) throw new Error(`A payout cannot be moved from ${payout.status} to ${to}.`);
    const isBlocked = transition.requires.length > 0 && (await transaction.payouts.openOf(payout.couponId)) !== null;
    const lacksFunds = transition.moves?.from === 'unpaid' && (await transaction.ledger.balance(payout.couponId, 'unpaid')) < payout.amount;
    if (isBlocked || lacksFunds) return;
    const { program, adminId } = this.#context;
    await changePayout(transaction, { payout, transition }, { program, now, userId: adminId });
  }
}
