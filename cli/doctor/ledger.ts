import type { Database } from '../../db/database.ts';
import type { Configuration } from '../../server/configuration.ts';
import { sealingKeyOpener } from '../context.ts';
import { formatError } from '../terminal/output.ts';
import { type Check, ok, problem, warning } from './check.ts';

const dayMs = 86_400_000;

/** The service seals the ledger every day. */
export async function checkSeals(database: Database, configuration: Configuration, now: number): Promise<Check[]> {
  const { stored, last, unsealed } = await database.read(async ({ masterKeys, seals }) => {
    const newest = await seals.last();
    return { stored: await masterKeys.storedKey('sealing_key'), last: newest, unsealed: await seals.unsealed(newest?.lastId ?? 0) };
  });
  if (stored !== null && last) {
    try {
      const { publicKey } = sealingKeyOpener(configuration)(stored);
      if (publicKey !== last.publicKey)
        return [
          problem('seals', 'The sealing key is not the one that signed the last seal: it was replaced. Run affiliate ledger verify.'),
        ];
    } catch (error) {
      return [problem('seals', formatError(error))];
    }
  }
  const days = Math.floor((now - (unsealed.oldestAt ?? now)) / dayMs);
  if (days > 2)
    return [
      warning('seals', `The ledger was not sealed for ${days} days. Start the service, look into its log, or run affiliate ledger head.`),
    ];
  return last ? [ok('seals', `Seal ${last.number} of the ledger is in place, and nothing older than three days is unsealed.`)] : [];
}
