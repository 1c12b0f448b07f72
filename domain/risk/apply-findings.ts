import type { EventRepository } from '../events/event.ts';
import { groupBy } from '../group-by.ts';
import { isErasedAddress } from '../mail/mail-queue.ts';
import type { Transaction } from '../unit-of-work.ts';
import type { UserRepository } from '../users/repository.ts';
import { dayMs, quietMs } from './rules.ts';
import {
  type Finding,
  maxEvidence,
  type Occurrence,
  type RiskKind,
  type RiskSeverity,
  type Signal,
  type SignalRepository,
  severities,
  signalEvent,
  undecided,
} from './signal.ts';

export const expiryMs = 180 * dayMs;

export type SignalWrites = Transaction<{ riskSignals: SignalRepository; users: UserRepository; events: EventRepository }>;

/** Opens signals and counts up those that exist, about users who are not erased. A finding that was stored before changes nothing. Returns how many were opened. */
export async function applyFindings(transaction: SignalWrites, findings: readonly Finding[], now: number): Promise<number> {
  const users = await transaction.users.byIds([...new Set(findings.map(({ userId }) => userId))]);
  const present = new Set(users.filter(({ email }) => !isErasedAddress(email)).map(({ id }) => id));
  const found = findings.filter(({ userId, occurrences }) => present.has(userId) && occurrences.length > 0);
  if (found.length === 0) return 0;
  const latest = await transaction.riskSignals.latestOf([...new Set(found.map(({ userId }) => userId))]);
  const known = new Map(latest.map((signal) => [keyOf(signal), signal]));
  let opened = 0;
  for (const [key, same] of groupBy(found, keyOf)) opened += await applyFinding(transaction, merge(same), known.get(key), now);
  return opened;
}

const keyOf = ({ userId, kind }: Pick<Signal, 'userId' | 'kind'>): string => `${userId} ${kind}`;

/** Findings of one user and kind. The one with the newest occurrence gives text and coupon. */
function merge(findings: readonly Finding[]): Finding {
  const [first, ...others] = findings.toSorted((one, other) => compare(newest(one), newest(other)));
  if (!first) throw new Error('There is no finding to merge.');
  return { ...first, occurrences: [first, ...others].flatMap(({ occurrences }) => occurrences) };
}

const highest = (list: readonly RiskSeverity[]): RiskSeverity =>
  (['high', 'medium', 'low'] as const).find((severity) => list.includes(severity)) ?? 'low';

const newest = ({ occurrences }: Finding): Occurrence => occurrences.toSorted(compare)[0] as Occurrence;

/** Newest first. */
const compare = (one: Occurrence, other: Occurrence): number => other.at - one.at || (one.key < other.key ? -1 : 1);

/** What is known of older occurrences is their number alone, once there is more evidence than is kept. */
function listNew(evidence: readonly Occurrence[], occurrences: readonly Occurrence[]): Occurrence[] {
  const seen = new Set(evidence.map(({ key }) => key));
  const oldest = evidence.length < maxEvidence ? undefined : evidence.at(-1);
  return occurrences.filter((one) => !seen.has(one.key) && (!oldest || compare(one, oldest) < 0));
}

async function applyFinding(transaction: SignalWrites, finding: Finding, before: Signal | undefined, now: number): Promise<number> {
  const occurrences = [...new Map(finding.occurrences.map((occurrence) => [occurrence.key, occurrence])).values()];
  const added = listNew(before?.evidence ?? [], occurrences);
  // What is older than the evidence counts as far as the finding lists more than were counted.
  const count = Math.max((before?.count ?? 0) + added.length, occurrences.length);
  const fresh = listFresh(finding, before, added);
  // It rises by itself and falls by a decision: a pair that is looked at must not end what another one has opened.
  const counted = before && !isStanding(before) ? fresh : occurrences;
  const severity = highest([
    ...counted.map((one) => one.severity ?? severities[finding.kind]),
    ...(before && isStanding(before) ? [before.severity] : []),
  ]);
  const isRaised = before !== undefined && highest([before.severity, severity]) !== before.severity;
  if (count === (before?.count ?? 0) && !(isRaised && isStanding(before))) return 0;
  const evidence = [...(before?.evidence ?? []), ...added].toSorted(compare).slice(0, maxEvidence);
  const seen = { severity, count, evidence, text: finding.text(count), couponId: finding.couponId, lastSeenAt: now };
  if (before && !opensAnother(before, count, fresh, now)) {
    await transaction.riskSignals.update(before.id, seen);
    return 0;
  }
  const { kind, userId } = finding;
  const signal = { kind, userId, status: 'open', openedAt: now, ...seen, ...undecided } as const;
  const id = await transaction.riskSignals.insert(signal);
  await transaction.events.record(signalEvent({ id, ...signal }, 'risk.signal_opened', { now, userId: 0 }));
  return 1;
}

const isStanding = ({ status }: Signal): boolean => status === 'open' || status === 'confirmed';

/** Whose occurrences are pairs of users: a pair that was dismissed stays quiet, and a new one opens a further signal. */
const pairKinds: readonly RiskKind[] = ['shared_destination', 'related_accounts'];

/** What is new since the signal, of pairs those with another user. */
function listFresh({ kind }: Finding, before: Signal | undefined, added: readonly Occurrence[]): readonly Occurrence[] {
  if (!pairKinds.includes(kind)) return added;
  const known = new Set(before?.evidence.map(partnerOf));
  return added.filter((one) => !known.has(partnerOf(one)));
}

const partnerOf = ({ key }: Occurrence): string => key.slice(key.lastIndexOf(' ') + 1);

/** Whether something new about a user opens a further signal. Open and confirmed ones count up instead, and a dismissed one for some time. */
function opensAnother(
  { kind, status, decidedAt, decidedCount }: Signal,
  count: number,
  fresh: readonly Occurrence[],
  now: number,
): boolean {
  if (status !== 'dismissed') return status === 'expired';
  if (pairKinds.includes(kind)) return fresh.length > 0;
  return now - (decidedAt ?? 0) >= quietMs || count >= 2 * (decidedCount ?? 1);
}
