import { type BreakagesByRule, both, put, remove } from './change.ts';
import { couponStats, coupons, parameters, payoutPaid, payoutRequest, schemas } from './places.ts';

/** Names, descriptions and examples. */
export const wordsBreakages: BreakagesByRule = {
  'snake-case': [
    {
      title: 'a query parameter in camelCase is refused, giving the snake_case name',
      break: put(`${parameters} > FilterUserId > name`, 'userId'),
      says: /^The query parameter `userId` is not in snake_case\. Name it `user_id`\.$/,
    },
    {
      title: 'a property in camelCase is refused, also deep in a record',
      break: put(`${schemas} > Error > properties > data > properties > retryAfter`, {
        type: 'integer',
        examples: [1],
        'x-absent': 'always',
      }),
      says: /^The property `retryAfter` is not in snake_case\. Name it `retry_after`\.$/,
    },
  ],
  'descriptions-everywhere': [
    {
      title: 'a property without description is refused',
      break: remove(`${schemas} > RegistrationDecision > properties > message > description`),
      says: /^The property `message` has no description\. Add one to it, or to the schema it refers to\.$/,
    },
    {
      title: 'a header without description is refused',
      break: remove('components > headers > X-Svc-Total > description'),
      says: /^The header X-Svc-Total has no description\. Say what it means to the caller\.$/,
    },
    {
      title: 'a schema with an empty description is refused',
      break: put(`${schemas} > PayoutRequest > description`, ' '),
      says: /^The schema PayoutRequest has no description\. Say in a sentence what it is\.$/,
      at: `${schemas} > PayoutRequest`,
    },
  ],
  'examples-everywhere': [
    {
      title: 'a parameter without example is refused',
      break: remove(`${parameters} > Page > example`),
      says: /^The parameter `page` has no example\. Add `example/,
    },
    {
      title: 'a header without example is refused',
      break: remove('components > headers > X-Svc-Total > example'),
      says: /^The header X-Svc-Total has no example\. Add `example/,
    },
    {
      title: 'a request body without example is refused',
      break: remove(`${payoutRequest} > requestBody > content > application/json > examples`),
      says: /^The application\/json body of `post_payouts` has no example\. Add `examples`/,
    },
    {
      title: 'a response without example is refused',
      break: put(`${coupons} > responses > 200 > content > application/json > examples`, {}),
      says: /^The application\/json answer of the 200 of `get_coupons` has no named example\. Add `examples/,
      at: `${coupons} > responses > 200 > content > application/json`,
    },
    {
      title: 'a shared error response without example is refused, naming it once',
      break: remove('components > responses > NotFound > content > application/json > examples'),
      says: /^The application\/json answer of the shared response NotFound has no named example\./,
    },
    {
      title: 'a property without example is refused',
      break: remove(`${schemas} > Payout > properties > transaction_id > examples`),
      says: /^The property `transaction_id` has no example\. Add `examples/,
    },
    {
      title: 'a property whose schema has no example either is refused',
      break: both(remove(`${schemas} > Id > examples`), remove(`${schemas} > PayoutRequest > properties > coupon_id > examples`)),
      says: /^The property `coupon_id` has no example\. Add .* next to its `\$ref`/,
      at: `${schemas} > PayoutRequest > properties > coupon_id`,
    },
    {
      title: 'a webhook without a sample delivery is refused',
      break: remove(`${payoutPaid} > requestBody > content > application/json > examples`),
      says: /^The application\/json body of `webhook_payout_paid` has no example\./,
    },
  ],
  'known-fields': [
    {
      title: 'a misspelt field is refused, listing those that exist',
      break: put(`${couponStats} > x-scope-wen`, []),
      says: /^`x-scope-wen` means nothing on a Operation\. Use x-access, .*EXTENSIONS\.md/,
    },
    {
      title: 'an extension field on an object that does not have it is refused',
      break: put('paths > /coupons > x-access', ['admin']),
      says: /^`x-access` means nothing on a PathItem\. Remove it\.$/,
    },
    {
      title: 'access on a webhook, which has no caller, is refused',
      break: put(`${payoutPaid} > x-access`, ['admin']),
      says: /^`x-access` means nothing on a Webhook\. Use x-edition, x-add-ons, x-feed-kind/,
    },
    {
      title: 'a misspelt field next to a $ref is refused',
      break: put(`${schemas} > ReportSummary > properties > payouts > x-addons`, ['payouts']),
      says: /^`x-addons` means nothing on a Schema\. Use x-edition, x-add-ons/,
    },
    {
      title: 'a header with another x-set-by than server is refused',
      break: put('components > headers > RateLimit > x-set-by', 'handler'),
      says: /^`x-set-by` is `handler`\. Its only value is `server`\.$/,
    },
  ],
  'version-in-namespace': [
    {
      title: 'a major version that the server url does not have is refused',
      break: put('info > version', '3.0.0'),
      says: /^The server url `\/api\/v2` is not of version 3\.0\.0\. End it in `\/v3`/,
      at: 'servers > 0 > url',
    },
  ],
};
