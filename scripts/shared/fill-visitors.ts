/** A click counts for its coupon and for all (0), for its campaign and for all (''). */
const filters = ['coupon_id', '0'].flatMap((coupon) => [
  { coupon, campaign: "''", where: '' },
  { coupon, campaign: 'campaign', where: 'where campaign is not null' },
]);

const month = (day: string): string => `substr(${day}, 1, 7)`;

const sumReturns = (grain: string, earlier: string, later: string, where: string): string => `
  insert into visitor_returns (coupon_id, campaign, grain, earlier, later, part, visitors)
  select coupon_id, campaign, '${grain}', ${earlier}, ${later}, 0, sum(visitors) from visitor_returns
  where grain = 'dd' ${where} group by 1, 2, 4, 5`;

const acrossMonths = `and ${month('earlier')} <> ${month('later')}`;

/** Fills the empty tables of visitors from clicks that were inserted by SQL. */
export const fillVisitors: readonly string[] = [
  // In the order of the key: SQLite takes many times as long for rows in another.
  `insert into visitor_days (visitor_hash, coupon_id, campaign, day)
   ${filters
     .map(({ coupon, campaign, where }) => `select visitor_hash, ${coupon}, ${campaign}, day from clicks ${where}`)
     .join(' union ')} order by 1, 2, 3, 4`,
  ...filters.map(
    ({ coupon, campaign, where }) => `
      insert into visitor_counts (coupon_id, campaign, day, part, clicks, conversions, visitors)
      select ${coupon}, ${campaign}, day, 0, count(*), count(converted_order_id), count(distinct visitor_hash)
      from clicks ${where} group by 1, 2, 3`,
  ),
  `insert into visitor_returns (coupon_id, campaign, grain, earlier, later, part, visitors)
   select coupon_id, campaign, 'dd', earlier, day, 0, count(*) from (
     select coupon_id, campaign, day, lag(day) over (partition by visitor_hash, coupon_id, campaign order by day) as earlier from visitor_days
   ) as visit where earlier is not null group by 1, 2, 4, 5`,
  sumReturns('dm', 'earlier', month('later'), acrossMonths),
  sumReturns('md', month('earlier'), 'later', acrossMonths),
  sumReturns('mm', month('earlier'), month('later'), ''),
];
