import { dayAfter, dayOf } from '../dates.ts';
import type { EventRepository } from '../events/event.ts';
import { groupBy } from '../group-by.ts';
import { isErasedAddress } from '../mail/mail-queue.ts';
import type { HeavyReads, UnitOfWork } from '../unit-of-work.ts';
import type { UserRepository } from '../users/repository.ts';
import { applyFindings, expiryMs } from './apply-findings.ts';
import { detectSharedAccounts } from './detect-accounts.ts';
import { detectClickSpikes } from './detect-clicks.ts';
import {
  type Detected,
  type Detection,
  detectFastConversions,
  detectLeakedCodes,
  detectMarkedOrders,
  detectRefundRates,
  detectSharedVisitors,
} from './detect-orders.ts';
import { detectDoubtfulPayouts, detectPayoutLosses } from './detect-payouts.ts';
import type { FactRepository, Losses, ScannedCoupon, ScanRepository, UserLink } from './facts.ts';
import { isDestinationLink, type LinkSecrets, linksOf } from './links.ts';
import type { RiskRules } from './rules.ts';
import type { Finding, RiskKind, SignalRepository } from './signal.ts';

interface ScanRepositories {
  riskFacts: FactRepository;
  riskScans: ScanRepository;
  riskSignals: SignalRepository;
  users: UserRepository;
  events: EventRepository;
}

export interface ScanOptions {
  storage: UnitOfWork<ScanRepositories> & HeavyReads<ScanRepositories>;
  secrets: LinkSecrets;
  rules: RiskRules;
  now(): number;
  /** Names this run in the lease. */
  holder: string;
  /** All affiliates, or those about whom something has changed. */
  isFull: boolean;
  signal?: AbortSignal | undefined;
  onProgress?(done: number, total: number): void;
}

export interface ScanOutcome {
  /** Affiliates. */
  scanned: number;
  opened: number;
  expired: number;
}

/** A run that ends without notice holds up others for so long. */
const leaseMs = 60_000;
const usersAtOnce = 20;
/** A statement about more orders than these would hold up other long reads. */
const ordersAtOnce = 20_000;

/** Another process scans. */
export class ScanInProgressError extends Error {}

/**
 * Computes signals. Reads go to the connection for long reads, a short statement at a time; each batch of affiliates is written by one short
 * transaction. A run that is interrupted is continued by the next. A batch that fails does not stop the others: its error is thrown at the end.
 * @throws ScanInProgressError
 */
export async function scanRisks(options: ScanOptions): Promise<ScanOutcome> {
  await claimLease(options);
  try {
    return await scanWithLease(options);
  } finally {
    // A database that fails here as well would hide the error. The lease ends by itself.
    await releaseLease(options).catch(() => {});
  }
}

async function scanWithLease(options: ScanOptions): Promise<ScanOutcome> {
  const { rules, now, isFull, signal, onProgress } = options;
  const facts = readingFacts(options);
  const detection: Detection = { facts, rules, now: now(), today: dayOf(now(), rules.zone) };
  const losses = createProgramLosses(facts);
  const userIds = isFull ? await facts.allUsers() : await facts.changedUsers();
  const outcome = { scanned: 0, opened: 0 };
  const errors: unknown[] = [];
  const collect = (error: unknown): number => {
    if (error instanceof ScanInProgressError) throw error;
    errors.push(error);
    return 0;
  };
  let claimedAt = now();
  for (let at = 0; at < userIds.length; at += usersAtOnce) {
    if (signal?.aborted) break;
    const batch = userIds.slice(at, at + usersAtOnce);
    outcome.opened += await scanUsers(batch, { ...detection, losses }, options).catch(collect);
    outcome.scanned += batch.length;
    onProgress?.(outcome.scanned, userIds.length);
    if (now() - claimedAt > leaseMs / 2) {
      await claimLease(options);
      claimedAt = now();
    }
  }
  const ofProgram = [
    ...(await detectDoubtfulPayouts(detection)),
    ...(rules.enabled.has('click_spike') ? await detectClickSpikes(detection) : []),
  ];
  const { opened, expired } = await finish(ofProgram, options);
  if (errors.length > 0) throw errors[0];
  return { ...outcome, opened: outcome.opened + opened, expired };
}

/** Each call is a unit of work of its own, so that other long reads come between. */
const readingFacts = ({ storage }: ScanOptions): FactRepository =>
  new Proxy({} as FactRepository, {
    get:
      (_target, name: keyof FactRepository) =>
      (...values: unknown[]) =>
        storage.readHeavy(({ riskFacts }) => (riskFacts[name] as (...own: unknown[]) => Promise<unknown>)(...values)),
  });

async function claimLease({ storage, holder, now }: ScanOptions): Promise<void> {
  const isFree = await storage.write(({ riskScans }) => riskScans.claim(holder, now(), now() + leaseMs));
  if (!isFree) throw new ScanInProgressError('Another process is computing signals.');
}

const releaseLease = ({ storage, holder, now }: ScanOptions): Promise<boolean> =>
  storage.write(({ riskScans }) => riskScans.claim(holder, now(), 0));

