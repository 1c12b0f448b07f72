import { commissionOf, netOf, tierShareOf } from '../commission/commission.ts';
import { foldCode } from '../coupons/terms.ts';
import { groupBy } from '../group-by.ts';
import type { Minor } from '../money.ts';
import type { Order } from '../orders/order.ts';
import {
  absentRecord,
  basesOf,
  beginningId,
  type DigestedCoupon,
  type DigestedRecords,
  type DigestedShares,
  type DigestKind,
  digestKinds,
  follows,
  idOf,
  isDigestOf,
  isFirst,
  isFromDigest,
  nameOf,
  unfitBasisOf,
} from './digest.ts';
import type { DigestRow, SealStore } from './seal.ts';
import type { SealingKey } from './sealing-key.ts';
import type { Chain } from './verify-seals.ts';
import { writtenTime } from './written-time.ts';

const pageSize = 1000;

type Report = (sentence: string) => void;

interface RecordReports {
  changedRecords: Report;
  wrongCommissions: Report;
}

/** The key, and the seals that say when a digest was there. */
export interface RecordProof {
  key: SealingKey;
  chain: Chain;
}

/**
 * Compares every record with its last digest, each digest of it with the one before, and the commission of every order with its amounts and
 * rates.
 */
export async function verifyRecords(
  seals: SealStore,
  proof: RecordProof | null,
  { changedRecords, wrongCommissions }: RecordReports,
  { written, onProgress = () => {} }: { written(amount: Minor): string; onProgress?(rows: number): void },
): Promise<void> {
  let read = 0;
  const shares = new SharesInOrder(seals);
  for (const kind of digestKinds) {
    if (proof === null && kind !== 'order') continue;
    const isBegun = proof !== null && (await hasBegun(seals, proof.key, kind, changedRecords));
    for (let after: number | null = Number.MIN_SAFE_INTEGER; after !== null; ) {
      const records: DigestedRecords[typeof kind][] = await seals.records(kind, after, pageSize);
      if (proof !== null) await compareDigests(seals, { ...proof, isBegun }, kind, records, changedRecords);
      if (kind === 'order') await recomputePage(records as Order[], shares, wrongCommissions, written);
      read += records.length;
      onProgress(read);
      const last = records.at(-1);
      after = last === undefined ? null : idOf[kind](last as never);
    }
    if (proof !== null) await compareAbsent(seals, { ...proof, isBegun }, kind, changedRecords);
  }
}

/** Whether every record of the kind has a digest. */
async function hasBegun(seals: SealStore, key: SealingKey, kind: DigestKind, report: Report): Promise<boolean> {
  const beginning = absentRecord(kind, beginningId);
  if (beginning === null) return true;
  const stored = (await seals.digestsOf(kind, [beginningId])).filter((digest) => isDigestOf(key, kind, beginning, digest));
  if (stored.length > 1)
    report(
      `Digests of the kind ${kind} have begun ${stored.length} times: the first beginning was hidden, and records were taken as they were.`,
    );
  return key.beginning ? key.beginning.kinds.includes(kind) : stored.length > 0;
}

async function compareAbsent(seals: SealStore, proof: KindProof, kind: DigestKind, report: Report): Promise<void> {
  for (let after: number | undefined = Number.MIN_SAFE_INTEGER; after !== undefined; ) {
    const ids: number[] = await seals.missing(kind, after, pageSize);
    const records = ids.flatMap((id) => absentRecord(kind, id) ?? []);
    if (records.length > 0) await compareDigests(seals, proof, kind, records, report);
    else for (const id of ids) report(`${nameOf(kind, id)} was deleted: its digest is still there.`);
    after = ids.at(-1);
  }
}

interface KindProof extends RecordProof {
  isBegun: boolean;
}

async function compareDigests<Kind extends DigestKind>(
  seals: SealStore,
  proof: KindProof,
  kind: Kind,
  records: readonly DigestedRecords[Kind][],
  report: Report,
): Promise<void> {
  const digests = groupBy(await seals.digestsOf(kind, records.map(idOf[kind])), ({ objectId }) => objectId);
  const bases = await readBases(seals, [...digests.values()].flat());
  for (const record of records) {
    const name = nameOf(kind, idOf[kind](record));
    const all = digests.get(idOf[kind](record)) ?? [];
    const last = all.at(-1);
    if (!last) {
      if (proof.isBegun) report(`${name} was inserted past the service: there is no digest of it.`);
      continue;
    }
    if (kind === 'coupon') compareCode(name, record as DigestedCoupon, report);
    compareNeighbours(name, all, proof, report);
    compareBases(name, all, proof, bases, report);
    if (all.filter(({ digest }) => digest === last.digest).length > 1)
      report(`${name} was set back to an earlier state: its last digest is a copy of an earlier one.`);
    else if (!isDigestOf(proof.key, kind, record, last))
      report(`${name} is not what the service wrote last: the record or its digest was changed.`);
  }
}

/** People and links are given the code that is shown; orders are credited by the folded one, which alone is digested. */
function compareCode(name: string, { code, codeFolded }: DigestedCoupon, report: Report): void {
  if (code !== undefined && foldCode(code) !== codeFolded)
    report(`${name} is not what the service wrote last: its code is shown as ${code} and found as ${codeFolded}.`);
}

