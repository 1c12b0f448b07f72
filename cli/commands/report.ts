import type { Command } from 'commander';
import { toNumber } from '../../domain/money.ts';
import { type DayRange, dayRange } from '../../domain/range.ts';
import { ReportCache } from '../../domain/reports/cache.ts';
import { Standings } from '../../domain/reports/leaderboard.ts';
import { type ReportMonth, yearUntil } from '../../domain/reports/months.ts';
import { summarise } from '../../domain/reports/summary.ts';
import { reportView } from '../../handlers/views/report.ts';
import { isActive } from '../../site/served.ts';
import { type Session, withStore } from '../session.ts';
import { ascii, blocks } from '../terminal/charts.ts';
import { type Answer, answering, type OutputOptions } from '../terminal/output.ts';
import { Refusal } from '../terminal/refusal.ts';
import { knowsBlocks } from '../terminal/terminal.ts';
import { whileBusy } from '../terminal/waiting.ts';
import { dayGiven } from './day-input.ts';
import { operatorAsNobody } from './operator.ts';
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
    .action(answering(report));
}

interface ReportOptions extends OutputOptions {
  from?: string;
  to?: string;
  top: string;
  ascii?: true;
}

async function report(options: ReportOptions): Promise<Answer> {
  const days = daysOf(options);
  const top = /^[1-9]\d?$/.test(options.top) ? Number(options.top) : Number.NaN;
  if (!(top <= 50)) throw new Refusal(`--top is "${options.top}". It must be a whole number from 1 to 50.`);
  return withStore((session) => whileBusy('Adding up', options, () => answerOf(session, rangeOf(days, session.today), top, options)));
}

async function answerOf(session: Session, range: DayRange, top: number, options: ReportOptions): Promise<Answer> {
  const { database, settings, now, today } = session;
  const question = { range, top, refresh: false, withPayouts: isActive('payouts', settings) };
  const { summary, months } = await database.read(async (stores) => ({
    summary: await summarise(stores, question, { cache: new ReportCache(), standings: new Standings() }, now),
    months: await yearUntil(range.to ?? today, stores.reports),
  }));
  const pens = options.ascii || !knowsBlocks() ? ascii : blocks;
  return {
    json: { ...reportView(summary, { caller: operatorAsNobody, settings }), months: months.map(monthRecord(settings.store.currency)) },
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
    throw new Refusal(`--from is ${from}, which is after ${days.to === undefined ? 'today, ' : ''}${to}.`);
  return dayRange(days, today);
}
