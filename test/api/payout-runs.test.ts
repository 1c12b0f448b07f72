import { expect } from 'chai';
import { methodTypes } from '../../domain/payout-details/payout-details.ts';
import { maxRunMilliseconds } from '../../domain/payouts/run.ts';
import { listSentences, verifyLedger } from '../../domain/verification/verify.ts';
import type { ContractClient } from '../support/contract-client.ts';
import { type Engine, onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { createEarner, earn, openPayoutStore, type PayoutStore } from '../support/payouts.ts';
import { coupon, payoutDetails } from '../support/program.ts';
import { TestClock } from '../support/service.ts';

interface Outcome {
  coupon_id: number;
  user: { id: number; login: string } | null;
  amount: number;
  method_type: string;
  outcome: string;
  payout_id: number | null;
  code: string | null;
}

const settings = { 'addons.management': true, 'payouts.threshold': 20 };

const run = (client: ContractClient, json: object = {}) => client.post('/payout-runs', { json });
const byCoupon = (outcomes: Outcome[]): [number, string, string | null][] =>
  outcomes.map(({ coupon_id, outcome, code }) => [coupon_id, outcome, code]);

const openStore = (engine: Engine, options: object = {}): Promise<PayoutStore> =>
  openPayoutStore(engine, { earned: 0, settings, ...options });

/** Coupons in every state that a rule knows. The keys say what POST /payouts answers. */
async function createCases({ service }: PayoutStore): Promise<Record<string, number>> {
  const rich = (await createEarner(service, 'rich', 50)).couponId;
  const poor = (await createEarner(service, 'poor', 5)).couponId;
  await createEarner(service, 'broke', 0);
  const lost = await service.user('lost', 'affiliate');
  const nowhere = await coupon(service, 'NOWHERE', { userId: lost.id });
  const ownerless = await coupon(service, 'OWNERLESS', { userId: null });
  const bank = await createEarner(service, 'bank', 30);
  await payoutDetails(service, { userId: bank.user.id, method: 'Cash', methodType: 'custom', details: { text: 'cash' } });
  for (const couponId of [nowhere, ownerless]) await earn(service, couponId, 40);
  return { rich, poor, nowhere, ownerless, bank: bank.couponId };
}

interface Doubts {
  debt: number;
  failed_payout_id: number | null;
}

onAnyEngine((engine) => {
  describe('POST /payout-runs', () => {
    const store = testFixture(() => openStore(engine));
    const payoutCount = async () => Number((await store.admin.get('/payouts')).headers.get('X-Svc-Total'));

    it('requests what the rules allow, and refuses the others with the code of POST /payouts', async () => {
      const { rich, poor, nowhere, ownerless, bank } = await createCases(store);
      const { status, body } = await run(store.admin);
      expect(status).to.equal(200);
      expect(byCoupon(body.outcomes)).to.have.deep.members([
        [rich, 'requested', null],
        [poor, 'refused', 'svc_api_below_threshold'],
        [nowhere, 'refused', 'svc_api_no_payout_details'],
        [ownerless, 'refused', 'svc_api_no_affiliate'],
        [bank, 'requested', null],
      ]);
      expect(body).to.include({ preview: false, requested_count: 2, requested_amount: 80, remaining: 0, next_after: null });
      for (const { coupon_id, outcome, payout_id, amount, user, method_type, code } of body.outcomes as Outcome[]) {
        if (outcome === 'refused') {
          const { body: refusal } = await store.admin.post('/payouts', { json: { coupon_id } });
          expect(refusal.code).to.equal(code);
          continue;
        }
        const { body: payout } = await store.admin.get(`/payouts/${payout_id}`);
        expect(payout).to.include({ coupon_id, amount, method_type, status: 'pending' });
        expect(payout.user.id).to.equal(user?.id);
        expect(user?.login).to.be.oneOf(['rich', 'bank']);
      }
    });

    it('answers the same as a preview, which writes nothing', async () => {
      await createCases(store);
      const tables = ['payouts', 'ledger', 'events', 'mails', 'payout_days'];
      const observer = await engine.observe(store.service.databaseUrl);
      const everything = async () => Promise.all(tables.map((table) => observer.query(`select * from ${table} order by 1`)));
      const before = await everything();
      const { body: preview } = await run(store.admin, { preview: true });
      expect(await everything()).to.deep.equal(before);
      const { body: real } = await run(store.admin);
      const withoutIds = (outcomes: Outcome[]) => outcomes.map(({ payout_id: _id, ...rest }) => rest);
      expect({ ...preview, outcomes: withoutIds(preview.outcomes) }).to.deep.equal({
        ...real,
        preview: true,
        outcomes: withoutIds(real.outcomes),
      });
    });

    it('requests nothing twice: a second run lists open requests only where more was earned', async () => {
      const { rich = 0 } = await createCases(store);
      const { body: first } = await run(store.admin);
      const payoutId = first.outcomes.find((one: Outcome) => one.coupon_id === rich).payout_id;
      const { body: second } = await run(store.admin);
      expect(second.outcomes.map(({ outcome }: Outcome) => outcome)).to.deep.equal(['refused', 'refused', 'refused']);
      await earn(store.service, rich, 70);
      for (const preview of [true, false]) {
        const { body: third } = await run(store.admin, { preview });
        const found = third.outcomes.find((one: Outcome) => one.coupon_id === rich);
        expect(found).to.include({ outcome: 'existing', payout_id: payoutId, amount: 50 });
        expect(third).to.include({ requested_count: 0, requested_amount: 0 });
      }
      expect(await payoutCount()).to.equal(2);
    });

    it('takes only the coupons that the filters name', async () => {
      const { rich, bank, poor } = await createCases(store);
      const listed = async (filter: object) =>
        (await run(store.admin, { preview: true, ...filter })).body.outcomes.map(({ coupon_id }: Outcome) => coupon_id);
      expect(await listed({ min_amount: 30.01 }))
        .to.include(rich)
        .and.not.include(bank);
      expect(await listed({ min_amount: 30 })).to.include(bank);
      expect(await listed({ method_type: 'custom' })).to.deep.equal([bank]);
      expect(await listed({ coupon_ids: [poor, 999_999, rich, rich] })).to.deep.equal([rich, poor].toSorted());
      for (const methodType of methodTypes)
        if (!['paypal', 'custom'].includes(methodType)) expect(await listed({ method_type: methodType })).to.deep.equal([]);
    });

    it('continues after the last coupon that it listed, until nothing remains', async () => {
      for (let n = 1; n <= 3; n += 1) await createEarner(store.service, `earner${n}`, 20 + n);
      const seen: number[] = [];
      const all = (await run(store.admin, { preview: true })).body.outcomes.map(({ coupon_id }: Outcome) => coupon_id);
      for (const after of [undefined, ...all.slice(0, -1)]) {
        const { body } = await run(store.admin, { preview: true, ...(after !== undefined && { after }) });
        seen.push(body.outcomes[0].coupon_id);
      }
      expect(seen).to.deep.equal(all);
    });

    it('is for admins with the scope manage', async () => {
      expect((await run(store.affiliate)).status).to.equal(403);
    });
  });

  describe('POST /payout-runs with a slow gateway', () => {
    it('begins no further request after its time is over, and the next run continues', async () => {
      const clock = new TestClock();
      const bank = async () => {
        clock.advance(maxRunMilliseconds / 1000 / 2);
        return { status: 'paid' as const, transactionId: 't', notice: null };
      };
      const automatic = {
        'payouts.auto_accept.enabled': true,
        'payouts.auto_accept.gateway': 'bank',
        'payouts.auto_accept.max_amount': 1000,
      };
      const store = await openStore(engine, { clock, siteModule: { gateways: { bank } }, settings: { ...settings, ...automatic } });
      for (let n = 1; n <= 5; n += 1) await createEarner(store.service, `earner${n}`, 20 + n);
      const { body: first } = await run(store.admin);
      expect([first.requested_count, first.remaining]).to.deep.equal([2, 3]);
      const { body: second } = await run(store.admin, { after: first.next_after });
      expect([second.requested_count, second.remaining]).to.deep.equal([2, 1]);
      const { body: third } = await run(store.admin, { after: second.next_after });
      expect([third.requested_count, third.remaining, third.next_after]).to.deep.equal([1, 0, null]);
    });
  });

  describe('POST /payout-runs for coupons with a doubt', () => {
    it('names the debt of the affiliate over all coupons, and the last payout if it failed', async () => {
      const { service, admin } = await openStore(engine);
      await service.settings.set('addons.management', true);
      const { couponId, user } = await createEarner(service, 'debtor', 30);
      const doubts = async () =>
        (await run(admin, { preview: true })).body.outcomes.map(({ debt, failed_payout_id }: Doubts) => [debt, failed_payout_id]);
      expect(await doubts()).to.deep.equal([[0, null]]);
      const { body: payout } = await admin.post('/payouts', { json: { coupon_id: couponId } });
      const { body: batch } = await admin.post('/payout-batches', { json: { format: 'csv' } });
      await admin.post(`/payout-batches/${batch.id}/status`, { json: { status: 'paid', failed: [payout.id] } });
      expect(await doubts()).to.deep.equal([[0, payout.id]]);
      const other = await coupon(service, 'OTHER', { userId: user.id });
      await admin.post('/adjustments', { json: { coupon_id: other, amount: -50, note: 'Returned goods.' } });
      expect(await doubts()).to.deep.equal([[20, payout.id]]);
    });
  });

  describe('POST /payout-runs with a site module', () => {
    it('refuses what the site refuses, in a preview too, and goes on', async () => {
      const siteModule = {
        beforePayout: ({ amountMinor }: { amountMinor: number }) => (amountMinor > 5000 ? { refuse: 'Too much.' } : null),
      };
      const store = await openStore(engine, { siteModule });
      await createEarner(store.service, 'many', 51);
      await createEarner(store.service, 'few', 21);
      for (const preview of [true, false]) {
        const { body } = await run(store.admin, { preview });
        expect(body.outcomes.map(({ code, message }: { code: string; message: string }) => [code, message])).to.deep.equal([
          ['svc_api_not_created', 'Too much.'],
          [null, null],
        ]);
      }
    });
  });

  describe('concurrent runs', () => {
    const earners = 12;
    const store = testFixture(() => openStore(engine));
    const expectOnePayoutEach = async () => {
      const observer = await engine.observe(store.service.databaseUrl);
      const [row] = await observer.query<Record<string, unknown>>(
        'select count(*) as payouts, count(distinct coupon_id) as coupons, sum(amount_minor) as amount from payouts',
      );
      expect([row?.['payouts'], row?.['coupons'], row?.['amount']].map(Number)).to.deep.equal([earners, earners, earners * 3000]);
      const verification = await store.service.storage.read((db) => verifyLedger(db, { written: String }));
      expect(listSentences(verification)).to.deep.equal([]);
    };

    it('request each payout once, and so do a run and single requests', async () => {
      const coupons: number[] = [];
      for (let n = 0; n < earners; n += 1) coupons.push((await createEarner(store.service, `earner${n}`, 30)).couponId);
      const single = (coupon_id: number) => store.admin.post('/payouts', { json: { coupon_id } });
      const [one, other, ...singles] = await Promise.all([
        run(store.admin),
        run(store.admin, { min_amount: 1 }),
        ...coupons.toReversed().map(single),
      ]);
      const created = singles.filter(({ status }) => status === 201).length;
      const requested = Number(one?.body.requested_count) + Number(other?.body.requested_count);
      expect(created + requested).to.equal(earners);
      for (const { outcome, code } of [...(one?.body.outcomes ?? []), ...(other?.body.outcomes ?? [])] as Outcome[])
        if (outcome === 'refused') expect(code).to.be.oneOf(['svc_api_in_progress', 'svc_api_conflict', 'svc_api_no_balance']);
      for (const { status, body } of singles) if (status > 201) expect(body.code).to.equal('svc_api_in_progress');
      await expectOnePayoutEach();
      expect((await run(store.admin)).body).to.include({ requested_count: 0, remaining: 0 });
    });
  });
});