/** Each change must have found the record as the one before had left it. */
function compareNeighbours(name: string, digests: readonly DigestRow[], { key, chain }: RecordProof, report: Report): void {
  const first = firstOfKey(digests, chain);
  const seen = new Set<string>();
  for (const [place, digest] of digests.entries()) {
    const isCopy = seen.has(digest.digest);
    seen.add(digest.digest);
    if (place < first) continue;
    const earlier = place === first ? undefined : digests[place - 1];
    const when = `digest ${digest.id}, ${timeOf(digest, chain)}`;
    const basis = unfitBasisOf(digest);
    if (basis)
      report(
        `${name} was computed from a record that was changed past the service, in change ${place + 1} of it: ${nameOf(basis.kind, basis.id)} (${when}).`,
      );
    if (!isCopy && (earlier ? follows(key, digest, earlier) : isFirst(digest))) continue;
    const found = place === 0 ? 'had a digest that is gone' : `is not what change ${place} had left`;
    report(`${name} was changed past the service: what change ${place + 1} of it found ${found} (${when}).`);
  }
}

type BasisDigests = ReadonlyMap<string, DigestRow[]>;

/** All digests of the records that these were computed from. */
async function readBases(seals: SealStore, digests: readonly DigestRow[]): Promise<BasisDigests> {
  const read = new Map<string, DigestRow[]>();
  const ids = groupBy(digests.flatMap(basesOf), ({ kind }) => kind);
  for (const [kind, bases] of ids)
    for (const [id, all] of groupBy(await seals.digestsOf(kind, [...new Set(bases.map(({ id }) => id))]), ({ objectId }) => objectId))
      read.set(`${kind} ${id}`, all);
  return read;
}

/** An earlier state of a record fits its earlier digest: if both are put back for a moment, what is computed then says so. */
function compareBases(name: string, digests: readonly DigestRow[], { chain }: RecordProof, read: BasisDigests, report: Report): void {
  for (const digest of digests.slice(firstOfKey(digests, chain)))
    for (const basis of basesOf(digest)) {
      const last = read.get(`${basis.kind} ${basis.id}`)?.findLast(({ id }) => id < digest.id);
      if (!isFromDigest(basis, last))
        report(
          `${name} was computed from an earlier state of a record: ${nameOf(basis.kind, basis.id)} (digest ${digest.id}, ${timeOf(digest, chain)}).`,
        );
    }
}

/** After a lost key everything was digested anew, once: what comes before cannot be compared. */
const firstOfKey = (digests: readonly DigestRow[], { otherKeysTo }: Chain): number =>
  otherKeysTo === 0
    ? 0
    : Math.max(
        digests.findIndex(({ id, before }) => id > otherKeysTo && before === ''),
        0,
      );

function timeOf({ id }: DigestRow, { seals }: Chain): string {
  const seal = seals.find(({ digestId }) => digestId >= id);
  return seal ? `sealed at ${writtenTime(seal.sealedAt)}` : 'not sealed yet';
}

/** Reads the shares of orders, whose ids must be given in their order. */
class SharesInOrder {
  readonly #seals: SealStore;
  #read: DigestedShares[] = [];
  #after: number | null = Number.MIN_SAFE_INTEGER;

  constructor(seals: SealStore) {
    this.#seals = seals;
  }

  /** Those of the orders up to this one that were not returned yet. */
  async upTo(orderId: number): Promise<ReadonlyMap<number, DigestedShares>> {
    while (this.#after !== null && this.#after < orderId) {
      const page = await this.#seals.records('shares', this.#after, pageSize);
      this.#read.push(...page);
      this.#after = page.at(-1)?.orderId ?? null;
    }
    const found = this.#read.filter((each) => each.orderId <= orderId);
    this.#read = this.#read.slice(found.length);
    return new Map(found.map((each) => [each.orderId, each]));
  }
}

async function recomputePage(
  orders: readonly Order[],
  shares: SharesInOrder,
  report: Report,
  written: (amount: Minor) => string,
): Promise<void> {
  const sharesOf = await shares.upTo(orders.at(-1)?.orderId ?? Number.MIN_SAFE_INTEGER);
  for (const order of orders) {
    recompute(order, report, written);
    recomputeShares(order, sharesOf.get(order.orderId), report, written);
  }
}

/** Shares follow the granted commission of their order, also if they were hidden while it changed. */
function recomputeShares(order: Order, found: DigestedShares | undefined, report: Report, written: (amount: Minor) => string): void {
  for (const { couponId, rateThousandths, amount } of found?.shares ?? []) {
    const expected = order.commissionStatus === 'granted' ? tierShareOf(order.commission, rateThousandths) : 0;
    if (expected !== amount)
      report(
        `Order ${order.orderId} has a share of ${written(amount)} for coupon ${couponId}, but its commission and the rate give ${written(expected)}.`,
      );
  }
}

function recompute(order: Order, report: Report, written: (amount: Minor) => string): void {
  const isImpossible = order.refunded !== 0 && netOf(order) === 0;
  if (isImpossible) report(`Order ${order.orderId} (coupon ${order.couponId}) has a refund of ${written(order.refunded)} and no price.`);
  const expected = order.commissionStatus === 'reversed' || isImpossible ? 0 : commissionOf(order, order.rates);
  if (expected !== order.commission)
    report(
      `Order ${order.orderId} (coupon ${order.couponId}) has a commission of ${written(order.commission)}, but its amounts and rates give ${written(expected)}.`,
    );
}
