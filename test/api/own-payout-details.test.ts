import { expect } from 'chai';
import type { Role } from '../../domain/users/user.ts';
import type { Scope } from '../../generated/operations.ts';
import { mailsOf } from '../support/applications.ts';
import type { CallResult } from '../support/contract-client.ts';
import { onAnyEngine } from '../support/engines.ts';
import { openPayoutStore, type PayoutStore } from '../support/payouts.ts';
import { bankDetails } from '../support/program.ts';
import { startService, type TestClock, type TestService } from '../support/service.ts';

const password = 'a long password of a person';
const management = { 'addons.management': true };
const bank = { method_type: 'banktransfer', details: bankDetails('Ada Trail') };
const paypal = (email: string) => ({ method_type: 'paypal', details: { email } });
const location = '/me/payout-details';

/** Details of every kind, valid and invalid in many ways. */
const samples: [methodType: string, details: unknown][] = [
  ['paypal', {}],
  ['paypal', { email: 'ada@pay.example' }],
  ['paypal', { email: ' ada@pay.example ' }],
  ['paypal', { email: null }],
  ['paypal', { email: '' }],
  ['paypal', { email: 'ada' }],
  ['paypal', { email: ['ada@pay.example'] }],
  ['paypal', { email: 'ada@pay.example', phone: '1' }],
  ['paypal', { email: 'ada@pay.example\r\nBcc: eve@evil.example' }],
  ['banktransfer', bankDetails('Ada')],
  ['banktransfer', { ...bankDetails('Ada'), iban: 'de89 3704 0044 0532 0130 00', country: 'de', bic: 'cobadeff' }],
  ['banktransfer', { ...bankDetails('Ada'), iban: 'DE89370400440532013001' }],
  ['banktransfer', { ...bankDetails('Ada'), iban: 'DE8937040044053201300' }],
  ['banktransfer', { ...bankDetails('Ada'), iban: 4711 }],
  ['banktransfer', { ...bankDetails('Ada'), bic: 'X' }],
  ['banktransfer', { ...bankDetails('Ada'), holder: 'x'.repeat(71) }],
  ['banktransfer', { ...bankDetails('Ada'), town: 'Ber\nlin' }],
  ['banktransfer', { ...bankDetails('Ada'), country: 'XX' }],
  ['banktransfer', { ...bankDetails('Ada'), postcode: 10117 }],
  ['banktransfer', { iban: bank.details['iban'] }],
  ['wisebank', { holder: 'Ada', email: 'ada@wise.example' }],
  ['wisebank', { holder: 'Ada', recipient_id: 12_345_678, currency: 'usd' }],
  ['wisebank', { holder: 'Ada', recipient_id: '1', email: 'ada@wise.example' }],
  ['wisebank', { holder: 'Ada' }],
  ['wisebank', { holder: 'Ada', recipient_id: '1', currency: 'XXXX' }],
  ['credit', {}],
  ['stripeapi', { account: 'acct_1' }],
  ['custom', { anything: [{ deep: true }], text: 'a\0b' }],
  ['custom', { long: 'x'.repeat(50_000) }],
  ['custom', []],
  ['custom', 'text'],
  ['cash', { a: 1 }],
];

