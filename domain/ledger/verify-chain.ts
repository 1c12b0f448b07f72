import type { EventRepository } from '../events/event.ts';
import { beforeAllRows, formatHead, type Head, isSealSignedBy, type Seal, SealHash, type SealRepository } from './seal.ts';
import type { SealingKey } from './sealing-key.ts';

/** Seals, or rows, that one statement reads. */
const pageSize = 2000;

type Report = (sentence: string) => void;
type Count = (rows: number) => void;

interface Trusted {
  /** The stored key. Null compares no signer with it. */
  key: SealingKey | null;
  /** A seal from outside of the database. */
  against: Head | null;
}

/**
 * Follows the chain from its first seal and reads all rows that it covers. Seals of an earlier key, which was lost, are proved by the first
 * seal of the stored key: its hash covers theirs.
 */
export async function verifyChain(
  { seals, events }: { seals: SealRepository; events: EventRepository },
  { key, against }: Trusted,
  report: Report,
  count: Count,
): Promise<void> {
  let last: Seal | null = null;
  let hasStoredKey = false;
  for (;;) {
    const page: Seal[] = await seals.after(last?.number ?? Number.MIN_SAFE_INTEGER, pageSize);
    for (const seal of page) {
      await compareSeal(seals, last, seal, report, count);
      const isStoredKey: boolean = seal.publicKey === key?.publicKey;
      if (hasStoredKey && !isStoredKey) report(`Seal ${seal.number} was signed by another sealing key than the seal before it.`);
      hasStoredKey ||= isStoredKey;
      if (against?.number === seal.number && against.hash !== seal.hash)
        report(`Seal ${seal.number} differs from the given head ${formatHead(against).slice(0, 20)}….`);
      last = seal;
    }
    if (page.length < pageSize) break;
  }
  if (last && key && last.publicKey !== key.publicKey)
    report(`Seal ${last.number} was signed by another sealing key than the stored one: one of them was replaced.`);
  if (against) compareHead(against, last, key, report);
  await compareWithFeed(events, last?.number ?? 0, report);
}

async function compareSeal(seals: SealRepository, before: Seal | null, seal: Seal, report: Report, count: Count): Promise<void> {
  const expected = (before?.number ?? 0) + 1;
  if (seal.number !== expected) report(`Seal ${expected} is missing: seal ${seal.number} follows seal ${expected - 1}.`);
  const hash = new SealHash(before);
  for (let after = before?.lastId ?? beforeAllRows; ; ) {
    const rows = await seals.rows(after, seal.lastId, pageSize);
    hash.addRows(rows);
    count(rows.length);
    after = rows.at(-1)?.id ?? seal.lastId;
    if (rows.length < pageSize) break;
  }
  const range = `rows ${(before?.lastId ?? 0) + 1} to ${seal.lastId} of the ledger`;
  if (hash.rows < seal.rows)
    report(`Seal ${seal.number} covers ${seal.rows} rows, of which ${seal.rows - hash.rows} were deleted (${range}).`);
  else if (hash.rows > seal.rows)
    report(`Seal ${seal.number} covers ${seal.rows} rows, and ${hash.rows - seal.rows} were inserted among them (${range}).`);
  else if (hash.finish(seal) !== seal.hash)
    report(`Seal ${seal.number}: the rows that it covers, or the seal itself, were changed (${range}).`);
  if (!isSealSignedBy(seal.publicKey, seal)) report(`Seal ${seal.number} has a signature that its key did not make.`);
}

function compareHead(against: Head, last: Seal | null, key: SealingKey | null, report: Report): void {
  if (!key || !isSealSignedBy(key.publicKey, against))
    report(
      `The given head of seal ${against.number} was not signed by the sealing key of this database: it belongs to another ledger or key.`,
    );
  else if (against.number > (last?.number ?? 0))
    report(
      `The given head is seal ${against.number}, and this database ends with ${last ? `seal ${last.number}` : 'no seal at all'}: it was set back to an earlier state.`,
    );
}

/** The feed carries every seal, so deleted last seals show. */
async function compareWithFeed(events: EventRepository, lastNumber: number, report: Report): Promise<void> {
  const { items } = await events.newest({ kinds: ['ledger_sealed'], userId: null }, { page: 1, perPage: 1 });
  const [newest] = items;
  if (newest && newest.objectId > lastNumber) report(`Seal ${newest.objectId} was deleted: event ${newest.id} of the feed names it.`);
}
