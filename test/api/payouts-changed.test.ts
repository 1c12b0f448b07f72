import { expect } from 'chai';
import { disableIntegrityChecks } from '../support/disable-integrity-checks.ts';
import { forEachEngine, type Observer } from '../support/engines.ts';
import { openPayoutStore, type PayoutStore } from '../support/payouts.ts';
import { payoutDetails } from '../support/program.ts';

forEachEngine((engine) => {
  describe('payouts that were changed in the database past the service', () => {
    let store: PayoutStore;
    let observer: Observer;
    before(async () => {
      store = await openPayoutStore(engine, { sealed: true });
      observer = await engine.observe(store.service.databaseUrl);
    });
    after(() => store.service.stop());

    /** Changes a column as long as the call takes. */
    const whileChanged = async <Result>(table: string, column: string, value: string, call: () => Promise<Result>): Promise<Result> => {
      await observer.query(`create table saved as select ${column} as former from ${table}`);
      await observer.query(`update ${table} set ${column} = ${value}`);
      try {
        return await call();
      } finally {
        await observer.query(`update ${table} set ${column} = (select former from saved)`);
        await observer.query('drop table saved');
      }
    };
    const request = () => store.affiliate.post('/payouts', { json: { coupon_id: store.couponId } });

    it('are not requested for a changed coupon or changed payout details, and no gateway pays', async () => {
      await store.set('payouts.auto_accept.enabled', true);
      await store.set('payouts.auto_accept.gateway', 'log');
      const ofCoupon = await whileChanged('coupons', 'percent_thousandths', '90000', request);
      const ofDetails = await whileChanged('payout_details', 'method', "'Wire'", request);
      await store.set('payouts.auto_accept.enabled', false);
      expect([ofCoupon, ofDetails].map(({ status, body }) => [status, body.code])).to.deep.equal([
        [409, 'svc_api_conflict'],
        [409, 'svc_api_conflict'],
      ]);
      expect(ofCoupon.body.message).to.equal(
        `The owner, code and rates of coupon ${store.couponId} is not what the service wrote last: it was changed past the service. Nothing was changed. Run affiliate ledger verify.`,
      );
      expect(ofDetails.body.message).to.match(new RegExp(`^The payout details of user ${store.user.id} is not what`));
      expect(await store.pools()).to.deep.equal({ unpaid: 100, pending: 0, paid: 0 });
      expect(await store.kinds()).to.deep.equal([]);
    });

    it('get no other status', async () => {
      const { body } = await request();
      const pay = () => store.admin.post(`/payouts/${body.id}/status`, { json: { status: 'paid' } });
      for (const [column, value] of [
        ['amount_minor', '90000'],
        ['user_id', '(select min(id) from users)'],
        ['method', "'Wire'"],
      ] as const) {
        const refused = await whileChanged('payouts', column, value, pay);
        expect([refused.status, refused.body.code], column).to.deep.equal([409, 'svc_api_conflict']);
        expect(refused.body.message).to.match(/^Payout \d+ is not what the service wrote last: .* Run affiliate ledger verify\.$/);
      }
      expect(await store.pools()).to.deep.equal({ unpaid: 0, pending: 100, paid: 0 });
      expect((await pay()).body.status).to.equal('paid');
    });
  });

  it('a payout of a balance that was raised for the moment of its request is named for good', async () => {
    const store = await openPayoutStore(engine, { sealed: true });
    const observer = await engine.observe(store.service.databaseUrl);
    await observer.query('update coupons set unpaid_minor = unpaid_minor + 1000');
    const { body } = await store.affiliate.post('/payouts', { json: { coupon_id: store.couponId } });
    await store.admin.post(`/payouts/${body.id}/status`, { json: { status: 'paid' } });
    await observer.query('update coupons set unpaid_minor = unpaid_minor - 1000');
    const error = await store.service.stop().catch((failure: Error) => failure);
    const sentence = `Payout ${body.id} took 11000 of coupon ${store.couponId}, which had 10000.`;
    expect(error).to.have.property('message', `The ledger is not sound: ${sentence}`);
  });

  it('a payout to former payout details, whose digest was the last one for the moment of its request, is named for good', async () => {
    const store = await openPayoutStore(engine, { sealed: true });
    const observer = await engine.observe(store.service.databaseUrl);
    await observer.query('create table former as select * from payout_details');
    await payoutDetails(store.service, {
      userId: store.user.id,
      method: 'PayPal',
      methodType: 'paypal',
      details: { email: 'new@pay.example' },
    });
    await observer.query('create table present as select * from payout_details');
    await disableIntegrityChecks(engine, observer);
    const last = "from ledger_digests where id = (select max(id) from ledger_digests where kind = 'payee')";
    await observer.query(`create table hidden as select * ${last}`);
    await observer.query(`delete ${last}`);
    await observer.query('delete from payout_details');
    await observer.query('insert into payout_details select * from former');
    const { body, status } = await store.affiliate.post('/payouts', { json: { coupon_id: store.couponId } });
    expect(status).to.equal(201);
    await observer.query('delete from payout_details');
    await observer.query('insert into payout_details select * from present');
    await observer.query(`insert into ledger_digests ${engine.name === 'postgres' ? 'overriding system value' : ''} select * from hidden`);
    const error = await store.service.stop().catch((failure: Error) => failure);
    expect(error)
      .to.have.property('message')
      .that.matches(
        new RegExp(`: Payout ${body.id} was computed from an earlier state of a record: The payout details of user ${store.user.id} `),
      );
  });
});
