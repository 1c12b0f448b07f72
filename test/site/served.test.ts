import { expect } from 'chai';
import { type WebhookEvent, webhookEvents } from '../../generated/events.ts';
import type { OperationId } from '../../generated/operations.ts';
import { type Availability, accessLevelExists, getAccess, getAvailability, isEventOffered, propertyExists } from '../../site/served.ts';
import { documentOf, everyAddOn, idsIn, operationIds, settingsWith } from './sites.ts';

const free = { edition: 'free' };
const noPayouts = { 'addons.payouts': false };
const noWebhooks = { 'addons.webhooks': false };
const noMultiLevel = { 'addons.multi_level': false };

describe('whether an operation is served', () => {
  const rows: [OperationId, Record<string, unknown>, Availability][] = [
    ['get_me', {}, 'served'],
    ['get_me', free, 'served'],
    ['get_me', { 'switches.get_me': false }, 'absent'],
    ['get_coupons_id', { ...noPayouts, ...noWebhooks, ...noMultiLevel }, 'served'],
    ['get_coupons_id', { 'switches.get_coupons': false }, 'served'],

    ['post_payouts', {}, 'served'],
    ['post_payouts', free, 'absent'],
    ['post_payouts', noPayouts, 'unavailable'],
    ['post_payouts', { 'switches.payouts': false }, 'absent'],
    ['post_payouts', { 'switches.post_payouts': false }, 'absent'],
    ['post_payouts', { 'switches.get_payouts': false }, 'served'],
    // Switched off and the wrong edition win over unavailable.
    ['post_payouts', { ...noPayouts, 'switches.payouts': false }, 'absent'],
    ['post_payouts', { ...noPayouts, 'switches.post_payouts': false }, 'absent'],
    ['post_payouts', { ...noPayouts, ...free }, 'absent'],
    // Spec, convention 9: all other endpoints keep working.
    ['get_reports_summary', { 'switches.payouts': false }, 'served'],

    ['post_webhooks', {}, 'served'],
    ['post_webhooks', free, 'absent'],
    ['post_webhooks', noWebhooks, 'absent'],
    ['post_webhooks', noPayouts, 'served'],
    ['post_webhooks', { 'switches.payouts': false }, 'served'],

    ['post_store_orders', {}, 'absent'],
    ['post_store_orders', { 'addons.store': true }, 'served'],
    ['post_store_orders', { 'addons.store': true, ...free }, 'served'],
    ['get_coupons_id_orders_order_id_explanation', {}, 'absent'],
    ['get_coupons_id_orders_order_id_explanation', { 'addons.insights': true }, 'served'],
    ['get_coupons_id_orders_order_id_explanation', { 'addons.insights': true, ...free }, 'served'],
    ['post_registrations_id_preview', {}, 'absent'],
    ['post_registrations_id_preview', { 'addons.insights': true }, 'served'],
    ['patch_me_profile', {}, 'absent'],
    ['patch_me_profile', { 'addons.management': true, ...free }, 'served'],
    ['get_store_connections', { 'addons.management': true }, 'absent'],
    ['get_store_connections', { 'addons.management': true, 'addons.store': true, ...free }, 'served'],
    ['post_store_connections', { 'addons.store': true }, 'absent'],
    ['get_webhooks_id_deliveries', {}, 'absent'],
    ['get_webhooks_id_deliveries', { 'addons.management': true }, 'served'],
    ['get_webhooks_id_deliveries', { 'addons.management': true, 'addons.webhooks': false }, 'absent'],
    ['get_webhooks_id_deliveries', { 'addons.management': true, ...free }, 'absent'],
    ['get_settings', {}, 'absent'],
    ['patch_settings', { 'addons.management': true, ...free }, 'served'],
    ['post_affiliates_id_status', {}, 'absent'],
    ['post_affiliates_id_status', { 'addons.management': true, ...free }, 'served'],
    ['get_orders', {}, 'absent'],
    ['get_orders', { 'addons.management': true, ...free }, 'served'],
    ['put_me_payout_details', {}, 'absent'],
    ['put_me_payout_details', { 'addons.management': true }, 'served'],
    ['put_me_payout_details', { 'addons.management': true, ...free }, 'absent'],
    ['put_me_payout_details', { 'addons.management': true, 'addons.payouts': false }, 'unavailable'],
    ['get_me_payout_details', { 'addons.management': true, 'switches.payouts': false }, 'absent'],
    ['post_store_payout_details', { 'addons.store': true }, 'served'],
    ['post_store_payout_details', { 'addons.store': true, 'addons.payouts': false }, 'absent'],
    ['post_store_payout_details', { 'addons.store': true, ...free }, 'absent'],
    ['post_adjustments', {}, 'absent'],
    ['post_adjustments', { 'addons.management': true, ...free }, 'served'],
    ['post_payout_runs', {}, 'absent'],
    ['post_payout_runs', { 'addons.management': true }, 'served'],
    ['post_payout_runs', { 'addons.management': true, ...free }, 'absent'],
    ['post_payout_batches', {}, 'absent'],
    ['post_payout_batches', { 'addons.management': true }, 'served'],
    ['get_payouts_id_history', {}, 'absent'],
    ['get_payouts_id_history', { 'addons.management': true }, 'served'],
  ];
  for (const [operation, values, expected] of rows)
    it(`for ${operation} with ${JSON.stringify(values)}: ${expected}`, () => {
      expect(getAvailability(operation, settingsWith(values))).to.equal(expected);
    });
});

