import { expect } from 'chai';
import { buildSettings, getSettingValue, parseSetting, SettingError, type Settings, settingPaths } from '../../site/settings/settings.ts';
import { settingValues } from './setting-values.ts';

const refusal = (path: string, value: unknown): string => {
  try {
    parseSetting(path, value);
  } catch (error) {
    expect(error).to.be.instanceOf(SettingError);
    return (error as SettingError).message;
  }
  throw new Error(`${path} took ${JSON.stringify(value)}`);
};

describe('a setting', () => {
  it('has valid and invalid samples in this test, for every setting', () => {
    expect(Object.keys(settingValues).toSorted()).to.deep.equal(settingPaths.map(({ path }) => path).toSorted());
    for (const [path, { good, bad }] of Object.entries(settingValues)) {
      expect(good.length, path).to.be.above(0);
      expect(bad.length, path).to.be.above(0);
    }
  });

  for (const { path, default: byDefault, description, allowed } of settingPaths)
    it(`${path} has a default it would accept, accepts valid values and refuses others with a sentence`, () => {
      const { good, bad } = settingValues[path as keyof typeof settingValues];
      expect(parseSetting(path, byDefault)).to.deep.equal(byDefault);
      for (const value of good) expect(parseSetting(path, value)).to.deep.equal(value);
      for (const value of bad)
        expect(refusal(path, value))
          .to.match(/^.* cannot be .*\. It must be .*\.$/s)
          .and.include(allowed);
      expect(description).to.match(/^.+\.$/);
    });

  it('that is refused is named with the value and what is allowed', () => {
    expect(refusal('edition', 'premium')).to.equal('edition cannot be "premium". It must be "free" or "pro".');
    expect(refusal('commission.percent', Number.NaN)).to.equal('commission.percent cannot be NaN. It must be a number from 0 to 100.');
  });

  it('that does not exist is answered with the closest names', () => {
    expect(refusal('store.curency', 'EUR')).to.match(/^There is no setting "store\.curency"\. Did you mean store\.currency, /);
    expect(refusal('payouts.methods.paypal', true)).to.equal(
      'There is no setting "payouts.methods.paypal". Did you mean payouts.methods.paypal.enabled, payouts.methods.paypal.label or payouts.methods.paypal.invoice_required?',
    );
    expect(refusal('switches.get_payout', false)).to.include('switches.get_payouts');
    for (const path of ['__proto__', 'constructor', '', 'x'.repeat(100_000)]) expect(refusal(path, true)).to.have.lengthOf.below(300);
  });
});

