import { readEncrypted } from '../master-key/read-encrypted.ts';
import { encryptedKinds } from '../master-key/rotate.ts';
import type { EncryptedKind, EncryptedText } from '../master-key/store.ts';
import type { Minor } from '../money.ts';
import type { Stores } from '../ports.ts';
import type { TopFindings } from './checks.ts';
import { createSentences } from './sentences.ts';
import { verifyRecords } from './verify-records.ts';
import { type SealCheck, verifyChain } from './verify-seals.ts';

/** Of each kind a sentence for each difference, and after the first few one that counts the rest. None when all is well. */
export interface Verification {
  /** The total of differences, including those not listed. */
  total: number;
  /** Balances of coupons that are not what their movements say. */
  wrongBalances: string[];
  /** Movements whose rows are not two matching rows that sum to zero. */
  brokenMovements: string[];
  /** Rows whose pool, reason, coupon, order, payout or user there is not, or that do not say why. */
  strangeRows: string[];
  /** Orders whose movements are not their commission. */
  wrongOrders: string[];
  /** Shares of the tiers above whose movements are not their amount. */
  wrongShares: string[];
  /** Payouts whose movements are not what their status says. */
  wrongPayouts: string[];
  /** Pools that do not hold what the coupon's payouts say. */
  wrongPools: string[];
  /** Counts of payouts that do not agree with the payouts. */
  wrongCounts: string[];
  /** Orders whose amounts and rates give another commission. */
  wrongCommissions: string[];
  /** Seals that do not fit the rows that they cover, each other, or their key. */
  brokenSeals: string[];
  /** Movements that the service did not write as they are, and payouts that took more than there was. */
  foreignMovements: string[];
  /** Orders, shares, payouts, payout details and coupons that the service did not write as they are. */
  changedRecords: string[];
  /** Stored secrets that do not belong to their owner or to the master key. */
  foreignSecrets: string[];
}

/** Differences listed for each kind. */
const maxListed = 50;

type Checked = Pick<Stores, 'ledger' | 'payouts' | 'seals' | 'events' | 'sealing'>;

export interface VerifyOptions extends Partial<SealCheck> {
  /** Without `key`: whether the database had one. */
  isKeyDeleted?: boolean;
  /** Whether a stored secret can be opened by its owner. */
  canOpen?(kind: EncryptedKind, secret: EncryptedText): boolean;
}

/**
 * Works everything out anew, from the rows of the ledger, from the orders and from the payouts, and names every difference. `written`
 * turns an amount into text. With the sealing key also proves that nothing was changed past the service.
 */
export async function verifyLedger(
  stores: Checked,
  written: (amount: Minor) => string,
  options: VerifyOptions = {},
): Promise<Verification> {
  const impossible = (await stores.seals.impossibleRows()).map(
    ({ table, rows }) =>
      `${rows} ${rows === 1 ? 'row' : 'rows'} of the table ${table} cannot be of the service: an id or a value is out of its range or type.`,
  );
  try {
    return await verifyReadable(stores, written, options, impossible);
  } catch (error) {
    // What cannot be read may be such a value.
    if (impossible.length === 0) throw error;
    return { ...nothingFound, total: impossible.length, changedRecords: impossible };
  }
}

const nothingFound: Omit<Verification, 'total'> = {
  ...{ wrongBalances: [], brokenMovements: [], strangeRows: [], wrongOrders: [], wrongShares: [], wrongPayouts: [], wrongPools: [] },
  ...{ wrongCounts: [], wrongCommissions: [], brokenSeals: [], foreignMovements: [], changedRecords: [], foreignSecrets: [] },
};

async function verifyReadable(
  stores: Checked,
  written: (amount: Minor) => string,
  options: VerifyOptions,
  impossible: readonly string[],
): Promise<Verification> {
  const { ledger, payouts } = stores;
  const say = createSentences(written);
  let total = 0;
  const sentences = <Finding>(found: TopFindings<Finding>, sentence: (finding: Finding) => string): string[] => {
    total += found.total;
    return [...found.first.map(sentence), ...restOf(found)];
  };
  const kinds = {
    wrongBalances: sentences(await ledger.wrongBalances(maxListed), say.wrongBalance),
    brokenMovements: sentences(await ledger.brokenMovements(maxListed), say.brokenMovement),
    strangeRows: sentences(await ledger.strangeRows(maxListed), say.strangeRow),
    wrongOrders: sentences(await ledger.wrongOrders(maxListed), say.wrongOrder),
    wrongShares: sentences(await ledger.wrongShares(maxListed), say.wrongShare),
    wrongPayouts: [
      ...sentences(await ledger.wrongPayouts(maxListed), say.wrongPayout),
      ...sentences(await ledger.strangePayouts(maxListed), say.strangePayout),
    ],
    wrongPools: sentences(firstOf(await payouts.wrongPools()), say.wrongPool),
    wrongCounts: sentences(firstOf(await payouts.wrongCounts()), say.wrongCount),
  };
  const proved = await proveUnchanged(stores, written, options, impossible);
  const own = Object.fromEntries(
    Object.entries(proved).map(([kind, findings]) => [kind, sentences(findings, (sentence) => sentence)]),
  ) as Record<keyof typeof proved, string[]>;
  return { total, ...kinds, ...own };
}

