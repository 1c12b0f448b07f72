import { expect } from 'chai';
import { forEachEngine } from '../support/engines.ts';

forEachEngine((engine) => {
  if (engine.name !== 'postgres') return;
  describe('the stored days of the program, on PostgreSQL only', () => {
    it('are looked up by an index, not by a scan, for a few of them', async () => {
      const url = await engine.freshUrl();
      const statements: string[] = [];
      const database = await engine.open({ url, onStatement: (sql) => statements.push(sql) });
      const observer = await engine.observe(url);
      await observer.query(`insert into coupons (code, code_folded, status, created_at)
        select 'C' || i, 'c' || i, 'publish', 0 from generate_series(1, 200) as i`);
      await observer.query(`insert into coupon_days (coupon_id, day, orders_count)
        select id, (date '2020-01-01' + i)::text, 1 from coupons cross join generate_series(1, 1000) as i`);
      await observer.query('vacuum analyze coupon_days');
      const days = Array.from({ length: 16 }, (_, index) => `2020-02-${String(index + 1).padStart(2, '0')}`);
      const read = await database.read(({ reports }) => reports.earnings(days));
      expect(read).to.have.length(16 * 200);
      const statement = statements.find((sql) => sql.includes('coupon_days')) ?? '';
      const plan = await observer.query(`explain ${statement.replace('$1', `'${JSON.stringify(days)}'`)}`);
      expect(JSON.stringify(plan)).to.include('coupon_days_of_day').and.not.include('Seq Scan on coupon_days');
    });

    it('and the stored totals are all that the overview and the ranking of all time read, with applications, adjustments and forfeits, whatever number of coupons there is', async () => {
      const url = await engine.freshUrl();
      const statements: string[] = [];
      const database = await engine.open({ url, onStatement: (sql) => statements.push(sql) });
      const observer = await engine.observe(url);
      await database.read(({ reports }) => Promise.all([reports.overview(), reports.best({ from: null, to: null }, 50)]));
      const plans = await Promise.all(
        statements
          .filter((sql) => /\bfrom (program_standing|affiliate_totals)\b/.test(sql))
          .map((sql) => observer.query(`explain (verbose) ${sql.replace('$1', '50')}`)),
      );
      expect(plans).to.have.length(2);
      const tables = [...JSON.stringify(plans).matchAll(/ on public\.(\w+)/g)].map(([, table]) => table);
      expect([...new Set(tables)].toSorted()).to.deep.equal([
        'adjustments',
        'affiliate_totals',
        'ledger',
        'program_days',
        'program_standing',
        'registrations',
      ]);
    });
  });
});