onAnyEngine((engine) => {
  describe('GET and PUT /me/payout-details', () => {
    let store: PayoutStore;
    beforeEach(async () => {
      store = await openPayoutStore(engine, { method: null, settings: management });
    });

    const save = (json: unknown): Promise<CallResult> => store.affiliate.call('PUT', location, { json });
    const read = () => store.affiliate.get(location);
    const changeMails = async () =>
      (await mailsOf(store.service)).filter(({ headers }) => /payout details/.test(headers.get('subject') ?? ''));

    it('describe a form for each method that the store offers, and nothing saved before the first time', async () => {
      await store.set('payouts.methods.custom.enabled', false);
      await store.set('payouts.methods.banktransfer.label', 'SEPA');
      const { body } = await read();
      expect(body.saved).to.equal(null);
      expect(
        body.methods.map(({ method_type, label, free_details }: Record<string, unknown>) => [method_type, label, free_details]),
      ).to.deep.equal([
        ['paypal', 'PayPal', false],
        ['banktransfer', 'SEPA', false],
        ['stripeapi', 'Stripe', true],
        ['wisebank', 'Wise', false],
        ['credit', 'Store credit', true],
      ]);
      const fields = body.methods[1].fields as { name: string; required: boolean; format: string }[];
      expect(fields.map(({ name, required, format }) => [name, required, format])).to.deep.equal([
        ['holder', true, 'text'],
        ['iban', true, 'iban'],
        ['bic', false, 'bic'],
        ['street', false, 'text'],
        ['postcode', false, 'text'],
        ['town', true, 'text'],
        ['country', true, 'country'],
      ]);
    });

    it('return a hint of what is saved, never the destination', async () => {
      const hints: [sent: object, method: string, hint: string][] = [
        [bank, 'Bank transfer', '3000'],
        [{ ...paypal('hello@pay.example'), method: 'My PayPal' }, 'My PayPal', 'h…@pay.example'],
        [paypal('a@pay.example'), 'PayPal', '…@pay.example'],
        [paypal('😀x@pay.example'), 'PayPal', '😀…@pay.example'],
        [{ method_type: 'wisebank', details: { holder: 'Ada', recipient_id: '12345678' } }, 'Wise', '5678'],
        [{ method_type: 'wisebank', details: { holder: 'Ada', recipient_id: '12345' } }, 'Wise', '45'],
        [{ method_type: 'wisebank', details: { holder: 'Ada', recipient_id: '1' } }, 'Wise', ''],
        [{ method_type: 'custom', details: { instructions: 'By pigeon' } }, 'Custom', ''],
        [{ method_type: 'credit', details: {} }, 'Store credit', ''],
      ];
      for (const [sent, method, hint] of hints) {
        const { status, body } = await save(sent);
        expect(status, JSON.stringify(body)).to.equal(200);
        expect(body.saved).to.include({ method, hint });
        expect((await read()).body).to.deep.equal(body);
      }
    });

    it('accept and refuse exactly what an import accepts and refuses, with a sentence for each bad field', async () => {
      await store.set('addons.store', true);
      await store.service.user('imported', 'affiliate');
      for (const [method_type, details] of samples) {
        const record = { user: 'imported', method: 'X', method_type, details };
        const { body: outcomes } = await store.admin.post('/store/payout-details', { json: [record] });
        const { status, body } = await save({ method_type, details, method: 'X' });
        const what = JSON.stringify([method_type, details]).slice(0, 200);
        expect(status, `${what} ${outcomes[0].reason} ${JSON.stringify(body)}`).to.equal(outcomes[0].outcome === 'refused' ? 400 : 200);
      }
      const { body } = await save({ ...bank, details: { ...bank.details, iban: 'DE00 12', country: '', colour: 'red' } });
      expect(body.data.params).to.deep.equal({
        'details.colour': 'details.colour is no field of banktransfer: it has holder, iban, bic, street, postcode, town, and country.',
        'details.iban': 'details.iban has 6 characters, and an IBAN of DE has 22.',
        'details.country': 'details.country is missing.',
      });
      const { body: two } = await save({ method_type: 'cash', method: 'a\nb' });
      expect(Object.keys(two.data.params).toSorted()).to.deep.equal(['details', 'method', 'method_type']);
    });

    it('refuse a method that the store does not offer, also the one that is saved', async () => {
      await save(bank);
      await store.set('payouts.methods.banktransfer.enabled', false);
      const { status, body } = await save(bank);
      expect([status, body.code, body.data.params]).to.deep.equal([
        400,
        'rest_invalid_param',
        {
          method_type:
            'method_type is banktransfer, by which this store does not pay. It can be: paypal, stripeapi, wisebank, credit, custom.',
        },
      ]);
      expect((await read()).body.saved.method_type).to.equal('banktransfer');
    });

    it('are told by mail when they change, further changes of the hour by one summary at its end, and not when they are saved again unchanged', async () => {
      await store.set('service.url', 'https://partners.example/');
      await save(bank);
      await save({ ...bank, details: { ...bank.details, iban: 'de89 3704 0044 0532 0130 00' } });
      expect((await save({ ...bank, details: { ...bank.details, iban: 'DE00' } })).status).to.equal(400);
      expect(await changeMails()).to.have.length(1);
      await save(paypal('hello@pay.example'));
      await save({ ...paypal('hello@pay.example'), method: 'Another label' });
      expect(await changeMails()).to.have.length(1);
      (store.service.clock as TestClock).advance(3600);
      const mails = await changeMails();
      expect(mails.map(({ headers }) => headers.get('to'))).to.deep.equal(Array(2).fill('The trail <trail@shop.example>'));
      expect(JSON.stringify(mails[0]?.parts[0]))
        .to.include('Bank transfer, ending in 3000')
        .and.include('https://partners.example/console/account');
      expect(JSON.stringify(mails[1]?.parts[0])).to.include('changed again').and.include('PayPal, h…@pay.example');
      await save(bank);
      expect(await changeMails(), 'within the hour after the summary').to.have.length(2);
      (store.service.clock as TestClock).advance(2 * 3600);
      expect(await changeMails()).to.have.length(3);
      await save(paypal('hello@pay.example'));
      expect(await changeMails(), 'an hour after the last one').to.have.length(4);
    });

    it('never show the destination in a response, an event, a mail or the log', async () => {
      const secrets = ['DE89370400440532013000', 'hello@pay.example', 'Ada Trail', 'acct_canary'];
      await store.set('activity_log', true);
      const answers = [await save(bank), await save(paypal('hello@pay.example'))];
      answers.push(await save({ method_type: 'stripeapi', details: { account: 'acct_canary' } }));
      answers.push(await save({ ...bank, details: { ...bank.details, country: 'XX' } }), await read());
      answers.push(
        await store.admin.get('/events'),
        await store.admin.get(`/affiliates/${store.user.id}`),
        await store.affiliate.get('/me'),
      );
      const seen = JSON.stringify([answers.map(({ body }) => body), await changeMails(), store.service.log]);
      for (const secret of secrets) expect(seen).not.to.include(secret);
      expect((await store.admin.get('/events?event=payout_details')).body).to.have.length(3);
    });

    it('of a pending payout follow the new ones, as with an import; those of a paid one stay', async () => {
      await save(paypal('hello@pay.example'));
      const { body: payout } = await store.request();
      await save(bank);
      const methodOf = async () => (await store.admin.get(`/payouts/${payout.id}`)).body.method_type;
      expect(await methodOf()).to.equal('banktransfer');
      await store.change(payout.id, 'paid');
      await save(paypal('hello@pay.example'));
      expect(await methodOf()).to.equal('banktransfer');
    });

    it('that are saved at once are one or the other, and are told by one mail and a summary', async () => {
      const outcomes = await Promise.all([save(bank), save(paypal('hello@pay.example'))]);
      expect(outcomes.map(({ status }) => status)).to.deep.equal([200, 200]);
      const { saved } = (await read()).body;
      expect([
        ['banktransfer', '3000'],
        ['paypal', 'h…@pay.example'],
      ]).to.deep.include([saved.method_type, saved.hint]);
      expect(await changeMails()).to.have.length(2);
      const other = paypal('other@pay.example');
      expect((await Promise.all([save(other), save(other), save(other)])).map(({ status }) => status)).to.deep.equal([200, 200, 200]);
      // The second mail is the summary of the hour, which tells the last change.
      expect(await changeMails()).to.have.length(2);
    });

    it('belong to one user: another neither sees nor changes them', async () => {
      await save(bank);
      const other = await store.service.clientOf(await store.service.user('other', 'affiliate'), ['read', 'write']);
      expect((await other.get(location)).body.saved).to.equal(null);
      await other.call('PUT', location, { json: { ...paypal('eve@pay.example'), user_id: store.user.id, userId: store.user.id } });
      expect((await read()).body.saved.method_type).to.equal('banktransfer');
    });
  });

  describe('callers of /me/payout-details and /me/profile', () => {
    let service: TestService;
    before(async () => {
      service = await startService(engine, { settings: management });
    });

    const attempts = [
      ['GET', location, undefined],
      ['PUT', location, { method_type: 'credit', details: {} }],
      ['PATCH', '/me/profile', { phone: '1' }],
    ] as const;
    const codes = async (headers: Record<string, string>): Promise<(number | string)[]> => {
      const client = await service.client(headers);
      const answers = await Promise.all(attempts.map(([method, path, json]) => client.call(method, path, json ? { json } : {})));
      return answers.map(({ status, body }) => (status === 200 ? 200 : body.code));
    };
    const confirm = (headers: Record<string, string>) =>
      fetch(`${service.origin}/console/confirm`, { method: 'POST', headers, body: new URLSearchParams({ password }) });

    it('are any identified user with the scope; a session needs a confirmed password for the details', async () => {
      const unconfirmed = [200, 'svc_api_confirm_password', 200];
      expect(await codes({})).to.deep.equal(Array(3).fill('svc_api_unauthorized'));
      for (const role of ['affiliate', 'customer', 'manager', 'administrator'] satisfies Role[]) {
        const user = await service.user(role, role, { password });
        const byKey = async (...scopes: Scope[]) => codes((await service.key(user, scopes)).headers);
        const lacking = 'svc_api_insufficient_scope';
        expect(await byKey('read'), role).to.deep.equal([200, lacking, lacking]);
        expect(await byKey('write'), role).to.deep.equal([lacking, 200, 200]);
        expect(await byKey('manage'), role).to.deep.equal([lacking, lacking, lacking]);
        expect(await codes(await service.appPassword(user)), role).to.deep.equal([200, 200, 200]);
        const session = await service.staleSession(role, password);
        expect(await codes(session), role).to.deep.equal(unconfirmed);
        expect((await confirm(session)).status).to.equal(200);
        expect(await codes(session), role).to.deep.equal([200, 200, 200]);
        expect(await codes(await service.staleSession(role, password)), `${role} in another session`).to.deep.equal(unconfirmed);
        const { Cookie = '' } = session;
        expect(await codes({ Cookie }), `${role} without a token`).to.deep.equal([200, 'svc_api_csrf_failed', 'svc_api_csrf_failed']);
      }
    });

    it('find the operations exactly where the site has them, and in /me where they may call them', async () => {
      const user = await service.user('reader', 'affiliate');
      const { headers } = await service.key(user, ['read', 'write']);
      const absent = 'rest_no_route';
      const sites: [settings: Record<string, unknown>, expected: (number | string)[]][] = [
        [{}, [200, 200, 200]],
        [{ 'addons.management': false }, [absent, absent, absent]],
        [{ edition: 'free' }, [absent, absent, 200]],
        [{ 'addons.payouts': false }, ['svc_api_unavailable', 'svc_api_unavailable', 200]],
        [{ 'switches.payouts': false }, [absent, absent, 200]],
        [{ 'switches.put_me_payout_details': false }, [200, absent, 200]],
        [{ 'switches.patch_me_profile': false }, [200, 200, absent]],
      ];
      const ids = ['get_me_payout_details', 'put_me_payout_details', 'patch_me_profile'];
      for (const [settings, expected] of sites) {
        for (const [path, value] of Object.entries(settings)) await service.settings.set(path, value);
        expect(await codes(headers), JSON.stringify(settings)).to.deep.equal(expected);
        const { operations } = (await (await service.client(headers)).get<{ operations: string[] }>('/me')).body;
        expect(
          operations.filter((id) => ids.includes(id)),
          JSON.stringify(settings),
        ).to.deep.equal(ids.filter((_, at) => expected[at] === 200));
        for (const path of Object.keys(settings)) await service.settings.unset(path);
        await service.settings.set('addons.management', true);
      }
      const reader = await service.client((await service.key(user, ['read'])).headers);
      expect((await reader.get<{ operations: string[] }>('/me')).body.operations)
        .to.include('get_me_payout_details')
        .and.not.include(ids[1]);
    });

    it('change their name, telephone and website, each by itself, as an affiliate or not', async () => {
      const user = await service.user('walker', 'affiliate');
      const client = await service.clientOf(user, ['read', 'write']);
      const change = (json: unknown) => client.call('PATCH', '/me/profile', { json });
      expect((await change({})).body).to.deep.equal({ display_name: 'The walker', phone: '', website: '' });
      expect((await change({ phone: '030 1', login: 'eve', role: 'administrator', email: 'eve@evil.example' })).body.phone).to.equal(
        '030 1',
      );
      expect((await change({ website: 'https://walker.example', phone: null })).body).to.include({ phone: '030 1' });
      const form = { form: 'display_name=Ada+Walker+&phone=' };
      expect((await client.call('PATCH', '/me/profile', form)).body).to.deep.equal({
        display_name: 'Ada Walker',
        phone: '',
        website: 'https://walker.example',
      });
      const stored = await service.storage.read(({ userRecords }) => userRecords.byLogin('walker'));
      expect(stored).to.deep.include({ login: 'walker', role: 'affiliate', email: 'walker@shop.example', displayName: 'Ada Walker' });
      const { body } = await client.get('/me');
      expect(body.user.display_name).to.equal('Ada Walker');
      expect((await change({ display_name: ' Ada Walker\n' })).body.display_name, 'without the spaces around it').to.equal('Ada Walker');
      const bad = { display_name: 'Ada\r\nBcc: eve@evil.example', phone: 'x'.repeat(101), website: 'javascript:alert(1)' };
      const refused = await change(bad);
      expect([refused.status, Object.keys(refused.body.data.params)]).to.deep.equal([400, ['display_name', 'phone', 'website']]);
      for (const display_name of ['', ' ', 'x'.repeat(251), 'a\u2028b']) expect((await change({ display_name })).status).to.equal(400);
    });
  });
});
