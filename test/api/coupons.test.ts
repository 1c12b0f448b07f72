import { expect } from 'chai';
import { onAnyEngine } from '../support/engines.ts';
import { suiteFixture } from '../support/fixture.ts';
import { coupon, orders } from '../support/program.ts';
import { suiteService } from '../support/service.ts';

const day = (number: number): number => Date.parse('2026-03-01T08:15:00Z') + number * 86_400_000;

onAnyEngine((engine) => {
  const { service, admin } = suiteService(engine);
  const ann = suiteFixture(() => service.user('ann', 'affiliate'));
  const ben = suiteFixture(() => service.user('ben', 'affiliate'));

  describe('GET /coupons', () => {
    let ids: Record<string, number>;
    before(async () => {
      ids = {
        ANN10: await coupon(service, 'ANN10', { userId: ann.id, createdAt: day(3) }),
        ann_5: await coupon(service, 'ann_5', { userId: ann.id, createdAt: day(1) }),
        'BEN%': await coupon(service, 'BEN%', { userId: ben.id, createdAt: day(2) }),
        Übung: await coupon(service, 'Übung', { userId: ben.id, createdAt: day(2) }),
        DRAFT: await coupon(service, 'DRAFT', { userId: ben.id, createdAt: day(4), status: 'draft' }),
        HIDDEN: await coupon(service, 'HIDDEN', { userId: ann.id, createdAt: day(5), status: 'private' }),
        FREE: await coupon(service, 'FREE', { createdAt: day(6) }),
      };
      await orders(service, [
        { id: 1, coupon: ids['ANN10'] ?? 0, at: '2026-10-05T12:00:00Z', total: 50 },
        { id: 2, coupon: ids['BEN%'] ?? 0, at: '2026-10-05T12:00:00Z', total: 90 },
      ]);
    });

    const codes = async (query = ''): Promise<string[]> =>
      (await admin.get(`/coupons${query}`)).body.map(({ code }: { code: string }) => code);

    it('lists published, assigned coupons with their balances, newest first', async () => {
      const { body, headers } = await admin.get('/coupons');
      expect(body.map(({ code }: { code: string }) => code)).to.deep.equal(['ANN10', 'Übung', 'BEN%', 'ann_5']);
      expect(body[0]).to.deep.equal({
        id: ids['ANN10'],
        code: 'ANN10',
        user_id: ann.id,
        status: 'publish',
        date_created: '2026-03-04T08:15:00',
        unpaid_commission: 5,
        pending_order_commission: 0,
        pending_payout_commission: 0,
        paid_commission: 0,
      });
      expect([headers.get('X-Svc-Total'), headers.get('X-Svc-TotalPages')]).to.deep.equal(['4', '1']);
    });

    it('filters by status, by user, and by both', async () => {
      expect(await codes('?status=draft')).to.deep.equal(['DRAFT']);
      expect(await codes('?status=private')).to.deep.equal(['HIDDEN']);
      expect(await codes(`?user_id=${ann.id}`)).to.deep.equal(['ANN10', 'ann_5']);
      expect(await codes(`?user_id=${ann.id}&status=draft`)).to.deep.equal([]);
      expect(await codes('?user_id=999999')).to.deep.equal([]);
      expect(await codes('?user_id=0'), 'unassigned').to.deep.equal(['FREE']);
      expect(await codes('?user_id=0&status=draft')).to.deep.equal([]);
    });

    it('searches the code literally, ignoring case, beyond ASCII too', async () => {
      expect(await codes('?search=ANN')).to.deep.equal(['ANN10', 'ann_5']);
      expect(await codes(`?search=${encodeURIComponent('üBU')}`)).to.deep.equal(['Übung']);
      expect(await codes(`?search=${encodeURIComponent('u\u0308bung')}`), 'written as two characters').to.deep.equal(['Übung']);
      expect(await codes('?search=%25')).to.deep.equal(['BEN%']);
      expect(await codes('?search=_')).to.deep.equal(['ann_5']);
      for (const nothing of ['!', '\\', "'", 'n%1', '?'])
        expect(await codes(`?search=${encodeURIComponent(nothing)}`), nothing).to.deep.equal([]);
    });

    it('sorts by id, code, unpaid commission and date, in both directions, and equal ones by id', async () => {
      expect(await codes('?orderby=code&order=asc')).to.deep.equal(['ann_5', 'ANN10', 'BEN%', 'Übung'].toSorted(byFoldedCode));
      expect(await codes('?orderby=code')).to.deep.equal(['ann_5', 'ANN10', 'BEN%', 'Übung'].toSorted(byFoldedCode).toReversed());
      expect(await codes('?orderby=unpaid_commission')).to.deep.equal(['BEN%', 'ANN10', 'Übung', 'ann_5']);
      expect(await codes('?orderby=unpaid_commission&order=asc')).to.deep.equal(['ann_5', 'Übung', 'ANN10', 'BEN%']);
      expect(await codes('?orderby=id&order=asc')).to.deep.equal(['ANN10', 'ann_5', 'BEN%', 'Übung']);
      expect(await codes('?order=asc')).to.deep.equal(['ann_5', 'BEN%', 'Übung', 'ANN10']);
    });
    const byFoldedCode = (one: string, other: string): number => (one.toLowerCase() < other.toLowerCase() ? -1 : 1);

    it('returns pages with totals, and past the end an empty page without a query for rows', async () => {
      expect(await codes('?per_page=3&page=2')).to.deep.equal(['ann_5']);
      const { body, headers } = await admin.get('/coupons?per_page=3&page=2147483647');
      expect([body, headers.get('X-Svc-Total'), headers.get('X-Svc-TotalPages')]).to.deep.equal([[], '4', '2']);
      const statements: string[] = [];
      const database = await engine.open({ url: service.databaseUrl, onStatement: (sql) => statements.push(sql) });
      await database.read(({ coupons }) => coupons.page({ status: 'publish' }, { by: 'id', direction: 'asc' }, { page: 9, perPage: 20 }));
      expect(statements.filter((sql) => /offset/.test(sql))).to.deep.equal([]);
    });

    it('refuses invalid parameters', async () => {
      for (const query of [
        'status=trash',
        'orderby=paid',
        'order=up',
        'user_id=-1',
        'user_id=ann',
        'per_page=0',
        `search=${'x'.repeat(201)}`,
      ]) {
        const { status, body } = await admin.get(`/coupons?${query}`);
        expect([status, body.code], query).to.deep.equal([400, 'rest_invalid_param']);
      }
    });
  });
});
