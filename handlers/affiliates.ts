import { listAffiliates, readAffiliate, readAffiliateStatistics } from '../domain/affiliates/reading.ts';
import { dayOf, dayRange } from '../domain/dates.ts';
import type { OperationHandler } from './context.ts';
import { affiliateDetailView, affiliateView } from './views/affiliate.ts';
import { affiliateStatsView } from './views/stats.ts';
import { totals } from './views/user.ts';

export const get_affiliates: OperationHandler<'get_affiliates'> = async ({ query }, context) => {
  const { page, per_page: perPage, search, orderby, order } = query;
  const { items, total } = await context.storage.read((db) =>
    listAffiliates(db, search, { by: orderby, direction: order }, { page, perPage }),
  );
  return {
    status: 200,
    body: items.map((affiliate) => affiliateView(affiliate, context)),
    headers: totals(total, perPage),
    cacheable: true,
  };
};

export const get_affiliates_id: OperationHandler<'get_affiliates_id'> = async ({ path }, context) => {
  const reading = await context.storage.read((db) => readAffiliate(db, context.caller, path.id));
  return { status: 200, body: affiliateDetailView(reading, context), cacheable: true };
};

export const get_affiliates_id_stats: OperationHandler<'get_affiliates_id_stats'> = async ({ path, query }, context) => {
  const { caller, settings, storage, now, ranges } = context;
  const range = dayRange(query, dayOf(now, settings.store.timezone));
  const question = { range, interval: query.interval };
  const statistics = await storage.read((db) => readAffiliateStatistics(db, caller, path.id, question, ranges));
  return { status: 200, body: affiliateStatsView(statistics, range, settings), cacheable: statistics.source === 'cache' };
};
