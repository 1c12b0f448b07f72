import { changePayout } from '../../domain/payouts/change.ts';
import { createPayout, type PayoutPolicy } from '../../domain/payouts/create.ts';
import { standingOf } from '../../domain/payouts/eligibility.ts';
import type { NamedPayout } from '../../domain/payouts/payout.ts';
import { type PublicStatus, stepBetween } from '../../domain/payouts/steps.ts';
import type { Transaction } from '../../domain/ports.ts';
import type { Surroundings } from './demo-context.ts';
import type { Moment } from './joining.ts';

const dayMilliseconds = 86_400_000;
const weeksBetweenRequests = 4;
const noLimit = { page: 1, perPage: 100_000 };
const always = { from: null, to: null };

/** What becomes of a payout follows from its number, so that it is the same every time. */
const isWithdrawn = ({ id }: NamedPayout): boolean => id % 25 === 3;
const isMistaken = ({ id }: NamedPayout): boolean => id % 25 === 7;
const isReturned = ({ id }: NamedPayout): boolean => id % 40 === 11;

/** The mails would have been sent long ago. */
const withoutMails = (transaction: Transaction): Transaction =>
  Object.create(transaction, { mails: { value: { ...transaction.mails, insert: async () => 0 } } });

/** How the desk pays: who is owed enough asks every four weeks, a week later it is handed on, and after two it is paid. Mostly. */
export class Paydays {
  readonly #policy: PayoutPolicy;
  readonly #surroundings: Surroundings;

  constructor(policy: PayoutPolicy, surroundings: Surroundings) {
    this.#policy = policy;
    this.#surroundings = surroundings;
  }

  async hold(transaction: Transaction, week: number, couponIds: readonly number[], moment: Moment): Promise<void> {
    const quiet = withoutMails(transaction);
    await this.#settle(quiet, moment);
    for (const couponId of couponIds)
      if (couponId % weeksBetweenRequests === week % weeksBetweenRequests) await this.#request(quiet, couponId, moment);
  }

  /** As the affiliate would, if the rules let them. */
  async #request(transaction: Transaction, couponId: number, { now }: Moment): Promise<void> {
    const [coupon] = await transaction.couponTerms.byIds([couponId]);
    const user = coupon?.userId ? await transaction.users.byId(coupon.userId) : null;
    if (!user) return;
    const caller = { user, method: 'session', keyId: null, scopes: null } as const;
    const standing = await standingOf(transaction, { caller, couponId }, this.#policy.rules);
    if (standing.kind !== 'requestable') return;
    await createPayout(transaction, standing.claim, this.#policy, { program: this.#surroundings.program, now, userId: user.id });
  }

  async #settle(transaction: Transaction, moment: Moment): Promise<void> {
    const found = async (status: PublicStatus): Promise<NamedPayout[]> =>
      (await transaction.payouts.page({ status, range: always }, { by: 'date', direction: 'asc' }, noLimit)).items;
    const weeksSince = (at: number | null): number => Math.floor((moment.now - (at ?? 0)) / (7 * dayMilliseconds));
    const [open, handedOn, cancelled, paid] = [await found('pending'), await found('created'), await found('cancel'), await found('paid')];
    const move = (payout: NamedPayout, to: PublicStatus): Promise<void> => this.#move(transaction, payout, to, moment);
    for (const payout of open) {
      const weeks = weeksSince(payout.requestedAt);
      if (weeks === 1) await move(payout, isWithdrawn(payout) || isMistaken(payout) ? 'cancel' : 'created');
      if (weeks > 1) await move(payout, 'paid');
    }
    for (const payout of handedOn) if (weeksSince(payout.requestedAt) > 1) await move(payout, 'paid');
    for (const payout of cancelled) if (isMistaken(payout) && weeksSince(payout.requestedAt) === 2) await move(payout, 'pending');
    for (const payout of paid)
      if (isReturned(payout) && weeksSince(payout.requestedAt) < 4 && weeksSince(payout.paidAt) === 1) await move(payout, 'created');
  }

  /** As the desk would, where nothing stands against it. */
  async #move(transaction: Transaction, payout: NamedPayout, to: PublicStatus, { now, adminId }: Moment): Promise<void> {
    const step = stepBetween(payout.status, to, 'admin');
    if (!step) throw new Error(`The desk cannot move a payout from ${payout.status} to ${to}.`);
    const isTaken = step.requires.length > 0 && (await transaction.payouts.openOf(payout.couponId)) !== null;
    const isGone = step.moves?.from === 'unpaid' && (await transaction.ledger.balance(payout.couponId, 'unpaid')) < payout.amount;
    if (isTaken || isGone) return;
    await changePayout(transaction, { payout, step }, { program: this.#surroundings.program, now, userId: adminId });
  }
}
