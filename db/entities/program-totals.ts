import { bigint, entity, primary, text, withDefault } from './columns.ts';
import { balanceColumns, sourceColumns } from './coupons.ts';
import { salesColumns } from './figures.ts';

// Kept by triggers, which their migrations create. `program_totals` is a table on SQLite and a view on PostgreSQL.

const clickColumns = { clicks: withDefault(bigint('clicks'), 0), conversions: withDefault(bigint('conversions'), 0) };

export const programDays = entity('program_days', {
  day: primary(text('day')),
  part: primary(bigint('part')),
  version: bigint('version'),
  couponsCount: withDefault(bigint('coupons_count'), 0),
  ...salesColumns,
  ...clickColumns,
});

export const programVersions = entity('program_versions', {
  what: primary(text<'orders' | 'clicks' | 'owners'>('what')),
  part: primary(bigint('part')),
  version: bigint('version'),
});

export const affiliateTotals = entity('affiliate_totals', {
  userId: primary(bigint('user_id')),
  published: withDefault(bigint('published'), 0),
  ...salesColumns,
});

/** One row without a key, which TypeORM accepts of views alone. */
export const programTotals = entity('program_totals', { version: text('version'), ...salesColumns, ...clickColumns }, {}, 'view');

export const programOverview = entity(
  'program_standing',
  {
    part: primary(bigint('part')),
    affiliates: withDefault(bigint('affiliates'), 0),
    coupons: withDefault(bigint('coupons'), 0),
  },
  { balances: balanceColumns, sources: sourceColumns },
);
