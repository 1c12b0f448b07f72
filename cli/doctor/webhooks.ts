import type { Database } from '../../db/database.ts';
import { knownMasterKey } from '../../server/auth/master-key.ts';
import type { Configuration } from '../../server/configuration.ts';
import { findUnreadableSecrets } from '../../server/webhooks/readable.ts';
import { type Check, ok, problem } from './check.ts';

const name = 'webhooks';

/** Whether deliveries can be signed: a restored backup, or another machine, may come without the key they need. */
export async function checkSigningSecrets(database: Database, configuration: Configuration): Promise<Check[]> {
  const { webhooks, unreadable } = await database.read((stores) => findUnreadableSecrets(stores, keyOf(configuration) ?? '', 'all'));
  if (webhooks.length === 0) return [];
  if (unreadable.length === 0) return [ok(name, 'Their signing secrets can be read.')];
  const which = unreadable.length === webhooks.length ? 'all of them' : unreadable.join(', ');
  return [
    problem(
      name,
      `Signing secrets that cannot be read: ${which}. Set MASTER_KEY (or DATA_DIR) to the key they were made with; if it is lost, affiliate secrets renew makes new ones.`,
    ),
  ];
}

/** Null where there is none or it may not be used: a doctor makes none, and says elsewhere what is wrong with it. */
export function keyOf({ masterKey, dataDir }: Configuration): string | null {
  try {
    return knownMasterKey(masterKey, dataDir);
  } catch {
    return null;
  }
}
