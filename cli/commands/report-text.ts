import { conversionRate } from '../../domain/clicks/rate.ts';
import { localDateTime } from '../../domain/dates.ts';
import type { ReportMonth } from '../../domain/reports/months.ts';
import type { Report } from '../../domain/reports/summary.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { amount, counted, money } from '../terminal/amounts.ts';
import { bar, type Pens, sparkLine } from '../terminal/charts.ts';
import { figure, table } from '../terminal/table.ts';
import { colored, padded, printable, widthOf } from '../terminal/terminal.ts';

export interface Shown {
  report: Report;
  months: readonly ReportMonth[];
  store: Settings['store'];
  pens: Pens;
}

/** The report as people like to look at it. */
export function reportText(shown: Shown): string {
  return [title(shown), headline(shown), year(shown), best(shown)].join('\n\n');
}

function title({ report, store }: Shown): string {
  const { from, to } = report.range;
  const days = from === null ? (to === null ? 'All time' : `Until ${to}`) : `From ${from} to ${to}`;
  const now = localDateTime(report.sums.at, store.timezone).replace('T', ' ').slice(0, 16);
  return `${colored('bold', printable(store.name))}\n${days}. Balances as of ${now}, ${store.timezone}.`;
}

type Line = readonly [name: string, value: string];

/** Two columns: what was sold in the range and how many took part, then what is owed now. */
function headline({ report, store: { currency } }: Shown): string {
  const { total, clicks } = report.sums;
  const owed = report.balances;
  const left: Line[] = [
    ['Sales', money(total.sales, currency)],
    ['Commission', money(total.commission, currency)],
    ['Unpaid', money(owed.unpaid, currency)],
    ['Pending', money(owed.pendingOrder + owed.pendingPayout, currency)],
    ['Paid', money(owed.paid, currency)],
  ];
  const right: Line[] = [
    ['Orders', counted(total.ordersCount)],
    ['Affiliates', counted(report.affiliates)],
    ['Coupons', counted(report.coupons)],
    ['Clicks', counted(clicks.clicks)],
    ['Conversion', `${conversionRate(clicks).toFixed(1)} %`],
  ];
  return sideBySide(aligned(left), aligned(right));
}

function aligned(lines: readonly Line[]): string[] {
  const name = Math.max(...lines.map(([name]) => name.length));
  const value = Math.max(...lines.map(([, value]) => widthOf(value)));
  return lines.map(([label, text]) => `${colored('dim', padded(label, name))}  ${padded(text, value, 'right')}`);
}

const sideBySide = (left: readonly string[], right: readonly string[]): string =>
  left.map((line, index) => `${line}      ${right[index] ?? ''}`).join('\n');

function year({ months, store: { currency }, pens }: Shown): string {
  const chart = (name: string, values: readonly number[], inWords: (value: number) => string): string =>
    `${padded(name, 6)}  ${colored('cyan', sparkLine(values, pens))}  ${extremes(values, months, inWords)}`;
  const letters = months.map(({ from }) => `${monthName(from).charAt(0)} `).join('');
  return [
    colored('bold', 'The last twelve months'),
    chart(
      'Sales',
      months.map(({ sales }) => sales),
      (value) => money(value, currency),
    ),
    chart(
      'Orders',
      months.map(({ ordersCount }) => ordersCount),
      counted,
    ),
    colored('dim', `        ${letters}`.trimEnd()),
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
    counted(sales.ordersCount),
    amount(sales.sales, currency),
    amount(sales.commission, currency),
    bar(sales.commission, most, pens, cells),
  ]);
  const columns = [figure('#'), 'AFFILIATE', figure('ORDERS'), figure(`SALES ${currency}`), figure(`COMMISSION ${currency}`), ''];
  return `${colored('bold', 'Top affiliates')}\n${table(columns, rows)}`;
}
