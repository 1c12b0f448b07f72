import { expect } from 'chai';
import type { ContractDocument } from '../../scripts/contract/document.ts';
import { describePointer, findPosition, findSource } from '../../scripts/contract/pointer.ts';

const contract = {
  paths: { '/coupons/{id}': { get: { operationId: 'get_coupons_id', parameters: [{ $ref: '#/components/parameters/CouponId' }] } } },
  webhooks: { 'payout.paid': { post: { parameters: [{ name: 'webhook-id', in: 'header' }] } } },
  components: { parameters: { CouponId: { name: 'id', in: 'path' } } },
} as unknown as ContractDocument;

describe('a pointer into the contract', () => {
  const pointers: [pointer: string, words: string, file: string, keys: string[]][] = [
    ['#/paths/~1coupons~1{id}', '/coupons/{id}', 'openapi.yaml', ['paths', '/coupons/{id}']],
    ['#/paths/~1coupons~1{id}/get', 'GET /coupons/{id}', 'paths/coupons_id.yaml', ['get']],
    [
      '#/paths/~1coupons~1{id}/get/responses/200/headers/X-Svc-Total',
      'GET /coupons/{id} › response 200 › headers › X-Svc-Total',
      'paths/coupons_id.yaml',
      ['get', 'responses', '200', 'headers', 'X-Svc-Total'],
    ],
    ['#/paths/~1coupons~1{id}/get/parameters/0', 'GET /coupons/{id} › parameter id', 'paths/coupons_id.yaml', ['get', 'parameters', '0']],
    ['#/paths/~1gone/get/parameters/3', 'GET /gone › parameter 3', 'paths/gone.yaml', ['get', 'parameters', '3']],
    [
      '#/paths/~1keys/post/requestBody/content/application~1json/schema/properties/scopes/items',
      'POST /keys › body › application/json › scopes › items',
      'paths/keys.yaml',
      ['post', 'requestBody', 'content', 'application/json', 'schema', 'properties', 'scopes', 'items'],
    ],
    ['#/webhooks/payout.paid', 'webhook payout.paid', 'openapi.yaml', ['webhooks', 'payout.paid']],
    [
      '#/webhooks/payout.paid/post/parameters/0',
      'webhook payout.paid › parameter webhook-id',
      'webhooks/payout_paid.yaml',
      ['post', 'parameters', '0'],
    ],
    ['#/components/schemas/Order/required', 'components › schemas › Order › required', 'components/schemas/Order.yaml', ['required']],
    [
      '#/components/securitySchemes/bearerApiKey/scheme',
      'components › securitySchemes › bearerApiKey › scheme',
      'openapi.yaml',
      ['components', 'securitySchemes', 'bearerApiKey', 'scheme'],
    ],
    ['#/servers', 'servers', 'openapi.yaml', ['servers']],
  ];
  for (const [pointer, words, file, keys] of pointers) {
    it(`is described and traced to its file: ${words}`, () => {
      expect(describePointer(pointer, contract)).to.equal(words);
      expect(findSource(pointer)).to.deep.equal({ file, keys });
    });
  }

  const yaml = `get:
  summary: Read
  responses:
    '200':
      headers:
        RateLimit: { $ref: x }

        X-Svc-Total: { $ref: y }
    '404': { $ref: z }
post:
  responses:
    '201':
      headers: {}
`;
  const lines: [keys: string[], line: number, because: string][] = [
    [[], 1, 'the start of the file'],
    [['get', 'responses', '200', 'headers', 'X-Svc-Total'], 8, 'the key itself'],
    [['get', 'responses', '404', 'description'], 9, 'a key inside braces has the line of the braces'],
    [['get', 'responses', '200', 'headers', 'X-Gone'], 5, 'a missing key has the line of its parent'],
    [['get', 'headers', 'RateLimit'], 1, 'a deeper key of the same name does not count'],
    [['post', 'responses', '201'], 12, 'a key of another block of the same name does not count'],
    [['patch'], 1, 'a missing first key has the first line'],
  ];
  for (const [keys, line, because] of lines) {
    it(`has line ${line} for ${keys.join(' › ') || 'no keys'}: ${because}`, () => {
      expect(findPosition(yaml, keys).line).to.equal(line);
    });
  }
});
