export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonMap = { [key: string]: Json };

export interface Change {
  title: string;
  break: (contract: Json) => void;
}

interface Breakage extends Change {
  rule: string;
  says: RegExp;
  /** The place that is reported, as keys joined by ` > `. */
  at: string;
}

function walk(contract: Json, place: string): { holder: JsonMap; key: string } {
  const keys = place.split(' > ');
  const key = keys.pop() ?? '';
  const holder = keys.reduce<Json | undefined>((node, step) => (node as JsonMap | undefined)?.[step], contract);
  if (typeof holder !== 'object' || holder === null) throw new Error(`The contract has no ${place}, so this breakage tests nothing.`);
  return { holder: holder as JsonMap, key };
}

const put = (place: string, value: Json) => (contract: Json) => {
  const { holder, key } = walk(contract, place);
  holder[key] = value;
};

const remove = (place: string) => (contract: Json) => {
  const { holder, key } = walk(contract, place);
  if (!(key in holder)) throw new Error(`The contract has no ${place}, so this breakage tests nothing.`);
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
};

/** Changes the list at a place. */
const edit = (place: string, change: (list: Json[]) => Json[]) => (contract: Json) => {
  const { holder, key } = walk(contract, place);
  const list = holder[key];
  if (!Array.isArray(list)) throw new Error(`${place} is no list, so this breakage tests nothing.`);
  const changed = change(list);
  if (JSON.stringify(changed) === JSON.stringify(list)) throw new Error(`${place} stays as it is, so this breakage tests nothing.`);
  holder[key] = changed;
};

const without = (place: string, item: Json) =>
  edit(place, (list) => list.filter((other) => JSON.stringify(other) !== JSON.stringify(item)));
const withMore = (place: string, item: Json) => edit(place, (list) => [...list, item]);

const both =
  (...breaks: ((contract: Json) => void)[]) =>
  (contract: Json) => {
    for (const change of breaks) change(contract);
  };

const coupons = 'paths > /coupons > get';
const coupon = 'paths > /coupons/{id} > get';
const couponStats = 'paths > /coupons/{id}/stats > get';
const clicks = 'paths > /clicks/stats > get';
const payoutRequest = 'paths > /payouts > post';
const payoutList = 'paths > /payouts > get';
const payoutStatusChange = 'paths > /payouts/{id}/status > post';
const document = 'paths > /openapi > get';
const payoutPaid = 'webhooks > payout.paid > post';
const schemas = 'components > schemas';
const parameters = 'components > parameters';
const payoutStatus = `${schemas} > PayoutStatus > x-transitions`;

