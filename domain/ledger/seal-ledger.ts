import { setTimeout as wait } from 'node:timers/promises';
import type { Transaction, UnitOfWork } from '../ports.ts';
import { absentRecord, beginningId, type DigestKind, digestKinds, idOf, isDigestOf, laterKinds } from './digest.ts';
import { beforeAll, formatHead, noHash, type Seal, SealedRows, type SealPosition, type SealStore, signSeal, unmarkedRows } from './seal.ts';
import type { SealingKey } from './sealing-key.ts';

/** A seal covers at most so many rows. */
export const maxSealedRows = 10_000;

/** Bounds what one statement reads, and one transaction writes. */
const pageSize = 1000;

/** The seals were signed by another key than the stored one: one of them was replaced. */
export class ForeignSealError extends Error {
  constructor() {
    super('The last seal was signed by another sealing key than the stored one. Nothing was sealed. Run affiliate ledger verify.');
  }
}

/** The sealing key says that there was a seal over rows without a mark: a new one would take them as they are now. */
export class MissingSealsError extends Error {
  constructor() {
    super(
      'All seals were deleted: the sealing key says that there was one. Nothing was sealed. Run affiliate ledger verify, and restore a backup.',
    );
  }
}

/** A transaction has been writing for so long that its ids are not final. */
export class OpenWriterError extends Error {
  constructor() {
    super('Another transaction has been writing for longer than expected. Nothing was sealed. Try again when it has ended.');
  }
}

interface Sealing {
  storage: UnitOfWork;
  key: SealingKey;
  now: number;
  /** Ends it after the current page; what was sealed by then stays. */
  signal?: AbortSignal | undefined;
}

/** Seals everything that is unsealed, in seals of at most 10,000 rows. Returns the last seal; null while another process seals. */
export async function sealLedger(sealing: Sealing): Promise<Seal | null> {
  const { storage, key } = sealing;
  const { beginning } = key;
  const last = await storage.query(({ seals }) => seals.last());
  if (last && last.publicKey !== key.publicKey) throw new ForeignSealError();
  if (!last && beginning && beginning.unmarkedTo > 0) throw new MissingSealsError();
  const kinds = await kindsToBegin(sealing, last);
  await digestExisting(sealing, kinds, 'without digest');
  if (last && (!beginning || kinds.length > 0)) await completeBeginning(sealing);
  const target = await finalPosition(storage);
  return last ? continueChain(sealing, last, target) : beginChain(sealing, target);
}

/** The first seal says which rows of the ledger there were before. */
async function beginChain(sealing: Sealing, target: SealPosition): Promise<Seal | null> {
  const first = await sealNext(sealing, null, target, sealing.key.beginning?.unmarkedTo ?? target.ledgerId);
  return first && continueChain(sealing, first, target);
}

/** In a chain of an earlier version: its first seal says the same as the key does from now on. */
async function completeBeginning({ storage, key }: Sealing): Promise<void> {
  const unmarkedTo = key.beginning?.unmarkedTo ?? (await storage.query(({ seals }) => unmarkedRows(seals, key)));
  if (unmarkedTo !== null) await storage.write((transaction) => keepBeginning(transaction, key, unmarkedTo));
}

/** Unless the key was encrypted again meanwhile: the next seal does it then. */
async function keepBeginning({ sealing }: Transaction, { stored }: SealingKey, unmarkedTo: number): Promise<void> {
  if (!stored || (await sealing.storedKey('sealing_key')) !== stored.text) return;
  await sealing.replaceEncrypted('sealing_key', 'sealing_key', stored.encrypt({ unmarkedTo, kinds: digestKinds }));
}

/**
 * After a lost key: digests everything again, with the new one, and continues the chain with seals that take as it is what the lost key had
 * marked. Until then no payout fits its digest, so an interrupted attempt is repeated; once there is a seal of the new key nothing is done.
 */
