import type { Clock } from '../clock.ts';
import type { Surroundings } from '../orders/surroundings.ts';
import type { PayoutDetails } from '../payout-details/payout-details.ts';
import type { Transaction, UnitOfWork } from '../ports.ts';
import type { Secrets } from '../secrets.ts';
import type { User } from '../users/user.ts';
import type { GatewayOutcome, Pay, Payment } from './gateway.ts';
import type { NamedPayout } from './payout.ts';
import { stepBetween } from './steps.ts';
import { takeStep } from './take-step.ts';

/** What became of a request: whether a gateway took it, and what it had to say. */
export interface Created {
  kind: 'created';
  payout: NamedPayout;
  gatewayTriggered: boolean;
  notice: string | null;
}

export interface Accepting {
  storage: UnitOfWork;
  secrets: Secrets;
  surroundings: Surroundings;
  /** A gateway takes its time: what it did is dated when it was done. */
  clock: Clock;
  /** Told of what only the operator can put right. */
  report(error: unknown, sentence: string): void;
  /** Joins the transaction that settles the payout. */
  remember(transaction: Transaction, created: Created): Promise<void>;
}

/**
 * Hands a payout that is committed as `processing` to its gateway, and then writes what became of it. A crash in between leaves it
 * `processing`: it is never sent again, because nobody can tell whether it was paid.
 */
export async function acceptPayout(payout: NamedPayout, details: PayoutDetails | null, pay: Pay, accepting: Accepting): Promise<Created> {
  const outcome = await paymentOf(payout, details, pay, accepting);
  if (outcome.status === 'unknown') return { kind: 'created', payout, gatewayTriggered: true, notice: outcome.notice };
  const step = stepBetween('processing', outcome.status === 'failed' ? 'pending' : outcome.status, 'gateway');
  if (!step) throw new Error(`The contract has no step for a gateway that says ${outcome.status}.`);
  const { transactionId, notice } = outcome;
  // It was the gateway's doing, not the doing of whoever asked.
  const surroundings = { ...accepting.surroundings, now: accepting.clock.now(), userId: 0 };
  try {
    return await accepting.storage.write(async (transaction) => {
      const settled = await takeStep(transaction, payout, step, surroundings, { transactionId });
      const created: Created = { kind: 'created', payout: settled, gatewayTriggered: outcome.status !== 'failed', notice };
      await accepting.remember(transaction, created);
      return created;
    });
  } catch (error) {
    accepting.report(
      error,
      `payout ${payout.id}: the gateway said ${outcome.status} (transaction "${transactionId}"), which could not be written`,
    );
    return { kind: 'created', payout, gatewayTriggered: true, notice: 'The answer of the gateway could not be recorded.' };
  }
}

const notSent = (notice: string): GatewayOutcome => ({ status: 'failed', transactionId: '', notice });

async function paymentOf(payout: NamedPayout, details: PayoutDetails | null, pay: Pay, accepting: Accepting): Promise<GatewayOutcome> {
  try {
    const payee = await accepting.storage.read(({ users }) => users.byId(payout.userId));
    if (!payee) return notSent('The affiliate no longer exists.');
    return await pay(told(payout, details, payee, accepting));
  } catch (error) {
    // Before the gateway was called: gateways do not throw.
    accepting.report(error, `payout ${payout.id} was not handed to the gateway`);
    return notSent('The payout details could not be read, so the gateway was not called. It stays pending.');
  }
}

const told = (payout: NamedPayout, details: PayoutDetails | null, payee: User, { secrets, surroundings }: Accepting): Payment => ({
  payoutId: payout.id,
  idempotencyKey: `payout-${payout.id}`,
  amountMinor: payout.amount,
  currency: surroundings.program.currency,
  methodType: payout.methodType,
  details: details?.encryptedDetails ? JSON.parse(secrets.decrypt(details.encryptedDetails)) : {},
  payee: { userId: payee.id, displayName: payee.displayName, email: payee.email },
});
