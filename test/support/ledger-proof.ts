import type { Database } from '../../db/database.ts';
import { noHash, SealedRows, signSeal } from '../../domain/ledger/seal.ts';
import { sealLedger } from '../../domain/ledger/seal-ledger.ts';
import type { SealingKey } from '../../domain/ledger/sealing-key.ts';
import { listSentences, type VerifyOptions, verifyLedger } from '../../domain/ledger/verify.ts';
import { openSealingKey } from '../../domain/master-key/key-ownership.ts';
import type { MasterKey } from '../../domain/master-key/key-ring.ts';
import { createSecrets, isBound, opens } from '../../domain/master-key/secrets.ts';
import { systemRandom } from '../../domain/random.ts';

/** Seals what is unsealed, as `affiliate ledger head` does, and lists every difference. Without a sealing key proves sums only. */
export async function findDifferences(database: Database, masterKey: MasterKey): Promise<string[]> {
  const key = await storedSealingKey(database, masterKey);
  if (key) await sealLedger({ storage: database, key, now: Date.now() });
  return verify(database, key, masterKey);
}

/** For a database whose every change was made with the sealing key: nothing is taken as it is. */
export async function findDifferencesSinceStart(database: Database, masterKey: MasterKey): Promise<string[]> {
  const key = await storedSealingKey(database, masterKey);
  if (key) await insertSealOfNothing(database, key);
  return verify(database, key, masterKey);
}

async function storedSealingKey(database: Database, masterKey: MasterKey): Promise<SealingKey | null> {
  const stored = await database.query(({ sealing }) => sealing.storedKey('sealing_key'));
  return stored === null ? null : openSealingKey(stored, masterKey);
}

/** The seal that the service would have made before the first change. */
async function insertSealOfNothing(database: Database, key: SealingKey): Promise<void> {
  const position = { number: 1, ledgerId: 0, digestId: 0, rows: 0, unmarkedTo: 0 };
  const seal = signSeal(key, { ...position, publicKey: key.publicKey, sealedAt: Date.now() }, noHash, new SealedRows().hash());
  await database.write(async ({ seals }) => {
    if ((await seals.last()) === null) await seals.insert(seal);
  });
}

async function verify(database: Database, key: SealingKey | null, masterKey: MasterKey): Promise<string[]> {
  const canOpen: NonNullable<VerifyOptions['canOpen']> = (kind, { id, text }) =>
    isBound(text) && opens(createSecrets(kind, masterKey, systemRandom), text, id);
  return listSentences(await database.read((stores) => verifyLedger(stores, String, key ? { key, canOpen } : {})));
}
