import type { Command } from 'commander';
import { toNumber } from '../../domain/money.ts';
import type { PayoutBatch } from '../../domain/payouts/batch.ts';
import type { NamedPayout } from '../../domain/payouts/payout.ts';
import { cancelBatch, getBatch, getBatchFile, payBatch, type SettledBatch } from '../../domain/payouts/settle-batch.ts';
import { payoutBatchView } from '../../handlers/views/payout-batch.ts';
import { buildProgram } from '../../site/program.ts';
import { type CommandContext, withContext, withExistingDatabase } from '../context.ts';
import { PrivateFile, resolveNewFile } from '../payout-files/private-file.ts';
import { formatCount, formatMoney, formatQuantity } from '../terminal/format.ts';
import { addHintToNotFound, type CommandResult, printResult, recordId } from '../terminal/output.ts';
import { formatTable, numberColumn } from '../terminal/table.ts';
import { completeFile, openPayoutSecrets } from './payout-file.ts';

const listHint = 'affiliate payout batch list shows them.';

const listHelp = `
Examples
  affiliate payout batch list
  affiliate payout batch list --json`;

const showHelp = `
Example
  affiliate payout batch show 3`;

const paidHelp = `
Every payout of the batch that is still created becomes paid, as if its status was changed alone: with its movement in the ledger, event and
mail. Payouts that were changed meanwhile stay as they are and are listed.

--failed names a payout that the bank or the payment provider could not pay, or whose money came back; repeat it for several. Its amount is
unpaid again, and the affiliate gets a mail to check the details and to request it again. This works after the batch is paid, too. A payout
outside of a batch fails with affiliate payout resolve <id> --as failed.

Examples
  affiliate payout batch paid 3
  affiliate payout batch paid 3 --failed 501 --failed 517`;

const cancelHelp = `
For a file that was not sent to the bank, or that was refused as a whole. Every payout that is still created is pending again, and may be in
another file. Delete the file: it is not written again.

Example
  affiliate payout batch cancel 3`;

const fileHelp = `
Writes the same bytes as the first time, for a file that was lost while its batch is open. Make sure that the first one was not sent.

Example
  affiliate payout batch file 3 --out payouts-november.xml`;

export function addPayoutBatch(payout: Command): void {
  const batch = payout.command('batch').description('payouts that were written to one file').usage('<command> [options]');
  const withBatch = (name: string): Command => batch.command(name).argument('<batch>', 'the id of the batch', recordId('batch', listHint));
  batch.command('list').description('list the batches, newest first').addHelpText('after', listHelp).action(printResult(list));
  withBatch('show').description('show a batch with its payouts').addHelpText('after', showHelp).action(printResult(show));
  withBatch('paid')
    .option('--failed <payout>', 'the id of a payout whose payment failed; repeatable', collectPayouts, [])
    .description('record that the payouts of a batch were paid, or that some of them failed')
    .addHelpText('after', paidHelp)
    .action(printResult(paid));
  withBatch('cancel')
    .description('cancel a batch whose file was not executed')
    .addHelpText('after', cancelHelp)
    .action(printResult(cancel));
  withBatch('file')
    .requiredOption('--out <file>', 'the file to write, which does not exist yet')
    .description('write the file of a batch again')
    .addHelpText('after', fileHelp)
    .action(printResult(writeAgain));
}

const readPayoutId = recordId('payout', 'affiliate payout batch show lists the payouts of a batch.');
const collectPayouts = (value: string, before: readonly number[]): number[] => [...new Set([...before, readPayoutId(value)])];

const batchRecord = (batch: PayoutBatch, zone: string) => ({ ...payoutBatchView(batch, zone), file: batch.fileName });

const list = (): Promise<CommandResult> =>
  withExistingDatabase(async ({ database, zone }) => {
    const batches = await database.read((db) => db.batches.all());
    const records = batches.map((batch) => batchRecord(batch, zone));
    const rows = batches.map((batch, index) => [
      String(batch.id),
      batch.format,
      batch.status,
      formatCount(batch.count),
      formatMoney(batch.total, batch.currency),
      records[index]?.date ?? '',
      batch.completedAt === null ? `${batch.fileName} (not completed)` : batch.fileName,
    ]);
    const columns = [numberColumn('ID'), 'FORMAT', 'STATUS', numberColumn('PAYOUTS'), numberColumn('TOTAL'), 'DATE', 'FILE'];
    const text = rows.length === 0 ? 'There are no batches. affiliate payout file creates one.' : formatTable(columns, rows);
    return { json: records, text };
  });

