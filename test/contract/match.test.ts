import { expect } from 'chai';
import { ContractRouter } from '../../server/contract/contract-router.ts';
import { emptyRequest } from '../support/validation.ts';

/** A router of operations such as `get /coupons`, which is also their operationId. */
function routerOf(lines: readonly string[], apiRoot: string): ContractRouter {
  const paths: Record<string, Record<string, { operationId: string; responses: object }>> = {};
  for (const line of lines) {
    const [method = '', path = ''] = line.split(' ');
    paths[path] = { ...paths[path], [method]: { operationId: line, responses: {} } };
  }
  return new ContractRouter({ definition: { openapi: '3.1.0', info: { title: 'Small', version: '1' }, paths }, apiRoot });
}

const matchIn =
  (router: ContractRouter) =>
  (method: string, path: string): unknown => {
    const operation = router.matchOperation({ method, path });
    if (!operation) return { allow: router.allowedMethods(path) };
    return { line: operation.operationId, params: router.parseRequest({ ...emptyRequest(), method, path }, operation).params };
  };

const lines = [
  'get /coupons',
  'get /coupons/{id}',
  'get /coupons/{id}/orders',
  'get /webhooks',
  'post /webhooks',
  'patch /webhooks/{id}',
  'delete /webhooks/{id}',
  'post /webhooks/{id}/test',
  'get /webhooks/events',
];
const match = matchIn(routerOf(lines, '/api/v2'));

describe('route matching', () => {
  it('returns the operation and its path parameters as sent', () => {
    expect(match('GET', '/api/v2/coupons')).to.deep.equal({ line: 'get /coupons', params: {} });
    expect(match('GET', '/api/v2/coupons/007')).to.deep.equal({ line: 'get /coupons/{id}', params: { id: '007' } });
    expect(match('GET', '/api/v2/coupons/5/orders')).to.deep.equal({ line: 'get /coupons/{id}/orders', params: { id: '5' } });
  });

  it('prefers a fixed segment to a parameter', () => {
    expect(match('GET', '/api/v2/webhooks/events')).to.deep.equal({ line: 'get /webhooks/events', params: {} });
  });

  it('does not match a fixed path as an id: DELETE /webhooks/events deletes nothing', () => {
    expect(match('DELETE', '/api/v2/webhooks/events')).to.deep.equal({ allow: ['GET', 'HEAD'] });
  });

  it('falls back to the parameter if the fixed segment leads to no route', () => {
    expect(match('POST', '/api/v2/webhooks/events/test')).to.deep.equal({
      line: 'post /webhooks/{id}/test',
      params: { id: 'events' },
    });
  });

  it('drops parameters of a branch that leads to no route', () => {
    const crossing = matchIn(routerOf(['get /a/{x}/b', 'get /{y}/c/d'], ''));
    expect(crossing('GET', '/a/c/d')).to.deep.equal({ line: 'get /{y}/c/d', params: { y: 'a' } });
  });

  it('returns the allowed methods of a known path for another method', () => {
    expect(match('PUT', '/api/v2/webhooks')).to.deep.equal({ allow: ['GET', 'HEAD', 'POST'] });
    expect(match('GET', '/api/v2/webhooks/5')).to.deep.equal({ allow: ['DELETE', 'PATCH'] });
  });

  it('matches HEAD where GET is, and only there', () => {
    expect(match('HEAD', '/api/v2/coupons/5')).to.deep.equal({ line: 'get /coupons/{id}', params: { id: '5' } });
    expect(match('HEAD', '/api/v2/webhooks/5')).to.deep.equal({ allow: ['DELETE', 'PATCH'] });
  });

  it('finds no route outside the API root, above it, or with an empty segment, as after a trailing slash', () => {
    const strangers = [
      '/',
      '',
      '/api',
      '/api/v2',
      '/api/v2/',
      '/api/v2x/coupons',
      '/api/v2xcoupons',
      '/api/v1/coupons',
      '/coupons',
      '/api/v2//coupons',
      '/api/v2/coupons//orders',
      '//api/v2/coupons',
      '/api/v2/coupons/',
      '/api/v2/coupons/5/',
      '/api/v2/coupons/5//',
    ];
    for (const path of strangers) expect(match('GET', path), path).to.deep.equal({ allow: [] });
  });

  it('decodes parameters after splitting, so that an encoded slash cannot change the route', () => {
    expect(match('GET', '/api/v2/coupons/5%2Forders')).to.deep.equal({ line: 'get /coupons/{id}', params: { id: '5/orders' } });
    expect(match('GET', '/api/v2/coupons/%C3%A9')).to.deep.equal({ line: 'get /coupons/{id}', params: { id: 'é' } });
  });

  it('finds no route for invalid percent-encoding, and does not throw', () => {
    for (const broken of ['%', '%z1', '%C3', '%E0%A4%A', '%FF']) {
      expect(match('GET', `/api/v2/coupons/${broken}`), broken).to.deep.equal({ allow: [] });
    }
  });

  it('finds no route for names such as constructor and __proto__', () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(match('GET', `/api/v2/${name}`), name).to.deep.equal({ allow: [] });
      expect(match(name, '/api/v2/coupons'), name).to.deep.equal({ allow: ['GET', 'HEAD'] });
    }
  });

  it('refuses a contract whose path parameter is only part of a segment', () => {
    expect(() => routerOf(['get /files/{name}.json'], '')).to.throw('/files/{name}.json: a path parameter must be a whole segment.');
  });
});
