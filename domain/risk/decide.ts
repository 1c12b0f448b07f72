import { ApiError } from '../errors.ts';
import type { EventRepository } from '../events/event.ts';
import type { Transaction } from '../unit-of-work.ts';
import { type Signal, type SignalRepository, type SignalStatus, signalEvent, undecided } from './signal.ts';

export interface SignalDecision {
  status: Exclude<SignalStatus, 'expired'>;
  note: string;
}

interface DecisionContext {
  now: number;
  /** Who decides; 0 for the system. */
  userId: number;
}

/** Dismisses or confirms a signal, or opens it again. */
export async function decideSignal(
  { riskSignals, events }: Transaction<{ riskSignals: SignalRepository; events: EventRepository }>,
  id: number,
  { status, note }: SignalDecision,
  context: DecisionContext,
): Promise<Signal> {
  const before = await riskSignals.byId(id);
  if (!before) throw new ApiError('svc_api_not_found');
  if (before.status === status) throw new ApiError('svc_api_no_change');
  if (status === 'open') await requireOnlyOpen(riskSignals, before);
  const decided = { note, decidedBy: context.userId === 0 ? null : context.userId, decidedAt: context.now, decidedCount: before.count };
  // Opening again counts as seen: the days until it expires begin again.
  const change = { status, ...(status === 'open' ? { ...undecided, note, lastSeenAt: context.now } : decided) };
  await riskSignals.update(id, change);
  const after = { ...before, ...change };
  await events.record(signalEvent(after, 'risk.signal_decided', context));
  return after;
}

async function requireOnlyOpen(riskSignals: SignalRepository, { userId, kind }: Signal): Promise<void> {
  const { items } = await riskSignals.page({ userId, kinds: [kind], status: 'open' }, { page: 1, perPage: 1 });
  const [other] = items;
  if (other) throw new ApiError('svc_api_conflict', { message: `Signal ${other.id} of the same affiliate and kind is open.` });
}