describe('routing and document', () => {
  const yesOrNo = [true, false];
  const sites = ['pro', 'free'].flatMap((edition) =>
    yesOrNo.flatMap((payouts) =>
      yesOrNo.flatMap((webhooks) =>
        yesOrNo.map((on) => ({
          edition,
          'addons.payouts': payouts,
          'addons.webhooks': webhooks,
          'switches.payouts': on,
          'addons.store': on,
          'addons.insights': on,
          'addons.management': on,
          'addons.agents': on,
        })),
      ),
    ),
  );

  it('agree about all operations: one is in the document exactly when it is served', () => {
    for (const values of sites) {
      const served = operationIds.filter((id) => getAvailability(id, settingsWith(values)) === 'served');
      expect(idsIn(documentOf({ values })), JSON.stringify(values)).to.deep.equal(served);
    }
  });

  // test/site/document-soundness.test.ts has the document.
  for (const id of operationIds)
    it(`lose ${id} when it is switched off`, () => {
      expect(getAvailability(id, settingsWith({ ...everyAddOn, [`switches.${id}`]: false }))).to.equal('absent');
    });
});

describe('what else depends on the site', () => {
  const offered = (values: Record<string, unknown>): string[] =>
    (Object.keys(webhookEvents) as WebhookEvent[]).filter((event) => isEventOffered(event, settingsWith(values)));

  it('an event is offered while its add-ons are active, whatever is switched off', () => {
    expect(offered({ 'addons.risk': true })).to.deep.equal(Object.keys(webhookEvents));
    const all = Object.keys(webhookEvents).filter((event) => !event.startsWith('risk.'));
    expect(offered({})).to.deep.equal(all);
    expect(offered({ 'switches.payouts': false })).to.deep.equal(all);
    expect(offered(noPayouts)).to.deep.equal(all.filter((event) => !event.includes('payout')));
    expect(offered(noMultiLevel)).to.deep.equal(all.filter((event) => !event.includes('mla_')));
    expect(offered(noWebhooks)).to.deep.equal([]);
    expect(offered(free)).to.deep.equal([]);
  });

  it('the upline level exists in pro with the multi-level add-on only', () => {
    expect(accessLevelExists('upline', settingsWith())).to.equal(true);
    expect(accessLevelExists('upline', settingsWith(free))).to.equal(false);
    expect(accessLevelExists('upline', settingsWith(noMultiLevel))).to.equal(false);
    expect(accessLevelExists('owner', settingsWith(free))).to.equal(true);
  });

  it('the upline has no access without the add-on, and the document is for admins if the setting says so', () => {
    expect(getAccess('get_coupons_id', settingsWith())).to.deep.equal(['admin', 'owner', 'upline']);
    expect(getAccess('get_coupons_id', settingsWith(free))).to.deep.equal(['admin', 'owner']);
    expect(getAccess('get_openapi', settingsWith())).to.deep.equal(['public']);
    expect(getAccess('get_openapi', settingsWith({ openapi_public: false }))).to.deep.equal(['admin']);
  });

  it('a property exists where its edition and all its add-ons are active', () => {
    const marked = { 'x-edition': 'pro', 'x-add-ons': ['payouts'] } as const;
    expect(propertyExists({}, settingsWith(free))).to.equal(true);
    expect(propertyExists(marked, settingsWith())).to.equal(true);
    expect(propertyExists(marked, settingsWith(noPayouts))).to.equal(false);
    expect(propertyExists(marked, settingsWith(free))).to.equal(false);
    expect(propertyExists({ 'x-edition': 'pro' }, settingsWith(free))).to.equal(false);
    // The add-ons are of the pro edition: in free none is active, whatever its own setting says.
    expect(propertyExists({ 'x-add-ons': ['payouts'] }, settingsWith(free))).to.equal(false);
  });
});