/** Sums days, each of which is read once. */
function createProgramLosses(facts: FactRepository): (from: string, to: string) => Promise<Losses> {
  const days = new Map<string, Losses>();
  return async (from, to) => {
    const sum = { orders: 0, net: 0, lost: 0 };
    for (let day = from; day <= to; day = dayAfter(day)) {
      const own = days.get(day) ?? (await facts.lossesOfDay(day));
      days.set(day, own);
      sum.orders += own.orders;
      sum.net += own.net;
      sum.lost += own.lost;
    }
    return sum;
  };
}

interface UserDetection extends Detection {
  losses(from: string, to: string): Promise<Losses>;
}

async function scanUsers(userIds: readonly number[], detection: UserDetection, options: ScanOptions): Promise<number> {
  const { facts } = detection;
  // Before everything else: what changes meanwhile is scanned again.
  const changes = await facts.changes(userIds);
  const coupons = await facts.coupons(userIds, detection.today);
  const changed = options.isFull ? userIds : changes.map(({ userId }) => userId);
  await refreshLinks(changed, facts, options);
  const { findings, pending } = await detectInParts(userIds, changed, coupons, detection);
  const changedCoupons = coupons.filter(({ isChanged }) => isChanged);
  if (findings.length + changes.length + changedCoupons.length + pending.length === 0) return 0;
  const { storage, holder, now } = options;
  return storage.write(async (transaction) => {
    const { riskScans } = transaction;
    if (!(await riskScans.claim(holder, now(), now() + leaseMs))) throw new ScanInProgressError('Another process took over.');
    const opened = await applyFindings(transaction, findings, detection.now);
    await riskScans.saveProgress(changedCoupons);
    if (changes.length > 0) await riskScans.clearChanges(changes);
    if (pending.length > 0) await riskScans.addChanges(pending);
    return opened;
  });
}

/** Stores the links of accounts whose links have changed. */
async function refreshLinks(userIds: readonly number[], facts: FactRepository, { storage, secrets, now }: ScanOptions): Promise<void> {
  if (userIds.length === 0) return;
  const accounts = (await facts.accounts(userIds)).filter(({ email }) => !isErasedAddress(email));
  const links = accounts.flatMap((account) =>
    linksOf(account, secrets).map((link) => ({
      userId: account.userId,
      link,
      since: (isDestinationLink(link) ? account.detailsSavedAt : null) ?? now(),
    })),
  );
  const sorted = (list: readonly UserLink[]): string => JSON.stringify(list.map(({ userId, link }) => `${userId} ${link}`).toSorted());
  if (sorted(links) === sorted(await facts.linksOf(userIds))) return;
  await storage.write(({ riskScans }) => riskScans.replaceLinks(userIds, links, now()));
}

/** Users with many orders are looked at in smaller groups. */
async function detectInParts(
  userIds: readonly number[],
  changed: readonly number[],
  coupons: readonly ScannedCoupon[],
  detection: UserDetection,
): Promise<Detected> {
  const couponsOf = groupBy(coupons, ({ userId }) => userId);
  const detected: Detected = { findings: [], pending: [] };
  const rest = [...userIds];
  while (rest.length > 0) {
    let orders = 0;
    const end = rest.findIndex((userId) => {
      orders += (couponsOf.get(userId) ?? []).reduce((sum, { ordersVersion }) => sum + ordersVersion, 0);
      return orders > ordersAtOnce;
    });
    const part = new Set(rest.splice(0, end === -1 ? rest.length : Math.max(end, 1)));
    const own = coupons.filter(({ userId }) => part.has(userId));
    const found = await detectAll(
      [...part],
      changed.filter((userId) => part.has(userId)),
      own,
      detection,
    );
    detected.findings.push(...found.findings);
    detected.pending.push(...found.pending);
  }
  return detected;
}

async function detectAll(
  userIds: readonly number[],
  changed: readonly number[],
  coupons: readonly ScannedCoupon[],
  detection: UserDetection,
): Promise<Detected> {
  const { enabled } = detection.rules;
  const none: Detected = { findings: [], pending: [] };
  const runs = async (kind: RiskKind, detect: () => Promise<Finding[]>): Promise<Finding[]> => (enabled.has(kind) ? detect() : []);
  const rates = enabled.has('refund_rate') ? await detectRefundRates(coupons, detection, detection.losses) : none;
  const codes = enabled.has('code_without_click') ? await detectLeakedCodes(coupons, detection) : none;
  const findings = [
    ...rates.findings,
    ...codes.findings,
    ...(await runs('fast_conversion', () => detectFastConversions(coupons, detection))),
    ...(await runs('visitor_many_coupons', () => detectSharedVisitors(coupons, detection))),
    ...(await runs('refund_after_payout', () => detectPayoutLosses(userIds, detection))),
    ...(await detectMarkedOrders(userIds, detection)),
    ...(changed.length > 0 ? await detectSharedAccounts(changed, detection) : []),
  ];
  return { findings, pending: [...rates.pending, ...codes.pending] };
}

const finish = (findings: readonly Finding[], { storage, now }: ScanOptions): Promise<Omit<ScanOutcome, 'scanned'>> =>
  storage.write(async (transaction) => ({
    opened: await applyFindings(transaction, findings, now()),
    expired: await transaction.riskSignals.expire(now() - expiryMs),
  }));
