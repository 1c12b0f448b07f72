import type { EntityManager, EntitySchema } from 'typeorm';
import type { PersonalDataRepository, PersonalRow, PersonalSection, RowKey } from '../../domain/privacy/personal-data.ts';
import { adjustments } from '../entities/adjustments.ts';
import { clickTotals } from '../entities/clicks.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { coupons } from '../entities/coupons.ts';
import { events } from '../entities/events.ts';
import { ledger } from '../entities/ledger.ts';
import { mails } from '../entities/mails.ts';
import { orders } from '../entities/orders.ts';
import { invoices, payouts } from '../entities/payouts.ts';
import { registrations } from '../entities/registrations.ts';
import { apiKeys, appPasswords, devices, secondFactors, sessions, users } from '../entities/users.ts';
import { isAmong } from '../sql/insert.ts';
import { type ColumnSource, columnSources, isPostgres, Projection, selectRows } from '../sql/projection.ts';

// By hand: whole tables by their own column names, and lists of hundreds of thousands of keys as one JSON text.

export const personalDataRepository = (manager: EntityManager): PersonalDataRepository => ({
  keys: (section, userId) => listKeys(manager, sections[section], userId),
  rows: (section, keys) => readRows(manager, sections[section], keys),
  count: (section, userId) => countRows(manager, sections[section], userId),
});

interface Section {
  table: string;
  key: ColumnSource;
  columns: Projection<PersonalRow>;
  /** `$1` is the id of the user. */
  where: string;
}

/** Secrets, and texts that are stored twice for comparison. */
const isOmitted = /hash|token|secret|encrypted|folded/;

const byItsName = (source: ColumnSource): ColumnSource => ({ ...source, path: [source.column] });

/** All columns of a table, so that a new one is exported too. */
function sectionOf<Row extends object>(entity: EntitySchema<Row>, where: string, key = 'id', omitted: readonly string[] = []): Section {
  const sources = columnSources(entity);
  const found = sources.find(({ column }) => column === key);
  if (!found) throw new Error(`There is no column ${key}.`);
  const columns = sources.filter(({ column }) => !isOmitted.test(column) && !omitted.includes(column));
  return { table: entity.options.name, key: found, columns: new Projection(columns.map(byItsName)), where };
}

const ownCoupons = 'select id from coupons where user_id = $1';

/** Without what the coupon brought its former owner. Few coupons ever change hands, so that the feed is searched for those alone. */
const ownMovements = `coupon_id in (${ownCoupons}) and (
  coupon_id in (${ownCoupons} and handovers = 0) or created_at >= coalesce((
    select max(event.created_at) from events as event
    where event.object_type in ('user', 'registration', 'api_key', 'app_password', 'coupon') and event.object_type = 'coupon'
      and event.object_id = ledger.coupon_id and event.kind = 'coupon_transferred'), 0))`;

/** The application's address need not be the user's. */
export const ownAddresses = 'select email from users where id = $1 union select email from registrations where user_id = $1';

const ownApplications = 'user_id = $1 or email_folded = (select email_folded from users where id = $1)';

const sections: Record<PersonalSection, Section> = {
  account: sectionOf(users, 'id = $1'),
  coupons: sectionOf(coupons, 'user_id = $1'),
  orders: sectionOf(orders, '(coupon_id, handovers) in (select id, handovers from coupons where user_id = $1)', 'order_id'),
  movements: sectionOf(ledger, ownMovements),
  payouts: sectionOf(payouts, 'user_id = $1'),
  invoices: sectionOf(invoices, 'user_id = $1'),
  adjustments: sectionOf(adjustments, 'user_id = $1'),
  applications: sectionOf(registrations, ownApplications),
  clicks: sectionOf(clickTotals, `coupon_id in (${ownCoupons})`, 'coupon_id'),
  keys: sectionOf(apiKeys, 'user_id = $1'),
  application_passwords: sectionOf(appPasswords, 'user_id = $1'),
  sessions: sectionOf(sessions, 'user_id = $1', 'hash'),
  known_browsers: sectionOf(devices, 'user_id = $1', 'hash'),
  second_factor: sectionOf(secondFactors, 'user_id = $1', 'user_id'),
  // Without the texts, which are removed after sending and may have links before.
  mails: sectionOf(mails, `recipient in (${ownAddresses})`, 'id', ['text', 'html']),
  // Without what it says, which may be about others.
  activity: sectionOf(events, 'user_id = $1', 'id', ['ordinal', 'info', 'data']),
};

async function listKeys(manager: EntityManager, { table, key, where }: Section, userId: number): Promise<RowKey[]> {
  const list = isPostgres(manager) ? 'json_agg(key)::text' : 'json_group_array(key)';
  const sql = `select ${list} as keys from (select ${key.column} as key from ${table} where ${where} order by ${key.column}) as own`;
  const [row]: { keys: string | null }[] = await manager.query(sql, [userId]);
  return JSON.parse(row?.keys ?? '[]');
}

const readRows = (manager: EntityManager, { table, key, columns }: Section, keys: readonly RowKey[]): Promise<PersonalRow[]> =>
  selectRows(
    manager,
    columns,
    `select ${columns.list()} from ${table} where ${key.column} ${isAmong(manager, key.type)} order by ${key.column}`,
    [JSON.stringify(keys)],
  );

async function countRows(manager: EntityManager, { table, where }: Section, userId: number): Promise<number> {
  const [row]: { total: unknown }[] = await manager.query(`select count(*) as total from ${table} where ${where}`, [userId]);
  return toSafeInteger(row?.total);
}
