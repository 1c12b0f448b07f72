import { expect } from 'chai';
import type { ContractOperation } from '../../server/contract/document.ts';
import { compileMatcher, type Match } from '../../server/contract/match.ts';

function operation(line: string): ContractOperation {
  const [method = '', path = ''] = line.split(' ');
  return { operationId: line, method, path, parameters: [], responses: {} };
}

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
const match = compileMatcher(lines.map(operation), '/api/v2');

function found(result: Match): unknown {
  return result.found ? { line: result.operation.operationId, params: result.params } : { allow: result.allow };
}

describe('route matching', () => {
  it('returns the operation and its path parameters as sent', () => {
    expect(found(match('GET', '/api/v2/coupons'))).to.deep.equal({ line: 'get /coupons', params: {} });
    expect(found(match('GET', '/api/v2/coupons/007'))).to.deep.equal({ line: 'get /coupons/{id}', params: { id: '007' } });
    expect(found(match('GET', '/api/v2/coupons/5/orders'))).to.deep.equal({ line: 'get /coupons/{id}/orders', params: { id: '5' } });
  });

  it('prefers a fixed segment to a parameter', () => {
    expect(found(match('GET', '/api/v2/webhooks/events'))).to.deep.equal({ line: 'get /webhooks/events', params: {} });
  });

  it('does not match a fixed path as an id: DELETE /webhooks/events deletes nothing', () => {
    expect(found(match('DELETE', '/api/v2/webhooks/events'))).to.deep.equal({ allow: ['GET', 'HEAD'] });
  });

  it('falls back to the parameter if the fixed segment leads to no route', () => {
    expect(found(match('POST', '/api/v2/webhooks/events/test'))).to.deep.equal({
      line: 'post /webhooks/{id}/test',
      params: { id: 'events' },
    });
  });

  it('drops parameters of a branch that leads to no route', () => {
    const crossing = compileMatcher([operation('get /a/{x}/b'), operation('get /{y}/c/d')], '');
    expect(found(crossing('GET', '/a/c/d'))).to.deep.equal({ line: 'get /{y}/c/d', params: { y: 'a' } });
  });

  it('returns the allowed methods of a known path for another method', () => {
    expect(found(match('PUT', '/api/v2/webhooks'))).to.deep.equal({ allow: ['GET', 'HEAD', 'POST'] });
    expect(found(match('GET', '/api/v2/webhooks/5'))).to.deep.equal({ allow: ['DELETE', 'PATCH'] });
  });

  it('matches HEAD where GET is, and only there', () => {
    expect(found(match('HEAD', '/api/v2/coupons/5'))).to.deep.equal({ line: 'get /coupons/{id}', params: { id: '5' } });
    expect(found(match('HEAD', '/api/v2/webhooks/5'))).to.deep.equal({ allow: ['DELETE', 'PATCH'] });
  });

  it('finds no route outside the API root, above it, or with an empty segment', () => {
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
    ];
    for (const path of strangers) expect(found(match('GET', path)), path).to.deep.equal({ allow: [] });
  });

  it('ignores trailing slashes', () => {
    expect(found(match('GET', '/api/v2/coupons/'))).to.deep.equal({ line: 'get /coupons', params: {} });
    expect(found(match('GET', '/api/v2/coupons/5//'))).to.deep.equal({ line: 'get /coupons/{id}', params: { id: '5' } });
  });

  it('decodes parameters after splitting, so that an encoded slash cannot change the route', () => {
    expect(found(match('GET', '/api/v2/coupons/5%2Forders'))).to.deep.equal({ line: 'get /coupons/{id}', params: { id: '5/orders' } });
    expect(found(match('GET', '/api/v2/coupons/%C3%A9'))).to.deep.equal({ line: 'get /coupons/{id}', params: { id: 'é' } });
  });

  it('finds no route for invalid percent-encoding, and does not throw', () => {
    for (const broken of ['%', '%z1', '%C3', '%E0%A4%A', '%FF']) {
      expect(found(match('GET', `/api/v2/coupons/${broken}`)), broken).to.deep.equal({ allow: [] });
    }
  });

  it('finds no route for names such as constructor and __proto__', () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(found(match('GET', `/api/v2/${name}`)), name).to.deep.equal({ allow: [] });
      expect(found(match(name, '/api/v2/coupons')), name).to.deep.equal({ allow: ['GET', 'HEAD'] });
    }
  });

  it('refuses a contract whose path parameter is only part of a segment', () => {
    expect(() => compileMatcher([operation('get /files/{name}.json')], '')).to.throw(
      '/files/{name}.json: a path parameter must be a whole segment.',
    );
  });
});
