import { type Command, Option } from 'commander';
import { decideSignal } from '../../domain/risk/decide.ts';
import { ScanInProgressError } from '../../domain/risk/scan.ts';
import type { RiskSeverity, Signal, SignalStatus } from '../../domain/risk/signal.ts';
import { riskSignalView } from '../../handlers/views/risk-signal.ts';
import { openMasterKey } from '../../server/auth/master-key.ts';
import { readConfiguration } from '../../server/configuration.ts';
import { scan } from '../../server/jobs/risk-job.ts';
import { openSettings } from '../../server/site.ts';
import { withContext, withExistingDatabase } from '../context.ts';
import { formatCount, formatProgress, formatQuantity } from '../terminal/format.ts';
import { addHintToNotFound, CommandError, type CommandResult, type OutputOptions, printResult, recordId } from '../terminal/output.ts';
import { createStatusLine } from '../terminal/progress.ts';
import { formatTable, numberColumn } from '../terminal/table.ts';
import { supportsBlockCharacters } from '../terminal/text.ts';

const maxListed = 1000;

const listHint = 'affiliate risk list shows them.';

const scanHelp = `
Computes the signals of all affiliates. The service computes those of affiliates about whom something has changed, every minute: this is for
the first time, and after thresholds were changed. Both need the add-on (affiliate settings set addons.risk true). One process scans at a time.

Examples
  affiliate risk scan
  affiliate risk scan --json`;

const listHelp = `
Lists open signals, newest first; with --status those of another status. At most ${maxListed} are listed.

Examples
  affiliate risk list
  affiliate risk list --severity high
  affiliate risk list --status confirmed --json`;

const showHelp = `
Example
  affiliate risk show 12`;

const decideHelp = `
dismissed: there is nothing to it. Payouts are no longer held, and the same kind stays quiet about this affiliate for 90 days, unless its count
doubles. confirmed: it stays, and holds payouts as an open one does. open: to be looked at again.

Examples
  affiliate risk decide 12 --as dismissed --note "She called before she changed her bank."
  affiliate risk decide 12 --as confirmed`;

export function addRisk(program: Command): void {
  const risk = program.command('risk').description('signals of fraud and leaked codes');
  const withSignal = (name: string): Command =>
    risk.command(name).argument('<signal>', 'the id of the signal', recordId('signal', listHint));
  risk.command('scan').description('compute the signals of all affiliates').addHelpText('after', scanHelp).action(printResult(runScan));
  risk
    .command('list')
    .addOption(
      new Option('--status <status>', 'signals of this status').choices(['open', 'confirmed', 'dismissed', 'expired']).default('open'),
    )
    .addOption(new Option('--severity <severity>', 'signals of this severity').choices(['low', 'medium', 'high']))
    .description('list signals, newest first')
    .addHelpText('after', listHelp)
    .action(printResult(list));
  withSignal('show').description('show a signal with its evidence').addHelpText('after', showHelp).action(printResult(show));
  withSignal('decide')
    .addOption(new Option('--as <status>', 'the decision').choices(['dismissed', 'confirmed', 'open']).makeOptionMandatory())
    .option('--note <text>', 'why; only admins see it', '')
    .description('dismiss or confirm a signal, or open it again')
    .addHelpText('after', decideHelp)
    .action(printResult(decide));
}

const runScan = (options: OutputOptions): Promise<CommandResult> =>
  withContext(async ({ database }) => {
    const notify = (sentence: string): void => void (process.stderr.isTTY && process.stderr.write(`${sentence}\n`));
    const masterKey = await openMasterKey(database, readConfiguration(process.env), notify);
    const line = createStatusLine(options);
    const onProgress = (done: number, total: number): void =>
      line.show(
        `${formatProgress(done / total, !supportsBlockCharacters())}  ${formatQuantity(done, 'affiliate')} of ${formatCount(total)}`,
      );
    const outcome = await scan({ storage: database, settings: openSettings(database), masterKey, isFull: true, onProgress })
      .catch((error: unknown) => {
        if (error instanceof ScanInProgressError) throw new CommandError(`${error.message} Try again in a minute.`);
        throw error;
      })
      .finally(() => line.clear());
    if (!outcome) throw new CommandError('The add-on is not active. Run affiliate settings set addons.risk true.');
    const { scanned, opened, expired } = outcome;
    const text = `${formatQuantity(scanned, 'affiliate')} scanned: ${formatQuantity(opened, 'signal')} opened, ${formatCount(expired)} expired. ${listHint}`;
    return { json: outcome, text };
  });

const list = ({ status, severity }: { status: SignalStatus; severity?: RiskSeverity }): Promise<CommandResult> =>
  withExistingDatabase(async ({ database, zone }) => {
    const filter = { status, ...(severity !== undefined && { severity }) };
    const { items, total } = await database.read(({ riskSignals }) => riskSignals.page(filter, { page: 1, perPage: maxListed }));
    const records = items.map((signal) => riskSignalView(signal, zone));
    const rows = records.map(({ id, kind, severity: weight, user_id: userId, count, date_last_seen: seen, text }) => [
      String(id),
      weight,
      kind,
      String(userId),
      formatCount(count),
      seen,
      text,
    ]);
    const columns = [numberColumn('ID'), 'SEVERITY', 'KIND', numberColumn('USER'), numberColumn('COUNT'), 'LAST SEEN', 'WHAT WAS FOUND'];
    const rest = total > rows.length ? `\nThese are the newest ${formatCount(rows.length)} of ${formatQuantity(total, 'signal')}.` : '';
    return { json: records, text: rows.length === 0 ? `There are no signals that are ${status}.` : `${formatTable(columns, rows)}${rest}` };
  });

const show = (id: number): Promise<CommandResult> =>
  withExistingDatabase(async ({ database, zone }) => {
    const signal = await database.read(({ riskSignals }) => riskSignals.byId(id));
    if (!signal) throw new CommandError(`There is no signal ${id}. ${listHint}`);
    return describe(signal, zone);
  });

const decide = (id: number, { as: status, note }: { as: Exclude<SignalStatus, 'expired'>; note: string }): Promise<CommandResult> =>
  withContext(async ({ database, zone, now }) => {
    const signal = await database
      .write((transaction) => decideSignal(transaction, id, { status, note }, { now, userId: 0 }))
      .catch(addHintToNotFound(listHint));
    return describe(signal, zone);
  });

function describe(signal: Signal, zone: string): CommandResult {
  const record = riskSignalView(signal, zone);
  const { id, kind, severity, status, user_id: userId, text, note, evidence } = record;
  const heading = `Signal ${id} (${kind}, ${severity}) about user ${userId} is ${status}.`;
  const rows = evidence.map(({ date, text: what }) => [date, what]);
  return {
    json: record,
    text: [heading, text, ...(note === '' ? [] : [`Note: ${note}`]), '', formatTable(['DATE', 'EVIDENCE'], rows)].join('\n'),
  };
}
