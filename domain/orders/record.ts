import type { Transaction } from '../ports.ts';
import { decide } from './decide.ts';
import type { Decision } from './decision.ts';
import { type IncomingOrder, type OrderOutcome, refusalOf } from './incoming.ts';
import type { Step } from './order-change.ts';
import { type Known, loadKnown } from './order-context.ts';
import { settle } from './settle.ts';
import type { LifetimeLink } from './store.ts';
import type { Surroundings } from './surroundings.ts';

export interface Recording extends Surroundings {
  /** The shop's id of a visitor, as it is kept. */
  hashVisitor(visitor: string): string;
}

/** What a batch of decisions comes to. */
interface Findings {
  steps: Step[];
  conversions: { clickId: number; orderId: number }[];
  newLinks: LifetimeLink[];
}

/**
 * The way in for orders: new ones, and changes of known ones. Each gets its outcome, in the same place; a bad one is refused and touches
 * no other. The whole batch is read at once, decided in memory one after the other, and written at once, so that many orders cost hardly
 * more statements than one and come to the same as if each had come alone.
 */
export async function recordOrders(
  transaction: Transaction,
  incoming: readonly IncomingOrder[],
  surroundings: Recording,
): Promise<OrderOutcome[]> {
  const refusals = incoming.map(refusalOf);
  const known = await loadKnown(
    transaction,
    incoming.filter((_, index) => refusals[index] === null),
    surroundings,
  );
  const findings: Findings = { steps: [], conversions: [], newLinks: [] };
  const outcomes = incoming.map((order, index): OrderOutcome => {
    const reason = refusals[index] ?? null;
    const decision: Decision = reason === null ? decide(order, known, surroundings) : { outcome: 'refused', reason };
    if ('step' in decision) note(decision, known, surroundings, findings);
    return outcomeOf(order, decision);
  });
  await write(transaction, known, findings, surroundings);
  return outcomes;
}

const outcomeOf = ({ orderId }: IncomingOrder, decision: Decision): OrderOutcome =>
  decision.outcome === 'refused' ? { orderId, outcome: 'refused', reason: decision.reason } : { orderId, outcome: decision.outcome };

/** So that the next order of the batch finds what this one has changed. */
function note({ step, click }: Extract<Decision, { step: Step }>, known: Known, { program }: Surroundings, findings: Findings): void {
  const { orderId, visitorHash, couponId, placedAt } = step.after;
  findings.steps.push(step);
  known.orders.set(orderId, step.after);
  if (click) findings.conversions.push({ clickId: click.clickId, orderId });
  if (!program.attribution.lifetime || step.before || visitorHash === null || known.lifetimeLinks.has(visitorHash)) return;
  const link = { visitorHash, couponId, createdAt: placedAt };
  known.lifetimeLinks.set(visitorHash, link);
  findings.newLinks.push(link);
}

async function write(transaction: Transaction, known: Known, findings: Findings, surroundings: Surroundings): Promise<void> {
  const { steps, conversions, newLinks } = findings;
  const changed = new Set(steps.map(({ after }) => after.orderId));
  await transaction.orders.save([...changed].flatMap((orderId) => known.orders.get(orderId) ?? []));
  await settle(transaction, steps, known.coupons, surroundings);
  if (newLinks.length > 0) await transaction.orders.addLifetimeLinks(newLinks);
  if (conversions.length > 0) await transaction.clicks.convert(conversions);
}