export async function beginAgain(sealing: Sealing): Promise<Seal | null> {
  const { storage, key } = sealing;
  const last = await storage.query(({ seals }) => seals.last());
  if (last?.publicKey === key.publicKey) return last;
  const ofLostKey = await finalPosition(storage);
  await digestExisting(sealing, digestKinds, 'all');
  const { ledgerId } = ofLostKey;
  const first = await sealNext(sealing, last, ofLostKey, ledgerId);
  const begun = first && (await continueChain(sealing, first, ofLostKey, ledgerId));
  return begun && continueChain(sealing, begun, await finalPosition(storage));
}

async function continueChain(sealing: Sealing, before: Seal, target: SealPosition, unmarkedTo: number | null = null): Promise<Seal | null> {
  let last: Seal | null = before;
  while (last && isBehind(last, target)) {
    sealing.signal?.throwIfAborted();
    last = await sealNext(sealing, last, target, unmarkedTo);
  }
  return last;
}

const isBehind = (last: SealPosition, { ledgerId, digestId }: SealPosition): boolean =>
  ledgerId > last.ledgerId || digestId > last.digestId;

/** Seals now even if nothing has changed, so that every day has its seal. */
export async function sealDay(sealing: Sealing): Promise<Seal | null> {
  const last = await sealLedger(sealing);
  return last && last.sealedAt !== sealing.now ? sealNext(sealing, last, last, null) : last;
}

async function sealNext(
  { storage, key, now }: Sealing,
  last: Seal | null,
  target: SealPosition,
  unmarkedTo: number | null,
): Promise<Seal | null> {
  const { position, collected } = await collect(storage, last ?? beforeAll, target);
  const unsigned = {
    ...{ number: (last?.number ?? 0) + 1, ...position, rows: collected.rows },
    ...{ unmarkedTo, publicKey: key.publicKey, sealedAt: now },
  };
  const seal = signSeal(key, unsigned, last?.hash ?? noHash, collected.hash());
  return storage.write(async (transaction) => {
    if (!(await isNext(transaction, seal))) return null;
    if (unmarkedTo !== null && !key.beginning) await keepBeginning(transaction, key, unmarkedTo);
    return insertSeal(transaction, seal);
  });
}

async function isNext({ seals }: Transaction, { number }: Seal): Promise<boolean> {
  return (await seals.claim()) && ((await seals.last())?.number ?? 0) + 1 === number;
}

async function insertSeal({ seals, events }: Transaction, seal: Seal): Promise<Seal> {
  await seals.insert(seal);
  await events.record({
    ...{ kind: 'ledger_sealed', type: null, objectType: 'ledger_seal', objectId: seal.number, userId: 0, data: null },
    ...{ info: `The ledger was sealed: ${formatHead(seal)}`, at: seal.sealedAt },
  });
  return seal;
}

/** Rows of the ledger first, then digests, page by page: each page is a read of its own, so that a long seal blocks nothing. */
async function collect(storage: UnitOfWork, from: SealPosition, target: SealPosition) {
  const collected = new SealedRows();
  const position: SealPosition = { ledgerId: from.ledgerId, digestId: from.digestId };
  const readAll = async <Row extends { id: number }>(
    name: keyof SealPosition,
    read: (seals: SealStore, after: number, upTo: number, limit: number) => Promise<Row[]>,
    add: (rows: Row[]) => void,
  ): Promise<void> => {
    for (;;) {
      const limit = Math.min(pageSize, maxSealedRows - collected.rows);
      if (limit === 0) return;
      const rows = await storage.query(({ seals }) => read(seals, position[name], target[name], limit));
      add(rows);
      // Ids that were never used lie within the seal as well.
      position[name] = rows.length < limit ? target[name] : (rows.at(-1)?.id ?? target[name]);
      if (rows.length < limit) return;
    }
  };
  await readAll(
    'ledgerId',
    (seals, ...range) => seals.ledgerRows(...range),
    (ledger) => collected.add({ ledger, digests: [] }),
  );
  if (position.ledgerId === target.ledgerId)
    await readAll(
      'digestId',
      (seals, ...range) => seals.digestRows(...range),
      (digests) => collected.add({ ledger: [], digests }),
    );
  return { position, collected };
}

