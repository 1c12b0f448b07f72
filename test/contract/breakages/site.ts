import { type BreakagesByRule, both, put, remove, without } from './change.ts';
import { payoutList, payoutPaid, schemas } from './places.ts';

/** What depends on the site: editions, add-ons, events. */
export const siteBreakages: BreakagesByRule = {
  'availability-words': [
    {
      title: 'an unknown edition is refused',
      break: put(`${schemas} > AffiliateDetail > properties > mla_parents > x-edition`, 'premium'),
      says: /^`x-edition` is "premium", which is unknown\. Set it to `pro`/,
    },
    {
      title: 'an add-on that is not in the catalog is refused',
      break: put(`${schemas} > ReportSummary > properties > payouts > x-add-ons`, ['payout']),
      says: /^`x-add-ons` is \["payout"\], which is unknown\. Make it a list of payouts, webhooks, multi_level, store, insights, management, risk, agents\.$/,
    },
    {
      title: 'the availability of a value that the enum does not have is refused',
      break: put(`${schemas} > EventKind > x-value-availability > payout_lost`, { edition: 'pro' }),
      says: /^`payout_lost` is not a value of the enum/,
    },
    {
      title: 'an unknown switch group is refused',
      break: put(`${payoutList} > x-switch-group`, 'money'),
      says: /^`x-switch-group` is "money", which is unknown\. Set it to payouts\.$/,
    },
    {
      title: 'a payout operation of the free edition is refused',
      break: remove(`${payoutList} > x-edition`),
      says: /^`get_payouts` is not in the free edition\. Add `x-edition: pro`/,
    },
    {
      title: 'a webhook operation without its add-on is refused',
      break: remove('paths > /webhooks > get > x-add-ons'),
      says: /^`get_webhooks` needs the add-on webhooks\. Add it to its `x-add-ons`/,
    },
    {
      title: 'a payout event that does not need the payouts add-on is refused',
      break: put(`${payoutPaid} > x-add-ons`, ['webhooks']),
      says: /^`webhook_payout_paid` needs the add-on payouts\./,
      at: payoutPaid,
    },
    {
      title: 'a multi-level event that does not need the multi_level add-on is refused',
      break: put('webhooks > commission.mla_added > post > x-add-ons', ['webhooks']),
      says: /^`webhook_commission_mla_added` needs the add-on multi_level\./,
      at: 'webhooks > commission.mla_added > post',
    },
    {
      title: 'a payout operation that stays when payouts are switched off is refused',
      break: remove(`${payoutList} > x-switch-group`),
      says: /^`get_payouts` would stay when payouts are switched off\. Add `x-switch-group: payouts`/,
    },
    {
      title: 'an add-on that does not say what its inactivity means is refused',
      break: remove('x-add-on-catalog > payouts > inactive'),
      says: /^The add-on `payouts` has another shape\. Write `\{ description, inactive, edition\? \}`/,
    },
    {
      title: 'an access level without description is refused',
      break: remove('x-access-levels > admin > description'),
      says: /^The access level `admin` has another shape\. Write/,
    },
  ],
  'import-record-shape': [
    {
      title: 'a keyword that the reader of import files does not apply is refused',
      break: put(`${schemas} > OrderRecord > properties > status > x-value-availability`, { completed: { edition: 'pro' } }),
      says: /^`x-value-availability` is not applied to records of `affiliate import` and `POST \/store\/…`\. Remove it from the record\.$/,
    },
  ],
  'webhook-shape': [
    {
      title: 'two webhooks with one kind of the change feed are refused, naming the other',
      break: put(`${payoutPaid} > x-feed-kind`, 'referral'),
      says: /^The webhook payout\.paid has the kind of referral\.created in the change feed\. Give each event a kind of its own/,
    },
    {
      title: 'a webhook that is not delivered by POST is refused',
      break: put('webhooks > payout.paid > get', { operationId: 'x', summary: 'X', responses: { 200: { description: 'X.' } } }),
      says: /^The webhook payout\.paid has post, get\. Give it `post` and nothing else/,
      at: 'webhooks > payout.paid',
    },
    {
      title: 'a webhook with another operationId than its name is refused',
      break: put(`${payoutPaid} > operationId`, 'payout_paid'),
      says: /^The webhook payout\.paid has the operationId `payout_paid`\. Make it `webhook_payout_paid`/,
    },
    {
      title: 'a webhook without a kind of the change feed is refused',
      break: put(`${payoutPaid} > x-feed-kind`, 'paid'),
      says: /^The webhook payout\.paid has no kind of the change feed\. Set `x-feed-kind`/,
    },
    {
      title: 'a ping that would enter the change feed is refused',
      break: put('webhooks > ping > post > x-feed-kind', 'referral'),
      says: /^The webhook ping is no part of the change feed\. Set `x-feed-kind: null`/,
    },
    {
      title: 'a delivery that names another event is refused',
      break: put(`${payoutPaid} > requestBody > content > application/json > schema > properties > event > const`, 'payout.created'),
      says: /^The webhook payout\.paid does not name itself in its body\. Make the property `event: \{ const: payout\.paid \}`/,
      at: `${payoutPaid} > requestBody`,
    },
    {
      title: 'a delivery without data is refused',
      break: both(
        remove(`${payoutPaid} > requestBody > content > application/json > schema > properties > data`),
        without(`${payoutPaid} > requestBody > content > application/json > schema > required`, 'data'),
      ),
      says: /^The webhook payout\.paid has no `data` in its body\. Add the property/,
      at: `${payoutPaid} > requestBody`,
    },
    {
      title: 'a webhook without operationId is refused',
      break: remove(`${payoutPaid} > operationId`),
      says: /^The webhook payout\.paid has no operationId\. Make it `webhook_payout_paid`/,
    },
    {
      title: 'a webhook without x-feed-kind is refused',
      break: remove(`${payoutPaid} > x-feed-kind`),
      says: /^The webhook payout\.paid has no kind of the change feed\. Set/,
    },
  ],
  'delivery-headers': [
    {
      title: 'a webhook that does not show a header of its deliveries is refused',
      break: without(`${payoutPaid} > parameters`, { $ref: '#/components/parameters/DeliverySignature' }),
      says: /^The webhook payout\.paid does not show the header X-Svc-Signature, .* Add `- \$ref: .*\/DeliverySignature\.yaml`/,
      at: payoutPaid,
    },
  ],
};
