import { expect } from 'chai';
import type { Payment, SiteModule } from '../../site/extension.ts';
import { mailsOf } from '../support/applications.ts';
import { onAnyEngine } from '../support/engines.ts';
import { canary, openPayoutStore, type PayoutStore } from '../support/payouts.ts';
import { bankDetails, payoutDetails } from '../support/program.ts';
import type { TestClock } from '../support/service.ts';

onAnyEngine((engine) => {
  describe('POST /payouts with auto-accept', () => {
    let store: PayoutStore;
    const open = async (gateway: string, siteModule: SiteModule = {}): Promise<void> => {
      store = await openPayoutStore(engine, { siteModule });
      await store.set('payouts.auto_accept.enabled', true);
      await store.set('payouts.auto_accept.gateway', gateway);
    };

    it('with manual is created at once, and records both events', async () => {
      await open('manual');
      const { status, body } = await store.request();
      expect([status, body.status, body.gateway_triggered, 'gateway_notice' in body]).to.deep.equal([201, 'created', true, false]);
      expect(await store.pools()).to.deep.equal({ unpaid: 0, pending: 100, paid: 0 });
      expect(await store.kinds()).to.deep.equal(['payout_request', 'payout_created']);
      expect((await mailsOf(store.service)).length).to.equal(2);
    });

    it('with log is recorded as pending and paid at once, and the log has the payment without its destination', async () => {
      await open('log');
      const { body } = await store.request();
      const { body: events } = await store.admin.get('/events?event=payout_request');
      expect(events[0].data.status).to.equal('pending');
      expect([body.status, body.date_paid, body.gateway_triggered]).to.deep.equal(['paid', '2026-11-02T07:00:00', true]);
      expect(await store.pools()).to.deep.equal({ unpaid: 0, pending: 0, paid: 100 });
      expect(await store.kinds()).to.deep.equal(['payout_request', 'payout_paid']);
      const lines = store.service.log.join('');
      expect(lines).to.contain('"payoutId":1').and.not.contain(canary);
    });

    it('passes the decrypted payment to a gateway of the site, with a key that no other payout has', async () => {
      const payments: Payment[] = [];
      const bank = async (payment: Payment) => {
        payments.push(payment);
        return { status: 'paid' as const, transactionId: 'tx-77', notice: 'Handed over for the next batch.' };
      };
      await open('bank', { gateways: { bank } });
      const { body } = await store.request();
      expect([body.status, body.transaction_id, body.gateway_notice]).to.deep.equal(['paid', 'tx-77', 'Handed over for the next batch.']);
      expect(payments).to.deep.equal([
        {
          payoutId: body.id,
          idempotencyKey: `payout-${body.id}`,
          amountMinor: 10_000,
          currency: 'USD',
          methodType: 'paypal',
          details: { email: canary },
          payee: { userId: store.user.id, displayName: 'The trail', email: 'trail@shop.example' },
        },
      ]);
    });

    it('commits the payout as processing before the gateway is called, and concurrent requests return it', async () => {
      let seen: unknown;
      const bank = async () => {
        const observer = await engine.observe(store.service.databaseUrl);
        const rows = await observer.query('select status, amount_minor from payouts');
        const { status, headers, body } = await store.request();
        seen = [rows.map((row) => Object.values(row as object).map(String)), status, headers.get('X-Svc-Existing'), body.status];
        return { status: 'created' as const };
      };
      await open('bank', { gateways: { bank } });
      expect((await store.request()).body.status).to.equal('created');
      expect(seen).to.deep.equal([[['processing', '10000']], 200, '1', 'created']);
    });

    for (const [what, bank] of [
      ['says that it failed', async () => ({ status: 'failed' as const, notice: 'No funds.' })],
      ['rejects it', async () => ({ status: 'rejected' as const, notice: `No funds: account ${canary} is closed.` })],
      ['throws', () => Promise.reject(new Error(`no way to ${canary}`))],
    ] as [string, NonNullable<SiteModule['gateways']>[string]][])
      it(`leaves the payout pending with a notice, and loses nothing, when the gateway ${what}`, async () => {
        await open('bank', { gateways: { bank } });
        const { status, body } = await store.request();
        expect([status, body.status, body.gateway_triggered]).to.deep.equal([201, 'pending', false]);
        expect(body.gateway_notice)
          .to.match(/No funds|stays pending/)
          .and.not.include(canary);
        expect(await store.pools()).to.deep.equal({ unpaid: 0, pending: 100, paid: 0 });
        expect(await store.kinds()).to.deep.equal(['payout_request']);
        expect((await store.change(body.id, 'paid')).status).to.equal(200);
      });

    it('leaves the payout to an operator after a malformed gateway response: it is shown as created, and is not sent again', async () => {
      let calls = 0;
      const bank = async () => {
        calls += 1;
        return 'ok' as never;
      };
      await open('bank', { gateways: { bank } });
      const { body } = await store.request();
      expect([body.status, body.gateway_triggered]).to.deep.equal(['created', true]);
      expect(body.gateway_notice).to.contain('The store looks into it');
      expect((await store.request()).headers.get('X-Svc-Existing')).to.equal('1');
      const { body: refused } = await store.change(body.id, 'paid');
      expect([refused.code, calls]).to.deep.equal(['svc_api_invalid_transition', 1]);
    });

    it('is paid at the time when the gateway answered, however long it took', async () => {
      const bank = async () => {
        (store.service.clock as TestClock).advance(90);
        return { status: 'paid' as const };
      };
      await open('bank', { gateways: { bank } });
      const { body } = await store.request();
      expect([body.date, body.date_paid]).to.deep.equal(['2026-11-02T07:00:00', '2026-11-02T07:01:30']);
    });

    it('leaves an amount above the maximum pending without a notice, but not the maximum itself', async () => {
      await open('manual');
      await store.set('payouts.auto_accept.max_amount', 99.99);
      const { body } = await store.request();
      expect([body.status, body.gateway_triggered, 'gateway_notice' in body]).to.deep.equal(['pending', false, false]);
      await store.change(body.id, 'cancel');
      await store.set('payouts.auto_accept.max_amount', 100);
      expect((await store.request()).body.status).to.equal('created');
    });

    it('leaves the payout pending with a notice if the gateway no longer exists and the amount is within the maximum', async () => {
      await open('bank', { gateways: { bank: async () => ({ status: 'paid' }) } });
      const observer = await engine.observe(store.service.databaseUrl);
      await observer.query(`update settings set value = '"gone"' where path = 'payouts.auto_accept.gateway'`);
      await store.set('payouts.auto_accept.max_amount', 99.99);
      const { body: above } = await store.request();
      expect([above.status, 'gateway_notice' in above]).to.deep.equal(['pending', false]);
      await store.change(above.id, 'cancel');
      await store.set('payouts.auto_accept.max_amount', 100);
      const { body } = await store.request();
      expect([body.status, body.gateway_triggered]).to.deep.equal(['pending', false]);
      expect(body.gateway_notice).to.contain('no payment gateway named gone');
    });
  });

  describe('POST /payouts with a beforePayout hook', () => {
    let store: PayoutStore;

    it('answers svc_api_not_created with the reason of the hook, and changes nothing', async () => {
      const asked: unknown[] = [];
      const beforePayout: SiteModule['beforePayout'] = (payout) => {
        asked.push(payout);
        return { refuse: 'We pay on Fridays.' };
      };
      store = await openPayoutStore(engine, { siteModule: { beforePayout } });
      const { status, body } = await store.request();
      expect([status, body.code, body.message]).to.deep.equal([409, 'svc_api_not_created', 'We pay on Fridays.']);
      expect(asked).to.deep.equal([
        {
          couponId: store.couponId,
          couponCode: 'TRAIL10',
          userId: store.user.id,
          amountMinor: 10_000,
          currency: 'USD',
          methodType: 'paypal',
          requestedBy: store.user.id,
        },
      ]);
      expect([await store.pools(), await store.kinds()]).to.deep.equal([{ unpaid: 100, pending: 0, paid: 0 }, []]);
    });

    it('answers svc_api_not_created without a reason when the hook throws', async () => {
      store = await openPayoutStore(engine, { siteModule: { beforePayout: () => Promise.reject(new Error('secret')) } });
      const { status, body } = await store.request();
      expect([status, body.code]).to.deep.equal([409, 'svc_api_not_created']);
      expect(body.message).to.not.contain('secret');
    });

    it('answers a concurrent request while the hook runs that a request is in progress', async () => {
      let second: unknown;
      const beforePayout: SiteModule['beforePayout'] = async () => {
        second ??= await store.request().then(({ status, body }) => [status, body.code]);
      };
      store = await openPayoutStore(engine, { siteModule: { beforePayout } });
      expect((await store.request()).status).to.equal(201);
      expect(second).to.deep.equal([409, 'svc_api_in_progress']);
    });

    it('pays what the hook approved: an order recorded meanwhile causes a conflict', async () => {
      let thoughts = 0;
      const beforePayout: SiteModule['beforePayout'] = async () => {
        thoughts += 1;
        if (thoughts === 1) await store.earn(5);
      };
      store = await openPayoutStore(engine, { siteModule: { beforePayout } });
      const { status, body } = await store.request();
      expect([status, body.code]).to.deep.equal([409, 'svc_api_conflict']);
      expect((await store.request()).body.amount).to.equal(105);
    });

    const changesDuringReview: [string, (store: PayoutStore) => Promise<unknown>][] = [
      [
        'gets a new owner',
        async ({ service, couponId }) => {
          const heir = await service.user('heir', 'affiliate');
          await payoutDetails(service, { userId: heir.id, method: 'PayPal', methodType: 'paypal', details: { email: canary } });
          await (await engine.observe(service.databaseUrl)).query(`update coupons set user_id = ${heir.id} where id = ${couponId}`);
        },
      ],
      [
        'is to be paid in another way',
        ({ service, user }) =>
          payoutDetails(service, { userId: user.id, method: 'Bank', methodType: 'banktransfer', details: bankDetails('canary') }),
      ],
    ];
    for (const [what, change] of changesDuringReview)
      it(`pays what the hook approved: a coupon that ${what} meanwhile causes a conflict, and the hook is called again`, async () => {
        const asked: unknown[] = [];
        const beforePayout: SiteModule['beforePayout'] = async ({ userId, methodType }) => {
          asked.push([userId, methodType]);
          if (asked.length === 1) await change(store);
        };
        store = await openPayoutStore(engine, { siteModule: { beforePayout } });
        const byAdmin = () => store.admin.post('/payouts', { json: { coupon_id: store.couponId } });
        expect((await byAdmin()).body.code).to.equal('svc_api_conflict');
        expect((await store.admin.get('/payouts')).body).to.deep.equal([]);
        const { status, body } = await byAdmin();
        expect([status, asked[1]]).to.deep.equal([201, [body.user.id, body.method_type]]);
        expect(asked[1]).to.not.deep.equal(asked[0]);
      });

    it('answers svc_api_not_created when the write fails, and leaves nothing behind', async () => {
      store = await openPayoutStore(engine);
      const observer = await engine.observe(store.service.databaseUrl);
      const full =
        engine.name === 'sqlite' ? `create trigger full before insert on ledger begin select raise(abort, 'disk full'); end` : null;
      if (full) await observer.query(full);
      else await observer.query(`alter table ledger add constraint full_disk check (reason <> 'payout')`);
      const { status, body } = await store.request();
      expect([status, body.code]).to.deep.equal([409, 'svc_api_not_created']);
      expect(body.message).to.not.contain('disk');
      expect([await store.pools(), (await store.admin.get('/payouts')).body]).to.deep.equal([{ unpaid: 100, pending: 0, paid: 0 }, []]);
      await observer.query(full ? 'drop trigger full' : 'alter table ledger drop constraint full_disk');
      expect((await store.request()).status).to.equal(201);
    });
  });
});
