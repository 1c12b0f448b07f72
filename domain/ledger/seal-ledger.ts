import { setTimeout as wait } from 'node:timers/promises';
import type { EventRepository } from '../events/event.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { beforeAllRows, formatHead, type Seal, SealHash, type SealRepository, signSeal } from './seal.ts';
import type { SealingKey } from './sealing-key.ts';

/** A seal covers at most so many rows. */
export const maxSealedRows = 10_000;

/** Rows that one statement reads, so that a long seal blocks nothing. */
const pageSize = 1000;

/** Thrown instead of sealing. The message says what to do. */
export class SealingError extends Error {}

interface SealingRepositories {
  seals: SealRepository;
  events: EventRepository;
}

interface Sealing {
  storage: UnitOfWork<SealingRepositories>;
  key: SealingKey;
  now: number;
  /** Ends the work after the current seal. */
  signal?: AbortSignal | undefined;
  /** After a lost key: the chain continues with the new one. */
  isKeyNew?: boolean;
}

/** Seals every row that is unsealed. Returns the last seal; null while another process seals. */
export async function sealLedger(sealing: Sealing): Promise<Seal | null> {
  const { storage, key, signal, isKeyNew = false } = sealing;
  let last = await storage.query(({ seals }) => seals.last());
  const isForeign = last !== null && last.publicKey !== key.publicKey;
  if (isForeign && !isKeyNew)
    throw new SealingError('The last seal was signed by another sealing key than the stored one. Run affiliate ledger verify.');
  const lastId = await findFinalId(storage);
  for (let isDue = last === null || isForeign; isDue || (last !== null && last.lastId < lastId); isDue = false) {
    signal?.throwIfAborted();
    last = await addSeal(sealing, last, lastId);
  }
  return last;
}

async function addSeal({ storage, key, now }: Sealing, before: Seal | null, lastId: number): Promise<Seal | null> {
  const hash = new SealHash(before);
  let position = before?.lastId ?? beforeAllRows;
  while (hash.rows < maxSealedRows && position < lastId) {
    const after = position;
    const rows = await storage.query(({ seals }) => seals.rows(after, lastId, pageSize));
    hash.addRows(rows);
    // Ids that were given out and never used belong to the seal as well.
    position = rows.length < pageSize ? lastId : (rows.at(-1)?.id ?? lastId);
  }
  const sealed = {
    number: (before?.number ?? 0) + 1,
    lastId: position,
    rows: hash.rows,
    sealedAt: now,
    publicKey: key.publicKey,
  };
  const hashed = { ...sealed, hash: hash.finish(sealed) };
  return insertSeal(storage, { ...hashed, signature: signSeal(key, hashed) });
}

const insertSeal = (storage: UnitOfWork<SealingRepositories>, seal: Seal): Promise<Seal | null> =>
  storage.write(async ({ seals, events }) => {
    if (!(await seals.insert(seal))) return null;
    await events.record({
      kind: 'ledger_sealed',
      type: null,
      objectType: 'ledger_seal',
      objectId: seal.number,
      userId: 0,
      info: `The ledger was sealed: ${formatHead(seal)}`,
      data: null,
      at: seal.sealedAt,
    });
    return seal;
  });

const polls = { count: 100, everyMs: 50 };

/** The id up to which every row is committed or was rolled back. */
async function findFinalId(storage: UnitOfWork<SealingRepositories>): Promise<number> {
  const { lastId, writers } = await storage.read(({ seals }) => seals.horizon());
  let open = writers;
  for (let count = 0; open.length > 0; count += 1) {
    if (count === polls.count) throw new SealingError('Another transaction has been writing for too long. Try again when it has ended.');
    await wait(polls.everyMs);
    const waitedFor = open;
    open = await storage.query(({ seals }) => seals.stillWriting(waitedFor));
  }
  return lastId;
}
