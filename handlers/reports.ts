import { dayOf } from '../domain/dates.ts';
import { dayRange } from '../domain/range.ts';
import { summarise } from '../domain/reports/summary.ts';
import type { Operation } from './context.ts';
import { reportView } from './views/report.ts';

export const get_reports_summary: Operation<'get_reports_summary'> = async ({ query }, context) => {
  const { settings, storage, now, reports } = context;
  const { top, refresh } = query;
  const question = { range: dayRange(query, dayOf(now, settings.store.timezone)), top, refresh };
  const report = await storage.read((stores) => summarise(stores, question, reports, now));
  return { status: 200, body: reportView(report, context) };
};
