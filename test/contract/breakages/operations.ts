import { type BreakagesByRule, put, remove, without } from './change.ts';
import { coupon, couponStats, coupons, parameters, payoutList, payoutRequest, schemas } from './places.ts';

/** Operations: their names, lists, bodies and headers. */
export const operationsBreakages: BreakagesByRule = {
  'operation-id-shape': [
    {
      title: 'an operationId that is not method and path is refused, giving the right one',
      break: put(`${couponStats} > operationId`, 'getCouponStats'),
      says: /^GET \/coupons\/\{id\}\/stats has the operationId `getCouponStats`\. Name it `get_coupons_id_stats`: <method>_<segments of the path/,
    },
    {
      title: 'a hyphen in an operationId is refused, naming the underscore',
      break: put(`${couponStats} > operationId`, 'get_coupons-id-stats'),
      says: /Name it `get_coupons_id_stats`: .* a hyphen as _>\.$/,
    },
    {
      title: 'an operation without operationId is refused',
      break: remove(`${coupons} > operationId`),
      says: /^GET \/coupons has no operationId\. Name it `get_coupons`:/,
    },
  ],
  'known-methods': [
    {
      title: 'a method that the service does not route is refused, saying why',
      break: put('paths > /coupons > trace', { operationId: 'trace_coupons', summary: 'X', responses: { 200: { description: 'X.' } } }),
      says: /^TRACE \/coupons would never be called: the service answers HEAD as GET .* names only get, post, put, patch, delete in `Allow`/,
    },
    {
      title: 'HEAD, which is answered wherever GET is, is refused',
      break: put('paths > /coupons > head', { operationId: 'head_coupons', summary: 'X', responses: { 200: { description: 'X.' } } }),
      says: /^HEAD \/coupons would never be called: the service answers HEAD as GET/,
    },
  ],
  'collection-paging': [
    {
      title: 'a collection without X-Svc-Total is refused, naming the header',
      break: remove(`${coupons} > responses > 200 > headers > X-Svc-Total`),
      says: /^`get_coupons` answers an array but lacks the header X-Svc-Total\. Add `X-Svc-Total: \{ \$ref: .*` to its 200/,
      at: `${coupons} > responses > 200`,
    },
    {
      title: 'a collection without X-Svc-TotalPages is refused, naming the header',
      break: remove(`${payoutList} > responses > 200 > headers > X-Svc-TotalPages`),
      says: /^`get_payouts` .* lacks the header X-Svc-TotalPages\. Add/,
      at: `${payoutList} > responses > 200`,
    },
    {
      title: 'a collection that does not take `page` is refused',
      break: without(`${coupons} > parameters`, { $ref: `#/components/parameters/Page` }),
      says: /^`get_coupons` answers an array but does not take `page`\. Add `- \$ref: .*\/Page\.yaml`/,
      at: coupons,
    },
    {
      title: 'pages of more than 100 items are refused',
      break: put(`${parameters} > PerPage > schema > maximum`, 500),
      says: /^The parameter `per_page` has maximum 500\. Set `maximum: 100`/,
      at: `${parameters} > PerPage > schema`,
    },
    {
      title: 'a first page other than 1 is refused',
      break: put(`${parameters} > Page > schema > default`, 0),
      says: /^The parameter `page` has default 0\. Set `default: 1`/,
      at: `${parameters} > Page > schema`,
    },
    {
      title: 'a total header that may be left out is refused',
      break: remove('components > headers > X-Svc-Total > required'),
      says: /^The header X-Svc-Total is not required.*Add `required: true`/,
    },
    {
      title: 'a key that a record may lack is refused',
      break: put('components > schemas > Coupon > x-key', 'coupon_id'),
      says: /^`x-key` names `coupon_id`, which is no required field of the record\. Name one/,
      at: 'components > schemas > Coupon > x-key',
    },
  ],
  'bare-collections': [
    {
      title: 'a list that is wrapped in an object is refused',
      break: put(`${coupons} > responses > 200 > content > application/json > schema`, {
        type: 'object',
        properties: { coupons: { type: 'array', items: { $ref: '#/components/schemas/Coupon' } } },
      }),
      says: /^The 200 of `get_coupons` wraps a list in an object with nothing but `coupons`\. Answer the bare array/,
    },
  ],
  'parameter-shape': [
    {
      title: 'a parameter in a cookie is refused',
      break: put(`${parameters} > Search > in`, 'cookie'),
      says: /^The parameter `search` is in a cookie, which the service does not read\. Make it a header or a query parameter\.$/,
    },
    {
      title: 'a style that the service does not read is refused: deepObject',
      break: put(`${parameters} > Search > style`, 'deepObject'),
      says: /^The parameter `search` has the style deepObject, which the service does not read\. Remove it: `form` is read\.$/,
    },
    {
      title: 'a style that the service does not read is refused: pipeDelimited',
      break: put(`${parameters} > EventKinds > style`, 'pipeDelimited'),
      says: /^The parameter `event` has the style pipeDelimited/,
    },
    {
      title: 'a style that the service does not read is refused: spaceDelimited',
      break: put(`${parameters} > EventKinds > style`, 'spaceDelimited'),
      says: /^The parameter `event` has the style spaceDelimited/,
    },
    {
      title: 'a style of the path that the service does not read is refused: label',
      break: put(`${parameters} > CouponId > style`, 'label'),
      says: /^The parameter `id` has the style label, .* `simple` is read\.$/,
    },
    {
      title: 'a list that the client sends with commas and the service reads as one text is refused',
      break: put(`${parameters} > EventKinds > explode`, true),
      says: /^The parameter `event` is a list that the client sends with commas.* Add `explode: false`\.$/,
    },
    {
      title: 'a parameter that is an object is refused',
      break: put(`${parameters} > Search > schema`, { type: 'object', maxProperties: 3 }),
      says: /^The parameter `search` is an object, which no text of a request becomes\. Give each field a parameter/,
    },
    {
      title: 'a list in a header is refused',
      break: put(`${parameters} > IdempotencyKey > schema`, { type: 'array', maxItems: 3, items: { type: 'string', maxLength: 9 } }),
      says: /^The parameter `Idempotency-Key` is a list outside of the query, where it would be read as one text\. Make it a text\.$/,
    },
    {
      title: 'a list of lists is refused',
      break: put(`${parameters} > EventKinds > schema > items`, { type: 'array', maxItems: 2, items: { type: 'string', maxLength: 9 } }),
      says: /^The parameter `event` is a list of lists or objects/,
      at: `${parameters} > EventKinds > schema`,
    },
    {
      title: 'a header for admins only is refused',
      break: put(`${parameters} > IdempotencyKey > x-admin-only`, true),
      says: /^The parameter `Idempotency-Key` has `x-admin-only`, which the service applies to query parameters alone\. Remove it\.$/,
    },
    {
      title: 'a header of an add-on is refused',
      break: put(`${parameters} > IdempotencyKey > x-add-ons`, ['store']),
      says: /^The parameter `Idempotency-Key` has `x-add-ons`, which the service applies to query parameters alone/,
    },
    {
      title: 'a parameter that is required and has a default is refused',
      break: put(`${parameters} > Page > required`, true),
      says: /^The parameter `page` is required and has a default, .* Remove one of the two\.$/,
    },
  ],
  'supported-fields': [
    {
      title: 'a parameter with content instead of a schema is refused',
      break: put(`${parameters} > Search > content`, { 'application/json': { schema: { type: 'string', maxLength: 9 } } }),
      says: /^Nothing here reads `content` of Parameter, so it would be ignored\. Remove it; openapi\/STYLE\.md has what is read\.$/,
    },
    {
      title: 'a keyword of JSON Schema that the service does not apply as written is refused',
      break: put(`${schemas} > KeyRequest > patternProperties`, { '^l_': { type: 'string', maxLength: 9 } }),
      says: /^Nothing here reads `patternProperties` of Schema, so it would be ignored/,
    },
    {
      title: 'the 3.0 way to say that a value may be null is refused',
      break: put(`${schemas} > KeyRequest > properties > description > nullable`, true),
      says: /^Nothing here reads `nullable` of Schema, so it would be ignored/,
    },
    {
      title: 'an encoding of a form is refused',
      break: put(`${payoutRequest} > requestBody > content > application/x-www-form-urlencoded > encoding`, {
        amount: { style: 'deepObject' },
      }),
      says: /^Nothing here reads `encoding` of MediaType, so it would be ignored/,
    },
    {
      title: 'a server of a single operation is refused',
      break: put(`${coupons} > servers`, [{ url: 'https://other.example/v2' }]),
      says: /^Nothing here reads `servers` of Operation, so it would be ignored/,
    },
    {
      title: 'a description of a whole path is refused',
      break: put('paths > /coupons > description', 'Coupons.'),
      says: /^Nothing here reads `description` of PathItem, so it would be ignored/,
    },
    {
      title: 'links of a response are refused',
      break: put(`${coupons} > responses > 200 > links`, { next: { operationId: 'get_coupons' } }),
      says: /^Nothing here reads `links` of Response, so it would be ignored/,
    },
    {
      title: 'a response for several statuses is refused',
      break: put(`${coupons} > responses > 2XX`, { description: 'Done.' }),
      says: /^The status `2XX` stands for several, which nothing checks\. Declare each status by its number\.$/,
    },
    {
      title: 'a default response is refused',
      break: put(`${coupons} > responses > default`, { description: 'Done.' }),
      says: /^The status `default` stands for several/,
    },
  ],
  'request-body-shape': [
    {
      title: 'a form of a body that a form cannot carry is refused',
      break: put(`${schemas} > KeyRequest > properties > vault`, {
        type: 'object',
        description: 'A vault.',
        properties: { pin: { type: 'string', maxLength: 9, description: 'A pin.', examples: ['1'] } },
      }),
      says: /^A form cannot carry the lists or objects of `post_keys`\. Remove it; JSON can\.$/,
      at: 'paths > /keys > post > requestBody > content > application/x-www-form-urlencoded',
    },
    {
      title: 'an add-on of what is inside a field of a body is refused',
      break: put(`${schemas} > KeyRequest > properties > scopes > items`, { type: 'string', maxLength: 9, 'x-add-ons': ['store'] }),
      says: /^The service leaves out only whole fields of the body of `post_keys`.* Move `x-add-ons` to the field\.$/,
      at: `${schemas} > KeyRequest > properties > scopes > items > x-add-ons`,
    },
    {
      title: 'a body that is a map with a schema is refused',
      break: put(`${schemas} > SettingsChange > additionalProperties`, { type: 'string', maxLength: 9 }),
      says: /is a map with a schema, of which the service would read nothing\. Write `additionalProperties: true`\.$/,
    },
    {
      title: 'a body that cannot be sent as a form is refused',
      break: remove(`${payoutRequest} > requestBody > content > application/x-www-form-urlencoded`),
      says: /^The body of `post_payouts` cannot be sent as application\/x-www-form-urlencoded\. Add it, with the schema of the other/,
      at: `${payoutRequest} > requestBody`,
    },
    {
      title: 'a form with another schema than the JSON body is refused',
      break: put(
        `${payoutRequest} > requestBody > content > application/x-www-form-urlencoded > schema > $ref`,
        '#/components/schemas/KeyRequest',
      ),
      says: /^JSON and form of `post_payouts` do not refer to one schema\. Write the same `schema/,
      at: `${payoutRequest} > requestBody`,
    },
    {
      title: 'a body that does not say whether it may be left out is refused',
      break: remove('paths > /keys > post > requestBody > required'),
      says: /^The body of `post_keys` does not say whether it may be left out\. Write `required: true` or `required: false`\.$/,
    },
    {
      title: 'an operation with a body that does not declare rest_invalid_json is refused',
      break: without('paths > /keys > post > x-error-codes > 400', 'rest_invalid_json'),
      says: /^`post_keys` reads JSON but does not declare `rest_invalid_json`\. Add it to its `x-error-codes` under '400'\.$/,
      at: 'paths > /keys > post',
    },
  ],
  'server-headers': [
    {
      title: 'a success without a header that the server sets on all others is refused',
      break: remove(`${coupon} > responses > 200 > headers > X-Request-Id`),
      says: /^The 200 of `get_coupons_id` lacks the header X-Request-Id, .* Add `X-Request-Id: \{ \$ref: .*\/X-Request-Id\.yaml \}`/,
      at: `${coupon} > responses > 200`,
    },
    {
      title: 'a second success without such a header is refused',
      break: remove(`${payoutRequest} > responses > 201 > headers > RateLimit-Policy`),
      says: /^The 201 of `post_payouts` lacks the header RateLimit-Policy/,
      at: `${payoutRequest} > responses > 201`,
    },
  ],
};
