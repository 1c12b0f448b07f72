import type { Database } from '../../db/database.ts';
import { systemRandom } from '../../domain/random.ts';
import { type Secrets, secretsOf } from '../../domain/secrets.ts';
import type { Configuration } from '../../server/configuration.ts';
import { type Check, ok, problem } from './check.ts';
import { keyOf } from './doctor-webhooks.ts';

/** Each takes some microseconds, and whoever has lost the key has lost it for all. */
const lookedAt = 500;

/** Whether payouts can be paid: a restored backup, or another machine, may come without the key to where. */
export async function checkPayoutDetails(database: Database, configuration: Configuration): Promise<Check[]> {
  const details = await database.read(({ payoutDetails }) => payoutDetails.newest(lookedAt));
  if (details.length === 0) return [];
  const secrets = secretsOf('payout_details', keyOf(configuration), systemRandom);
  const unreadable = details.filter(({ encryptedDetails }) => encryptedDetails !== null && !opens(secrets, encryptedDetails));
  if (unreadable.length === 0) return [ok('secrets', 'The payout details of affiliates can be read.')];
  const users = unreadable.length === details.length ? 'all affiliates' : `the users ${unreadable.map(({ userId }) => userId).join(', ')}`;
  return [
    problem(
      'secrets',
      `The payout details of ${users} cannot be read. Set MASTER_KEY (or DATA_DIR) to the key they were saved with; if it is lost, they must be saved anew.`,
    ),
  ];
}

function opens(secrets: Secrets, sealed: string): boolean {
  try {
    secrets.decrypt(sealed);
    return true;
  } catch {
    return false;
  }
}
