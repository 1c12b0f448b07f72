import { type Command, Option } from 'commander';
import type { Database } from '../../db/database.ts';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { toNumber } from '../../domain/money.ts';
import { createBatch, type LeftOutPayout } from '../../domain/payouts/create-batch.ts';
import { findCurrencyProblem, type PayoutFileFormat, payoutFileFormats } from '../../domain/payouts/files/formats.ts';
import type { Payer } from '../../domain/payouts/files/payment.ts';
import { systemRandom } from '../../domain/random.ts';
import { openMasterKey } from '../../server/auth/master-key.ts';
import { readConfiguration } from '../../server/configuration.ts';
import { buildPayer, listMissingPayerSettings } from '../../site/payer.ts';
import { buildHoldPolicy, buildProgram } from '../../site/program.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { withExistingDatabase } from '../context.ts';
import { PrivateFile, resolveNewFile } from '../payout-files/private-file.ts';
import { formatMoney, formatQuantity } from '../terminal/format.ts';
import { CommandError, type CommandResult, formatError, printResult } from '../terminal/output.ts';

const help = `
Writes the pending payouts whose method fits to one file for the bank or the payment provider, and moves them to created, as one batch. A
payout is in one batch at most, so that it is not paid twice; affiliate payout batch settles or cancels the batch. Payouts whose details are
missing or not usable are left out and listed. So are payouts of affiliates who owe commission over all their coupons, unless --despite-debt
is given, payouts whose details were replaced after the request, unless --despite-changes is given, and payouts that a risk signal holds
(setting risk.hold_payouts), unless --despite-signals is given. With the add-on risk, debts and replaced details are held by such signals.
Payouts of disabled affiliates are left out unless --despite-disabled is given.

sepa        bank transfers in EUR, as pain.001.001.09; from the account in the settings payouts.sepa.name, .iban, .town, .country and .bic
paypal      PayPal Payouts, at most 5,000
wise-email  Wise batch payments to email addresses, at most 1,000
wise-saved  Wise batch payments to recipients that are saved at Wise, at most 1,000
csv         payouts of all methods, with their details

Only its owner can read the file. It contains bank details: delete it when it has been sent.

Examples
  affiliate payout file --format sepa --out payouts-november.xml
  affiliate payout file --format paypal --out paypal.csv --json`;

export function addPayoutFile(payout: Command): void {
  payout
    .command('file')
    .addOption(new Option('--format <format>', 'the kind of file').choices(payoutFileFormats).makeOptionMandatory())
    .requiredOption('--out <file>', 'the file to write, which does not exist yet')
    .option('--despite-debt', 'include payouts of affiliates whose unpaid commission over all coupons is below zero')
    .option('--despite-changes', 'include payouts whose details were replaced after the request')
    .option('--despite-disabled', 'include payouts of affiliates who are disabled')
    .option('--despite-signals', 'include payouts of affiliates that a risk signal holds')
    .description('write pending payouts to a file for the bank or the payment provider')
    .addHelpText('after', help)
    .action(printResult(writeFile));
}

interface FileOptions {
  format: PayoutFileFormat;
  out: string;
  despiteDebt?: true;
  despiteChanges?: true;
  despiteSignals?: true;
  despiteDisabled?: true;
}

const writeFile = ({ out, ...request }: FileOptions): Promise<CommandResult> => {
  const file = resolveNewFile(out);
  return withExistingDatabase(async ({ database, settings, now }) => {
    const { currency } = settings.store;
    const { format } = request;
    const payer = requirePayer(settings, format);
    const secretsFor = await openPayoutSecrets(database);
    const target = new PrivateFile(file);
    const context = {
      change: { now, userId: 0, program: buildProgram(settings) },
      detailsSecrets: secretsFor('payout_details'),
      fileSecrets: secretsFor('payout_file'),
      holds: buildHoldPolicy(settings),
    };
    const { batch, leftOut } = await database
      .write(async (transaction) => {
        const created = await createBatch(transaction, { ...request, fileName: file, payer }, context);
        // Before the commit: a full disk leaves the payouts as they are.
        if (created.batch) target.write(created.text);
        return created;
      })
      .catch((error: unknown) => {
        target.discard();
        throw error;
      });
    const left_out = leftOut.map((payout) => ({ payout_id: payout.payoutId, reason: describeReason(payout) }));
    if (!batch) {
      const text = describeLeftOut(leftOut) || 'There is no pending payout of such a method that is in no batch.';
      return { json: { batch: null, file: null, count: 0, total: 0, left_out }, text, failure: nothingToPay(format, leftOut) };
    }
    await completeFile(database, target, { id: batch.id, now });
    const { id, count, total } = batch;
    const written = `Batch ${id}: ${formatQuantity(count, 'payout')}, ${formatMoney(total, currency)} in all, written to ${file}.`;
    const next = `When the file has been executed: affiliate payout batch paid ${id}, with --failed <payout> for payments that failed. If it is not sent: affiliate payout batch cancel ${id}.`;
    return {
      json: { batch: id, file, count, total: toNumber(total, currency), left_out },
      text: [written, ...(leftOut.length > 0 ? [describeLeftOut(leftOut)] : []), next].join('\n'),
    };
  });
};

/** The name of the file appears, and the batch records that. */
export async function completeFile(database: Database, target: PrivateFile, { id, now }: { id: number; now: number }): Promise<void> {
  try {
    target.complete();
  } catch (error) {
    target.discard();
    const remedy = `Batch ${id} exists: write its file with affiliate payout batch file ${id} --out <file>.`;
    throw new CommandError(`${formatError(error)} ${remedy}`);
  }
  await database.write(({ batches }) => batches.update(id, { completedAt: now }));
}

export async function openPayoutSecrets(database: Database) {
  const notify = (sentence: string): void => void (process.stderr.isTTY && process.stderr.write(`${sentence}\n`));
  const masterKey = await openMasterKey(database, readConfiguration(process.env), notify);
  return (kind: 'payout_details' | 'payout_file') => createSecrets(kind, masterKey, systemRandom);
}

function requirePayer(settings: Settings, format: PayoutFileFormat): Payer {
  const problem = findCurrencyProblem(format, settings.store.currency);
  if (problem !== null) throw new CommandError(`${problem} Use another --format.`);
  const missing = listMissingPayerSettings(settings, format);
  if (missing.length === 0) return buildPayer(settings);
  const commands = missing.map((path) => `affiliate settings set ${path} …`);
  throw new CommandError(`The account that pays is not set. Run ${commands.join(' and ')}.`);
}

/** Names the option that includes the payout. */
const describeReason = ({ reason, override }: LeftOutPayout): string =>
  override === null ? reason : `${reason.slice(0, -1)}: --${override.replace('_', '-')} includes the payout.`;

const describeLeftOut = (leftOut: readonly LeftOutPayout[]): string =>
  leftOut.map((payout) => `Left out: payout ${payout.payoutId}. ${describeReason(payout)}`).join('\n');

function nothingToPay(format: PayoutFileFormat, leftOut: readonly LeftOutPayout[]): string {
  if (leftOut.length === 0) return `No pending payout fits --format ${format}, so no file was written.`;
  const ids = leftOut.slice(0, 20).map(({ payoutId }) => payoutId);
  return `No file was written: no payout has usable details. Left out: ${ids.join(', ')}${leftOut.length > 20 ? ' and others' : ''}.`;
}
