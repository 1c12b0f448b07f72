import { type EntityManager, In, LessThan } from 'typeorm';
import { erasedAddress } from '../../domain/mail/mail-queue.ts';
import { openStatuses } from '../../domain/payouts/payout.ts';
import { eraseTexts } from '../../domain/privacy/erase-texts.ts';
import type { ErasureRepository, HeldBalance } from '../../domain/privacy/erasure.ts';
import { normalizeMailbox } from '../../domain/users/mailbox.ts';
import { isAdmin, type User } from '../../domain/users/user.ts';
import { advisoryLocks } from '../engine/dialect.ts';
import { adjustments } from '../entities/adjustments.ts';
import { clicks } from '../entities/clicks.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { coupons } from '../entities/coupons.ts';
import { idempotencyKeys, windowCounters } from '../entities/engine.ts';
import { entities } from '../entities/index.ts';
import { mails } from '../entities/mails.ts';
import { payoutBatches, payouts } from '../entities/payouts.ts';
import { registrations } from '../entities/registrations.ts';
import { oneTimeTokens, users } from '../entities/users.ts';
import { foldCase } from '../sql/conditions.ts';
import { isAmong, jsonRows, jsonTable } from '../sql/insert.ts';
import { columnSources, isPostgres, queryReturning, tryAdvisoryLock } from '../sql/projection.ts';
import { personalDataRepository } from './personal-data.ts';

// By hand: one statement for any number of events, deliveries, mails, applications or clicks. `$1` is the id of the user, or a list of ids.

export const erasureRepository = (manager: EntityManager): ErasureRepository => ({
  lockBalances: (userId) => lockBalances(manager, userId),
  openPayouts: async (userId) =>
    idsOf(await manager.find(payouts, { select: { id: true }, where: { userId, status: In(openStatuses) }, order: { id: 'ASC' } })),
  openBatches: async (userId) => {
    const open = manager.createQueryBuilder(payoutBatches, 'batch').select('batch.id').where("batch.status = 'open'");
    return idsOf(await open.andWhere(hasPayoutOfUser, { userId }).orderBy('batch.id').getMany());
  },
  eraseUser: (user, placeholder, now) => eraseUser(manager, user, placeholder, now),
  claimDeclinedBefore: async (moment, limit) => {
    if (!(await tryAdvisoryLock(manager, advisoryLocks.retention))) return [];
    const where = { status: 'declined', declinedAt: LessThan(moment) } as const;
    return idsOf(await manager.find(registrations, { select: { id: true }, where, order: { id: 'ASC' }, take: limit }));
  },
  eraseApplications: (ids, placeholder) => eraseApplications(manager, ids, placeholder),
  eraseClicksBefore: (moment, limit) => eraseClicksBefore(manager, moment, limit),
});

const idsOf = (rows: readonly { id: number }[]): number[] => rows.map(({ id }) => id);

async function lockBalances(manager: EntityManager, userId: number): Promise<HeldBalance[]> {
  const held = await manager.find(coupons, {
    select: { id: true, code: true, handovers: true, forfeits: true, balances: { unpaid: true, pendingOrder: true } },
    where: { userId },
    order: { id: 'ASC' },
    ...(isPostgres(manager) ? { lock: { mode: 'pessimistic_write' } as const } : {}),
  });
  return held.map(({ id, balances: { unpaid, pendingOrder }, ...coupon }) => ({ couponId: id, ...coupon, unpaid, pendingOrder }));
}

const hasPayoutOfUser = `id in (
  select batch_id from payout_batch_items join payouts on payouts.id = payout_batch_items.payout_id where payouts.user_id = :userId)`;

/** What accounting and the figures need. The rows of all other tables with a user are deleted, also of tables that are added later. */
const staying = new Set([
  'coupons',
  'orders',
  'order_shares',
  'order_days',
  'affiliate_totals',
  'ledger',
  'payouts',
  'invoices',
  'adjustments',
  'visitor_repeats',
  'events',
  // Deleted before, with those that have the address alone.
  'registrations',
]);

const ownTables = entities
  .filter((entity) => columnSources(entity).some(({ column }) => column === 'user_id'))
  .filter(({ options }) => !staying.has(options.name));

