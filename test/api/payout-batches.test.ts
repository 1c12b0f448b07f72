import { expect } from 'chai';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { deleteOldFiles } from '../../domain/payouts/settle-batch.ts';
import { systemRandom } from '../../domain/random.ts';
import { listSentences, verifyLedger } from '../../domain/verification/verify.ts';
import type { CallResult } from '../support/contract-client.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { canary, createEarner, earn, openPayoutStore } from '../support/payouts.ts';
import { bankDetails, payoutDetails } from '../support/program.ts';
import { masterKey, TestClock } from '../support/service.ts';

const password = 'a long password of a person';
const management = { 'addons.management': true };
const day = 24 * 60 * 60;

onAnyEngine((engine) => {
  let clock: TestClock;
  const store = testFixture(() => {
    clock = new TestClock();
    return openPayoutStore(engine, { clock, settings: management });
  });
  const create = (json: object = { format: 'paypal' }): Promise<CallResult> => store.admin.post('/payout-batches', { json });
  const settle = (id: number, json: object): Promise<CallResult> => store.admin.post(`/payout-batches/${id}/status`, { json });
  const statusOf = async (id: number) => (await store.admin.get(`/payouts/${id}`)).body.status;
  const expectConsistent = async () => {
    const verification = await store.service.storage.read((db) => verifyLedger(db, { written: String }));
    expect(listSentences(verification)).to.deep.equal([]);
  };
  /** A second pending payout, of another affiliate. */
  const second = async () => {
    const other = await createEarner(store.service, 'other', 50);
    return { ...other, id: (await store.admin.post('/payouts', { json: { coupon_id: other.couponId } })).body.id as number };
  };

  describe('POST /payout-batches', () => {
    it('moves pending payouts to created, answers the record of the batch, and never a destination', async () => {
      const { id } = (await store.request()).body;
      const other = await second();
      const { status, body } = await create();
      expect(status).to.equal(201);
      expect(body).to.include({ format: 'paypal', status: 'open', count: 2, total: 150, currency: 'USD', date_settled: null });
      expect(body).to.include({ file: 'payouts-paypal-2026-11-02.csv', file_complete: true, date: '2026-11-02T07:00:00' });
      expect(body.left_out).to.deep.equal([]);
      const item = {
        payout_id: id,
        user_id: store.user.id,
        display_name: 'The trail',
        coupon_code: 'TRAIL10',
        amount: 100,
        status: 'created',
      };
      expect(body.payouts[0]).to.deep.equal(item);
      const { left_out: _leftOut, ...detail } = body;
      const { payouts: _payouts, ...listed } = detail;
      expect((await store.admin.get(`/payout-batches/${body.id}`)).body).to.deep.equal(detail);
      const list = await store.admin.get('/payout-batches');
      expect([list.body, list.headers.get('X-Svc-Total')]).to.deep.equal([[listed], '1']);
      for (const path of ['/payout-batches', `/payout-batches/${body.id}`, '/events'])
        expect(JSON.stringify((await store.admin.get(path)).body)).not.to.include(canary);
      expect([await statusOf(id), await statusOf(other.id)]).to.deep.equal(['created', 'created']);
      await expectConsistent();
    });

    it('leaves out a disabled affiliate unless told otherwise; runs and automatic acceptance leave them out, and they go on earning', async () => {
      const status = (to: string) => store.admin.post(`/affiliates/${store.user.id}/status`, { json: { status: to } });
      await status('disabled');
      const [refused] = (await store.admin.post('/payout-runs', { json: {} })).body.outcomes;
      expect(refused).to.include({ outcome: 'refused', code: 'svc_api_conflict', payout_id: null }).and.have.property('message');
      expect(refused.message).to.include('The affiliate is disabled');
      expect((await store.admin.post('/payout-runs', { json: { preview: true } })).body.outcomes[0].outcome).to.equal('refused');
      await store.earn(20);
      expect(await store.pools()).to.deep.equal({ unpaid: 120, pending: 0, paid: 0 });

      await store.set('payouts.auto_accept.enabled', true);
      const { body: payout } = await store.admin.post('/payouts', { json: { coupon_id: store.couponId } });
      expect(payout).to.include({ status: 'pending', gateway_notice: 'The payout stays pending: the affiliate is disabled.' });
      const none = await create();
      expect(none.body.data.left_out ?? none.body.message).to.satisfy((text: unknown) => JSON.stringify(text).includes('disabled'));
      await store.set('payouts.auto_accept.enabled', false);
      await second();
      const leftOut = { payout_id: payout.id, reason: 'The affiliate is disabled.', override: 'despite_disabled' };
      expect((await create()).body).to.deep.include({ count: 1, left_out: [leftOut] });
      expect((await create({ format: 'paypal', despite_disabled: true })).body).to.deep.include({ count: 1, left_out: [] });
    });

    it('leaves out what a person should look at, says what includes it, and includes it then', async () => {
      const { id } = (await store.request()).body;
      const debtor = await second();
      await store.admin.post('/adjustments', { json: { coupon_id: debtor.couponId, amount: -60, note: 'A refund.' } });
      const replacement = {
        userId: store.user.id,
        method: 'PayPal',
        methodType: 'paypal',
        details: { email: 'new@bank.example' },
      } as const;
      clock.advance(1);
      await payoutDetails(store.service, replacement);
      const { status, body } = await create();
      expect([status, body.code]).to.deep.equal([409, 'svc_api_conflict']);
      expect(body.message).to.include('owes 60.00 USD').and.include('were replaced').and.not.include('--');
      const { body: batch } = await create({ format: 'paypal', despite_changes: true });
      expect(batch.payouts.map((payout: { payout_id: number }) => payout.payout_id)).to.deep.equal([id]);
      const reason = 'The affiliate owes 60.00 USD over all coupons.';
      expect(batch.left_out).to.deep.equal([{ payout_id: debtor.id, reason, override: 'despite_debt' }]);
      expect((await create({ format: 'csv', despite_debt: true })).body.count).to.equal(1);
    });

    it('changes nothing where no payout fits, or the account of a SEPA file is not set', async () => {
      const { id } = (await store.request()).body;
      expect((await create({ format: 'wise-email' })).body).to.include({ code: 'svc_api_conflict' });
      expect((await create({ format: 'sepa' })).body.message).to.equal(
        'SEPA files pay in EUR, and store.currency is USD. Choose another format.',
      );
      expect([await statusOf(id), (await store.admin.get('/payout-batches')).body]).to.deep.equal(['pending', []]);
    });

    it('leaves out what PayPal cannot pay, and makes no batch in a currency that it does not pay out', async () => {
      for (const [currency, outcome] of [
        ['HUF', /PayPal pays whole amounts of HUF alone, and this is 10\.50/],
        ['KWD', /PayPal does not pay out in KWD, the store\.currency\. Choose another format\./],
      ] as const) {
        const { admin, request } = await openPayoutStore(engine, { earned: 10.5, settings: { ...management, 'store.currency': currency } });
        const { id } = (await request()).body;
        const { status, body } = await admin.post('/payout-batches', { json: { format: 'paypal' } });
        expect([status, body.code], currency).to.deep.equal([409, 'svc_api_conflict']);
        expect(JSON.stringify(body)).to.match(outcome);
        expect((await admin.get(`/payouts/${id}`)).body.status).to.equal('pending');
        expect((await admin.get('/payout-batches')).body).to.deep.equal([]);
      }
    });

    it('puts a payout into one batch, of many concurrent requests', async () => {
      await store.request();
      const answers = await Promise.all(Array.from({ length: 6 }, () => create()));
      expect(answers.filter(({ status }) => status === 201)).to.have.length(1);
      for (const { status, body } of answers)
        if (status !== 201) expect(body.code).to.be.oneOf(['svc_api_conflict', 'svc_api_in_progress']);
      await expectConsistent();
    });
  });

  describe('POST /payout-batches/{id}/status', () => {
    it('pays the batch except what failed, whose amount is unpaid again, also later', async () => {
      const { id } = (await store.request()).body;
      const other = await second();
      const { body: batch } = await create();
      const { status, body } = await settle(batch.id, { status: 'paid', failed: [other.id, other.id] });
      expect([status, body.status]).to.deep.equal([200, 'paid']);
      expect(body.payouts.map((payout: { status: string }) => payout.status)).to.deep.equal(['paid', 'cancel']);
      expect((await settle(batch.id, { status: 'paid' })).body.code).to.equal('svc_api_conflict');
      expect((await settle(batch.id, { status: 'paid', failed: [id] })).status).to.equal(200);
      expect(await store.pools()).to.deep.equal({ unpaid: 100, pending: 0, paid: 0 });
      await expectConsistent();
    });

    it('cancels a batch whose file was not sent, so that its payouts can be in another', async () => {
      const { id } = (await store.request()).body;
      const { body: batch } = await create();
      expect((await settle(batch.id, { status: 'cancel' })).body.status).to.equal('cancelled');
      expect(await statusOf(id)).to.equal('pending');
      expect((await settle(batch.id, { status: 'paid' })).body.code).to.equal('svc_api_conflict');
      expect((await create()).body.payouts[0].payout_id).to.equal(id);
      await expectConsistent();
    });

    it('takes a payout back to created that was marked paid by mistake, as its messages say', async () => {
      const { id } = (await store.request()).body;
      const other = await second();
      const { body: batch } = await create();
      const change = (status: string) => store.admin.post(`/payouts/${id}/status`, { json: { status } });
      await change('paid');
      const refused = await settle(batch.id, { status: 'cancel' });
      expect(refused.body.code).to.equal('svc_api_conflict');
      expect(refused.body.message).to.include(`set it back to created: POST /payouts/${id}/status.`);
      for (const status of ['pending', 'cancel'])
        expect((await change(status)).body.message).to.include(`POST /payout-batches/${batch.id}/status`);
      expect((await change('created')).body).to.include({ status: 'created', date_paid: null });
      expect((await settle(batch.id, { status: 'cancel' })).body.status).to.equal('cancelled');
      expect([await statusOf(id), await statusOf(other.id)]).to.deep.equal(['pending', 'pending']);
      await expectConsistent();
    });

    it('refuses failed payouts of a cancelled batch, payouts of other batches, and a missing batch, and changes nothing', async () => {
      const { id } = (await store.request()).body;
      const { body: batch } = await create();
      expect(Object.keys((await settle(batch.id, { status: 'cancel', failed: [id] })).body.data.params)).to.deep.equal(['failed']);
      expect((await settle(batch.id, { status: 'paid', failed: [999_999] })).body.code).to.equal('svc_api_conflict');
      expect((await settle(999_999, { status: 'paid' })).status).to.equal(404);
      expect(await statusOf(id)).to.equal('created');
    });
  });

  describe('GET /console/payout-batches/{id}/file', () => {
    const get = (id: number | string, headers: Record<string, string> = {}) =>
      fetch(`${store.service.origin}/console/payout-batches/${id}/file`, { headers });
    const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code];
    const confirm = (headers: Record<string, string>) =>
      fetch(`${store.service.origin}/console/confirm`, { method: 'POST', headers, body: new URLSearchParams({ password }) });
    const signIn = async (login: string, role: 'manager' | 'affiliate') => {
      await store.service.user(login, role, { password });
      return store.service.staleSession(login, password);
    };

    it('sends the file to an admin whose session has a confirmed password, never stored by a cache', async () => {
      await store.request();
      const { id } = (await create()).body;
      const headers = await signIn('keeper', 'manager');
      expect(await codeOf(await get(id, headers))).to.deep.equal([403, 'svc_api_confirm_password']);
      await confirm(headers);
      const response = await get(id, headers);
      expect([response.status, response.headers.get('Cache-Control')]).to.deep.equal([200, 'no-store']);
      expect(response.headers.get('Content-Disposition')).to.equal(`attachment; filename="payout-batch-${id}-paypal.csv"`);
      expect(response.headers.get('Content-Type')).to.equal('text/csv; charset=utf-8');
      expect(await response.text()).to.include(`${canary},100.00,USD,PAYOUT-`);
      clock.advance(601);
      expect(await codeOf(await get(id, headers))).to.deep.equal([403, 'svc_api_confirm_password']);
    });

    it('refuses affiliates, keys and application passwords, missing and settled batches, and sites without the add-on', async () => {
      await store.request();
      const { id } = (await create()).body;
      const boss = await store.service.user('second-boss', 'administrator');
      const affiliate = await signIn('curious', 'affiliate');
      await confirm(affiliate);
      expect(await codeOf(await get(id))).to.deep.equal([401, 'svc_api_unauthorized']);
      expect(await codeOf(await get(id, affiliate))).to.deep.equal([403, 'svc_api_forbidden']);
      for (const headers of [(await store.service.key(boss, ['read', 'write', 'manage'])).headers, await store.service.appPassword(boss)])
        expect((await get(id, headers)).status).to.be.oneOf([401, 403]);
      const headers = await signIn('keeper', 'manager');
      await confirm(headers);
      for (const missing of [id + 1, 'x', '1e3', '-1']) expect((await get(missing, headers)).status).to.equal(404);
      await store.service.withSetting('addons.management', false, async () => expect((await get(id, headers)).status).to.equal(404));
      await settle(id, { status: 'cancel' });
      expect(await codeOf(await get(id, headers))).to.deep.equal([409, 'svc_api_conflict']);
      const again = (await create()).body.id;
      await settle(again, { status: 'paid' });
      expect(await codeOf(await get(again, headers))).to.deep.equal([409, 'svc_api_conflict']);
    });

    it('ends 90 days after the batch was settled, and never for an open batch', async () => {
      await store.request();
      const paid = (await create()).body.id;
      await settle(paid, { status: 'paid' });
      await earn(store.service, store.couponId, 100);
      await store.request();
      const open = (await create()).body.id;
      const remains = async () => {
        await store.service.storage.write((transaction) => deleteOldFiles(transaction, clock.now()));
        return store.service.storage.read(async ({ batches }) =>
          Promise.all([paid, open].map(async (id) => (await batches.encryptedFile(id)) !== null)),
        );
      };
      clock.advance(90 * day);
      expect(await remains()).to.deep.equal([true, true]);
      clock.advance(1);
      expect(await remains()).to.deep.equal([false, true]);
      const headers = await signIn('keeper', 'manager');
      await confirm(headers);
      expect(await codeOf(await get(paid, headers))).to.deep.equal([409, 'svc_api_conflict']);
      expect((await get(open, headers)).status).to.equal(200);
    });
  });

  describe('a SEPA batch', () => {
    it('pays bank transfers from the account of the settings', async () => {
      const euro = await openPayoutStore(engine, { method: null, earned: 0, settings: { ...management, 'store.currency': 'EUR' } });
      const details = { userId: euro.user.id, method: 'Bank', methodType: 'banktransfer', details: bankDetails('Ada') } as const;
      await payoutDetails(euro.service, details);
      await euro.earn(40);
      await euro.request();
      const { body: refused } = await euro.admin.post('/payout-batches', { json: { format: 'sepa' } });
      expect(refused.message).to.equal(
        'The account that pays is not set. Set payouts.sepa.name and payouts.sepa.iban and payouts.sepa.town and payouts.sepa.country.',
      );
      const account = { name: 'Shop', iban: 'DE89370400440532013000', town: 'Berlin', country: 'DE' };
      for (const [field, value] of Object.entries(account)) await euro.set(`payouts.sepa.${field}`, value);
      const { status, body } = await euro.admin.post('/payout-batches', { json: { format: 'sepa' } });
      expect([status, body.total, body.file]).to.deep.equal([201, 40, 'payouts-sepa-2026-11-02.xml']);
      const encrypted = await euro.service.storage.query(({ batches }) => batches.encryptedFile(body.id));
      expect(createSecrets('payout_file', masterKey, systemRandom).decrypt(encrypted ?? '', body.id)).to.include('<Nm>Shop</Nm>');
    });
  });
});
