import type { Command } from 'commander';
import { conversionRate } from '../../domain/clicks/stats.ts';
import { type DayRange, dayRange, localDateTime } from '../../domain/dates.ts';
import { toNumber } from '../../domain/money.ts';
import { buildReport, createReportCaches, type ProgramReport, type ReportStep, readTwelveMonths } from '../../domain/reports/report.ts';
import { reportView } from '../../handlers/views/report.ts';
import { isAddOnActive } from '../../site/served.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { type CommandContext, withExistingDatabase } from '../context.ts';
import { systemCaller } from '../operator.ts';
import {
  asciiSymbols,
  blockSymbols,
  type ChartSymbols,
  formatAmount,
  formatBar,
  formatCount,
  formatMoney,
  formatSparkline,
} from '../terminal/format.ts';
import { CommandError, type CommandResult, calendarDay, type OutputOptions, printResult, wholeNumber } from '../terminal/output.ts';
import { showElapsed } from '../terminal/progress.ts';
import { formatTable, numberColumn } from '../terminal/table.ts';
import { colorize, displayWidth, pad, printable, supportsBlockCharacters } from '../terminal/text.ts';

const examples = `
Totals, the last twelve months and the best affiliates. Sales, commission, orders and clicks are of the requested days; balances,
affiliates and coupons are current. Balances consist of the commission of orders, multi-level shares and the commission of orders that
await payment, which do not count as sales yet. Pending is the commission of orders that are not cleared yet and of open payouts. The twelve months end
with --to. With --json the document is the response of GET /reports/summary, with "months" added.

Examples
  affiliate report
  affiliate report --from 2026-10-01 --to 2026-10-31 --top 3
  affiliate report --json`;

export function addReport(program: Command): void {
  program
    .command('report')
    .description('the program at a glance: totals, the last twelve months, the best affiliates')
    .option('--from <day>', 'the first day, YYYY-MM-DD of the store (default: the very first)', calendarDay('--from'))
    .option('--to <day>', 'the last day (default: today)', calendarDay('--to'))
    .option('--top <number>', 'how many of the best affiliates, 1 to 50', wholeNumber('--top', 1, 50), 10)
    .option('--ascii', 'draw charts with ASCII characters only')
    .addHelpText('after', examples)
    .action(printResult(report));
}

interface ReportOptions extends OutputOptions {
  from?: string;
  to?: string;
  top: number;
  ascii?: true;
}

const report = (options: ReportOptions): Promise<CommandResult> =>
  withExistingDatabase((context) => showElapsed('Computing totals', options, () => createReport(context, options)));

async function createReport({ database, settings, now, today }: CommandContext, options: ReportOptions): Promise<CommandResult> {
  const range = parseRange(options, today);
  const request = { range, top: options.top, refresh: false, withPayouts: isAddOnActive('payouts', settings) };
  const { summary, months } = await database.read(async (db) => ({
    summary: await buildReport(db, request, createReportCaches(), now),
    months: await readTwelveMonths(range.to ?? today, db.reports),
  }));
  const symbols = options.ascii || !supportsBlockCharacters() ? asciiSymbols : blockSymbols;
  return {
    json: { ...reportView(summary, { caller: systemCaller, settings }), months: months.map(monthRecord(settings.store.currency)) },
    text: formatReport({ report: summary, months, store: settings.store, symbols }),
  };
}

function parseRange(options: Pick<ReportOptions, 'from' | 'to'>, today: string): DayRange {
  const { from, to } = options;
  if (from !== undefined && from > (to ?? today)) throw new CommandError(`--from is ${from}, which is after ${to ?? `today, ${today}`}.`);
  return dayRange(options, today);
}

const monthRecord =
  (currency: string) =>
  ({ from, to, ordersCount, sales, commission }: ReportStep) => ({
    month: from.slice(0, 7),
    from,
    to,
    orders_count: ordersCount,
    total_sales: toNumber(sales, currency),
    total_commission: toNumber(commission, currency),
  });

export interface ReportData {
  report: ProgramReport;
  months: readonly ReportStep[];
  store: Settings['store'];
  symbols: ChartSymbols;
}

export const formatReport = (data: ReportData): string =>
  [formatTitle(data), formatTotals(data), formatSources(data), formatYear(data), formatTopAffiliates(data)].join('\n\n');

function formatTitle({ report, store }: ReportData): string {
  const { from, to } = report.range;
  const days = from === null ? (to === null ? 'All time' : `Until ${to}`) : `From ${from} to ${to}`;
  const now = localDateTime(report.sums.at, store.timezone).replace('T', ' ').slice(0, 16);
  return `${colorize('bold', printable(store.name))}\n${days}. Balances as of ${now}, ${store.timezone}.`;
}

