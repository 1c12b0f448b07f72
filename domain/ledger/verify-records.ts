import { commissionOf } from '../commission/commission.ts';
import type { Minor } from '../money.ts';
import type { Order } from '../orders/order.ts';
import { type DigestedRecords, type DigestKind, digestKinds, idOf, isDigestOf } from './digest.ts';
import type { SealStore } from './seal.ts';
import type { SealingKey } from './sealing-key.ts';

const pageSize = 1000;

type Report = (sentence: string) => void;

const names: Record<DigestKind, (id: number) => string> = {
  order: (id) => `Order ${id}`,
  shares: (id) => `The shares of order ${id}`,
  payout: (id) => `Payout ${id}`,
  payee: (id) => `The payout details of user ${id}`,
  coupon: (id) => `The owner and rates of coupon ${id}`,
};

interface RecordReports {
  changedRecords: Report;
  wrongCommissions: Report;
}

/** Compares every record with its last digest, and the commission of every order with its amounts and rates. */
export async function verifyRecords(
  seals: SealStore,
  key: SealingKey | null,
  { changedRecords, wrongCommissions }: RecordReports,
  { written, onProgress = () => {} }: { written(amount: Minor): string; onProgress?(rows: number): void },
): Promise<void> {
  let read = 0;
  for (const kind of digestKinds) {
    if (key === null && kind !== 'order') continue;
    for (let after: number | null = Number.MIN_SAFE_INTEGER; after !== null; ) {
      const records: DigestedRecords[typeof kind][] = await seals.records(kind, after, pageSize);
      if (key !== null) await compareDigests(seals, key, kind, records, changedRecords);
      if (kind === 'order') for (const order of records as Order[]) recompute(order, wrongCommissions, written);
      read += records.length;
      onProgress(read);
      const last = records.at(-1);
      after = last === undefined ? null : idOf[kind](last as never);
    }
    if (key !== null)
      for (const id of await seals.missing(kind, maxMissing)) changedRecords(`${names[kind](id)} was deleted: its digest is still there.`);
  }
}

const maxMissing = 1000;

async function compareDigests<Kind extends DigestKind>(
  seals: SealStore,
  key: SealingKey,
  kind: Kind,
  records: readonly DigestedRecords[Kind][],
  report: Report,
): Promise<void> {
  const latest = await seals.latestDigests(kind, records.map(idOf[kind]));
  const digestOf = new Map(latest.map((digest) => [digest.objectId, digest]));
  for (const record of records) {
    const name = names[kind](idOf[kind](record));
    const found = digestOf.get(idOf[kind](record));
    if (!found) report(`${name} was inserted past the service: there is no digest of it.`);
    else if (!isDigestOf(key, kind, record, found.digest))
      report(`${name} is not what the service wrote last: the record or its digest was changed.`);
    else if (found.copies > 1) report(`${name} was set back to an earlier state: its last digest is a copy of an earlier one.`);
  }
}

function recompute(order: Order, report: Report, written: (amount: Minor) => string): void {
  const expected = order.commissionStatus === 'reversed' ? 0 : commissionOf(order, order.rates);
  if (expected !== order.commission)
    report(
      `Order ${order.orderId} (coupon ${order.couponId}) has a commission of ${written(order.commission)}, but its amounts and rates give ${written(expected)}.`,
    );
}
