import { expect } from 'chai';
import { SettingError } from '../../site/settings/settings.ts';
import { SettingsError, SiteSettings, type SiteSettingsParts } from '../../site/settings/site-settings.ts';
import { SettingsInMemory } from './setting-repository.ts';

const rejection = async (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => {
      throw new Error('it was not refused');
    },
    (error: Error) => error,
  );

describe('the settings of a node', () => {
  let store: SettingsInMemory;
  let now: number;
  let money: boolean;

  beforeEach(() => {
    store = new SettingsInMemory();
    now = 0;
    money = false;
  });

  const node = (parts: Partial<SiteSettingsParts> = {}): SiteSettings =>
    new SiteSettings({ unitOfWork: store, moneyExists: async () => money, monotonicMs: () => now, ...parts });

  it('show a change by another node within half a second, and are not read more often than that', async () => {
    const [here, there] = [node(), node()];
    expect((await there.current()).edition).to.equal('pro');
    await here.set('edition', 'free');
    now = 499;
    expect((await there.current()).edition).to.equal('pro');
    now = 500;
    expect((await there.current()).edition).to.equal('free');
  });

  it('show a change by the same node at once, in both directions', async () => {
    const here = node();
    expect((await here.current()).edition).to.equal('pro');
    await here.set('edition', 'free');
    expect((await here.current()).edition).to.equal('free');
    await here.unset('edition');
    expect((await here.current()).edition).to.equal('pro');
    expect(store.values).to.deep.equal({});
  });

  it('change together or not at all, and every refused path is named', async () => {
    const here = node();
    await here.setAll({ edition: 'free', 'store.name': 'Ada' });
    expect(store.values).to.deep.equal({ edition: 'free', 'store.name': 'Ada' });
    const refused = await rejection(here.setAll({ edition: 'pro', 'store.name': '', 'store.nmae': 'Bob' }));
    expect(refused).to.be.instanceOf(SettingsError);
    expect((refused as SettingsError).problems.map(({ path }) => path)).to.deep.equal(['store.name', 'store.nmae']);
    money = true;
    expect((await rejection(here.setAll({ edition: 'pro', 'store.currency': 'EUR' }))).message).to.match(/^store\.currency cannot change /);
    expect(store.values).to.deep.equal({ edition: 'free', 'store.name': 'Ada' });
  });

  it('are neither read again nor rebuilt without a change', async () => {
    const here = node();
    const first = await here.current();
    for (now = 1; now < 5000; now += 100) expect(await here.current()).to.equal(first);
    expect(store.asked.filter((what) => what === 'all')).to.have.lengthOf(1);
    expect(store.asked).to.have.lengthOf.within(9, 11);
  });

  it('are read once for a hundred concurrent requests', async () => {
    const here = node();
    await Promise.all(Array.from({ length: 100 }, () => here.current()));
    expect(store.asked).to.deep.equal(['all']);
  });

  it('never return to old values because of a read that began before a change', async () => {
    const here = node();
    let answer = (): void => {};
    store.beforeAnswer = () => new Promise((resolve) => (answer = resolve));
    const early = here.current();
    await new Promise(setImmediate);
    store.beforeAnswer = async () => {};
    await here.set('edition', 'free');
    const afterwards = await here.current();
    answer();
    await early;
    expect(afterwards.edition).to.equal('free');
    expect((await here.current()).edition).to.equal('free');
  });

  it('fail while the database is unreachable, and are read again with the next request', async () => {
    const here = node();
    store.failing = true;
    expect((await rejection(here.snapshot())).message).to.equal('the database is away');
    store.failing = false;
    expect((await here.current()).edition).to.equal('pro');
  });

  it('name a stored value that is no longer valid, for doctor', async () => {
    store.values = { 'store.timezone': 'Europe/Atlantis' };
    const { settings, problems, version } = await node().snapshot();
    expect(settings.store.timezone).to.equal('UTC');
    expect(problems.map(({ path }) => path)).to.deep.equal(['store.timezone']);
    expect(version).to.equal(0);
  });

  it('refuse a wrong path or value and change nothing', async () => {
    const here = node();
    expect(await rejection(here.set('edition', 'premium'))).to.be.instanceOf(SettingError);
    expect(await rejection(here.set('editoin', 'free'))).to.be.instanceOf(SettingError);
    expect(await rejection(here.unset('editoin'))).to.be.instanceOf(SettingError);
    expect(await rejection(here.set('edition', null))).to.be.instanceOf(SettingError);
    expect(store.version).to.equal(0);
  });

  describe('the currency', () => {
    it('can change while there is no money', async () => {
      const here = node();
      await here.set('store.currency', 'EUR');
      expect((await here.current()).store.currency).to.equal('EUR');
    });

    it('cannot change once money exists, neither to another nor back to the default', async () => {
      const here = node();
      await here.set('store.currency', 'EUR');
      money = true;
      const sentence =
        'store.currency cannot change from EUR to JPY: there are amounts in EUR already. To use another, set it in a new database before the first record, and import everything there.';
      expect((await rejection(here.set('store.currency', 'JPY'))).message).to.equal(sentence);
      expect(await rejection(here.unset('store.currency'))).to.be.instanceOf(SettingError);
      expect((await here.current()).store.currency).to.equal('EUR');
    });

    it('cannot change while a setting is an amount', async () => {
      const here = node();
      const template = { percent: null, discount_type: 'fixed_cart', discount_amount: 5 };
      for (const [path, value] of [['commission.fixed_per_order', 2.5] as const, ['registration.coupon_template', template] as const]) {
        await here.set(path, value);
        const sentence = `store.currency cannot change from USD to JPY: ${path} is an amount in USD. Unset it first.`;
        expect((await rejection(here.set('store.currency', 'JPY'))).message).to.equal(sentence);
        await here.unset(path);
      }
      await here.set('payouts.threshold', 0);
      await here.set('store.currency', 'JPY');
      expect((await here.current()).store.currency).to.equal('JPY');
    });

    it('changes together with every amount, in any order, each of which fits the new currency', async () => {
      const here = node();
      const amounts = { 'commission.fixed_per_order': 2.5, 'payouts.threshold': 20 };
      for (const [path, value] of Object.entries(amounts)) await here.set(path, value);
      expect((await rejection(here.setAll({ 'store.currency': 'JPY', 'payouts.threshold': null }))).message).to.include(
        'commission.fixed_per_order is an amount in USD. Unset it first.',
      );
      expect((await rejection(here.setAll({ 'store.currency': 'JPY', ...amounts }))).message).to.equal(
        'commission.fixed_per_order cannot be 2.5. An amount in JPY has at most 0 decimals.',
      );
      await here.setAll({ 'commission.fixed_per_order': 300, 'store.currency': 'JPY', 'payouts.threshold': null });
      expect(store.values).to.deep.include({ 'commission.fixed_per_order': 300, 'store.currency': 'JPY' });
    });

    it('can be set to what it is, so that a set-up script can run twice', async () => {
      money = true;
      await node().set('store.currency', 'USD');
      expect(store.values).to.deep.equal({ 'store.currency': 'USD' });
    });

    it('is checked inside the transaction that changes it', async () => {
      let seen: unknown;
      const here = node({ moneyExists: async (db) => ((seen = db.settings), false) });
      await here.set('store.currency', 'EUR');
      expect(seen).to.have.property('set');
    });

    it('is the only setting that money prevents from changing', async () => {
      money = true;
      await node().set('store.timezone', 'Europe/Berlin');
      expect(store.values).to.deep.equal({ 'store.timezone': 'Europe/Berlin' });
    });
  });

  describe('the payment gateway', () => {
    it('must be one that exists on this site', async () => {
      const here = node({ gateways: ['acme'] });
      for (const name of ['log', 'acme', 'manual']) await here.set('payouts.auto_accept.gateway', name);
      const { message } = await rejection(here.set('payouts.auto_accept.gateway', 'acne'));
      expect(message).to.equal('There is no gateway "acne" on this site. There are manual, log, acme.');
    });
  });
});
