import type { Database } from '../../db/database.ts';
import { clockTolerance } from '../../domain/ledger/verify-days.ts';
import type { Configuration } from '../../server/configuration.ts';
import { sealingKeyOpener } from '../context.ts';
import { formatError } from '../terminal/output.ts';
import { type Check, ok, problem, warning } from './check.ts';

const twoDaysMs = 2 * 86_400_000;

/** The service seals the ledger every day. */
export async function checkSeals(database: Database, configuration: Configuration, now: number): Promise<Check[]> {
  const { stored, last, oldest } = await database.read(async ({ sealing, seals }) => ({
    stored: await sealing.storedKey('sealing_key'),
    last: await seals.last(),
    oldest: (await seals.ledgerRows(0, Number.MAX_SAFE_INTEGER, 1))[0],
  }));
  if (stored === null && last)
    return [
      problem('seals', `The sealing key is missing, and there is a seal ${last.number}. Run affiliate ledger verify, or restore a backup.`),
    ];
  if (stored !== null && !last && oldest && now - oldest.at > twoDaysMs)
    return [
      problem(
        'seals',
        `There is no seal, and the ledger begins on ${new Date(oldest.at).toISOString()}. Start the service or run affiliate ledger head; if it was sealed before, its seals were deleted: run affiliate ledger verify first.`,
      ),
    ];
  // Before the service has run, and until it has something to seal.
  if (stored === null || !last) return [];
  try {
    const { publicKey } = sealingKeyOpener(configuration)(stored);
    if (publicKey !== last.publicKey)
      return [problem('seals', 'The sealing key is not the one that signed the last seal: it was replaced. Run affiliate ledger verify.')];
  } catch (error) {
    return [problem('seals', formatError(error))];
  }
  if (last.sealedAt > now + clockTolerance) {
    const date = new Date(last.sealedAt).toISOString();
    return [
      problem('seals', `Seal ${last.number} is dated ${date}, which is in the future. Check the clock, and run affiliate ledger verify.`),
    ];
  }
  if (now - last.sealedAt > twoDaysMs) {
    const days = Math.floor((now - last.sealedAt) / 86_400_000);
    return [
      warning('seals', `The ledger was not sealed for ${days} days. Start the service, look into its log, or run affiliate ledger head.`),
    ];
  }
  return [ok('seals', `Seal ${last.number} of the ledger is less than two days old.`)];
}