const show = (id: number): Promise<CommandResult> =>
  withExistingDatabase(async ({ database, zone }) => {
    const { batch, payouts } = await database
      .read(async (db) => ({ batch: await getBatch(db, id), payouts: await db.batches.payoutsOf(id) }))
      .catch(addHintToNotFound(listHint));
    return {
      json: { ...batchRecord(batch, zone), payouts: payouts.map((payout) => payoutRecord(payout, batch)) },
      text: describe(batch, payouts),
    };
  });

const payoutRecord = ({ id, userId, couponCode, amount, status }: NamedPayout, { currency }: PayoutBatch) => ({
  payout_id: id,
  user_id: userId,
  coupon_code: couponCode,
  amount: toNumber(amount, currency),
  status,
});

function describe(batch: PayoutBatch, payouts: readonly NamedPayout[]): string {
  const { id, format, status, currency, count, total, fileName, completedAt } = batch;
  const heading = `Batch ${id} (${format}) is ${status}: ${formatQuantity(count, 'payout')}, ${formatMoney(total, currency)}.`;
  const file = completedAt === null ? `Its file was not completed: ${fileName}` : `File: ${fileName}`;
  const rows = payouts.map((payout) => [
    String(payout.id),
    payout.displayName,
    payout.couponCode,
    formatMoney(payout.amount, currency),
    payout.status,
  ]);
  return [heading, file, '', formatTable([numberColumn('PAYOUT'), 'AFFILIATE', 'COUPON', numberColumn('AMOUNT'), 'STATUS'], rows)].join(
    '\n',
  );
}

const changeContext = ({ now, settings }: CommandContext) => ({ now, userId: 0, program: buildProgram(settings) });

const paid = (id: number, { failed }: { failed: number[] }): Promise<CommandResult> =>
  withContext(async (context) => {
    const settled = await context.database
      .write((transaction) => payBatch(transaction, id, failed, changeContext(context)))
      .catch(addHintToNotFound(listHint));
    return describeSettled(settled, 'paid');
  });

const cancel = (id: number): Promise<CommandResult> =>
  withContext(async (context) => {
    const settled = await context.database
      .write((transaction) => cancelBatch(transaction, id, changeContext(context)))
      .catch(addHintToNotFound(listHint));
    return describeSettled(settled, 'pending');
  });

function describeSettled({ batch, changed, failed, unchanged }: SettledBatch, word: string): CommandResult {
  const { id, status } = batch;
  const lines = [
    `Batch ${id} is ${status}: ${formatQuantity(changed, 'payout')} ${changed === 1 ? 'is' : 'are'} now ${word}.`,
    ...failed.map((payoutId) => `Payout ${payoutId} failed. Its amount is unpaid again.`),
    ...unchanged.map((payout) => `Payout ${payout.payoutId} was ${payout.status} already and is unchanged.`),
  ];
  return {
    json: {
      batch: id,
      status,
      changed,
      failed,
      unchanged: unchanged.map((payout) => ({ payout_id: payout.payoutId, status: payout.status })),
    },
    text: lines.join('\n'),
  };
}

const writeAgain = (id: number, { out }: { out: string }): Promise<CommandResult> => {
  const file = resolveNewFile(out);
  return withExistingDatabase(async ({ database, now }) => {
    const { batch, encrypted } = await database.read((db) => getBatchFile(db, id)).catch(addHintToNotFound(listHint));
    const secretsFor = await openPayoutSecrets(database);
    const target = new PrivateFile(file);
    target.write(secretsFor('payout_file').decrypt(encrypted, id));
    await completeFile(database, target, { id, now });
    const { count, total, currency } = batch;
    return {
      json: { batch: id, file, count, total: toNumber(total, currency) },
      text: `The file of batch ${id} was written again: ${file}. Send one of them only.`,
    };
  });
};