/** Keeps the first findings of a kind and counts all. */
class Findings implements TopFindings<string> {
  readonly first: string[] = [];
  total = 0;
  readonly add = (sentence: string): void => {
    this.total += 1;
    if (this.first.length < maxListed) this.first.push(sentence);
  };
}

async function proveUnchanged(stores: Checked, written: (amount: Minor) => string, options: VerifyOptions, impossible: readonly string[]) {
  const { seals, sealing } = stores;
  const { key, isKeyDeleted = false, against = null, now, onProgress = () => {}, canOpen } = options;
  const found = {
    wrongCommissions: new Findings(),
    brokenSeals: new Findings(),
    foreignMovements: new Findings(),
    changedRecords: new Findings(),
    foreignSecrets: new Findings(),
  };
  const { wrongCommissions, brokenSeals, foreignMovements, changedRecords, foreignSecrets } = found;
  const reports = { brokenSeals: brokenSeals.add, foreignMovements: foreignMovements.add };
  const chain = key ? await verifyChain(seals, { key, against, now, onProgress }, reports, written) : null;
  if (key) await compareWithFeed(stores, chain?.last?.number ?? 0, brokenSeals.add);
  else await checkMissingKey(stores, isKeyDeleted, brokenSeals.add);
  for (const sentence of impossible) changedRecords.add(sentence);
  const records = { changedRecords: changedRecords.add, wrongCommissions: wrongCommissions.add };
  // Before the beginning there are records without a digest.
  await verifyRecords(seals, key && chain && (chain.last || key.beginning) ? { key, chain } : null, records, { written, onProgress });
  if (canOpen)
    for (const kind of encryptedKinds)
      for await (const secret of readEncrypted(sealing, kind))
        if (!canOpen(kind, secret))
          foreignSecrets.add(`The stored secret ${kind} of ${secret.id} was changed, or belongs to another owner or key.`);
  return found;
}

/** With the key deleted nothing can be proved. A key that this process cannot open is not missing. */
async function checkMissingKey(stores: Checked, isDeleted: boolean, report: (sentence: string) => void): Promise<void> {
  if ((await stores.sealing.storedKey('sealing_key')) !== null) return;
  const last = await stores.seals.last();
  if (last) report(`The sealing key was deleted, and there is a seal ${last.number}: nothing can be compared with it. Restore a backup.`);
  else if (isDeleted) report('The sealing key was deleted, with all seals: nothing can be compared with them. Restore a backup.');
  await compareWithFeed(stores, last?.number ?? 0, report);
}

/** The feed carries every seal, so that the last ones are not deleted unnoticed. */
async function compareWithFeed({ events }: Checked, lastNumber: number, report: (sentence: string) => void): Promise<void> {
  const { items } = await events.newest({ kinds: ['ledger_sealed'], userId: null }, { page: 1, perPage: 1 });
  const [newest] = items;
  if (!newest || newest.objectId <= lastNumber) return;
  const what = newest.objectId === lastNumber + 1 ? `Seal ${newest.objectId} was` : `Seals ${lastNumber + 1} to ${newest.objectId} were`;
  report(`${what} deleted: event ${newest.id} carries ${newest.info.split(': ')[1] ?? 'it'}.`);
}

const firstOf = <Finding>(all: readonly Finding[]): TopFindings<Finding> => ({ first: all.slice(0, maxListed), total: all.length });

const restOf = ({ first, total }: TopFindings<unknown>): string[] =>
  total > first.length ? [`And ${total - first.length} more like these.`] : [];

export function listSentences(verification: Verification): string[] {
  const { total, ...kinds } = verification;
  return total === 0 ? [] : Object.values(kinds).flat();
}
