import { changeAccountStatus, findInvitee } from '../domain/affiliates/account.ts';
import { listAffiliates, readAffiliate, readAffiliateClicks, readAffiliateStatistics } from '../domain/affiliates/reading.ts';
import { dayOf, dayRange, localDateTime } from '../domain/dates.ts';
import { ApiError } from '../domain/errors.ts';
import { countLinkMail, sendInvitation } from '../domain/users/password-links.ts';
import { buildProgram } from '../site/program.ts';
import { isAddOnActive } from '../site/served.ts';
import type { OperationHandler } from './context.ts';
import { affiliateDetailView, affiliateView } from './views/affiliate.ts';
import { affiliateClicksView } from './views/clicks.ts';
import { affiliateStatsView } from './views/stats.ts';
import { totals } from './views/user.ts';

export const get_affiliates: OperationHandler<'get_affiliates'> = async ({ query }, context) => {
  const { page, per_page: perPage, search, coupons, status, orderby, order } = query;
  const filter = { search, coupons, status, searchesCodes: isAddOnActive('management', context.settings) };
  const { items, total } = await context.storage.read((db) =>
    listAffiliates(db, filter, { by: orderby, direction: order }, { page, perPage }),
  );
  return {
    status: 200,
    body: items.map((affiliate) => affiliateView(affiliate, context)),
    headers: totals(total, perPage),
    cacheable: true,
  };
};

export const get_affiliates_id: OperationHandler<'get_affiliates_id'> = async ({ path }, context) => {
  const withSources = isAddOnActive('insights', context.settings);
  const reading = await context.storage.read((db) => readAffiliate(db, context.caller, path.id, { withSources }));
  return { status: 200, body: affiliateDetailView(reading, context), cacheable: true };
};

export const get_affiliates_id_stats: OperationHandler<'get_affiliates_id_stats'> = async ({ path, query }, context) => {
  const { caller, settings, storage, now, ranges } = context;
  const today = dayOf(now, settings.store.timezone);
  const range = dayRange(query, today);
  const question = { range, interval: query.interval, today };
  const statistics = await storage.read((db) => readAffiliateStatistics(db, caller, path.id, question, ranges));
  return { status: 200, body: affiliateStatsView(statistics, range, settings), cacheable: statistics.source === 'cache' };
};

export const get_affiliates_id_clicks: OperationHandler<'get_affiliates_id_clicks'> = async ({ path, query }, context) => {
  const { caller, settings, now } = context;
  const zone = settings.store.timezone;
  const today = dayOf(now, zone);
  const question = { campaign: query.campaign ?? null, zone, range: dayRange(query, today), interval: query.interval, today };
  const stats = await context.readHeavy((db) => readAffiliateClicks(db, caller, path.id, question));
  return { status: 200, body: affiliateClicksView(stats, { userId: path.id, ...question }), cacheable: true };
};

export const post_affiliates_id_invitation: OperationHandler<'post_affiliates_id_invitation'> = async ({ path }, context) => {
  const { caller, settings, storage, now, random, counters } = context;
  const sender = buildProgram(settings);
  const affiliate = await storage.read((db) => findInvitee(db, caller, path.id, sender.serviceUrl));
  const secondsLeft = await countLinkMail(counters, affiliate.id);
  if (secondsLeft > 0) throw tooManyMails(secondsLeft);
  const expiresAt = await storage.write((transaction) => sendInvitation(transaction, affiliate, { now, random, sender }));
  return { status: 200, body: { email: affiliate.email, date_expires: localDateTime(expiresAt, settings.store.timezone) } };
};

const tooManyMails = (secondsLeft: number): ApiError =>
  new ApiError('svc_api_rate_limited', {
    message: 'This account was sent three links within an hour.',
    data: { retry_after: secondsLeft },
  });

export const post_affiliates_id_status: OperationHandler<'post_affiliates_id_status'> = async ({ path, body }, context) => {
  const { caller, settings, storage, now } = context;
  const reading = await storage.write(async (transaction) => {
    await changeAccountStatus(transaction, caller, { id: path.id, status: body.status }, now);
    return readAffiliate(transaction, caller, path.id, { withSources: isAddOnActive('insights', settings) });
  });
  return { status: 200, body: affiliateDetailView(reading, context) };
};
