import { conversionRate } from '../../domain/clicks/rate.ts';
import { localDateTime } from '../../domain/dates.ts';
import type { ReportMonth } from '../../domain/reports/months.ts';
import type { Report } from '../../domain/reports/summary.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { type ChartSymbols, formatAmount, formatBar, formatCount, formatMoney, formatSparkline } from '../terminal/format.ts';
import { formatTable, numberColumn } from '../terminal/table.ts';
import { colorize, displayWidth, pad, printable } from '../terminal/text.ts';

export interface Shown {
  report: Report;
  months: readonly ReportMonth[];
  store: Settings['store'];
  pens: ChartSymbols;
}

/** The report as people like to look at it. */
export function reportText(shown: Shown): string {
  return [title(shown), headline(shown), year(shown), best(shown)].join('\n\n');
}

function title({ report, store }: Shown): string {
  const { from, to } = report.range;
  const days = from === null ? (to === null ? 'All time' : `Until ${to}`) : `From ${from} to ${to}`;
  const now = localDateTime(report.sums.at, store.timezone).replace('T', ' ').slice(0, 16);
  return `${colorize('bold', printable(store.name))}\n${days}. Balances as of ${now}, ${store.timezone}.`;
}

type Line = readonly [name: string, value: string];

/** Two columns: what was sold in the range and how many took part, then what is owed now. */
function headline({ report, store: { currency } }: Shown): string {
  const { total, clicks } = report.sums;
  const owed = report.balances;
  const left: Line[] = [
    ['Sales', formatMoney(total.sales, currency)],
    ['Commission', formatMoney(total.commission, currency)],
    ['Unpaid', formatMoney(owed.unpaid, currency)],
    ['Pending', formatMoney(owed.pendingOrder + owed.pendingPayout, currency)],
    ['Paid', formatMoney(owed.paid, currency)],
  ];
  const right: Line[] = [
    ['Orders', formatCount(total.ordersCount)],
    ['Affiliates', formatCount(report.affiliates)],
    ['Coupons', formatCount(report.coupons)],
    ['Clicks', formatCount(clicks.clicks)],
    ['Conversion', `${conversionRate(clicks).toFixed(1)} %`],
  ];
  return sideBySide(aligned(left), aligned(right));
}

function aligned(lines: readonly Line[]): string[] {
  const name = Math.max(...lines.map(([name]) => name.length));
  const value = Math.max(...lines.map(([, value]) => displayWidth(value)));
  return lines.map(([label, text]) => `${colorize('dim', pad(label, name))}  ${pad(text, value, 'right')}`);
}

const sideBySide = (left: readonly string[], right: readonly string[]): string =>
  left.map((line, index) => `${line}      ${right[index] ?? ''}`).join('\n');

function year({ months, store: { currency }, pens }: Shown): string {
  const chart = (name: string, values: readonly number[], inWords: (value: number) => string): string =>
    `${pad(name, 6)}  ${colorize('cyan', formatSparkline(values, pens))}  ${extremes(values, months, inWords)}`;
  const letters = months.map(({ from }) => `${monthName(from).charAt(0)} `).join('');
  return [
    colorize('bold', 'The last twelve months'),
    chart(
      'Sales',
      months.map(({ sales }) => sales),
      (value) => formatMoney(value, currency),
    ),
    chart(
      'Orders',
      months.map(({ ordersCount }) => ordersCount),
      formatCount,
    ),
    colorize('dim', `        ${letters}`.trimEnd()),
  ].join('\n');
}

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const monthName = (day: string): string => monthNames[Number(day.slice(5, 7)) - 1] ?? '';

function extremes(values: readonly number[], months: readonly ReportMonth[], inWords: (value: number) => string): string {
  const told = (value: number): string => `${inWords(value)} in ${monthName(months[values.indexOf(value)]?.from ?? '')}`;
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least === most ? `${inWords(most)} in each` : `${told(least)} to ${told(most)}`;
}

const cells = 12;

function best({ report: { top }, store: { currency }, pens }: Shown): string {
  if (top.length === 0) return 'No affiliate has orders in this time.';
  const most = Math.max(...top.map(({ sales }) => sales.commission));
  const rows = top.map(({ user, sales }, index) => [
    String(index + 1),
    user.displayName || user.login,
    formatCount(sales.ordersCount),
    formatAmount(sales.sales, currency),
    formatAmount(sales.commission, currency),
    formatBar(sales.commission, most, pens, cells),
  ]);
  const columns = [
    numberColumn('#'),
    'AFFILIATE',
    numberColumn('ORDERS'),
    numberColumn(`SALES ${currency}`),
    numberColumn(`COMMISSION ${currency}`),
    '',
  ];
  return `${colorize('bold', 'Top affiliates')}\n${formatTable(columns, rows)}`;
}
