import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { migrations } from '../../db/migrations/index.ts';
import { forEachEngine, type Observer } from '../support/engines.ts';

const migrationIndex = migrations.findIndex(({ name }) => name.endsWith('keep-days-of-program'));

forEachEngine((engine) => {
  if (engine.name !== 'postgres') return;
  describe('the stored days of the program, on PostgreSQL only', () => {
    const coupon = `insert into coupons (code, code_folded, status, created_at) values ('C', 'c', 'publish', 0)`;
    const sell = (day: string): string => `insert into coupon_days (coupon_id, day, orders_count) values (1, '${day}', 1)`;

    async function waitForLock(observer: Observer): Promise<void> {
      const waiting = `select 1 from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())`;
      for (let attempt = 0; attempt < 500; attempt += 1) {
        if ((await observer.query(waiting)).length > 0) return;
        await pause(10);
      }
      throw new Error('No statement waits for a lock.');
    }

    it('include what is written while the migration creates them', async () => {
      const url = await engine.emptyUrl();
      await (await engine.open({ url, migrations: migrations.slice(0, migrationIndex) })).migrate();
      const [writer, observer] = [await engine.observe(url), await engine.observe(url)];
      for (const statement of [coupon, sell('2026-01-01'), 'begin', sell('2026-01-02')]) await writer.query(statement);
      const migrating = (await engine.open({ url })).migrate();
      await waitForLock(observer);
      await writer.query('commit');
      await migrating;
      expect(await observer.query('select day, orders_count from program_days order by day')).to.deep.equal([
        { day: '2026-01-01', orders_count: '1' },
        { day: '2026-01-02', orders_count: '1' },
      ]);
    });

    it('keep a view of the operator that selects from the totals', async () => {
      const url = await engine.emptyUrl();
      await (await engine.open({ url, migrations: migrations.slice(0, migrationIndex) })).migrate();
      const observer = await engine.observe(url);
      for (const statement of [coupon, sell('2026-01-01')]) await observer.query(statement);
      await observer.query('create view sold_by_all as select orders_count from program_totals');
      await (await engine.open({ url })).migrate();
      expect(await observer.query('select * from sold_by_all')).to.deep.equal([{ orders_count: '1' }]);
    });

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
  });
});
