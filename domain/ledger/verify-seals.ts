import type { Minor } from '../money.ts';
import type { LedgerRow } from './seal.ts';
import {
  beforeAll,
  formatHead,
  type Head,
  hashSeal,
  isHeadSignedBy,
  isSigned,
  noHash,
  type Seal,
  SealedRows,
  type SealStore,
  unmarkedRows,
} from './seal.ts';
import type { SealingKey } from './sealing-key.ts';
import { RunningBalances } from './verify-balances.ts';
import { clockTolerance, isMarked, UnsealedDays } from './verify-days.ts';
import { writtenTime } from './written-time.ts';

/** Rows that one statement reads. */
const pageSize = 2000;

export interface SealCheck {
  key: SealingKey;
  /** A seal from outside of the database. */
  against?: Head | null;
  /** When it is, to compare with the times of seals and movements; otherwise these are not looked at. */
  now?: number | undefined;
  /** Called with the number of rows that were read so far. */
  onProgress?(rows: number): void;
}

type Report = (sentence: string) => void;

/** What the chain says of the records. */
export interface Chain {
  last: Seal | null;
  /** The last digest of a key that was lost. 0 if there is none. */
  otherKeysTo: number;
  /** In order. */
  seals: readonly Pick<Seal, 'digestId' | 'sealedAt'>[];
}

interface ChainState {
  last: Seal | null;
  /** Rows of the ledger up to this id have no mark. */
  unmarkedTo: number;
  hasOwnSeal: boolean;
  hasOtherSeal: boolean;
}

/** Follows the chain from its first seal, reads all rows that it covers, and the rows after it. */
export async function verifyChain(
  seals: SealStore,
  { key, against, now, onProgress = () => {} }: SealCheck,
  { brokenSeals, foreignMovements }: { brokenSeals: Report; foreignMovements: Report },
  written: (amount: Minor) => string,
): Promise<Chain> {
  const times: Pick<Seal, 'digestId' | 'sealedAt'>[] = [];
  let otherKeysTo = 0;
  // Without a beginning and without any seal nothing is proved yet.
  const unmarkedTo = key.beginning?.unmarkedTo ?? (await unmarkedRows(seals, key)) ?? Number.MAX_SAFE_INTEGER;
  const chain: ChainState = { last: null, unmarkedTo, hasOwnSeal: false, hasOtherSeal: false };
  const movements = new MovementCheck(key, foreignMovements, written);
  const days = new UnsealedDays(key);
  const balances = new RunningBalances(foreignMovements, written, now !== undefined);
  let read = 0;
  const readRows = async (from: Seal | null, to: { ledgerId: number; digestId: number }): Promise<SealedRows> => {
    const collected = new SealedRows();
    const count = (rows: number): void => {
      read += rows;
      onProgress(read);
    };
    for (let after = (from ?? beforeAll).ledgerId; ; ) {
      const ledger = await seals.ledgerRows(after, to.ledgerId, pageSize);
      collected.add({ ledger, digests: [] });
      for (const row of ledger) {
        balances.add(row, row.id > chain.unmarkedTo);
        if (row.id <= chain.unmarkedTo) days.addToFirst(row);
        else {
          movements.add(row);
          if (to.ledgerId === Number.MAX_SAFE_INTEGER) days.addToTail(row);
          else days.addToSeal(row);
        }
      }
      count(ledger.length);
      after = ledger.at(-1)?.id ?? to.ledgerId;
      if (ledger.length < pageSize) break;
    }
    for (let after = (from ?? beforeAll).digestId; ; ) {
      const digests = await seals.digestRows(after, to.digestId, pageSize);
      collected.add({ ledger: [], digests });
      count(digests.length);
      after = digests.at(-1)?.id ?? to.digestId;
      if (digests.length < pageSize) break;
    }
    return collected;
  };
  for (;;) {
    const page = await seals.after(chain.last?.number ?? 0, pageSize);
    for (const seal of page) {
      const collected = await readRows(chain.last, seal);
      checkLink(seal, chain, collected, key, brokenSeals);
      balances.endSeal(seal);
      if (now !== undefined) days.endSeal(seal, brokenSeals);
      if (now !== undefined && seal.sealedAt > now + clockTolerance)
        brokenSeals(`Seal ${seal.number} is dated ${writtenTime(seal.sealedAt)}, which is in the future.`);
      if (against && against.number === seal.number && against.hash !== seal.hash)
        brokenSeals(`Seal ${seal.number} is not the one of the given head ${formatHead(against).slice(0, 20)}….`);
      chain.last = seal;
      times.push({ digestId: seal.digestId, sealedAt: seal.sealedAt });
      if (chain.hasOtherSeal && (seal.publicKey !== key.publicKey || seal.unmarkedTo !== null)) otherKeysTo = seal.digestId;
    }
    if (page.length < pageSize) break;
  }
  await readRows(chain.last, { ledgerId: Number.MAX_SAFE_INTEGER, digestId: Number.MAX_SAFE_INTEGER });
  movements.end();
  if (now !== undefined) balances.end(now);
  if (key.beginning && key.beginning.unmarkedTo > 0 && !chain.hasOwnSeal)
    brokenSeals('All seals of the sealing key were deleted: it says that there was one. Restore a backup.');
  if (!chain.hasOtherSeal) days.reportOtherKey(brokenSeals);
  if (now !== undefined) days.report(chain.last, brokenSeals);
  if (chain.last && chain.last.publicKey !== key.publicKey)
    brokenSeals(`Seal ${chain.last.number} was signed by another sealing key than the stored one: one of them was replaced.`);
  if (against) checkHead(against, chain.last, key, brokenSeals);
  return { last: chain.last, otherKeysTo, seals: times };
}

