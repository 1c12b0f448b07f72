import { type Command, Option } from 'commander';
import { inWords } from '../../domain/money.ts';
import { type Resolution, resolutions, resolvePayout } from '../../domain/payouts/resolve.ts';
import { buildProgram } from '../../site/program.ts';
import { withContext } from '../context.ts';
import { addHintToNotFound, CommandError } from '../terminal/errors.ts';
import { type CommandResult, printResult } from '../terminal/output.ts';

const examples = `
Where the service ended while a payment gateway was being called, nobody here knows whether it paid: the payout stays processing and is
never sent again. affiliate doctor names it. Look at the payment provider, then say what became of it.

Example
  affiliate payout resolve 501 --as paid --transaction tx-77`;

export function addPayout(program: Command): void {
  const payout = program.command('payout').description('payouts that need a human');
  payout
    .command('resolve')
    .argument('<id>', 'the number of the payout')
    .addOption(new Option('--as <status>', 'what became of it').choices(resolutions).makeOptionMandatory())
    .option('--transaction <id>', "the payment provider's own number for it")
    .option('--now', 'even if its gateway may still be at work: the service has been stopped since')
    .description('say what became of a payout that was left processing')
    .addHelpText('after', examples)
    .action(printResult(resolve));
}

interface ResolveOptions {
  as: Resolution;
  transaction?: string;
  now?: true;
}

const resolve = (given: string, { as: to, transaction: transactionId, now }: ResolveOptions): Promise<CommandResult> => {
  if (!/^[1-9]\d{0,15}$/.test(given))
    throw new CommandError(`"${given}" is not the number of a payout. affiliate doctor names those that need this.`);
  return withContext(async ({ database, settings, now: moment }) => {
    const surroundings = { now: moment, userId: 0, program: buildProgram(settings) };
    const told = { to, atOnce: now === true, ...(transactionId !== undefined && { transactionId }) };
    const payout = await database
      .write((transaction) => resolvePayout(transaction, Number(given), told, surroundings))
      .catch(addHintToNotFound('affiliate doctor names those that need it.'));
    const { id, status, amount } = payout;
    return { json: { id, status }, text: `Payout ${id} of ${inWords(amount, settings.store.currency)} is ${status} now.` };
  });
};
