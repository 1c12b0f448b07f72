import type { Clock } from '../clock.ts';
import type { IdempotencyRepository } from '../idempotency.ts';
import type { Secrets } from '../master-key/secrets.ts';
import type { ChangeContext } from '../orders/order-change.ts';
import type { PayoutDetails } from '../payout-details/payout-details.ts';
import type { SignalRepository } from '../risk/signal.ts';
import type { Transaction, UnitOfWork } from '../unit-of-work.ts';
import type { UserRepository } from '../users/repository.ts';
import type { User } from '../users/user.ts';
import { applyTransition, type TransitionRepositories } from './apply-transition.ts';
import type { GatewayOutcome, Pay, Payment } from './gateway.ts';
import { findTransition, type NamedPayout, type PayoutStatus } from './payout.ts';

export interface CreatedPayout {
  kind: 'created';
  payout: NamedPayout;
  gatewayTriggered: boolean;
  notice: string | null;
}

/** The status of a payout after what its gateway said within the request. Without a payment it stays a request. */
const statusAfter: Record<Exclude<GatewayOutcome['status'], 'unknown'>, PayoutStatus> = {
  created: 'created',
  paid: 'paid',
  failed: 'pending',
  rejected: 'pending',
};

export interface PayoutRequestRepositories extends TransitionRepositories {
  users: UserRepository;
  riskSignals: SignalRepository;
  /** For `saveOutcome`. */
  idempotency: IdempotencyRepository;
}

export interface GatewayContext {
  storage: UnitOfWork<PayoutRequestRepositories>;
  secrets: Secrets;
  change: ChangeContext;
  /** Gateways are slow: their result is dated when it arrives. */
  clock: Clock;
  /** Reports what only the operator can fix. */
  report(error: unknown, sentence: string): void;
  /** Runs in the transaction that records the result. */
  saveOutcome(transaction: Transaction<PayoutRequestRepositories>, created: CreatedPayout): Promise<void>;
}

/**
 * Sends a payout that is committed as `processing` to its gateway and records the result. A crash in between leaves it `processing`: it is
 * never sent again, because it may have been paid.
 */
export async function payThroughGateway(
  payout: NamedPayout,
  details: PayoutDetails | null,
  pay: Pay,
  gateway: GatewayContext,
): Promise<CreatedPayout> {
  const outcome = await callGateway(payout, details, pay, gateway);
  if (outcome.status === 'unknown') return { kind: 'created', payout, gatewayTriggered: true, notice: outcome.notice };
  const transition = findTransition('processing', statusAfter[outcome.status], 'gateway');
  if (!transition) throw new Error(`The contract has no transition for a gateway that says ${outcome.status}.`);
  const { transactionId, notice } = outcome;
  // The gateway acts, not the user who requested the payout.
  const context = { ...gateway.change, now: gateway.clock.now(), userId: 0 };
  try {
    return await gateway.storage.write(async (transaction) => {
      const settled = await applyTransition(transaction, payout, transition, context, { transactionId });
      const created: CreatedPayout = { kind: 'created', payout: settled, gatewayTriggered: transition.to !== 'pending', notice };
      await gateway.saveOutcome(transaction, created);
      return created;
    });
  } catch (error) {
    gateway.report(
      error,
      `payout ${payout.id}: the gateway said ${outcome.status} (transaction "${transactionId}"), which could not be written`,
    );
    return { kind: 'created', payout, gatewayTriggered: true, notice: 'The answer of the gateway could not be recorded.' };
  }
}

const notSent = (notice: string): GatewayOutcome => ({ status: 'failed', transactionId: '', notice });

async function callGateway(payout: NamedPayout, details: PayoutDetails | null, pay: Pay, gateway: GatewayContext): Promise<GatewayOutcome> {
  try {
    const payee = await gateway.storage.read(({ users }) => users.byId(payout.userId));
    if (!payee) return notSent('The affiliate no longer exists.');
    return await pay(buildPayment(payout, details, payee, gateway));
  } catch (error) {
    // Thrown before the call: gateways do not throw.
    gateway.report(error, `payout ${payout.id} was not handed to the gateway`);
    return notSent('The payout details could not be read, so the gateway was not called. It stays pending.');
  }
}

const buildPayment = (
  payout: NamedPayout,
  details: PayoutDetails | null,
  payee: User,
  { secrets, change: context }: GatewayContext,
): Payment => ({
  payoutId: payout.id,
  idempotencyKey: `payout-${payout.id}`,
  amountMinor: payout.amount,
  currency: context.program.currency,
  methodType: payout.methodType,
  details: details?.encryptedDetails ? JSON.parse(secrets.decrypt(details.encryptedDetails, details.userId)) : {},
  payee: { userId: payee.id, displayName: payee.displayName, email: payee.email },
});