const waits = { count: 100, everyMs: 50 };

/** The ids up to which every row is committed or was rolled back. */
async function finalPosition(storage: UnitOfWork): Promise<SealPosition> {
  const { writers, ...position } = await storage.read(({ seals }) => seals.horizon());
  let open = writers;
  for (let count = 0; open.length > 0; count += 1) {
    if (count === waits.count) throw new OpenWriterError();
    await wait(waits.everyMs);
    const waitedFor = open;
    open = await storage.query(({ seals }) => seals.stillWriting(waitedFor));
  }
  return position;
}

type Which = 'without digest' | 'all';

/** The kinds of which not every record has a digest. */
async function kindsToBegin({ storage, key }: Sealing, last: Seal | null): Promise<readonly DigestKind[]> {
  const { beginning } = key;
  if (beginning) return digestKinds.filter((kind) => !beginning.kinds.includes(kind));
  if (!last) return digestKinds;
  const begun = await Promise.all(laterKinds.map((kind) => storage.query(({ seals }) => seals.digestsOf(kind, [beginningId]))));
  return laterKinds.filter((_kind, place) => begun[place]?.length === 0);
}

/** Digests of what existed before the sealing key did, or before a version that digests it. */
async function digestExisting({ storage, key, signal }: Sealing, kinds: readonly DigestKind[], which: Which): Promise<void> {
  const inPages = async (digest: (transaction: Transaction, after: number) => Promise<number | null>): Promise<void> => {
    for (let after: number | null = Number.MIN_SAFE_INTEGER; after !== null; ) {
      signal?.throwIfAborted();
      const from: number = after;
      after = await storage.write((transaction) => digest(transaction, from));
    }
  };
  for (const kind of kinds) {
    await inPages((transaction, after) => digestPage(transaction, kind, after, which));
    if (!laterKinds.includes(kind)) continue;
    if (which === 'all') await inPages((transaction, after) => digestAbsent(transaction, kind, after));
    await storage.write((transaction) => digestBeginning(transaction, kind, key));
  }
}

/** Returns the last id of the page; null after the last one. */
async function digestPage<Kind extends DigestKind>(
  { seals }: Transaction,
  kind: Kind,
  after: number,
  which: Which,
): Promise<number | null> {
  const records = await seals.lockedRecords(kind, after, pageSize);
  const ids = records.map(idOf[kind]);
  const digested = new Set(which === 'all' ? [] : (await seals.digestsOf(kind, ids)).map(({ objectId }) => objectId));
  await seals.beginDigests(
    kind,
    records.filter((record) => !digested.has(idOf[kind](record))),
  );
  return ids.at(-1) ?? null;
}

/** Of records that have earlier digests and are absent since. */
async function digestAbsent<Kind extends DigestKind>({ seals }: Transaction, kind: Kind, after: number): Promise<number | null> {
  const ids = await seals.missing(kind, after, pageSize);
  await seals.beginDigests(
    kind,
    ids.flatMap((id) => absentRecord(kind, id) ?? []),
  );
  return ids.at(-1) ?? null;
}

/** From now on a record of this kind has a digest. Once for each key, also if an attempt is repeated. */
async function digestBeginning<Kind extends DigestKind>({ seals }: Transaction, kind: Kind, key: SealingKey): Promise<void> {
  const beginning = absentRecord(kind, beginningId);
  if (!beginning) return;
  const stored = await seals.digestsOf(kind, [beginningId]);
  if (!stored.some((digest) => isDigestOf(key, kind, beginning, digest))) await seals.beginDigests(kind, [beginning]);
}
