import type { Command } from 'commander';
import { sentencesOf, type Verification, verifyLedger } from '../../domain/ledger/verify.ts';
import { inWords } from '../../domain/money.ts';
import { withExistingDatabase } from '../context.ts';
import { CommandError } from '../terminal/errors.ts';
import { type CommandResult, type OutputOptions, printResult } from '../terminal/output.ts';
import { showElapsed } from '../terminal/progress.ts';

const examples = `
Changes nothing. Works everything out anew, from the rows of the ledger, the orders and the payouts: what each order and each payout
has moved, what each coupon holds, how many payouts there are. Names the first differences of each kind and counts the others. Exits
with 1 when there is any.

Example
  affiliate ledger verify`;

export function addLedger(program: Command): void {
  const ledger = program.command('ledger').description('the ledger of all commission');
  ledger
    .command('verify')
    .description('recompute all balances and name every difference')
    .addHelpText('after', examples)
    .action(printResult(verify));
}

const verify = (options: OutputOptions): Promise<CommandResult> =>
  withExistingDatabase(async ({ database, settings }) => {
    const { currency } = settings.store;
    const verifying = () => database.read((stores) => verifyLedger(stores, (amount) => inWords(amount, currency)));
    const verification = await showElapsed('Working all balances out anew', options, verifying).catch(refuseWithoutTable);
    const { total } = verification;
    const json = { ok: total === 0, differences: total, ...jsonOf(verification) };
    if (total === 0) return { json, text: 'The ledger is sound: every row, order, payout, balance and count is what it should be.' };
    const failure = total === 1 ? 'One difference was found.' : `${total} differences were found.`;
    return { json, text: sentencesOf(verification).join('\n'), failure };
  });

/** @throws CommandError with what to do, where a table is missing. */
async function refuseWithoutTable(error: unknown): Promise<never> {
  const { missingTableOf } = await import('../../db/sql/missing-table.ts');
  const table = missingTableOf(error);
  if (table === null) throw error;
  throw new CommandError(
    `The ledger cannot be verified: the table ${table} is missing. Run affiliate migrate; if that makes no table, restore a backup.`,
  );
}

const jsonOf = (verification: Verification): Record<string, string[]> => ({
  wrong_balances: verification.wrongBalances,
  broken_movements: verification.brokenMovements,
  strange_rows: verification.strangeRows,
  wrong_orders: verification.wrongOrders,
  wrong_shares: verification.wrongShares,
  wrong_payouts: verification.wrongPayouts,
  wrong_pools: verification.wrongPools,
  wrong_counts: verification.wrongCounts,
});