describe('the settings of a site', () => {
  it('are the documented defaults when nothing is stored', () => {
    const { settings, problems } = buildSettings({});
    expect(problems).to.deep.equal([]);
    const { switches, payouts, risk, ...rest } = settings;
    const { methods, ...payoutRules } = payouts;
    expect(rest).to.deep.equal({
      store: {
        name: 'My store',
        url: 'https://example.com',
        currency: 'USD',
        timezone: 'UTC',
        statuses: {},
        completed_when: 'paid',
      },
      brand: { color: '', logo: '' },
      security: { second_factor: 'optional' },
      service: { url: '' },
      edition: 'pro',
      addons: {
        payouts: true,
        webhooks: true,
        multi_level: true,
        store: false,
        insights: false,
        management: false,
        risk: false,
        agents: false,
      },
      commission: { percent: 10, fixed_per_order: 0, fixed_per_product: 0, clearing_days: 0 },
      attribution: { window_days: 30, lifetime: false },
      recurring: { percent: null, payments: 0, months: 12 },
      multi_level: { rates: [] },
      registration: { open: false, terms_url: '', coupon_template: { percent: null, discount_type: 'percent', discount_amount: 10 } },
      limits: { authenticated: 120, anonymous: 30, connections_per_address: 256 },
      lockout: { max_failures: 20, window_minutes: 15 },
      openapi_public: true,
      privacy: { declined_days: 180, click_days: 730 },
      activity_log: true,
      cors: { origins: [] },
      webhooks: { ports: [443, 8443] },
    });
    expect(payoutRules).to.deep.equal({
      enabled: true,
      requests_enabled: true,
      threshold: 0,
      details_required: true,
      auto_accept: { enabled: false, max_amount: 200, gateway: 'manual' },
      sepa: { name: '', iban: '', bic: '', town: '', country: '' },
    });
    expect(risk).to.deep.equal({
      hold_payouts: 'high',
      self_referral: { enabled: true },
      refund_rate: { enabled: true, orders: 20, percent: 25, times: 3 },
      refund_after_payout: { enabled: true, orders: 3, percent: 20, days: 30 },
      debt: { enabled: true },
      details_changed: { enabled: true, hours: 72 },
      shared_destination: { enabled: true },
      related_accounts: { enabled: true },
      code_without_click: { enabled: true, orders: 20, percent: 80, orders_before: 10, times: 3 },
      fast_conversion: { enabled: true, orders: 5, seconds: 10 },
      click_spike: { enabled: true, clicks: 500, times: 10 },
      visitor_many_coupons: { enabled: true, coupons: 3 },
      high_commission: { enabled: true, percent: 50 },
    });
    expect(methods.paypal).to.deep.equal({ enabled: true, label: 'PayPal', invoice_required: false });
    expect(Object.keys(methods)).to.deep.equal(['paypal', 'banktransfer', 'stripeapi', 'wisebank', 'credit', 'custom']);
    expect(Object.keys(switches)).to.have.lengthOf(65);
    expect(new Set(Object.values(switches))).to.deep.equal(new Set([true]));
  });

  it('are the stored values, where there are any', () => {
    const { settings } = buildSettings({
      'store.currency': 'EUR',
      'payouts.methods.paypal.label': 'Pay by mail',
      'switches.get_me': false,
    });
    expect(settings.store.currency).to.equal('EUR');
    expect(settings.payouts.methods.paypal.label).to.equal('Pay by mail');
    expect(settings.switches.get_me).to.equal(false);
    expect(settings.switches.get_keys).to.equal(true);
  });

  it('use the default, and name the problem, where a stored value is no longer valid', () => {
    const { settings, problems } = buildSettings({ 'store.currency': 'THALER', 'store.colour': 'red', edition: 'free' });
    expect(settings.store.currency).to.equal('USD');
    expect(settings.edition).to.equal('free');
    expect(problems.map(({ path }) => path)).to.deep.equal(['store.currency', 'store.colour']);
    expect(problems[0]?.problem).to.include('"THALER"');
    expect(settings.store).to.not.have.property('colour');
  });

  it('cannot be polluted by a stored path', () => {
    const { problems } = buildSettings(JSON.parse('{"__proto__.polluted": true, "constructor": true}'));
    expect(problems).to.have.lengthOf(2);
    expect({}).to.not.have.property('polluted');
  });

  it('can be read by a path at run time', () => {
    const { settings } = buildSettings({ openapi_public: false });
    expect(getSettingValue(settings, 'openapi_public')).to.equal(false);
    expect(getSettingValue(settings, 'payouts.methods.credit.label')).to.equal('Store credit');
    expect(getSettingValue(settings, 'no.such.path')).to.equal(undefined);
  });

  it('are typed by the table: a misspelled path does not compile', () => {
    const { settings }: { settings: Settings } = buildSettings({});
    settings.edition satisfies 'free' | 'pro';
    settings.payouts.methods.wisebank.enabled satisfies boolean;
    settings.cors.origins satisfies readonly string[];
    settings.registration.coupon_template.percent satisfies number | null;
    settings.switches.payouts satisfies boolean;
    // @ts-expect-error There is no such setting.
    expect(settings.store.curency).to.equal(undefined);
    // @ts-expect-error There is no such operation.
    expect(settings.switches.get_nothing).to.equal(undefined);
    // @ts-expect-error It is a number.
    settings.payouts.threshold satisfies string;
  });
});
