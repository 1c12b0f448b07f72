import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { ReceivedResponse } from '../../server/contract/responses.ts';
import { theContract } from '../support/contract.ts';
import { contractClient } from '../support/contract-client.ts';
import { catalog, catalogEntry, notFound } from '../support/replies.ts';

describe('the contract client of the tests', () => {
  let server: Server;
  let answer: ReceivedResponse;
  before((done) => {
    server = createServer((_request, response) => {
      const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
      response.writeHead(answer.status, answer.headers as Record<string, string>).end(text);
    });
    server.listen(0, '127.0.0.1', done);
  });
  after((done) => {
    server.close(done);
    server.closeAllConnections();
  });

  async function get(path: string, reply: ReceivedResponse): Promise<string> {
    answer = reply;
    const client = contractClient(await theContract(), `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return client.get(path).then(
      () => 'accepted',
      (error: Error) => error.message,
    );
  }

  it('returns a response that keeps the contract', async () => {
    expect(await get('/webhooks/events?page=2', catalog)).to.equal('accepted');
  });

  it('throws on a response that breaks the contract', async () => {
    expect(await get('/webhooks/events', { ...catalog, body: [{ ...catalogEntry, extra: 1 }] })).to.contain(
      'GET /webhooks/events broke the contract',
    );
    expect(await get('/webhooks/events', { ...catalog, body: '<html>' })).to.contain('must be array');
    expect(await get('/webhooks/events', { ...catalog, status: 202 })).to.contain('does not declare the status 202');
  });

  it('requires rest_no_route and the Allow header for a path without such an operation', async () => {
    const noRoute = { ...notFound, body: { code: 'rest_no_route', message: 'No route.', data: { status: 404 } } };
    expect(await get('/nothing', noRoute)).to.equal('accepted');
    expect(await get('/nothing', { ...noRoute, headers: { 'content-type': 'application/json' } })).to.contain('X-Request-Id is missing');
    expect(await get('/nothing', notFound)).to.contain('the code is svc_api_not_found');
    expect(await get('/nothing', catalog)).to.contain('There is no operation here, but the status is 200');
    expect(await get('/webhooks/5', noRoute)).to.contain('Allow is "" instead of "DELETE, PATCH"');
    expect(await get('/webhooks/5', { ...noRoute, headers: { ...noRoute.headers, Allow: 'DELETE, PATCH' } })).to.equal('accepted');
  });
});
