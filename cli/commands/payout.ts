import { type Command, Option } from 'commander';
import { inWords } from '../../domain/money.ts';
import { type Resolution, resolutions, resolveSinglePayout } from '../../domain/payouts/change.ts';
import { buildProgram } from '../../site/program.ts';
import { withContext } from '../context.ts';
import { addHintToNotFound, type CommandResult, printResult, recordId } from '../terminal/output.ts';
import { addPayoutBatch } from './payout-batch.ts';
import { addPayoutFile } from './payout-file.ts';

const examples = `
If the service ends during a call to a payment gateway, it does not know whether the payout was paid: the payout stays processing and is
never sent again. affiliate doctor lists it. Look it up at the payment provider, then record the result.

--as failed also takes payouts that are created or paid: the payment failed later, or the money came back. The amount is unpaid again, and
the affiliate gets a mail to check the details and to request it again.

Examples
  affiliate payout resolve 501 --as paid --transaction tx-77
  affiliate payout resolve 501 --as failed`;

const doctorHint = 'affiliate doctor lists the payouts that need it.';

export function addPayout(program: Command): void {
  const payout = program.command('payout').description('payout files, and payouts that need a decision');
  addPayoutFile(payout);
  addPayoutBatch(payout);
  payout
    .command('resolve')
    .argument('<id>', 'the id of the payout', recordId('payout', doctorHint))
    .addOption(new Option('--as <status>', 'the result').choices(resolutions).makeOptionMandatory())
    .option('--transaction <id>', "the payment provider's own transaction id")
    .option('--now', 'even if the gateway call may still be running: the service has been stopped since')
    .description('record the result of a payout that was left processing, or that failed')
    .addHelpText('after', examples)
    .action(printResult(resolve));
}

interface ResolveOptions {
  as: Resolution;
  transaction?: string;
  now?: true;
}

const resolve = (id: number, { as: to, transaction: transactionId, now: isForced }: ResolveOptions): Promise<CommandResult> =>
  withContext(async ({ database, settings, now }) => {
    const resolution = { to, atOnce: isForced === true, ...(transactionId !== undefined && { transactionId }) };
    const { status, amount } = await database
      .write((transaction) => resolveSinglePayout(transaction, id, resolution, { now, userId: 0, program: buildProgram(settings) }))
      .catch(addHintToNotFound(doctorHint));
    return { json: { id, status }, text: `Payout ${id} of ${inWords(amount, settings.store.currency)} is now ${status}.` };
  });
