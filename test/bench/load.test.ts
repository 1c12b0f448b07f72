import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { LoadGenerator, type NextRequest, type SliceResult, type WireRequest } from '../../scripts/bench/load.ts';

const request = (path: string, expected = 200): WireRequest => ({
  bytes: Buffer.from(`GET ${path} HTTP/1.1\r\nHost: bench\r\n\r\n`),
  expect: expected,
});

describe('The load generator of the bench', () => {
  let server: Server | undefined;
  afterEach(() => void server?.closeAllConnections());
  afterEach(() => void server?.close());

  async function listen(listener: RequestListener): Promise<number> {
    server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  async function send(port: number, connections: number, count: number, next: NextRequest = () => request('/')): Promise<SliceResult> {
    const load = new LoadGenerator(port, connections);
    return load.send(count, next).finally(() => load.close());
  }

  it('sends exactly the number of requests, one at a time on each connection, and keeps connections open from slice to slice', async () => {
    const inFlight = new Map<unknown, number>();
    let [most, received] = [0, 0];
    const port = await listen((incoming, response) => {
      received += 1;
      inFlight.set(incoming.socket, (inFlight.get(incoming.socket) ?? 0) + 1);
      most = Math.max(most, ...inFlight.values());
      setImmediate(() => {
        inFlight.set(incoming.socket, (inFlight.get(incoming.socket) ?? 1) - 1);
        response.end('done');
      });
    });
    const load = new LoadGenerator(port, 4);
    for (let slice = 0; slice < 3; slice += 1) expect((await load.send(100, () => request('/'))).requests).to.equal(100);
    expect((await load.send(100, () => null)).requests, 'when there are no more').to.equal(0);
    load.close();
    expect({ connections: inFlight.size, most, received }).to.deep.equal({ connections: 4, most: 1, received: 300 });
  });

  it('reconnects when the server has closed an idle connection', async () => {
    const port = await listen((_request, response) => response.end('done'));
    const load = new LoadGenerator(port, 2);
    await load.send(10, () => request('/'));
    const closed = new Promise((resolve) => setTimeout(resolve, 50));
    server?.closeAllConnections();
    await closed;
    const { requests } = await load.send(10, () => request('/'));
    load.close();
    expect(requests).to.equal(10);
  });

  it('counts a response that arrives in pieces or in chunks as one', async () => {
    let isChunked = false;
    const port = await listen((_request, response) => {
      isChunked = !isChunked;
      if (!isChunked) response.setHeader('Content-Length', 200_000);
      response.write('x'.repeat(100_000));
      setImmediate(() => response.end('y'.repeat(100_000)));
    });
    expect((await send(port, 2, 20)).requests).to.equal(20);
  });

  it('fails at an unexpected status, naming the request and the response, and at a closed connection', async () => {
    const port = await listen((incoming, response) =>
      incoming.url === '/me' ? incoming.socket.destroy() : Object.assign(response, { statusCode: 429 }).end('slow down'),
    );
    const failureOf = async (path: string) => String(await send(port, 4, 100, () => request(path)).catch((error: Error) => error));
    expect(await failureOf('/coupons/7')).to.contain('GET /coupons/7 HTTP/1.1 returned 429 instead of 200: slow down');
    expect(await failureOf('/me')).to.contain('GET /me HTTP/1.1 failed: The connection');
  });
});
