import { existsSync } from 'node:fs';
import type { Database } from '../../db/database.ts';
import { readTraces } from '../../domain/master-key/key-ownership.ts';
import { createSecrets, opens } from '../../domain/master-key/secrets.ts';
import { systemRandom } from '../../domain/random.ts';
import { describeKeyProblem, findMasterKey, masterKeyFile } from '../../server/auth/master-key.ts';
import type { Configuration } from '../../server/configuration.ts';
import { findUnreadableSecrets } from '../../server/webhooks/readable.ts';
import { type Check, ok, problem } from './check.ts';

/** Null if there is no usable key; `checkMasterKey` reports why. Creates none. */
function findUsableKey({ masterKey, dataDir }: Configuration): string | null {
  try {
    return findMasterKey(masterKey, dataDir);
  } catch {
    return null;
  }
}

/** The check of the service at its start. */
export async function checkKeyOfDatabase(database: Database, configuration: Configuration): Promise<Check[]> {
  const key = findUsableKey(configuration);
  // `checkMasterKey` reports a file that cannot be used.
  if (key === null && existsSync(masterKeyFile(configuration.dataDir))) return [];
  const traces = await database.read(readTraces);
  const refusal = describeKeyProblem(traces, key, configuration);
  if (refusal !== null) return [problem('master key', refusal)];
  return traces.proof === null ? [] : [ok('master key', 'The database belongs to it.')];
}

/** Deliveries cannot be signed without the key: a backup may have been restored without it. */
export async function checkSigningSecrets(database: Database, configuration: Configuration): Promise<Check[]> {
  const { webhooks, unreadable } = await database.read((stores) =>
    findUnreadableSecrets(stores, findUsableKey(configuration) ?? '', 'all'),
  );
  if (webhooks.length === 0) return [];
  if (unreadable.length === 0) return [ok('webhooks', 'Their signing secrets can be decrypted.')];
  const which = unreadable.length === webhooks.length ? 'all of them' : unreadable.join(', ');
  const remedy = 'Set MASTER_KEY (or DATA_DIR) to the key they were created with; if it is lost, affiliate secrets renew creates new ones.';
  return [problem('webhooks', `Signing secrets that cannot be decrypted: ${which}. ${remedy}`)];
}

/** A lost key affects all records, so the newest ones are a sufficient sample. */
const maxDetails = 500;

/** Payouts cannot be paid without the key. */
export async function checkPayoutDetails(database: Database, configuration: Configuration): Promise<Check[]> {
  const details = await database.read(({ payoutDetails }) => payoutDetails.newest(maxDetails));
  if (details.length === 0) return [];
  const secrets = createSecrets('payout_details', findUsableKey(configuration) ?? '', systemRandom);
  const unreadable = details.filter(({ encryptedDetails }) => encryptedDetails !== null && !opens(secrets, encryptedDetails));
  if (unreadable.length === 0) return [ok('secrets', 'The payout details of affiliates can be decrypted.')];
  const users = unreadable.length === details.length ? 'all affiliates' : `the users ${unreadable.map(({ userId }) => userId).join(', ')}`;
  const remedy =
    'Set MASTER_KEY (or DATA_DIR) to the key they were saved with; if it is lost, affiliate secrets renew deletes them, and they must be saved again.';
  return [problem('secrets', `The payout details of ${users} cannot be decrypted. ${remedy}`)];
}
