import type { Command } from 'commander';
import { sentencesOf, type Verification, verifyLedger } from '../../domain/ledger/verify.ts';
import { inWords } from '../../domain/money.ts';
import { type Answer, answering } from './answer.ts';
import { withSession } from './session.ts';

const examples = `
Changes nothing. Works every balance out anew: from the movements of the ledger, and from the payouts. Exits with 1 when anything differs.

Example
  affiliate ledger verify`;

export function addLedger(program: Command): void {
  const ledger = program.command('ledger').description('the book of all commission');
  ledger
    .command('verify')
    .description('work all balances out anew and name every difference')
    .addHelpText('after', examples)
    .action(answering(verify));
}

const verify = (): Promise<Answer> =>
  withSession(async ({ database, settings }) => {
    const { currency } = settings.store;
    const verification = await database.read((stores) => verifyLedger(stores, (amount) => inWords(amount, currency)));
    const differences = sentencesOf(verification);
    const json = { ok: differences.length === 0, ...jsonOf(verification) };
    if (differences.length === 0) return { json, text: 'The ledger is sound: every balance, pool and count is what it should be.' };
    const failure = differences.length === 1 ? 'One difference was found.' : `${differences.length} differences were found.`;
    return { json, text: differences.join('\n'), failure };
  });

const jsonOf = ({ wrongBalances, brokenMovements, wrongPools, wrongCounts }: Verification): Record<string, string[]> => ({
  wrong_balances: wrongBalances,
  broken_movements: brokenMovements,
  wrong_pools: wrongPools,
  wrong_counts: wrongCounts,
});
