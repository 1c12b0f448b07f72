import { commissionOf } from '../commission/commission.ts';
import { groupBy } from '../group-by.ts';
import type { Minor } from '../money.ts';
import type { Order } from '../orders/order.ts';
import {
  absentRecord,
  beginningId,
  type DigestedRecords,
  type DigestKind,
  digestKinds,
  follows,
  idOf,
  isDigestOf,
  isFirst,
  nameOf,
  unfitBasisOf,
} from './digest.ts';
import type { DigestRow, SealStore } from './seal.ts';
import type { SealingKey } from './sealing-key.ts';
import type { Chain } from './verify-seals.ts';

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
  for (const kind of digestKinds) {
    if (proof === null && kind !== 'order') continue;
    const isBegun = proof !== null && (await hasBegun(seals, proof.key, kind));
    for (let after: number | null = Number.MIN_SAFE_INTEGER; after !== null; ) {
      const records: DigestedRecords[typeof kind][] = await seals.records(kind, after, pageSize);
      if (proof !== null) await compareDigests(seals, { ...proof, isBegun }, kind, records, changedRecords);
      if (kind === 'order') for (const order of records as Order[]) recompute(order, wrongCommissions, written);
      read += records.length;
      onProgress(read);
      const last = records.at(-1);
      after = last === undefined ? null : idOf[kind](last as never);
    }
    if (proof !== null) await compareAbsent(seals, { ...proof, isBegun }, kind, changedRecords);
  }
}

/** Whether every record of the kind has a digest. */
async function hasBegun(seals: SealStore, key: SealingKey, kind: DigestKind): Promise<boolean> {
  const beginning = absentRecord(kind, beginningId);
  return beginning === null || (await seals.digestsOf(kind, [beginningId])).some((digest) => isDigestOf(key, kind, beginning, digest));
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
  for (const record of records) {
    const name = nameOf(kind, idOf[kind](record));
    const all = digests.get(idOf[kind](record)) ?? [];
    const last = all.at(-1);
    if (!last) {
      if (proof.isBegun) report(`${name} was inserted past the service: there is no digest of it.`);
      continue;
    }
    compareNeighbours(name, all, proof, report);
    if (all.filter(({ digest }) => digest === last.digest).length > 1)
      report(`${name} was set back to an earlier state: its last digest is a copy of an earlier one.`);
    else if (!isDigestOf(proof.key, kind, record, last))
      report(`${name} is not what the service wrote last: the record or its digest was changed.`);
  }
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
  return seal ? `sealed at ${new Date(seal.sealedAt).toISOString()}` : 'not sealed yet';
}

function recompute(order: Order, report: Report, written: (amount: Minor) => string): void {
  const expected = order.commissionStatus === 'reversed' ? 0 : commissionOf(order, order.rates);
  if (expected !== order.commission)
    report(
      `Order ${order.orderId} (coupon ${order.couponId}) has a commission of ${written(order.commission)}, but its amounts and rates give ${written(expected)}.`,
    );
}
