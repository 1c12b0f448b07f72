import type { Command } from 'commander';
import { listSentences, verifyLedger } from '../../domain/ledger/verify.ts';
import { inWords } from '../../domain/money.ts';
import { withExistingDatabase } from '../context.ts';
import { CommandError, type CommandResult, type OutputOptions, printResult } from '../terminal/output.ts';
import { showElapsed } from '../terminal/progress.ts';

const examples = `
Changes nothing. Recomputes everything from the rows of the ledger, the orders and the payouts: the movements of each order and payout, the
balances of each coupon, the numbers of payouts. Lists the first differences of each kind and counts the others. Exits with 1 when there is
any.

Example
  affiliate ledger verify`;

export function addLedger(program: Command): void {
  const ledger = program.command('ledger').description('the ledger of all commission');
  ledger
    .command('verify')
    .description('recompute all balances and list every difference')
    .addHelpText('after', examples)
    .action(printResult(verify));
}

const verify = (options: OutputOptions): Promise<CommandResult> =>
  withExistingDatabase(async ({ database, settings: { store } }) => {
    const recompute = () => database.read((stores) => verifyLedger(stores, (amount) => inWords(amount, store.currency)));
    const found = await showElapsed('Recomputing all balances', options, recompute).catch(explainMissingTable);
    const { total } = found;
    const json = {
      ok: total === 0,
      differences: total,
      wrong_balances: found.wrongBalances,
      broken_movements: found.brokenMovements,
      strange_rows: found.strangeRows,
      wrong_orders: found.wrongOrders,
      wrong_shares: found.wrongShares,
      wrong_payouts: found.wrongPayouts,
      wrong_pools: found.wrongPools,
      wrong_counts: found.wrongCounts,
    };
    if (total === 0) return { json, text: 'The ledger is sound: every row, order, payout, balance and count is what it should be.' };
    const failure = total === 1 ? 'One difference was found.' : `${total} differences were found.`;
    return { json, text: listSentences(found).join('\n'), failure };
  });

/** @throws CommandError that says what to do when a table is missing; else the error itself. */
async function explainMissingTable(error: unknown): Promise<never> {
  const { missingTableOf } = await import('../../db/sql/missing-table.ts');
  const table = missingTableOf(error);
  if (table === null) throw error;
  throw new CommandError(
    `The ledger cannot be verified: the table ${table} is missing. Run affiliate migrate; if that creates no table, restore a backup.`,
  );
}