type LabeledValue = readonly [label: string, value: string];

/** Two columns: money on the left, counts on the right. */
function formatTotals({ report, store: { currency } }: ReportData): string {
  const { balances, sums } = report;
  const money = (label: string, minor: number): LabeledValue => [label, formatMoney(minor, currency)];
  const count = (label: string, value: number): LabeledValue => [label, formatCount(value)];
  const left = alignValues([
    money('Sales', sums.total.sales),
    money('Commission', sums.total.commission),
    money('Unpaid', balances.unpaid),
    money('Pending', balances.pendingOrder + balances.pendingPayout),
    money('Paid', balances.paid),
  ]);
  const right = alignValues([
    count('Orders', sums.total.ordersCount),
    count('Affiliates', report.affiliates),
    count('Coupons', report.coupons),
    count('Clicks', sums.clicks.clicks),
    ['Conversion', `${conversionRate(sums.clicks).toFixed(1)} %`],
  ]);
  return left.map((line, index) => `${line}      ${right[index] ?? ''}`).join('\n');
}

/** The lines add up to the sum of the balances. */
function formatSources({ report: { balances, sources }, store: { currency } }: ReportData): string {
  const lines: (readonly [label: string, minor: number])[] = [
    ['Commission of orders', sources.referred],
    ['Multi-level shares', sources.multiLevel],
    ['Orders that await payment', sources.awaitingPayment],
    ...(sources.handedOver === 0 ? [] : [['Borne by the store after hand-overs', 0 - sources.handedOver] as const]),
    ...(sources.adjusted === 0 ? [] : [['Bonuses and corrections', sources.adjusted] as const]),
    ...(sources.forfeited === 0 ? [] : [['Forfeited to the store', sources.forfeited] as const]),
    ['Unpaid, pending and paid', balances.unpaid + balances.pendingOrder + balances.pendingPayout + balances.paid],
  ];
  const values = lines.map(([label, minor]): LabeledValue => [label, formatMoney(minor, currency)]);
  return [colorize('bold', 'What the balances consist of'), ...alignValues(values)].join('\n');
}

function alignValues(lines: readonly LabeledValue[]): string[] {
  const labelWidth = Math.max(...lines.map(([label]) => label.length));
  const valueWidth = Math.max(...lines.map(([, value]) => displayWidth(value)));
  return lines.map(([label, value]) => `${colorize('dim', pad(label, labelWidth))}  ${pad(value, valueWidth, 'right')}`);
}

function formatYear({ months, store: { currency }, symbols }: ReportData): string {
  const chart = (name: string, values: readonly number[], formatValue: (value: number) => string): string =>
    `${pad(name, 6)}  ${colorize('cyan', formatSparkline(values, symbols))}  ${formatExtremes(values, months, formatValue)}`;
  const sales = months.map((month) => month.sales);
  const orders = months.map((month) => month.ordersCount);
  const initials = months.map(({ from }) => `${monthName(from).charAt(0)} `).join('');
  return [
    colorize('bold', 'The last twelve months'),
    chart('Sales', sales, (value) => formatMoney(value, currency)),
    chart('Orders', orders, formatCount),
    colorize('dim', `        ${initials}`.trimEnd()),
  ].join('\n');
}

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const monthName = (day: string): string => monthNames[Number(day.slice(5, 7)) - 1] ?? '';

/** `0.00 EUR in Dec to 1,200.00 EUR in Nov` */
function formatExtremes(values: readonly number[], months: readonly ReportStep[], formatValue: (value: number) => string): string {
  const withMonth = (value: number): string => `${formatValue(value)} in ${monthName(months[values.indexOf(value)]?.from ?? '')}`;
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least === most ? `${formatValue(most)} in each` : `${withMonth(least)} to ${withMonth(most)}`;
}

const barCells = 12;

function formatTopAffiliates({ report: { top }, store: { currency }, symbols }: ReportData): string {
  if (top.length === 0) return 'No affiliate has orders in this time.';
  const most = Math.max(...top.map(({ sales }) => sales.commission));
  const rows = top.map(({ user, sales }, index) => [
    String(index + 1),
    user.displayName || user.login,
    formatCount(sales.ordersCount),
    formatAmount(sales.sales, currency),
    formatAmount(sales.commission, currency),
    formatBar(sales.commission, most, symbols, barCells),
  ]);
  const totals = ['ORDERS', `SALES ${currency}`, `COMMISSION ${currency}`].map(numberColumn);
  return `${colorize('bold', 'Top affiliates')}\n${formatTable([numberColumn('#'), 'AFFILIATE', ...totals, ''], rows)}`;
}