async function eraseUser(manager: EntityManager, user: User, placeholder: string, now: number): Promise<number[]> {
  const { id, email } = user;
  // Before what it is found by is deleted.
  await eraseEvents(manager, id, placeholder);
  const applications = (await personalDataRepository(manager).keys('applications', id)).map(Number);
  await eraseDeliveries(manager, [`"user_id":${id}`, ...registrationMarks(applications), JSON.stringify(email)], placeholder);
  const mailIds = await deleteMails(manager, user);
  await eraseApplications(manager, applications, placeholder);
  await forgetAddress(manager, email);
  const repeated = manager.createQueryBuilder().delete().from(idempotencyKeys);
  await repeated.where('answer like :own', { own: `%"user":{"id":${id},%` }).execute();
  for (const table of ownTables) await manager.delete(table, { userId: id });
  await manager.update(adjustments, { userId: id }, { note: placeholder });
  // Often the site of the person, from which the visitors came; and what a link of the person adds to the address of the shop.
  const isOfUser = 'coupon_id in (select id from coupons where user_id = :id)';
  const sites = manager.createQueryBuilder().update(clicks).set({ referrer: null, landingPage: null });
  await sites.where(`${isOfUser} and (referrer is not null or landing_page is not null)`, { id }).execute();
  // Its label may have been written by the user.
  await manager.update(payouts, { userId: id }, { method: () => 'method_type' });
  const files = manager.createQueryBuilder().update(payoutBatches).set({ encryptedFile: null });
  await files.where(hasPayoutOfUser, { userId: id }).execute();
  const address = erasedAddress(placeholder);
  await manager.update(
    users,
    { id },
    {
      login: placeholder,
      loginFolded: placeholder,
      email: address,
      emailFolded: address,
      emailChangedAt: null,
      displayName: placeholder,
      displayNameFolded: placeholder,
      role: isAdmin(user) ? 'customer' : user.role,
      passwordHash: null,
      disabledAt: now,
      profile: {},
      groups: [],
      customFields: {},
    },
  );
  return mailIds;
}

/** As the index `events_of_person` has it. */
const isPersonal = "object_type in ('user', 'registration', 'api_key', 'app_password', 'coupon')";

/** Conditions on events: which are about the user. The info of the first says who; that of payouts and adjustments is the rest. */
const personalEvents = `
  object_type = 'user' and object_id = $1
  or object_type = 'api_key' and object_id in (select id from api_keys where user_id = $1)
  or object_type = 'app_password' and (object_id in (select id from app_passwords where user_id = $1) or data = $2)
  or object_type = 'coupon' and object_id in (select coupon_id from adjustments where user_id = $1)
    and kind in ('commission_added', 'commission_removed') and (data like $3 or data like $4)`;

const transferEvents = "kind = 'coupon_transferred' and info like $1";
const payoutEvents = "object_type = 'payout' and object_id in (select id from payouts where user_id = $1)";

async function eraseEvents(manager: EntityManager, userId: number, placeholder: string): Promise<void> {
  const owner = [`{"user_id":${userId}}`, `%"user_id":${userId},%`, `%"user_id":${userId}}%`];
  await eraseEventTexts(manager, `${isPersonal} and (${personalEvents})`, [userId, ...owner], placeholder);
  await eraseEventTexts(manager, transferEvents, [`%(user ${userId})%`], placeholder);
  await eraseEventTexts(manager, payoutEvents, [userId], placeholder, { keepsInfo: true });
}

async function eraseEventTexts(
  manager: EntityManager,
  where: string,
  values: unknown[],
  placeholder: string,
  { keepsInfo = false } = {},
): Promise<void> {
  const rows: { id: unknown; info: string; data: string | null }[] = await manager.query(
    `select id, info, data from events where ${where}`,
    values,
  );
  const erased = rows.map(({ id, info, data }) => [toSafeInteger(id), keepsInfo ? info : placeholder, eraseJson(data, placeholder)]);
  await manager.query(
    `update events set info = given.new_info, data = given.new_data
     from ${jsonTable(manager, { event_id: 'bigint', new_info: 'text', new_data: 'text' })} as given where events.id = given.event_id`,
    jsonRows(erased),
  );
}

