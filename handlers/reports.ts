import { dayOf, dayRange } from '../domain/dates.ts';
import { buildReport } from '../domain/reports/report.ts';
import { isAddOnActive } from '../site/served.ts';
import type { OperationHandler } from './context.ts';
import { reportView } from './views/report.ts';

export const get_reports_summary: OperationHandler<'get_reports_summary'> = async ({ query }, context) => {
  const { settings, storage, now, reports } = context;
  const { top, refresh, interval } = query;
  const today = dayOf(now, settings.store.timezone);
  const range = dayRange(query, today);
  const series = interval ? { interval, today } : null;
  const question = { range, top, series, refresh, withPayouts: isAddOnActive('payouts', settings) };
  const report = await storage.read((db) => buildReport(db, question, reports, now));
  return { status: 200, body: reportView(report, context), cacheable: report.cached };
};