function checkLink(seal: Seal, chain: ChainState, collected: SealedRows, key: SealingKey, report: Report): void {
  const { last } = chain;
  const label = `Seal ${seal.number} of ${writtenTime(seal.sealedAt)}`;
  const expected = (last?.number ?? 0) + 1;
  if (seal.number !== expected)
    report(`${seal.number === expected + 1 ? `Seal ${expected} is` : `Seals ${expected} to ${seal.number - 1} are`} missing.`);
  const range = `rows ${(last?.ledgerId ?? 0) + 1} to ${seal.ledgerId} of the ledger, digests ${(last?.digestId ?? 0) + 1} to ${seal.digestId}`;
  const { rows } = collected;
  const isWhole = hashSeal(seal, last?.hash ?? noHash, collected.hash()) === seal.hash;
  if (rows < seal.rows) report(`${label} covers ${seal.rows} rows, of which ${seal.rows - rows} were deleted (${range}).`);
  else if (rows > seal.rows) report(`${label} covers ${seal.rows} rows, and ${rows - seal.rows} were inserted among them (${range}).`);
  else if (!isWhole) report(`${label}: what it covers was changed, or the seal itself (${range}).`);
  const isOwn = seal.publicKey === key.publicKey;
  if (!isSigned(seal)) report(`${label} has a signature that is not of its key.`);
  // Seals of a lost key come before the seal that began again.
  if (isOwn && last && last.publicKey !== key.publicKey && seal.unmarkedTo === null) report(`${label} follows a seal of another key.`);
  const { beginning } = key;
  if (isOwn && beginning && seal.unmarkedTo !== null && seal.unmarkedTo !== beginning.unmarkedTo)
    report(`${label} takes rows up to ${seal.unmarkedTo} of the ledger as they are; by the sealing key it is ${beginning.unmarkedTo}.`);
  if (!isOwn && chain.hasOwnSeal) report(`${label} was signed by another sealing key than the stored one.`);
  chain.hasOwnSeal ||= isOwn;
  chain.hasOtherSeal ||= !isOwn;
}

function checkHead(against: Head, last: Seal | null, key: SealingKey, report: Report): void {
  if (!isHeadSignedBy(key.publicKey, against))
    report(`The given head of seal ${against.number} was not signed by the sealing key of this database: it is of another ledger or key.`);
  else if (against.number > (last?.number ?? 0))
    report(
      `The given head is seal ${against.number}, and this database ends with ${last ? `seal ${last.number}` : 'no seal at all'}: it was set back to an earlier state.`,
    );
}

/** Movements whose second row has not come yet; more would be rows without a second one, which another check reports. */
const maxOpen = 50_000;

/** Compares the mark in the name of each movement with both of its rows. */
class MovementCheck {
  readonly #key: SealingKey;
  readonly #report: Report;
  readonly #written: (amount: Minor) => string;
  readonly #open = new Map<string, LedgerRow>();

  constructor(key: SealingKey, report: Report, written: (amount: Minor) => string) {
    this.#key = key;
    this.#report = report;
    this.#written = written;
  }

  add(row: LedgerRow): void {
    const other = this.#open.get(row.movement);
    if (!other) {
      if (this.#open.size < maxOpen) this.#open.set(row.movement, row);
      return;
    }
    this.#open.delete(row.movement);
    if (!isMarked(this.#key, other, row)) this.#reportRow(other.amount < row.amount ? row : other);
  }

  end(): void {
    for (const row of this.#open.values()) this.#reportRow(row);
  }

  #reportRow({ id, movement, couponId, amount }: LedgerRow): void {
    this.#report(
      `Movement ${movement} (row ${id} of the ledger, ${this.#written(amount)} of coupon ${couponId}) was changed, or was not written by the service.`,
    );
  }
}