const eraseJson = (data: string | null, placeholder: string): string | null =>
  data === null ? null : JSON.stringify(eraseTexts(JSON.parse(data), placeholder));

const registrationMarks = (ids: readonly number[]): string[] => ids.map((id) => `"registration_id":${id}`);

/** Events of orders have numbers and the code alone, and there may be hundreds of thousands. */
const isOfOrder = `event = 'referral.created' or event like 'commission.%' and data not like '%"order_id":null%'`;

/** Erases the texts of deliveries whose payload has one of these marks, and what receivers have answered. */
async function eraseDeliveries(manager: EntityManager, marks: readonly string[], placeholder: string): Promise<void> {
  if (marks.length === 0) return;
  const isMarked = marks.map((_mark, place) => `lower(data) like $${place + 1} escape '!'`).join(' or ');
  const rows: { id: unknown; data: string }[] = await manager.query(
    `select id, data from webhook_deliveries where (${isMarked}) and not (${isOfOrder})`,
    marks.map((mark) => `%${foldCase(mark).replaceAll(/[!%_]/g, '!$&')}%`),
  );
  // 5 is also the beginning of 57.
  const isOwn = marks.map((mark) => new RegExp(`${escapePattern(mark)}(?!\\d)`, 'i'));
  const own = rows.filter(({ data }) => isOwn.some((pattern) => pattern.test(data)));
  const erased = own.map(({ id, data }) => [toSafeInteger(id), eraseJson(data, placeholder)]);
  await manager.query(
    `update webhook_deliveries set data = given.new_data
     from ${jsonTable(manager, { delivery_id: 'bigint', new_data: 'text' })} as given where webhook_deliveries.id = given.delivery_id`,
    jsonRows(erased),
  );
  await manager.query(`update webhook_attempts set excerpt = '', error = '' where delivery_id ${isAmong(manager, 'bigint')}`, [
    JSON.stringify(erased.map(([id]) => id)),
  ]);
}

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Also those to an earlier address, which are known by the name alone. */
async function deleteMails(manager: EntityManager, { id, displayName, email }: User): Promise<number[]> {
  const applications = await manager.find(registrations, { where: { userId: id }, select: { email: true } });
  const recipients = await recipientsAs(manager, [email, ...applications.map((application) => application.email)]);
  const sql = `delete from mails where recipient ${isAmong(manager, 'text')}
    or recipient_name = $3 and recipient not in (select email from users where id <> $2)
      and recipient not in (select email from registrations where user_id is null or user_id <> $2) returning id`;
  const rows = await queryReturning(manager, sql, [recipients, id, displayName]);
  return rows.map((row) => toSafeInteger(row['id']));
}

/** As JSON: mails have addresses as they were written, and no database folds their letters as they are stored elsewhere. */
async function recipientsAs(manager: EntityManager, addresses: readonly string[]): Promise<string> {
  const folded = new Set(addresses.map(foldCase));
  const rows = await manager.createQueryBuilder(mails, 'mail').select('mail.recipient', 'recipient').distinct().getRawMany();
  return JSON.stringify((rows as { recipient: string }[]).flatMap(({ recipient }) => (folded.has(foldCase(recipient)) ? [recipient] : [])));
}

/** What an address leaves that belongs to no user: applications that wait for their confirmation, and counters. */
async function forgetAddress(manager: EntityManager, email: string): Promise<void> {
  const tokens = await manager.findBy(oneTimeTokens, { purpose: 'confirm-application' });
  const own = tokens.filter(({ data }) => foldCase(String(data['email'])) === foldCase(email));
  await manager.delete(oneTimeTokens, { hash: In(own.map(({ hash }) => hash)) });
  if (isPostgres(manager)) await manager.delete(windowCounters, { name: `application-mails:${normalizeMailbox(email)}` });
}

