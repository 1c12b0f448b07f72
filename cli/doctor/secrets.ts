import { existsSync } from 'node:fs';
import type { Database } from '../../db/database.ts';
import { readTraces } from '../../domain/master-key/key-ownership.ts';
import { systemRandom } from '../../domain/random.ts';
import { opens, secretsOf } from '../../domain/secrets.ts';
import { masterKeyFile } from '../../server/auth/master-key.ts';
import { refusalOf } from '../../server/auth/master-key-check.ts';
import type { Configuration } from '../../server/configuration.ts';
import { type Check, ok, problem } from './check.ts';
import { keyOf } from './webhooks.ts';

/** Each takes some microseconds, and whoever has lost the key has lost it for all. */
const lookedAt = 500;

/** What the service would say when it is started. */
export async function checkKeyOfDatabase(database: Database, configuration: Configuration): Promise<Check[]> {
  const key = keyOf(configuration);
  // One that is there but may not be used is told with the file itself.
  if (key === null && existsSync(masterKeyFile(configuration.dataDir))) return [];
  const traces = await database.read(readTraces);
  const refusal = refusalOf(traces, key, configuration);
  if (refusal !== null) return [problem('master key', refusal)];
  return traces.proof === null ? [] : [ok('master key', 'The database belongs to it.')];
}

/** Whether payouts can be paid: a restored backup, or another machine, may come without the key to where. */
export async function checkPayoutDetails(database: Database, configuration: Configuration): Promise<Check[]> {
  const details = await database.read(({ payoutDetails }) => payoutDetails.newest(lookedAt));
  if (details.length === 0) return [];
  const secrets = secretsOf('payout_details', keyOf(configuration) ?? '', systemRandom);
  const unreadable = details.filter(({ encryptedDetails }) => encryptedDetails !== null && !opens(secrets, encryptedDetails));
  if (unreadable.length === 0) return [ok('secrets', 'The payout details of affiliates can be read.')];
  const users = unreadable.length === details.length ? 'all affiliates' : `the users ${unreadable.map(({ userId }) => userId).join(', ')}`;
  return [
    problem(
      'secrets',
      `The payout details of ${users} cannot be read. Set MASTER_KEY (or DATA_DIR) to the key they were saved with; if it is lost, affiliate secrets renew forgets them, and they must be saved anew.`,
    ),
  ];
}