export const breakages: Breakage[] = [
  {
    rule: 'operation-id-shape',
    title: 'an operationId that is not method and path is refused, giving the right one',
    break: put(`${couponStats} > operationId`, 'getCouponStats'),
    says: /^GET \/coupons\/\{id\}\/stats has the operationId `getCouponStats`\. Name it `get_coupons_id_stats`\.$/,
    at: `${couponStats} > operationId`,
  },
  {
    rule: 'operation-id-shape',
    title: 'an operation without operationId is refused',
    break: remove(`${coupons} > operationId`),
    says: /^GET \/coupons has no operationId\. Name it `get_coupons`\.$/,
    at: coupons,
  },

  {
    rule: 'collection-paging',
    title: 'a collection without X-Svc-Total is refused, naming the header',
    break: remove(`${coupons} > responses > 200 > headers > X-Svc-Total`),
    says: /^`get_coupons` answers an array but lacks the header X-Svc-Total\. Add `X-Svc-Total: \{ \$ref: .*` to its 200/,
    at: `${coupons} > responses > 200`,
  },
  {
    rule: 'collection-paging',
    title: 'a collection without X-Svc-TotalPages is refused, naming the header',
    break: remove(`${payoutList} > responses > 200 > headers > X-Svc-TotalPages`),
    says: /^`get_payouts` .* lacks the header X-Svc-TotalPages\. Add/,
    at: `${payoutList} > responses > 200`,
  },
  {
    rule: 'collection-paging',
    title: 'a collection that does not take `page` is refused',
    break: without(`${coupons} > parameters`, { $ref: `#/components/parameters/Page` }),
    says: /^`get_coupons` answers an array but does not take `page`\. Add `- \$ref: .*\/Page\.yaml`/,
    at: coupons,
  },
  {
    rule: 'collection-paging',
    title: 'pages of more than 100 items are refused',
    break: put(`${parameters} > PerPage > schema > maximum`, 500),
    says: /^The parameter `per_page` has maximum 500\. Set `maximum: 100`/,
    at: `${parameters} > PerPage > schema`,
  },
  {
    rule: 'collection-paging',
    title: 'a first page other than 1 is refused',
    break: put(`${parameters} > Page > schema > default`, 0),
    says: /^The parameter `page` has default 0\. Set `default: 1`/,
    at: `${parameters} > Page > schema`,
  },
  {
    rule: 'collection-paging',
    title: 'a total header that may be left out is refused',
    break: remove('components > headers > X-Svc-Total > required'),
    says: /^The header X-Svc-Total is not required.*Add `required: true`/,
    at: 'components > headers > X-Svc-Total',
  },

  {
    rule: 'snake-case',
    title: 'a query parameter in camelCase is refused, giving the snake_case name',
    break: put(`${parameters} > FilterUserId > name`, 'userId'),
    says: /^The query parameter `userId` is not in snake_case\. Name it `user_id`\.$/,
    at: `${parameters} > FilterUserId > name`,
  },
  {
    rule: 'snake-case',
    title: 'a property in camelCase is refused, also deep in a record',
    break: put(`${schemas} > Error > properties > data > properties > retryAfter`, {
      type: 'integer',
      examples: [1],
      'x-absent': 'always',
    }),
    says: /^The property `retryAfter` is not in snake_case\. Name it `retry_after`\.$/,
    at: `${schemas} > Error > properties > data > properties > retryAfter`,
  },

  {
    rule: 'shared-error-responses',
    title: 'an error answer that is written out is refused, naming the shared one',
    break: put(`${coupons} > responses > 404`, { description: 'None.', 'x-error-codes': ['svc_api_not_found'] }),
    says: /^The 404 of `get_coupons` is written out\. Refer to the shared one: `'404': \{ \$ref: .*\/NotFound\.yaml \}`/,
    at: `${coupons} > responses > 404`,
  },
  {
    rule: 'shared-error-responses',
    title: 'one status with two shared responses is refused',
    break: put(`${payoutStatusChange} > responses > 404`, { $ref: '#/components/responses/Conflict' }),
    says: /^The 404 of `post_payouts_id_status` is Conflict, elsewhere it is NotFound\. Make it `'404'/,
    at: `${payoutStatusChange} > responses > 404`,
  },
  {
    rule: 'shared-error-responses',
    title: 'an operation that does not declare 401 is refused',
    break: remove(`${document} > responses > 401`),
    says: /^`get_openapi` does not declare the answer 401\. Add `'401': \{ \$ref: .*\/Unauthorized\.yaml \}`/,
    at: `${document} > responses`,
  },
  {
    rule: 'shared-error-responses',
    title: 'an operation with parameters that does not declare 400 is refused',
    break: remove(`${coupon} > responses > 400`),
    says: /^`get_coupons_id` does not declare the answer 400\. Add .*BadRequest/,
    at: `${coupon} > responses`,
  },
  {
    rule: 'shared-error-responses',
    title: 'an operation with a body that does not declare 415 is refused',
    break: remove(`${payoutRequest} > responses > 415`),
    says: /^`post_payouts` does not declare the answer 415\. Add .*UnsupportedMediaType/,
    at: `${payoutRequest} > responses`,
  },
  {
    rule: 'shared-error-responses',
    title: 'an operation whose add-on can be unavailable and that does not declare 501 is refused',
    break: remove(`${payoutList} > responses > 501`),
    says: /^`get_payouts` does not declare the answer 501\. Add .*Unavailable/,
    at: `${payoutList} > responses`,
  },

  {
    rule: 'access-declared',
    title: 'an operation that does not say who may call is refused',
    break: remove(`${coupons} > x-access`),
    says: /^`x-access` of `get_coupons` does not say who may call\. Make it a list of public, user, admin/,
    at: coupons,
  },
  {
    rule: 'access-declared',
    title: 'an unknown access level is refused, listing the known ones',
    break: put(`${coupons} > x-access`, ['manager']),
    says: /names `manager`, which is no access level\. Use public, user, admin, owner, upline, self\./,
    at: `${coupons} > x-access`,
  },
  {
    rule: 'access-declared',
    title: '`user` beside other levels is refused',
    break: put(`${coupons} > x-access`, ['user', 'admin']),
    says: /joins `user`, which includes the others\. Let `user` stand alone/,
    at: `${coupons} > x-access`,
  },
  {
    rule: 'access-declared',
    title: 'an operation without scope is refused',
    break: remove(`${coupons} > x-scope`),
    says: /^`x-scope` of `get_coupons` is missing\. Set it to one of none, read, write, manage\.$/,
    at: coupons,
  },
  {
    rule: 'access-declared',
    title: 'a public operation that wants a scope is refused',
    break: put(`${document} > x-scope`, 'read'),
    says: /is `read`, but callers of a public operation have no key\. Set it to `none`/,
    at: `${document} > x-scope`,
  },
  {
    rule: 'access-declared',
    title: 'access by setting with an unknown level is refused',
    break: put(`${document} > x-access-when > 0 > access`, ['root']),
    says: /^`x-access-when` of `get_openapi` names `root`, which is no access level\. Use/,
    at: `${document} > x-access-when`,
  },
  {
    rule: 'access-declared',
    title: 'access by setting without the setting is refused',
    break: remove(`${document} > x-access-when > 0 > setting`),
    says: /has a row of another shape\. Write `\{ setting, equals, access \}`/,
    at: `${document} > x-access-when`,
  },
  {
    rule: 'access-declared',
    title: 'a level that is named twice is refused',
    break: put(`${coupons} > x-access`, ['admin', 'admin']),
    says: /^`x-access` of `get_coupons` names a level twice\. Name each once\.$/,
    at: `${coupons} > x-access`,
  },
  {
    rule: 'access-declared',
    title: 'access by setting that is no list is refused',
    break: put(`${document} > x-access-when`, { setting: 'openapi_public' }),
    says: /^`x-access-when` of `get_openapi` is no list\. Write `\[\{ setting, equals, access \}\]`/,
    at: `${document} > x-access-when`,
  },
  {
    rule: 'access-declared',
    title: 'access by something that is no settings path is refused',
    break: put(`${document} > x-access-when > 0 > setting`, 'OpenAPI public?'),
    says: /names the setting `OpenAPI public\?`\. Give a settings path such as `openapi_public`/,
    at: `${document} > x-access-when`,
  },

  {
    rule: 'owner-named',
    title: '`owner` without a record whose owner decides is refused',
    break: remove(`${coupon} > x-owner`),
    says: /^`x-owner` of `get_coupons_id` is missing, but `owner` needs it\. Add `x-owner/,
    at: coupon,
  },
  {
    rule: 'owner-named',
    title: 'an owner nobody asks for is refused',
    break: put(`${coupons} > x-owner`, { record: 'coupon', in: 'query', name: 'user_id' }),
    says: /^`x-owner` of `get_coupons` has no level to decide about\. Remove it/,
    at: `${coupons} > x-owner`,
  },
  {
    rule: 'owner-named',
    title: 'an owner in a parameter that does not exist is refused',
    break: put(`${coupon} > x-owner > name`, 'coupon'),
    says: /names `coupon` in path, where there is none\. Name a parameter/,
    at: `${coupon} > x-owner`,
  },
  {
    rule: 'owner-named',
    title: 'an owner in a body field that does not exist is refused',
    break: put(`${payoutRequest} > x-owner > name`, 'coupon'),
    says: /^`x-owner` of `post_payouts` names `coupon` in body, where there is none/,
    at: `${payoutRequest} > x-owner`,
  },
  {
    rule: 'owner-named',
    title: 'an unknown kind of record is refused',
    break: put(`${coupon} > x-owner > record`, 'voucher'),
    says: /names the record `voucher`\. Use affiliate, coupon, payout\./,
    at: `${coupon} > x-owner`,
  },
  {
    rule: 'owner-named',
    title: 'an optional owner parameter without a code for leaving it out is refused',
    break: remove(`${clicks} > x-owner > required_code`),
    says: /does not say what happens when a caller who is no admin leaves `coupon_id` out\. Add `required_code/,
    at: `${clicks} > x-owner`,
  },
  {
    rule: 'owner-named',
    title: 'a code for leaving the owner out that the operation does not declare is refused',
    break: remove(`${clicks} > x-error-codes`),
    says: /raises `svc_api_coupon_required`, which the operation does not declare\. Add it to `x-error-codes`/,
    at: `${clicks} > x-owner`,
  },
  {
    rule: 'owner-named',
    title: 'a misspelt word about the owner is refused',
    break: put(`${coupon} > x-owner > nmae`, 'id'),
    says: /has `nmae`, which means nothing\. Use only record, in, name, required_code\.$/,
    at: `${coupon} > x-owner`,
  },
  {
    rule: 'owner-named',
    title: 'a list of own rows that names a parameter is refused',
    break: put(`${payoutList} > x-owner > name`, 'user_id'),
    says: /is `in: rows`, which reads no parameter\. Leave only `record`/,
    at: `${payoutList} > x-owner`,
  },
  {
    rule: 'owner-named',
    title: 'a code for leaving out what is always given is refused',
    break: put(`${coupon} > x-owner > required_code`, 'svc_api_coupon_required'),
    says: /has `required_code`, but `id` is always given\. Remove it\.$/,
    at: `${coupon} > x-owner`,
  },
  {
    rule: 'owner-named',
    title: 'a list for every user that takes `user_id` and does not say whose rows are shown is refused',
    break: remove(`${payoutList} > x-owner`),
    says: /^`x-owner` of `get_payouts` is missing, so `user_id` would show every user .* Add `x-owner: \{ record, in: rows \}`/,
    at: payoutList,
  },

  {
    rule: 'conditions-named',
    title: 'a further scope for a parameter that does not exist is refused',
    break: put(`${couponStats} > x-scope-when > 0 > parameter`, 'rebuild'),
    says: /^`x-scope-when` of `get_coupons_id_stats` names `rebuild`, which is no query parameter of the operation\. Name one/,
    at: `${couponStats} > x-scope-when`,
  },
  {
    rule: 'conditions-named',
    title: 'a further scope for a body field, which nothing looks at, is refused',
    break: put(`${payoutRequest} > x-scope-when`, [{ parameter: 'coupon_id', equals: 301, scope: 'manage' }]),
    says: /^`x-scope-when` of `post_payouts` names `coupon_id`, which is no query parameter.*nothing else is looked at\.$/,
    at: `${payoutRequest} > x-scope-when`,
  },
  {
    rule: 'conditions-named',
    title: 'a CSRF condition on a path parameter is refused',
    break: put(`${couponStats} > x-csrf-when`, [{ parameter: 'id', equals: 301 }]),
    says: /^`x-csrf-when` of `get_coupons_id_stats` names `id`, which is no query parameter/,
    at: `${couponStats} > x-csrf-when`,
  },
  {
    rule: 'conditions-named',
    title: 'an unknown further scope is refused',
    break: put(`${couponStats} > x-scope-when > 0 > scope`, 'admin'),
    says: /names the scope `admin`\. Use read, write, manage\./,
    at: `${couponStats} > x-scope-when`,
  },
  {
    rule: 'conditions-named',
    title: 'a CSRF condition that is no row is refused',
    break: put(`${couponStats} > x-csrf-when`, [{ parameter: 'refresh' }]),
    says: /^`x-csrf-when` of .* has a row of another shape\. Write `\[\{ parameter, equals \}\]`/,
    at: `${couponStats} > x-csrf-when`,
  },
  {
    rule: 'conditions-named',
    title: 'a CSRF condition on an unsafe method is refused',
    break: put(`${payoutStatusChange} > x-csrf-when`, [{ parameter: 'status', equals: 'paid' }]),
    says: /is needless: an unsafe method always needs the CSRF header\. Remove it\./,
    at: `${payoutStatusChange} > x-csrf-when`,
  },
  {
    rule: 'conditions-named',
    title: 'a condition that is no list is refused',
    break: put(`${couponStats} > x-scope-when`, { parameter: 'refresh', equals: true, scope: 'write' }),
    says: /^`x-scope-when` of .* is no list\. Write `\[\{ parameter, equals, scope \}\]`/,
    at: `${couponStats} > x-scope-when`,
  },

  {
    rule: 'security-alternatives',
    title: 'an operation without security of its own is refused',
    break: remove(`${coupons} > security`),
    says: /^`get_coupons` .* Write `security: \[\{bearerApiKey: \[\]\}, \{basicAppPassword: \[\]\}\]`\./,
    at: coupons,
  },
  {
    rule: 'security-alternatives',
    title: 'an operation that forgets application passwords is refused',
    break: put(`${coupons} > security`, [{ bearerApiKey: [] }]),
    says: /^`get_coupons` does not have the security alternatives of its access\. Write/,
    at: `${coupons} > security`,
  },
  {
    rule: 'security-alternatives',
    title: 'an operation that is not public but takes no credentials is refused',
    break: withMore(`${coupons} > security`, {}),
    says: /Only a public operation takes `\{\}`/,
    at: `${coupons} > security`,
  },
  {
    rule: 'security-alternatives',
    title: 'a public operation that demands credentials is refused',
    break: without(`${document} > security`, {}),
    says: /^`get_openapi` .* It is public, so it also takes `\{\}`/,
    at: `${document} > security`,
  },
  {
    rule: 'security-alternatives',
    title: 'a third security scheme is refused',
    break: put('components > securitySchemes > cookie', { type: 'apiKey', in: 'cookie', name: 'session' }),
    says: /^The security scheme `cookie` is not one of the two\. Remove it/,
    at: 'components > securitySchemes > cookie',
  },
  {
    rule: 'security-alternatives',
    title: 'a security scheme of another kind is refused',
    break: put('components > securitySchemes > bearerApiKey > scheme', 'digest'),
    says: /^The security scheme `bearerApiKey` is missing or of another kind\. Declare it with `type: http, scheme: bearer`/,
    at: 'components > securitySchemes > bearerApiKey',
  },
  {
    rule: 'security-alternatives',
    title: 'a document that forgets a security scheme is refused',
    break: remove('components > securitySchemes > basicAppPassword'),
    says: /^The security scheme `basicAppPassword` is missing or of another kind\. Declare it with `type: http, scheme: basic`/,
    at: 'components > securitySchemes',
  },

  {
    rule: 'examples-everywhere',
    title: 'a parameter without example is refused',
    break: remove(`${parameters} > Page > example`),
    says: /^The parameter `page` has no example\. Add `example/,
    at: `${parameters} > Page`,
  },
  {
    rule: 'examples-everywhere',
    title: 'a header without example is refused',
    break: remove('components > headers > X-Svc-Total > example'),
    says: /^The header X-Svc-Total has no example\. Add `example/,
    at: 'components > headers > X-Svc-Total',
  },
  {
    rule: 'examples-everywhere',
    title: 'a request body without example is refused',
    break: remove(`${payoutRequest} > requestBody > content > application/json > examples`),
    says: /^The application\/json body of `post_payouts` has no example\. Add `examples`/,
    at: `${payoutRequest} > requestBody > content > application/json`,
  },
  {
    rule: 'examples-everywhere',
    title: 'an answer without example is refused',
    break: put(`${coupons} > responses > 200 > content > application/json > examples`, {}),
    says: /^The application\/json answer of the 200 of `get_coupons` has no named example\. Add `examples/,
    at: `${coupons} > responses > 200 > content > application/json`,
  },
  {
    rule: 'examples-everywhere',
    title: 'a shared error answer without example is refused, naming it once',
    break: remove('components > responses > NotFound > content > application/json > examples'),
    says: /^The application\/json answer of the shared response NotFound has no named example\./,
    at: 'components > responses > NotFound > content > application/json',
  },
  {
    rule: 'examples-everywhere',
    title: 'a property without example is refused',
    break: remove(`${schemas} > Payout > properties > method > examples`),
    says: /^The property `method` has no example\. Add `examples/,
    at: `${schemas} > Payout > properties > method`,
  },
  {
    rule: 'examples-everywhere',
    title: 'a property whose schema has no example either is refused',
    break: both(remove(`${schemas} > Id > examples`), remove(`${schemas} > PayoutRequest > properties > coupon_id > examples`)),
    says: /^The property `coupon_id` has no example\. Add .* next to its `\$ref`/,
    at: `${schemas} > PayoutRequest > properties > coupon_id`,
  },
  {
    rule: 'examples-everywhere',
    title: 'a webhook without a sample delivery is refused',
    break: remove(`${payoutPaid} > requestBody > content > application/json > examples`),
    says: /^The application\/json body of `webhook_payout_paid` has no example\./,
    at: `${payoutPaid} > requestBody > content > application/json`,
  },

  {
    rule: 'no-date-time-format',
    title: '`format: date-time` is refused, naming our own schemas',
    break: put(`${schemas} > LocalDateTime > format`, 'date-time'),
    says: /^`format: date-time` is not used in this contract\. Refer to the schema LocalDateTime .* or UtcDateTime/,
    at: `${schemas} > LocalDateTime > format`,
  },
  {
    rule: 'no-date-time-format',
    title: '`format: date` is refused, also next to a $ref',
    break: put(`${schemas} > KeyRequest > properties > expires > format`, 'date'),
    says: /^`format: date` .* Refer to the schema Day instead\.$/,
    at: `${schemas} > KeyRequest > properties > expires > format`,
  },

  {
    rule: 'closed-answers',
    title: 'a record of an answer that is open to undeclared fields is refused',
    break: remove(`${schemas} > Payout > additionalProperties`),
    says: /^`Payout` is part of an answer but open to fields nobody declared\. Add `additionalProperties: false`/,
    at: `${schemas} > Payout`,
  },
  {
    rule: 'closed-answers',
    title: 'an open object deep in an answer is refused',
    break: put(`${schemas} > Error > properties > data > additionalProperties`, true),
    says: /^An object is part of an answer but open/,
    at: `${schemas} > Error > properties > data`,
  },
  {
    rule: 'closed-answers',
    title: 'a map of an answer that does not say what it holds is refused',
    break: remove(`${schemas} > CustomFields > additionalProperties`),
    says: /^`CustomFields` is part of an answer but open/,
    at: `${schemas} > CustomFields`,
  },
  {
    rule: 'closed-answers',
    title: 'an open delivery of a webhook is refused',
    break: remove(`${payoutPaid} > requestBody > content > application/json > schema > additionalProperties`),
    says: /^An object is part of an answer but open/,
    at: `${payoutPaid} > requestBody > content > application/json > schema`,
  },
  {
    rule: 'closed-answers',
    title: 'a closed request body is refused, for clients of a later version',
    break: put(`${schemas} > PayoutRequest > additionalProperties`, false),
    says: /^`PayoutRequest` is part of a request body but closed\. Remove `additionalProperties: false`/,
    at: `${schemas} > PayoutRequest > additionalProperties`,
  },

  {
    rule: 'always-present',
    title: 'a field of an answer that may be missing without a word is refused',
    break: without(`${schemas} > Order > required`, 'campaign'),
    says: /^The property `campaign` of an answer may be missing, and nothing says when\. Add it to `required`/,
    at: `${schemas} > Order > properties > campaign`,
  },
  {
    rule: 'always-present',
    title: 'a field that is required and may be absent is refused',
    break: withMore(`${schemas} > PayoutCreated > required`, 'gateway_notice'),
    says: /^The property `gateway_notice` is required and has `x-absent`.*Take it out of `required`/,
    at: `${schemas} > PayoutCreated > properties > gateway_notice`,
  },
  {
    rule: 'always-present',
    title: 'a required field that exists in one edition only is refused',
    break: withMore(`${schemas} > AffiliateDetail > required`, 'mla_parents'),
    says: /^The property `mla_parents` is required and has `x-edition`/,
    at: `${schemas} > AffiliateDetail > properties > mla_parents`,
  },
  {
    rule: 'always-present',
    title: 'a reason for absence that is no sentence fragment is refused',
    break: put(`${schemas} > PayoutCreated > properties > gateway_notice > x-absent`, true),
    says: /^The `x-absent` of `gateway_notice` does not complete "absent …"\. Write a fragment/,
    at: `${schemas} > PayoutCreated > properties > gateway_notice > x-absent`,
  },

  {
    rule: 'error-codes-declared',
    title: 'an error code without our prefix is refused',
    break: put(`${payoutRequest} > x-error-codes > 403`, ['requests_disabled']),
    says: /^`x-error-codes` of `post_payouts` has `requests_disabled`, which has neither prefix\. Write codes such as/,
    at: `${payoutRequest} > x-error-codes > 403`,
  },
  {
    rule: 'error-codes-declared',
    title: 'an error code of a status that is never answered is refused',
    break: put(`${coupons} > x-error-codes`, { 409: ['svc_api_conflict'] }),
    says: /^`x-error-codes` of `get_coupons` names the status 409, which is not among its responses\. Add the response/,
    at: `${coupons} > x-error-codes > 409`,
  },
  {
    rule: 'error-codes-declared',
    title: 'a status without codes is refused',
    break: put(`${payoutRequest} > x-error-codes > 403`, null),
    says: /^`x-error-codes` of `post_payouts` is no list of codes\./,
    at: `${payoutRequest} > x-error-codes > 403`,
  },
  {
    rule: 'error-codes-declared',
    title: 'a shared error response without codes is refused',
    break: remove('components > responses > Conflict > x-error-codes'),
    says: /^`x-error-codes` of Conflict is no list of codes\. Write/,
    at: 'components > responses > Conflict',
  },
  {
    rule: 'error-codes-declared',
    title: 'a code that an operation repeats from its shared response is refused',
    break: withMore(`${payoutRequest} > x-error-codes > 409`, 'svc_api_conflict'),
    says: /^`x-error-codes` of `post_payouts` names `svc_api_conflict` twice.*Remove it here\.$/,
    at: `${payoutRequest} > x-error-codes > 409`,
  },
  {
    rule: 'error-codes-declared',
    title: 'error codes without any status are refused',
    break: put(`${coupons} > x-error-codes`, ['svc_api_conflict']),
    says: /^`x-error-codes` of `get_coupons` maps no status to codes\. Write/,
    at: `${coupons} > x-error-codes`,
  },
  {
    rule: 'error-codes-declared',
    title: 'an error code of a success is refused',
    break: put(`${coupons} > x-error-codes`, { 200: ['svc_api_fine'] }),
    says: /^`x-error-codes` of `get_coupons` names the status 200, which is no error\. Remove it\.$/,
    at: `${coupons} > x-error-codes > 200`,
  },
  {
    rule: 'error-codes-declared',
    title: 'a code that two shared responses share is refused',
    break: withMore('components > responses > DeliveryFailed > x-error-codes', 'svc_api_db_error'),
    says: /^`svc_api_db_error` of DeliveryFailed is also a code of another response\. A code has one status/,
    at: 'components > responses > DeliveryFailed > x-error-codes',
  },

  {
    rule: 'secrets-marked',
    title: 'a token that would be logged is refused',
    break: remove(`${schemas} > KeyCreated > properties > token > x-secret`),
    says: /^`token` looks like a secret but would be logged\. Add `x-secret: true`/,
    at: `${schemas} > KeyCreated > properties > token`,
  },
  {
    rule: 'secrets-marked',
    title: 'any field whose name ends in _password is held to it',
    break: put(`${schemas} > KeyRequest > properties > new_password`, { type: 'string', maxLength: 9, examples: ['x'] }),
    says: /^`new_password` looks like a secret/,
    at: `${schemas} > KeyRequest > properties > new_password`,
  },

  {
    rule: 'availability-words',
    title: 'an unknown edition is refused',
    break: put(`${schemas} > AffiliateDetail > properties > mla_parents > x-edition`, 'premium'),
    says: /^`x-edition` is "premium", which nothing knows\. Set it to `pro`/,
    at: `${schemas} > AffiliateDetail > properties > mla_parents > x-edition`,
  },
  {
    rule: 'availability-words',
    title: 'an add-on that is not in the catalog is refused',
    break: put(`${schemas} > ReportSummary > properties > payouts > x-add-ons`, ['payout']),
    says: /^`x-add-ons` is \["payout"\], which nothing knows\. Make it a list of payouts, webhooks, multi_level\.$/,
    at: `${schemas} > ReportSummary > properties > payouts > x-add-ons`,
  },
  {
    rule: 'availability-words',
    title: 'an unknown switch group is refused',
    break: put(`${payoutList} > x-switch-group`, 'money'),
    says: /^`x-switch-group` is "money", which nothing knows\. Set it to payouts\.$/,
    at: `${payoutList} > x-switch-group`,
  },
  {
    rule: 'availability-words',
    title: 'a payout operation of the free edition is refused',
    break: remove(`${payoutList} > x-edition`),
    says: /^`get_payouts` is not in the free edition\. Add `x-edition: pro`/,
    at: payoutList,
  },
  {
    rule: 'availability-words',
    title: 'a webhook operation without its add-on is refused',
    break: remove('paths > /webhooks > get > x-add-ons'),
    says: /^`get_webhooks` needs the add-on webhooks\. Add it to its `x-add-ons`/,
    at: 'paths > /webhooks > get',
  },
  {
    rule: 'availability-words',
    title: 'a payout event that does not need the payouts add-on is refused',
    break: put(`${payoutPaid} > x-add-ons`, ['webhooks']),
    says: /^`webhook_payout_paid` needs the add-on payouts\./,
    at: payoutPaid,
  },
  {
    rule: 'availability-words',
    title: 'a multi-level event that does not need the multi_level add-on is refused',
    break: put('webhooks > commission.mla_added > post > x-add-ons', ['webhooks']),
    says: /^`webhook_commission_mla_added` needs the add-on multi_level\./,
    at: 'webhooks > commission.mla_added > post',
  },
  {
    rule: 'availability-words',
    title: 'a payout operation that stays when payouts are switched off is refused',
    break: remove(`${payoutList} > x-switch-group`),
    says: /^`get_payouts` would stay when payouts are switched off\. Add `x-switch-group: payouts`/,
    at: payoutList,
  },
  {
    rule: 'availability-words',
    title: 'an add-on that does not say what its inactivity means is refused',
    break: remove('x-add-on-catalog > payouts > inactive'),
    says: /^The add-on `payouts` has another shape\. Write `\{ description, inactive \}`/,
    at: 'x-add-on-catalog > payouts',
  },
  {
    rule: 'availability-words',
    title: 'an access level without description is refused',
    break: remove('x-access-levels > admin > description'),
    says: /^The access level `admin` has another shape\. Write/,
    at: 'x-access-levels > admin',
  },

  {
    rule: 'record-extends',
    title: 'a detail that lacks a field of its list form is refused',
    break: both(
      remove(`${schemas} > AffiliateDetail > properties > date_registered`),
      without(`${schemas} > AffiliateDetail > required`, 'date_registered'),
    ),
    says: /^AffiliateDetail lacks `date_registered` of Affiliate\. Add it in the same words, or name it in `except`/,
    at: `${schemas} > AffiliateDetail > properties`,
  },
  {
    rule: 'record-extends',
    title: 'a field that reads differently in detail and list is refused',
    break: put(`${schemas} > PayoutCreated > properties > amount > description`, 'Another text.'),
    says: /^`amount` is not the same in PayoutCreated and Payout\. Write it in the same words/,
    at: `${schemas} > PayoutCreated > properties > amount`,
  },
  {
    rule: 'record-extends',
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
    rule: 'record-extends',
    title: 'extending a schema that does not exist is refused',
    break: put(`${schemas} > PayoutCreated > x-extends > schema`, 'Payment'),
    says: /^`x-extends` names the schema `Payment`, which the contract does not use\. Correct the name\.$/,
    at: `${schemas} > PayoutCreated > x-extends`,
  },
  {
    rule: 'record-extends',
    title: 'an exception for a field that does not exist is refused',
    break: put(`${schemas} > AffiliateDetail > x-extends > except`, ['coupons', 'vouchers']),
    says: /^Affiliate has no `vouchers` to except\. Remove it from `except`/,
    at: `${schemas} > AffiliateDetail > x-extends`,
  },
  {
    rule: 'record-extends',
    title: 'an extension of another shape is refused',
    break: put(`${schemas} > AffiliateDetail > x-extends > except`, 'coupons'),
    says: /^`x-extends` has another shape\. Write `\{ schema, except \}`/,
    at: `${schemas} > AffiliateDetail > x-extends`,
  },

  {
    rule: 'transitions-known',
    title: 'a transition to an unknown status is refused',
    break: put(`${payoutStatus} > rows > 0 > to`, 'settled'),
    says: /^The transition null → settled by request names the status `settled`\. Use pending, created, paid, cancel, processing, failed/,
    at: `${payoutStatus} > rows > 0`,
  },
  {
    rule: 'transitions-known',
    title: 'a transition by nobody we know is refused',
    break: put(`${payoutStatus} > rows > 0 > by`, 'robot'),
    says: /is made by `robot`\. Use request, admin, gateway, applicant\.$/,
    at: `${payoutStatus} > rows > 0`,
  },
  {
    rule: 'transitions-known',
    title: 'money that moves into an unknown pool is refused',
    break: put(`${payoutStatus} > rows > 0 > moves > to`, 'bank'),
    says: /moves money between unknown pools\. Write `\{ from, to \}` with two of unpaid, pending_order, pending_payout, paid, or null/,
    at: `${payoutStatus} > rows > 0`,
  },
  {
    rule: 'transitions-known',
    title: 'a transition that raises an unknown event is refused',
    break: put(`${payoutStatus} > rows > 0 > event`, 'payout.asked'),
    says: /raises `payout\.asked`, which is no webhook of ours\. Name one, or null\.$/,
    at: `${payoutStatus} > rows > 0`,
  },
  {
    rule: 'transitions-known',
    title: 'an unknown condition is refused',
    break: put(`${payoutStatus} > rows > 0 > requires`, ['full_moon']),
    says: /requires something unknown\. Make `requires` a list of free_slot, unpaid_holds_amount/,
    at: `${payoutStatus} > rows > 0`,
  },
  {
    rule: 'transitions-known',
    title: 'a row that lacks a field is refused',
    break: remove(`${payoutStatus} > rows > 0 > moves`),
    says: /has other fields than a row has\. Write from, to, by, moves, event, requires/,
    at: `${payoutStatus} > rows > 0`,
  },
  {
    rule: 'transitions-known',
    title: 'a transition that stands there twice is refused',
    break: edit(`${payoutStatus} > rows`, ([first, ...others]) => [first ?? null, first ?? null, ...others]),
    says: /^The transition null → pending by request stands there twice\. Remove one/,
    at: `${payoutStatus} > rows > 1`,
  },
  {
    rule: 'transitions-known',
    title: 'a status that no transition knows is refused',
    break: withMore(`${schemas} > RegistrationStatus > enum`, 'archived'),
    says: /^The status `archived` is in no transition\. Add the row/,
    at: `${schemas} > RegistrationStatus > x-transitions`,
  },
  {
    rule: 'transitions-known',
    title: 'an internal status that reads as none that callers know is refused',
    break: put(`${payoutStatus} > internal > failed > reads`, 'failed'),
    says: /^The internal status `failed` does not read as a public one\. Write .* with one of pending, created, paid, cancel\.$/,
    at: `${payoutStatus} > internal > failed`,
  },
  {
    rule: 'transitions-known',
    title: 'a state table that does not say whose states is refused',
    break: remove(`${payoutStatus} > field`),
    says: /^The state table does not say which property holds the status\. Add `field/,
    at: payoutStatus,
  },

  {
    rule: 'bounded-input',
    title: 'an id without upper bound is refused, naming the schema once',
    break: remove(`${schemas} > Id > maximum`),
    says: /^The numbers of the schema Id have no bounds.*Add `minimum` and `maximum`/,
    at: `${schemas} > Id`,
  },
  {
    rule: 'bounded-input',
    title: 'an integer parameter without lower bound is refused',
    break: remove(`${parameters} > After > schema > minimum`),
    says: /^The numbers of the parameter `after` have no bounds/,
    at: `${parameters} > After > schema`,
  },
  {
    rule: 'bounded-input',
    title: 'a text parameter of any length is refused',
    break: remove(`${parameters} > Search > schema > maxLength`),
    says: /^The text of the parameter `search` can be of any length\. Add `maxLength`/,
    at: `${parameters} > Search > schema`,
  },
  {
    rule: 'bounded-input',
    title: 'a text field of any length in a request body is refused',
    break: remove(`${schemas} > RegistrationDecision > properties > message > maxLength`),
    says: /^The text of the request field `message` can be of any length\. Add `maxLength`/,
    at: `${schemas} > RegistrationDecision > properties > message`,
  },
  {
    rule: 'bounded-input',
    title: 'texts of any length in a list of a request body are refused',
    break: remove(`${schemas} > EventNames > items > maxLength`),
    says: /can be of any length\. Add `maxLength`/,
    at: `${schemas} > EventNames > items`,
  },
  {
    rule: 'bounded-input',
    title: 'an amount without bounds in a request body is refused',
    break: put(`${schemas} > PayoutRequest > properties > amount`, { type: 'number', minimum: 0, examples: [1] }),
    says: /^The numbers of the request field `amount` have no bounds/,
    at: `${schemas} > PayoutRequest > properties > amount`,
  },

  {
    rule: 'webhook-shape',
    title: 'a webhook that is not delivered by POST is refused',
    break: put('webhooks > payout.paid > get', { operationId: 'x', summary: 'X', responses: { 200: { description: 'X.' } } }),
    says: /^The webhook payout\.paid has post, get\. Give it `post` and nothing else/,
    at: 'webhooks > payout.paid',
  },
  {
    rule: 'webhook-shape',
    title: 'a webhook with another operationId than its name is refused',
    break: put(`${payoutPaid} > operationId`, 'payout_paid'),
    says: /^The webhook payout\.paid has the operationId `payout_paid`\. Make it `webhook_payout_paid`/,
    at: `${payoutPaid} > operationId`,
  },
  {
    rule: 'webhook-shape',
    title: 'a webhook without a kind of the change feed is refused',
    break: put(`${payoutPaid} > x-feed-kind`, 'paid'),
    says: /^The webhook payout\.paid has no kind of the change feed\. Set `x-feed-kind`/,
    at: `${payoutPaid} > x-feed-kind`,
  },
  {
    rule: 'webhook-shape',
    title: 'a ping that would enter the change feed is refused',
    break: put('webhooks > ping > post > x-feed-kind', 'referral'),
    says: /^The webhook ping is no part of the change feed\. Set `x-feed-kind: null`/,
    at: 'webhooks > ping > post > x-feed-kind',
  },
  {
    rule: 'webhook-shape',
    title: 'a delivery that names another event is refused',
    break: put(`${payoutPaid} > requestBody > content > application/json > schema > properties > event > const`, 'payout.created'),
    says: /^The webhook payout\.paid does not name itself in its body\. Make the property `event: \{ const: payout\.paid \}`/,
    at: `${payoutPaid} > requestBody`,
  },
  {
    rule: 'webhook-shape',
    title: 'a delivery without data is refused',
    break: both(
      remove(`${payoutPaid} > requestBody > content > application/json > schema > properties > data`),
      without(`${payoutPaid} > requestBody > content > application/json > schema > required`, 'data'),
    ),
    says: /^The webhook payout\.paid has no `data` in its body\. Add the property/,
    at: `${payoutPaid} > requestBody`,
  },
  {
    rule: 'webhook-shape',
    title: 'a webhook without operationId is refused',
    break: remove(`${payoutPaid} > operationId`),
    says: /^The webhook payout\.paid has no operationId\. Make it `webhook_payout_paid`/,
    at: payoutPaid,
  },
  {
    rule: 'webhook-shape',
    title: 'a webhook that forgets its kind is refused',
    break: remove(`${payoutPaid} > x-feed-kind`),
    says: /^The webhook payout\.paid has no kind of the change feed\. Set/,
    at: payoutPaid,
  },

  {
    rule: 'version-in-namespace',
    title: 'a major version that the address does not carry is refused',
    break: put('info > version', '3.0.0'),
    says: /^The server url `\/api\/v2` is not of version 3\.0\.0\. End it in `\/v3`/,
    at: 'servers > 0 > url',
  },

  {
    rule: 'known-fields',
    title: 'a misspelt field is refused, listing those that exist',
    break: put(`${couponStats} > x-scope-wen`, []),
    says: /^`x-scope-wen` means nothing on a Operation\. Use x-access, .*EXTENSIONS\.md/,
    at: `${couponStats} > x-scope-wen`,
  },
  {
    rule: 'known-fields',
    title: 'a field that stands where nothing reads it is refused',
    break: put('paths > /coupons > x-access', ['admin']),
    says: /^`x-access` means nothing on a PathItem\. Remove it\.$/,
    at: 'paths > /coupons > x-access',
  },
  {
    rule: 'known-fields',
    title: 'access on a webhook, which nobody calls, is refused',
    break: put(`${payoutPaid} > x-access`, ['admin']),
    says: /^`x-access` means nothing on a Webhook\. Use x-edition, x-add-ons, x-feed-kind/,
    at: `${payoutPaid} > x-access`,
  },
  {
    rule: 'known-fields',
    title: 'a misspelt field next to a $ref is refused',
    break: put(`${schemas} > ReportSummary > properties > payouts > x-addons`, ['payouts']),
    says: /^`x-addons` means nothing on a Schema\. Use x-edition, x-add-ons/,
    at: `${schemas} > ReportSummary > properties > payouts > x-addons`,
  },
  {
    rule: 'known-fields',
    title: 'a header set by anybody but the server is refused',
    break: put('components > headers > RateLimit > x-set-by', 'handler'),
    says: /^`x-set-by` is `handler`\. Its only value is `server`\.$/,
    at: 'components > headers > RateLimit > x-set-by',
  },

  {
    rule: 'known-methods',
    title: 'a method that the service does not route is refused, saying why',
    break: put('paths > /coupons > put', { operationId: 'put_coupons', summary: 'X', responses: { 200: { description: 'X.' } } }),
    says: /^PUT \/coupons would never be called: the service answers HEAD as GET .* names only get, post, patch, delete in `Allow`/,
    at: 'paths > /coupons > put',
  },
  {
    rule: 'known-methods',
    title: 'HEAD, which is answered wherever GET is, is refused',
    break: put('paths > /coupons > head', { operationId: 'head_coupons', summary: 'X', responses: { 200: { description: 'X.' } } }),
    says: /^HEAD \/coupons would never be called: the service answers HEAD as GET/,
    at: 'paths > /coupons > head',
  },

  {
    rule: 'valid-defaults',
    title: 'a default outside the bounds is refused',
    break: put(`${parameters} > PerPage > schema > default`, 500),
    says: /^The default 500 is refused by its own schema: it must be <= 100\. Correct it, or the schema/,
    at: `${parameters} > PerPage > schema > default`,
  },
  {
    rule: 'valid-defaults',
    title: 'a default that is none of the values is refused',
    break: put(`${parameters} > OrderAscending > schema > default`, 'up'),
    says: /^The default "up" is refused by its own schema: it must be equal to one of the allowed values/,
    at: `${parameters} > OrderAscending > schema > default`,
  },
  {
    rule: 'valid-defaults',
    title: 'a default of another type is refused',
    break: put(`${schemas} > RegistrationDecision > properties > send_email > default`, 'yes'),
    says: /^The default "yes" .* it must be boolean/,
    at: `${schemas} > RegistrationDecision > properties > send_email > default`,
  },
  {
    rule: 'valid-defaults',
    title: 'a default beside a $ref that the referred schema refuses is refused',
    break: put(`${schemas} > KeyRequest > properties > user_id > default`, 0),
    says: /^The default 0 is refused by its own schema: it must be >= 1/,
    at: `${schemas} > KeyRequest > properties > user_id > default`,
  },
  {
    rule: 'valid-defaults',
    title: 'a default list with an entry that its items refuse is refused',
    break: put(`${schemas} > KeyRequest > properties > scopes > default`, ['read', 'root']),
    says: /^The default \["read","root"\] is refused by its own schema: it\/1 must be equal to one of/,
    at: `${schemas} > KeyRequest > properties > scopes > default`,
  },

  {
    rule: 'server-headers',
    title: 'a success without a header that the server sets on all others is refused',
    break: remove(`${coupon} > responses > 200 > headers > X-Request-Id`),
    says: /^The 200 of `get_coupons_id` lacks the header X-Request-Id, .* Add `X-Request-Id: \{ \$ref: .*\/X-Request-Id\.yaml \}`/,
    at: `${coupon} > responses > 200`,
  },
  {
    rule: 'server-headers',
    title: 'a second success is held to them as well',
    break: remove(`${payoutRequest} > responses > 201 > headers > RateLimit-Policy`),
    says: /^The 201 of `post_payouts` lacks the header RateLimit-Policy/,
    at: `${payoutRequest} > responses > 201`,
  },

  {
    rule: 'request-body-shape',
    title: 'a body that cannot be sent as a form is refused',
    break: remove(`${payoutRequest} > requestBody > content > application/x-www-form-urlencoded`),
    says: /^The body of `post_payouts` cannot be sent as application\/x-www-form-urlencoded\. Add it, with the schema of the other/,
    at: `${payoutRequest} > requestBody`,
  },
  {
    rule: 'request-body-shape',
    title: 'a form with another schema than the JSON body is refused',
    break: put(
      `${payoutRequest} > requestBody > content > application/x-www-form-urlencoded > schema > $ref`,
      '#/components/schemas/KeyRequest',
    ),
    says: /^JSON and form of `post_payouts` do not refer to one schema\. Write the same `schema/,
    at: `${payoutRequest} > requestBody`,
  },
  {
    rule: 'request-body-shape',
    title: 'a body that does not say whether it may be left out is refused',
    break: remove('paths > /keys > post > requestBody > required'),
    says: /^The body of `post_keys` does not say whether it may be left out\. Write `required: true` or `required: false`\.$/,
    at: 'paths > /keys > post > requestBody',
  },
  {
    rule: 'request-body-shape',
    title: 'an operation with a body that does not declare rest_invalid_json is refused',
    break: without('paths > /keys > post > x-error-codes > 400', 'rest_invalid_json'),
    says: /^`post_keys` reads JSON but does not declare `rest_invalid_json`\. Add it to its `x-error-codes` under '400'\.$/,
    at: 'paths > /keys > post',
  },

  {
    rule: 'bare-collections',
    title: 'a list that is wrapped in an object is refused',
    break: put(`${coupons} > responses > 200 > content > application/json > schema`, {
      type: 'object',
      properties: { coupons: { type: 'array', items: { $ref: '#/components/schemas/Coupon' } } },
    }),
    says: /^The 200 of `get_coupons` wraps a list in an object with nothing but `coupons`\. Answer the bare array/,
    at: `${coupons} > responses > 200 > content > application/json > schema`,
  },

  {
    rule: 'descriptions-everywhere',
    title: 'a property without description is refused',
    break: remove(`${schemas} > RegistrationDecision > properties > message > description`),
    says: /^The property `message` has no description\. Add one to it, or to the schema it refers to\.$/,
    at: `${schemas} > RegistrationDecision > properties > message`,
  },
  {
    rule: 'descriptions-everywhere',
    title: 'a header without description is refused',
    break: remove('components > headers > X-Svc-Total > description'),
    says: /^The header X-Svc-Total has no description\. Say what it tells the caller\.$/,
    at: 'components > headers > X-Svc-Total',
  },
  {
    rule: 'descriptions-everywhere',
    title: 'a schema with an empty description is refused',
    break: put(`${schemas} > PayoutRequest > description`, ' '),
    says: /^The schema PayoutRequest has no description\. Say in a sentence what it is\.$/,
    at: `${schemas} > PayoutRequest`,
  },

  {
    rule: 'delivery-headers',
    title: 'a webhook that does not show a header of its deliveries is refused',
    break: without(`${payoutPaid} > parameters`, { $ref: '#/components/parameters/DeliverySignature' }),
    says: /^The webhook payout\.paid does not show the header X-Svc-Signature, .* Add `- \$ref: .*\/DeliverySignature\.yaml`/,
    at: payoutPaid,
  },
];

/** Changes that a good contract may see: no rule of ours has anything to say. */
export const allowances: Change[] = [
  {
    title: 'a nullable reference is shown by the example of the schema it refers to',
    break: remove(`${schemas} > Registration > properties > reviewed_by > examples`),
  },
  {
    title: 'a list is shown by the examples of its items',
    break: remove(`${schemas} > AffiliateDetail > properties > groups > examples`),
  },
  {
    title: 'the security alternatives come in any order',
    break: edit(`${document} > security`, (alternatives) => alternatives.toReversed()),
  },
  {
    title: 'a `$ref` may bring the bounds that its schema lacks',
    break: both(
      put(`${schemas} > Year`, { description: 'A year.', type: 'integer', examples: [2026] }),
      put(`${schemas} > KeyRequest > properties > year`, { $ref: '#/components/schemas/Year', minimum: 2000, maximum: 2100 }),
    ),
  },
  {
    title: 'a request may hold a map',
    break: put(`${schemas} > KeyRequest > properties > labels`, {
      type: 'object',
      additionalProperties: { type: 'boolean' },
      description: 'Labels.',
      examples: [{ a: true }],
    }),
  },
  {
    title: 'a default may stand next to a `$ref`, and a schema may refer to itself',
    break: both(
      put(`${schemas} > KeyRequest > properties > user_id > default`, 42),
      put(`${schemas} > KeyRequest > default`, {}),
      put(`${schemas} > KeyRequest > properties > other`, { $ref: '#/components/schemas/KeyRequest', examples: [{}] }),
    ),
  },
  {
    title: 'a parameter may stand on the path instead of each operation',
    break: both(
      remove(`${coupon} > parameters`),
      put('paths > /coupons/{id} > parameters', [{ $ref: '#/components/parameters/CouponId' }]),
    ),
  },
];