async function eraseApplications(manager: EntityManager, ids: readonly number[], placeholder: string): Promise<number[]> {
  if (ids.length === 0) return [];
  const list = [JSON.stringify(ids)];
  const isListed = isAmong(manager, 'bigint');
  await eraseEventTexts(manager, `${isPersonal} and object_type = 'registration' and object_id ${isListed}`, list, placeholder);
  await eraseDeliveries(manager, registrationMarks(ids), placeholder);
  const addresses: { email_folded: string }[] = await manager.query(
    `select email_folded from registrations where id ${isListed}
       and email_folded not in (select email_folded from users)
       and email_folded not in (select email_folded from registrations where not id ${isListed})`,
    list,
  );
  const recipients = await recipientsAs(
    manager,
    addresses.map(({ email_folded }) => email_folded),
  );
  const deleted = await queryReturning(manager, `delete from mails where recipient ${isAmong(manager, 'text')} returning id`, [recipients]);
  await manager.query(`delete from registrations where id ${isListed}`, list);
  return deleted.map((row) => toSafeInteger(row['id']));
}

/** Of the visitors that have one of the oldest clicks, all that is old: none is found as the next click of an older one later. */
async function eraseClicksBefore(manager: EntityManager, moment: number, limit: number): Promise<number> {
  if (!(await tryAdvisoryLock(manager, advisoryLocks.retention))) return 0;
  // By coupon, as the index `clicks_once` has them: none has them by their moment alone.
  const old = await manager
    .createQueryBuilder(coupons, 'coupon')
    .innerJoin('clicks', 'clicks', 'clicks.couponId = coupon.id and clicks.clickedAt < :moment', { moment })
    .select('clicks.visitorHash', 'visitor_hash')
    .limit(limit)
    .getRawMany<{ visitor_hash: string }>();
  const values = [JSON.stringify([...new Set(old.map(({ visitor_hash }) => visitor_hash))]), moment];
  const isOld = `visitor_hash ${isAmong(manager, 'text')} and clicked_at < $2`;
  await manager.query(addRepeats(manager), values);
  const erased = await queryReturning<{ visitor_hash: string; day: string }>(
    manager,
    `delete from clicks where ${isOld} returning visitor_hash, day`,
    values,
  );
  const visits = erased.map(({ visitor_hash, day }) => [visitor_hash, day]);
  await manager.query(
    `delete from visitor_days where (visitor_hash, day) in (select visitor, visit_day from ${jsonTable(manager, { visitor: 'text', visit_day: 'text' })} as given)`,
    jsonRows(visits),
  );
  return erased.length;
}

/**
 * Stores what `clickFigures` can no longer count without these clicks. A visitor of several coupons of a user is counted by each: as often as
 * the visits of the coupons less their returns say, instead of once, as the visits of the user less theirs do. A visit and its day are a row with
 * `earlier` = `later`.
 */
const addRepeats = (manager: EntityManager): string => `
  insert into visitor_repeats (user_id, campaign, earlier, later, visitors)
  with seen as (
    select user_id, coupon_id, visitor_hash, day, case named when 1 then clicks.campaign else '' end as campaign, min(clicked_at) as clicked_at
    from clicks join coupons on coupons.id = coupon_id
      join (select 0 as named union all select 1) as filter on named = 0 or clicks.campaign is not null
    where visitor_hash ${isAmong(manager, 'text')} and user_id is not null group by 1, 2, 3, 4, 5
  ), visit as (
    select user_id, campaign, day, clicked_at, 1 as visitors,
      lead(day) over (partition by user_id, campaign, visitor_hash, coupon_id order by day) as next from seen
    union all
    select user_id, campaign, day, clicked_at, -1, lead(day) over (partition by user_id, campaign, visitor_hash order by day) from (
      select user_id, campaign, visitor_hash, day, min(clicked_at) as clicked_at from seen group by 1, 2, 3, 4) as of_user
  )
  select user_id, campaign, earlier, later, sum(visitors) from (
    select user_id, campaign, day as earlier, day as later, visitors from visit where clicked_at < $2
    union all
    select user_id, campaign, day, next, -visitors from visit where clicked_at < $2 and next is not null
  ) as change group by 1, 2, 3, 4 having sum(visitors) <> 0
  on conflict (user_id, campaign, earlier, later) do update set visitors = visitor_repeats.visitors + excluded.visitors`;
