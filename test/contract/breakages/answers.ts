import { type BreakagesByRule, both, put, remove, withMore, without } from './change.ts';
import { coupon, coupons, document, payoutList, payoutPaid, payoutRequest, payoutStatusChange, schemas } from './places.ts';

/** What operations answer. */
export const answersBreakages: BreakagesByRule = {
  'shared-error-responses': [
    {
      title: 'an error response that is written out is refused, naming the shared one',
      break: put(`${coupons} > responses > 404`, { description: 'None.', 'x-error-codes': ['svc_api_not_found'] }),
      says: /^The 404 of `get_coupons` is written out\. Refer to the shared one: `'404': \{ \$ref: .*\/NotFound\.yaml \}`/,
    },
    {
      title: 'one status with two shared responses is refused',
      break: put(`${payoutStatusChange} > responses > 404`, { $ref: '#/components/responses/Conflict' }),
      says: /^The 404 of `post_payouts_id_status` is Conflict, elsewhere it is NotFound\. Make it `'404'/,
    },
    {
      title: 'an operation that does not declare 401 is refused',
      break: remove(`${document} > responses > 401`),
      says: /^`get_openapi` does not declare the response 401\. Add `'401': \{ \$ref: .*\/Unauthorized\.yaml \}`/,
    },
    {
      title: 'an operation with parameters that does not declare 400 is refused',
      break: remove(`${coupon} > responses > 400`),
      says: /^`get_coupons_id` does not declare the response 400\. Add .*BadRequest/,
    },
    {
      title: 'an operation with a body that does not declare 415 is refused',
      break: remove(`${payoutRequest} > responses > 415`),
      says: /^`post_payouts` does not declare the response 415\. Add .*UnsupportedMediaType/,
    },
    {
      title: 'an operation whose add-on can be unavailable and that does not declare 501 is refused',
      break: remove(`${payoutList} > responses > 501`),
      says: /^`get_payouts` does not declare the response 501\. Add .*Unavailable/,
    },
  ],
  'error-codes-declared': [
    {
      title: 'an error code without our prefix is refused',
      break: put(`${payoutRequest} > x-error-codes > 403`, ['requests_disabled']),
      says: /^`x-error-codes` of `post_payouts` has `requests_disabled`, which has neither prefix\. Write codes such as/,
    },
    {
      title: 'an error code of a status that is never answered is refused',
      break: put(`${coupons} > x-error-codes`, { 409: ['svc_api_conflict'] }),
      says: /^`x-error-codes` of `get_coupons` names the status 409, which is not among its responses\. Add the response/,
      at: `${coupons} > x-error-codes > 409`,
    },
    {
      title: 'a status without codes is refused',
      break: put(`${payoutRequest} > x-error-codes > 403`, null),
      says: /^`x-error-codes` of `post_payouts` is no list of codes\./,
    },
    {
      title: 'a shared error response without codes is refused',
      break: remove('components > responses > Conflict > x-error-codes'),
      says: /^`x-error-codes` of Conflict is no list of codes\. Write/,
    },
    {
      title: 'a code that an operation repeats from its shared response is refused',
      break: withMore(`${payoutRequest} > x-error-codes > 409`, 'svc_api_conflict'),
      says: /^`x-error-codes` of `post_payouts` names `svc_api_conflict` twice.*Remove it here\.$/,
    },
    {
      title: 'error codes without any status are refused',
      break: put(`${coupons} > x-error-codes`, ['svc_api_conflict']),
      says: /^`x-error-codes` of `get_coupons` maps no status to codes\. Write/,
    },
    {
      title: 'an error code of a success is refused',
      break: put(`${coupons} > x-error-codes`, { 200: ['svc_api_fine'] }),
      says: /^`x-error-codes` of `get_coupons` names the status 200, which is no error\. Remove it\.$/,
      at: `${coupons} > x-error-codes > 200`,
    },
    {
      title: 'a code that two shared responses share is refused',
      break: withMore('components > responses > DeliveryFailed > x-error-codes', 'svc_api_db_error'),
      says: /^`svc_api_db_error` of DeliveryFailed is also a code of another response\. A code has one status/,
    },
  ],
  'closed-answers': [
    {
      title: 'a record of a response that is open to undeclared fields is refused',
      break: remove(`${schemas} > Payout > additionalProperties`),
      says: /^`Payout` is part of a response but open to undeclared fields\. Add `additionalProperties: false`/,
    },
    {
      title: 'an open object deep in a response is refused',
      break: put(`${schemas} > Error > properties > data > additionalProperties`, true),
      says: /^An object is part of a response but open/,
      at: `${schemas} > Error > properties > data`,
    },
    {
      title: 'a map of a response that does not declare its values is refused',
      break: remove(`${schemas} > CustomFields > additionalProperties`),
      says: /^`CustomFields` is part of a response but open/,
    },
    {
      title: 'an open delivery of a webhook is refused',
      break: remove(`${payoutPaid} > requestBody > content > application/json > schema > additionalProperties`),
      says: /^An object is part of a response but open/,
    },
    {
      title: 'a closed request body is refused, for clients of a later version',
      break: put(`${schemas} > PayoutRequest > additionalProperties`, false),
      says: /^`PayoutRequest` is part of a request body but closed\. Remove `additionalProperties: false`/,
    },
  ],
  'always-present': [
    {
      title: 'a required field of a request that a site may not have is refused',
      break: put(`${schemas} > PayoutBatchRequest > required`, ['despite_signals']),
      says: /^The property `despite_signals` is required and has `x-add-ons`, so it can be absent\./,
      at: `${schemas} > PayoutBatchRequest > properties > despite_signals`,
    },
    {
      title: 'a field of a response that may be missing without x-absent is refused',
      break: without(`${schemas} > Order > required`, 'campaign'),
      says: /^The property `campaign` of a response may be missing, and nothing says when\. Add it to `required`/,
      at: `${schemas} > Order > properties > campaign`,
    },
    {
      title: 'a field that is required and may be absent is refused',
      break: withMore(`${schemas} > PayoutCreated > required`, 'gateway_notice'),
      says: /^The property `gateway_notice` is required and has `x-absent`.*Take it out of `required`/,
      at: `${schemas} > PayoutCreated > properties > gateway_notice`,
    },
    {
      title: 'a required field that exists in one edition only is refused',
      break: withMore(`${schemas} > AffiliateDetail > required`, 'mla_parents'),
      says: /^The property `mla_parents` is required and has `x-edition`/,
      at: `${schemas} > AffiliateDetail > properties > mla_parents`,
    },
    {
      title: 'a reason for absence that is no sentence fragment is refused',
      break: put(`${schemas} > PayoutCreated > properties > gateway_notice > x-absent`, true),
      says: /^The `x-absent` of `gateway_notice` does not complete "absent …"\. Write a fragment/,
    },
  ],
  'record-extends': [
    {
      title: 'a detail that lacks a field of its list form is refused',
      break: both(
        remove(`${schemas} > AffiliateDetail > properties > date_registered`),
        without(`${schemas} > AffiliateDetail > required`, 'date_registered'),
      ),
      says: /^AffiliateDetail lacks `date_registered` of Affiliate\. Add it in the same words, or name it in `except`/,
    },
    {
      title: 'a field that reads differently in detail and list is refused',
      break: put(`${schemas} > PayoutCreated > properties > amount > description`, 'Another text.'),
      says: /^`amount` is not the same in PayoutCreated and Payout\. Write it in the same words/,
      at: `${schemas} > PayoutCreated > properties > amount`,
    },
    {
      title: 'a field that is required in only one of the two is refused',
      break: both(
        without(`${schemas} > PayoutCreated > required`, 'method'),
        put(`${schemas} > PayoutCreated > properties > method > x-absent`, 'at times'),
        put(`${schemas} > Payout > properties > method > x-absent`, 'at times'),
      ),
      says: /^`method` is required in only one of PayoutCreated and Payout\. Make the two `required` lists agree/,
      at: `${schemas} > PayoutCreated > properties > method`,
    },
    {
      title: 'extending a schema that does not exist is refused',
      break: put(`${schemas} > PayoutCreated > x-extends > schema`, 'Payment'),
      says: /^`x-extends` names the schema `Payment`, which the contract does not use\. Correct the name\.$/,
      at: `${schemas} > PayoutCreated > x-extends`,
    },
    {
      title: 'an exception for a field that does not exist is refused',
      break: put(`${schemas} > AffiliateDetail > x-extends > except`, ['coupons', 'vouchers']),
      says: /^Affiliate has no `vouchers` to except\. Remove it from `except`/,
      at: `${schemas} > AffiliateDetail > x-extends`,
    },
    {
      title: 'an extension of another shape is refused',
      break: put(`${schemas} > AffiliateDetail > x-extends > except`, 'coupons'),
      says: /^`x-extends` has another shape\. Write `\{ schema, except \}`/,
      at: `${schemas} > AffiliateDetail > x-extends`,
    },
  ],
  'secrets-marked': [
    {
      title: 'a token that would be logged is refused',
      break: remove(`${schemas} > KeyCreated > properties > token > x-secret`),
      says: /^`token` looks like a secret but would be logged\. Add `x-secret: true`/,
    },
    {
      title: 'a field whose name ends in _password and that would be logged is refused',
      break: put(`${schemas} > KeyRequest > properties > new_password`, { type: 'string', maxLength: 9, examples: ['x'] }),
      says: /^`new_password` looks like a secret/,
    },
  ],
};
