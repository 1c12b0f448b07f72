import { expect } from 'chai';
import type { Role } from '../../domain/users/user.ts';
import { settingPaths } from '../../site/settings/settings.ts';
import type { CallResult, ContractClient } from '../support/contract-client.ts';
import { onAnyEngine } from '../support/engines.ts';
import { openPayoutStore, type PayoutStore } from '../support/payouts.ts';
import { startService, type TestService } from '../support/service.ts';

const password = 'a long password of a person';
const management = { 'addons.management': true };

interface Setting {
  path: string;
  value: unknown;
  default: unknown;
  type: string;
  choices: string[] | null;
  maximum: number | null;
  max_length: number | null;
  pattern: string | null;
  locked: string | null;
}

async function readAll(client: ContractClient): Promise<Map<string, Setting>> {
  const pages = [await client.get('/settings?per_page=100'), await client.get('/settings?per_page=100&page=2')];
  expect(pages.map(({ status }) => status)).to.deep.equal([200, 200]);
  expect(pages[0]?.headers.get('X-Svc-Total')).to.equal(String(settingPaths.length));
  return new Map(pages.flatMap(({ body }) => body.map((setting: Setting) => [setting.path, setting])));
}

onAnyEngine((engine) => {
  describe('GET and PATCH /settings', () => {
    let service: TestService;
    let administrator: ContractClient;
    beforeEach(async () => {
      service = await startService(engine, { settings: management });
      administrator = await service.clientOf(await service.user('boss', 'administrator'), ['read', 'manage']);
    });

    const change = (json: unknown, client = administrator): Promise<CallResult> => client.call('PATCH', '/settings', { json });
    const stored = async () => (await service.storage.read(({ settings }) => settings.all())).values;
    const events = async () => (await administrator.get('/events?event=settings_changed')).body;

    it('list every setting of the schema with its value, default, type and choices, those of inactive add-ons included', async () => {
      await service.settings.set('edition', 'free');
      await service.settings.set('cors.origins', ['https://app.example']);
      const settings = await readAll(administrator);
      expect([...settings.keys()]).to.deep.equal(settingPaths.map(({ path }) => path));
      expect(settings.get('edition')).to.deep.equal({
        path: 'edition',
        value: 'free',
        default: 'pro',
        description: settingPaths.find(({ path }) => path === 'edition')?.description,
        type: 'string',
        choices: ['free', 'pro'],
        allowed: '"free" or "pro"',
        minimum: null,
        maximum: null,
        max_length: null,
        pattern: null,
        locked: null,
      });
      expect(settings.get('cors.origins')).to.deep.include({ value: ['https://app.example'], default: [], type: 'array', choices: null });
      expect(settings.get('payouts.auto_accept.gateway')?.choices).to.deep.equal(['manual', 'log']);
      const types = { 'commission.clearing_days': 'integer', 'commission.percent': 'number', 'registration.open': 'boolean' };
      for (const [path, type] of Object.entries({ ...types, 'store.statuses': 'object' })) expect(settings.get(path)?.type).to.equal(type);
    });

    it('tell the limits of numbers and texts, also of the entries of lists, and refuse what is outside of them', async () => {
      const settings = await readAll(administrator);
      expect(settings.get('commission.clearing_days')).to.deep.include({
        minimum: 0,
        maximum: 3650,
        allowed: 'a whole number from 0 to 3,650',
      });
      expect(settings.get('multi_level.rates')).to.deep.include({ type: 'array', minimum: 0, maximum: 100 });
      expect(settings.get('store.name')).to.deep.include({ max_length: 200, minimum: null });
      for (const { path, type, maximum, max_length: longest, pattern } of settings.values()) {
        const wrong = [
          ...(maximum === null ? [] : [maximum + 1]),
          ...(longest === null ? [] : [`https://${'a'.repeat(longest)}`]),
          ...(pattern === null ? [] : ['\n?']),
        ];
        for (const value of wrong) {
          const { status } = await change({ [path]: type === 'array' ? [value] : value });
          expect(status, `${path} ${value}`).to.equal(400);
        }
      }
    });

    it('change all that are sent, at once, and answer exactly those', async () => {
      const { status, body } = await change({ 'store.name': 'Ada', 'payouts.threshold': 50, 'store.statuses': { packed: 'processing' } });
      expect([status, body.map(({ path, value }: Setting) => [path, value])]).to.deep.equal([
        200,
        [
          ['store.name', 'Ada'],
          ['store.statuses', { packed: 'processing' }],
          ['payouts.threshold', 50],
        ],
      ]);
      expect((await readAll(administrator)).get('store.name')?.value).to.equal('Ada');
    });

    it('reset by null, and null for a setting that was never set is no error', async () => {
      await change({ 'store.name': 'Ada', edition: 'free' });
      const { status, body } = await change({ 'store.name': null, 'payouts.threshold': null });
      expect([status, body[0].value]).to.deep.equal([200, 'My store']);
      expect(await stored())
        .to.deep.include({ edition: 'free' })
        .and.not.to.have.any.keys('store.name', 'payouts.threshold');
    });

    it('refuse what says more than is used: finer percentages and amounts, and tiers above 100 percent', async () => {
      const template = { percent: null, discount_type: 'percent', discount_amount: 10 };
      for (const [path, wrong, right] of [
        ['commission.percent', 12.3456, 12.345],
        ['recurring.percent', 0.0001, 0.001],
        ['commission.fixed_per_order', 1.005, 1.01],
        ['payouts.threshold', 49.999, 50],
        ['multi_level.rates', [60, 40.001], [60, 40]],
        ['multi_level.rates', [0.0005], []],
        ['registration.coupon_template', { ...template, percent: 5.5555 }, { ...template, percent: 5.555 }],
        ['registration.coupon_template', { ...template, discount_type: 'fixed_cart', discount_amount: 0.125 }, template],
      ] as const) {
        const { status, body } = await change({ [path]: wrong });
        expect([status, String(body.data?.params?.[path])], path)
          .to.deep.include(400)
          .and.to.have.property('1')
          .that.includes(`${path} cannot be`);
        expect((await change({ [path]: right })).status, path).to.equal(200);
      }
      expect((await change({ 'commission.fixed_per_order': null, 'payouts.threshold': null })).status).to.equal(200);
      expect((await change({ 'store.currency': 'JPY', 'commission.fixed_per_order': 1.5 })).status).to.equal(400);
      expect((await change({ 'store.currency': 'KWD', 'commission.fixed_per_order': 1.005 })).status).to.equal(200);
    });

    it('change nothing when one is refused, and name every bad path', async () => {
      const before = await stored();
      const { status, body } = await change({
        'store.name': 'Ada',
        'store.nmae': 'Bob',
        edition: 'gold',
        'payouts.threshold': '50',
        'commission.clearing_days': 1.5,
        'cors.origins': ['*'],
        'payouts.sepa.iban': 'DE00',
        'no.such': null,
        'store.statuses': [],
      });
      expect([status, body.code]).to.deep.equal([400, 'rest_invalid_param']);
      expect(Object.keys(body.data.params).toSorted()).to.deep.equal([
        'commission.clearing_days',
        'cors.origins',
        'edition',
        'no.such',
        'payouts.sepa.iban',
        'payouts.threshold',
        'store.nmae',
        'store.statuses',
      ]);
      expect(body.data.params.edition).to.equal('edition cannot be "gold". It must be "free" or "pro".');
      expect(body.data.params['store.nmae']).to.include('Did you mean store.name');
      const gateway = await change({ 'store.name': 'Ada', 'payouts.auto_accept.gateway': 'swift' });
      expect(Object.keys(gateway.body.data.params)).to.deep.equal(['payouts.auto_accept.gateway']);
      expect(await stored()).to.deep.equal(before);
      expect(await events()).to.deep.equal([]);
    });

    it('refuse by the contract what is no object of at most 100 fields, and a prototype is no setting', async () => {
      const many = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`a${n}`, 1]));
      for (const json of [[], 'text', 1, null, many]) {
        const { status, body } = await change(json);
        expect([status, Object.keys(body.data.params)], JSON.stringify(json).slice(0, 20)).to.deep.equal([400, ['body']]);
      }
      const { headers } = await service.key(await service.user('other', 'administrator'), ['manage']);
      const raw = { method: 'PATCH', headers: { ...headers, 'Content-Type': 'application/json' } };
      const answer = await fetch(`${service.origin}/api/v2/settings`, { ...raw, body: '{"__proto__":{"edition":"free"},"constructor":1}' });
      const { data } = (await answer.json()) as { data: { params: object } };
      expect([answer.status, Object.keys(data.params)]).to.deep.equal([400, ['__proto__', 'constructor']]);
      const form = await administrator.call('PATCH', '/settings', { form: 'edition=free' });
      expect(form.status).to.equal(415);
      expect((await change({})).body).to.deep.equal([]);
    });

    it('record one event with the paths that have another value now, without values', async () => {
      await change({ 'store.name': 'A secret name', edition: 'pro', 'payouts.sepa.iban': 'DE89370400440532013000' });
      await change({ edition: 'pro' });
      const found = await events();
      expect(found).to.have.length(1);
      expect(found[0]).to.deep.include({
        type: null,
        object_type: 'site',
        info: 'Settings were changed: store.name, payouts.sepa.iban.',
        data: { paths: ['store.name', 'payouts.sepa.iban'] },
      });
      expect(JSON.stringify(found)).not.to.match(/secret|DE89/);
    });

    it('that two requests change at once are those of one request or of the other, and both are in the feed', async () => {
      const other = await service.clientOf(await service.user('other', 'administrator'), ['manage']);
      const one = { 'store.name': 'One', 'payouts.threshold': 1, edition: 'free' };
      const two = { 'store.name': 'Two', 'payouts.threshold': 2, edition: null };
      const answers = await Promise.all([change(one), change(two, other)]);
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200]);
      const { store, payouts, edition } = await service.settings.current();
      expect([
        ['One', 1, 'free'],
        ['Two', 2, 'pro'],
      ]).to.deep.include([store.name, payouts.threshold, edition]);
      expect(await events()).to.have.length(2);
    });

    it('are read by administrators and managers, and changed by administrators with a confirmed password', async () => {
      const codes = async (headers: Record<string, string>): Promise<(number | string)[]> => {
        const client = await service.client(headers);
        const answers = [await client.get('/settings'), await change({ 'store.name': 'Ada' }, client)];
        return answers.map(({ status, body }) => (status === 200 ? 200 : body.code));
      };
      const forbidden = 'svc_api_forbidden';
      expect(await codes({})).to.deep.equal(Array(2).fill('svc_api_unauthorized'));
      const expected: [Role, (number | string)[]][] = [
        ['administrator', [200, 200]],
        ['manager', [200, forbidden]],
        ['affiliate', [forbidden, forbidden]],
        ['customer', [forbidden, forbidden]],
      ];
      for (const [role, verdicts] of expected) {
        const user = await service.user(role, role, { password });
        expect(await codes((await service.key(user, ['manage'])).headers), role).to.deep.equal(verdicts);
        expect(await codes((await service.key(user, ['read', 'write'])).headers)).to.deep.equal(
          Array(2).fill('svc_api_insufficient_scope'),
        );
        expect(await codes(await service.appPassword(user)), role).to.deep.equal(verdicts);
      }
      const manager = await service.clientOf(await service.user('second', 'manager'), ['manage']);
      expect((await change({}, manager)).body.message).to.equal('This needs the role administrator. Your role is manager.');
      expect((await manager.get('/me')).body.operations)
        .to.include('get_settings')
        .and.not.include('patch_settings');
      const session = await service.staleSession('administrator', password);
      expect(await codes(session)).to.deep.equal([200, 'svc_api_confirm_password']);
      await fetch(`${service.origin}/console/confirm`, { method: 'POST', headers: session, body: new URLSearchParams({ password }) });
      expect(await codes(session)).to.deep.equal([200, 200]);
      const { Cookie = '' } = session;
      expect(await codes({ Cookie })).to.deep.equal([200, 'svc_api_csrf_failed']);
    });

    it('exist with the add-on only, which they can switch off', async () => {
      expect((await change({ 'addons.management': false })).status).to.equal(200);
      expect((await administrator.get('/settings')).body.code).to.equal('rest_no_route');
      expect((await change({ 'addons.management': true })).body.code).to.equal('rest_no_route');
    });
  });

  describe('the currency and the time zone', () => {
    let store: PayoutStore;
    let administrator: ContractClient;
    beforeEach(async () => {
      store = await openPayoutStore(engine, { settings: management });
      administrator = await store.service.clientOf(await store.service.user('chief', 'administrator'), ['manage']);
    });

    it('say why they are locked, and are refused together with all that is sent with them; unchanged ones are not', async () => {
      const settings = await readAll(administrator);
      const [currency, zone] = ['store.currency', 'store.timezone'].map((path) => settings.get(path));
      // What cannot be undone is named before a setting that could be reset.
      await administrator.call('PATCH', '/settings', { json: { 'payouts.threshold': 50 } });
      expect((await readAll(administrator)).get('store.currency')?.locked).to.equal(currency?.locked);
      expect(currency?.locked).to.match(/^It cannot change: there are amounts in \w{3} already\. To use another, /);
      expect(zone?.locked).to.match(/^It cannot change: there are orders, clicks or payouts by the days of \S+ already\. /);
      expect([...settings.values()].filter(({ locked }) => locked !== null)).to.have.length(2);
      const json = { 'store.currency': 'JPY', 'store.timezone': 'Asia/Tokyo', 'store.name': 'Ada' };
      const { status, body } = await administrator.call('PATCH', '/settings', { json });
      expect([status, Object.keys(body.data.params)]).to.deep.equal([400, ['store.currency', 'store.timezone']]);
      expect((await readAll(administrator)).get('store.name')?.value).not.to.equal('Ada');
      const same = { 'store.currency': currency?.value, 'store.timezone': zone?.value, 'store.name': 'Ada' };
      expect((await administrator.call('PATCH', '/settings', { json: same })).status).to.equal(200);
    });

    it('can change while the program is empty, until a setting is an amount', async () => {
      const service = await startService(engine, { settings: management });
      const client = await service.clientOf(await service.user('first', 'administrator'), ['manage']);
      const patch = (json: unknown) => client.call('PATCH', '/settings', { json });
      expect(
        (await patch({ 'store.currency': 'JPY', 'store.timezone': 'Asia/Tokyo' })).body.map(({ locked }: Setting) => locked),
      ).to.deep.equal([null, null]);
      const { body } = await patch({ 'payouts.threshold': 5000 });
      expect(body[0].locked).to.equal(null);
      expect((await readAll(client)).get('store.currency')?.locked).to.equal(
        'It cannot change: payouts.threshold is an amount in JPY. Unset it first.',
      );
    });
  });
});
