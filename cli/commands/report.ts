import type { Command } from 'commander';
import { toNumber } from '../../domain/money.ts';
import { type DayRange, dayRange } from '../../domain/range.ts';
import { ReportCache } from '../../domain/reports/cache.ts';
import { Standings } from '../../domain/reports/leaderboard.ts';
import { type ReportMonth, yearUntil } from '../../domain/reports/months.ts';
import { summarise } from '../../domain/reports/summary.ts';
import { reportView } from '../../handlers/views/report.ts';
import { isAddOnActive } from '../../site/served.ts';
import { type CommandContext, withExistingDatabase } from '../context.ts';
import { systemCaller } from '../operator.ts';
import { CommandError } from '../terminal/errors.ts';
import { asciiSymbols, blockSymbols } from '../terminal/format.ts';
import { type CommandResult, type OutputOptions, printResult } from '../terminal/output.ts';
import { showElapsed } from '../terminal/progress.ts';
import { supportsBlockCharacters } from '../terminal/text.ts';
import { dayGiven } from './day-input.ts';
import { reportText } from './report-text.ts';

const examples = `
Totals, the last twelve months and the best affiliates. Sales, commission, orders and clicks are of the days that are asked for; balances,
affiliates and coupons are of now. Pending is what orders still clear and what payouts are under way. The twelve months end with --to.
With --json it is what GET /reports/summary answers, and "months".

Examples
  affiliate report
  affiliate report --from 2026-10-01 --to 2026-10-31 --top 3
  affiliate report --json`;

export function addReport(program: Command): void {
  program
    .command('report')
    .description('the program at a glance: totals, the last twelve months, the best affiliates')
    .option('--from <day>', 'the first day, YYYY-MM-DD of the store (default: the very first)')
    .option('--to <day>', 'the last day (default: today)')
    .option('--top <number>', 'how many of the best affiliates, 1 to 50', '10')
    .option('--ascii', 'draw with characters that every terminal has')
    .addHelpText('after', examples)
    .action(printResult(report));
}

interface ReportOptions extends OutputOptions {
  from?: string;
  to?: string;
  top: string;
  ascii?: true;
}

async function report(options: ReportOptions): Promise<CommandResult> {
  const days = daysOf(options);
  const top = /^[1-9]\d?$/.test(options.top) ? Number(options.top) : Number.NaN;
  if (!(top <= 50)) throw new CommandError(`--top is "${options.top}". It must be a whole number from 1 to 50.`);
  return withExistingDatabase((session) =>
    showElapsed('Adding up', options, () => answerOf(session, rangeOf(days, session.today), top, options)),
  );
}

async function answerOf(session: CommandContext, range: DayRange, top: number, options: ReportOptions): Promise<CommandResult> {
  const { database, settings, now, today } = session;
  const question = { range, top, refresh: false, withPayouts: isAddOnActive('payouts', settings) };
  const { summary, months } = await database.read(async (stores) => ({
    summary: await summarise(stores, question, { cache: new ReportCache(), standings: new Standings() }, now),
    months: await yearUntil(range.to ?? today, stores.reports),
  }));
  const pens = options.ascii || !supportsBlockCharacters() ? asciiSymbols : blockSymbols;
  return {
    json: { ...reportView(summary, { caller: systemCaller, settings }), months: months.map(monthRecord(settings.store.currency)) },
    text: reportText({ report: summary, months, store: settings.store, pens }),
  };
}

const monthRecord =
  (currency: string) =>
  ({ from, to, ordersCount, sales, commission }: ReportMonth) => ({
    month: from.slice(0, 7),
    from,
    to,
    orders_count: ordersCount,
    total_sales: toNumber(sales, currency),
    total_commission: toNumber(commission, currency),
  });

interface Days {
  from?: string;
  to?: string;
}

const daysOf = ({ from, to }: ReportOptions): Days => ({
  ...(from !== undefined && { from: dayGiven('--from', from) }),
  ...(to !== undefined && { to: dayGiven('--to', to) }),
});

function rangeOf(days: Days, today: string): DayRange {
  const { from, to = today } = days;
  if (from !== undefined && from > to)
    throw new CommandError(`--from is ${from}, which is after ${days.to === undefined ? 'today, ' : ''}${to}.`);
  return dayRange(days, today);
}
