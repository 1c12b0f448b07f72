import { expect } from 'chai';
import { onAnyEngine } from '../support/engines.ts';
import { suiteFixture } from '../support/fixture.ts';
import { canary, earn, openPayoutStore } from '../support/payouts.ts';
import { bankDetails, coupon, payoutDetails } from '../support/program.ts';
import type { TestClock } from '../support/service.ts';

const day = 24 * 3600;

onAnyEngine((engine) => {
  describe('GET /payouts', () => {
    const store = suiteFixture(() => openPayoutStore(engine, { earned: 0 }));
    let otherCoupon: number;
    /** Ids, oldest first: five of the affiliate over five days, then one of another affiliate. */
    const ids: number[] = [];
    before(async () => {
      const { service, admin, couponId } = store;
      const clock = service.clock as TestClock;
      for (const [index, status] of ['paid', 'cancel', 'paid', 'created', null].entries()) {
        if (index === 4) await store.change(ids[3] ?? 0, 'paid');
        await store.earn(10 + index);
        const { body } = await admin.post('/payouts', { json: { coupon_id: couponId } });
        ids.push(body.id);
        if (status) await store.change(body.id, status);
        clock.advance(day);
      }
      const other = await service.user('other', 'affiliate');
      otherCoupon = await coupon(service, 'OTHER', { userId: other.id });
      await payoutDetails(service, { userId: other.id, method: 'Bank', methodType: 'banktransfer', details: bankDetails(canary) });
      await earn(service, otherCoupon, 70);
      ids.push((await admin.post('/payouts', { json: { coupon_id: otherCoupon } })).body.id);
    });

    const found = async (query: string, who: 'admin' | 'affiliate' = 'admin') => {
      const { status, body, headers } = await store[who].get(`/payouts${query}`);
      expect(status).to.equal(200);
      return { numbers: body.map(({ id }: { id: number }) => ids.indexOf(id)), total: Number(headers.get('X-Svc-Total')), body };
    };

    it('lists all of them for an admin, newest first, with their total', async () => {
      const { numbers, total } = await found('');
      expect([numbers, total]).to.deep.equal([[5, 4, 3, 2, 1, 0], 6]);
    });

    it('shows affiliates their own, whatever user_id they send', async () => {
      for (const query of ['', `?user_id=${store.user.id + 1}`, '?user_id=987654', '?user_id=abc', '?user_id=', '?user_id=1&user_id=2']) {
        const { numbers, total } = await found(query, 'affiliate');
        expect([numbers, total]).to.deep.equal([[4, 3, 2, 1, 0], 5]);
      }
      const { numbers, total } = await found(`?coupon_id=${otherCoupon}`, 'affiliate');
      expect([numbers, total]).to.deep.equal([[], 0]);
    });

    const filters: [query: () => string, numbers: number[]][] = [
      [() => `?user_id=${store.user.id}`, [4, 3, 2, 1, 0]],
      [() => `?coupon_id=${otherCoupon}`, [5]],
      [() => `?coupon_id=${store.couponId}&user_id=${store.user.id}`, [4, 3, 2, 1, 0]],
      [() => `?coupon_id=${otherCoupon}&user_id=${store.user.id}`, []],
      [() => '?status=paid', [3, 2, 0]],
      [() => '?status=cancel', [1]],
      [() => '?status=pending', [5, 4]],
      [() => '?status=created', []],
      [() => '?from=2026-11-03&to=2026-11-04', [2, 1]],
      [() => '?to=2026-11-02', [0]],
      [() => '?from=2026-11-05', [5, 4, 3]],
      [() => `?status=paid&from=2026-11-03&user_id=${store.user.id}`, [3, 2]],
      [() => '?order=asc', [0, 1, 2, 3, 4, 5]],
      // The third holds what the second gave back.
      [() => '?orderby=amount', [5, 2, 4, 3, 1, 0]],
      [() => '?orderby=amount&order=asc&per_page=2', [0, 1]],
      [() => '?orderby=id&order=asc&per_page=2&page=2', [2, 3]],
      [() => '?orderby=date_paid', [3, 2, 0, 5, 4, 1]],
      [() => '?orderby=date_paid&order=asc', [0, 2, 3, 1, 4, 5]],
      [() => '?per_page=4&page=2', [1, 0]],
    ];
    for (const [query, numbers] of filters)
      it(`finds ${JSON.stringify(numbers)} by ${query.toString().slice(6).replaceAll(/[`']/g, '')}`, async () => {
        expect((await found(query())).numbers).to.deep.equal(numbers);
      });

    it('returns an empty page past the end, with the true total', async () => {
      const { numbers, total } = await found('?page=9');
      expect([numbers, total]).to.deep.equal([[], 6]);
    });

    it('refuses days that do not exist, ranges that end before they begin, and unknown words', async () => {
      for (const query of ['?from=2026-02-30', '?from=2026-11-05&to=2026-11-04', '?from=', '?status=processing', '?orderby=user']) {
        const { status, body } = await store.admin.get(`/payouts${query}`);
        expect([status, body.code]).to.deep.equal([400, 'rest_invalid_param']);
      }
    });

    it('shows one payout to admins and its payee, and answers 404 to other callers', async () => {
      for (const who of ['admin', 'affiliate'] as const)
        expect((await store[who].get(`/payouts/${ids[0]}`)).body.date_paid).to.equal('2026-11-02T07:00:00');
      const foreign = await store.affiliate.get(`/payouts/${ids[5]}`);
      const missing = await store.affiliate.get('/payouts/987654');
      expect([foreign.status, foreign.body]).to.deep.equal([404, missing.body]);
    });

    it('is matched by the report, which counts open requests now, and paid ones by the day of payment', async () => {
      const report = async (query: string) => (await store.admin.get(`/reports/summary${query}`)).body.payouts;
      expect(await report('')).to.deep.equal({ pending_count: 2, pending_amount: 84, paid_count: 3, paid_amount: 46 });
      // The fourth was requested on the 5th and paid on the 6th.
      expect(await report('?from=2026-11-06&to=2026-11-06')).to.deep.equal({
        pending_count: 2,
        pending_amount: 84,
        paid_count: 1,
        paid_amount: 13,
      });
      expect(await report('?from=2026-11-03&to=2026-11-03')).to.include({ paid_count: 0, paid_amount: 0 });
    });

    it('discloses no destination in any response, event, mail or log line', async () => {
      const answers = await Promise.all(
        ['/payouts', `/payouts/${ids[0]}`, '/events?after=0&per_page=100', `/affiliates/${store.user.id}`, '/reports/summary'].map(
          async (path) => JSON.stringify((await store.admin.get(path)).body),
        ),
      );
      await store.service.work();
      const observer = await engine.observe(store.service.databaseUrl);
      const rows = await Promise.all(
        ['mails', 'events', 'payouts', 'ledger', 'payout_details', 'idempotency_keys'].map((table) =>
          observer.query(`select * from ${table}`),
        ),
      );
      for (const text of [...answers, JSON.stringify(rows), store.service.log.join('')]) expect(text).to.not.contain('canary');
    });
  });

  describe('far pages of GET /payouts', () => {
    it('have the same rows as a plain list, sorted by date in both directions, with and without filters', async () => {
      const store = await openPayoutStore(engine, { earned: 0 });
      const observer = await engine.observe(store.service.databaseUrl);
      // Past all rules, because a thousand requests would take a minute: the counts are what is under test.
      await store.service.storage.write(async ({ payouts }) => {
        for (let index = 0; index < 900; index += 1) {
          const paid = index % 3 === 0;
          await payouts.insert({
            userId: store.user.id,
            couponId: store.couponId,
            amount: 1 + index,
            method: '',
            methodType: '',
            hasDetails: false,
            status: paid ? 'paid' : 'cancel',
            transactionId: '',
            invoiceId: 0,
            requestedAt: 1000 * index,
            day: `2026-0${1 + (index % 9)}-11`,
            paidAt: paid ? 5 : null,
            paidDay: paid ? '2026-10-10' : null,
          });
        }
      });
      const all = await observer.query<{ id: unknown; status: string; day: string; requested_at: unknown }>('select * from payouts');
      const plain = all.toSorted((one, other) =>
        one.day === other.day ? Number(one.requested_at) - Number(other.requested_at) : one.day < other.day ? -1 : 1,
      );
      for (const [query, keep] of [
        ['', () => true],
        ['&status=paid', (row: { status: string }) => row.status === 'paid'],
        [`&user_id=${store.user.id}&from=2026-03-01`, (row: { day: string }) => row.day >= '2026-03-01'],
        [`&coupon_id=${store.couponId}&to=2026-08-01`, (row: { day: string }) => row.day <= '2026-08-01'],
      ] as [string, (row: (typeof all)[number]) => boolean][])
        for (const order of ['asc', 'desc']) {
          const kept = plain.filter(keep).map(({ id }) => Number(id));
          const expected = order === 'asc' ? kept : kept.toReversed();
          for (const page of [1, 11, Math.ceil(expected.length / 20) - 1, Math.ceil(expected.length / 20)]) {
            const { body, headers } = await store.admin.get(`/payouts?page=${page}&order=${order}${query}`);
            expect(Number(headers.get('X-Svc-Total'))).to.equal(expected.length);
            expect(body.map(({ id }: { id: number }) => id)).to.deep.equal(expected.slice(20 * (page - 1), 20 * page));
          }
        }
      await store.service.storage.write(async ({ payouts: kept }) => {
        expect((await kept.wrongCounts(1)).first).to.deep.equal([]);
      });
      // These payouts moved no money, so the ledger must notice; the books are put right before the service checks them.
      expect((await store.service.storage.read(({ ledger }) => ledger.strangePayouts(1))).first).to.have.length(1);
      await observer.query('delete from payouts');
      await observer.query('delete from payout_days');
    });
  });
});
