import { type IntervalStep, splitRange } from '../figures/intervals.ts';
import type { ReportStore, Sales } from './store.ts';

/** A month, or as much of it as there is until the last day. */
export type ReportMonth = IntervalStep & Sales;

const nothing: Sales = { ordersCount: 0, sales: 0, discount: 0, commission: 0 };

/** The twelve months that end with the day, oldest first, also those without orders. */
export async function readTwelveMonths(lastDay: string, reports: ReportStore): Promise<ReportMonth[]> {
  const range = { from: firstOfYear(lastDay), to: lastDay };
  const byMonth = new Map((await reports.salesByMonth(range)).map(({ month, ...sales }) => [month, sales]));
  return splitRange(range, 'month').map((step) => ({ ...step, ...(byMonth.get(step.from.slice(0, 7)) ?? nothing) }));
}

function firstOfYear(lastDay: string): string {
  const date = new Date(`${lastDay.slice(0, 7)}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() - 11);
  return date.toISOString().slice(0, 10);
}
