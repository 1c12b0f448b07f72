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

  it('sends exactly the number of requests, and counts each response once', async () => {
    let received = 0;
    const port = await listen((_request, response) => {
      received += 1;
      response.end('{"ok":true}');
    });
    const { requests, latencies } = await send(port, 8, 500);
    expect({ requests, received, latencies: latencies.length }).to.deep.equal({ requests: 500, received: 500, latencies: 500 });
    expect(Math.min(...latencies)).to.be.greaterThan(0);
  });

  it('stops early when there are no more requests', async () => {
    const port = await listen((_request, response) => response.end('done'));
    let left = 30;
    const { requests } = await send(port, 4, Number.POSITIVE_INFINITY, () => (left-- > 0 ? request('/') : null));
    expect(requests).to.equal(30);
  });

  it('has at most one request in flight on each connection, and keeps connections open from one slice to the next', async () => {
    const inFlight = new Map<unknown, number>();
    let most = 0;
    const port = await listen((incoming, response) => {
      inFlight.set(incoming.socket, (inFlight.get(incoming.socket) ?? 0) + 1);
      most = Math.max(most, ...inFlight.values());
      setImmediate(() => {
        inFlight.set(incoming.socket, (inFlight.get(incoming.socket) ?? 1) - 1);
        response.end('done');
      });
    });
    const load = new LoadGenerator(port, 4);
    for (let slice = 0; slice < 3; slice += 1) await load.send(100, () => request('/'));
    load.close();
    expect({ connections: inFlight.size, most }).to.deep.equal({ connections: 4, most: 1 });
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

  it('counts a response that arrives in pieces as one', async () => {
    const port = await listen((_request, response) => {
      response.setHeader('Content-Length', 200_000);
      response.write('x'.repeat(100_000));
      setImmediate(() => response.end('y'.repeat(100_000)));
    });
    expect((await send(port, 2, 20)).requests).to.equal(20);
  });

  it('counts a chunked response as one', async () => {
    const port = await listen((_request, response) => {
      response.write('first');
      setImmediate(() => response.end('second'));
    });
    expect((await send(port, 2, 20)).requests).to.equal(20);
  });

  it('fails at an unexpected status, naming the request and the response', async () => {
    const port = await listen((_request, response) => {
      response.statusCode = 429;
      response.end('slow down');
    });
    const failure = await send(port, 4, 100, () => request('/coupons/7')).catch((error: Error) => error);
    expect(String(failure)).to.contain('GET /coupons/7 HTTP/1.1 returned 429 instead of 200: slow down');
  });

  it('fails when the server closes the connection instead of responding', async () => {
    const port = await listen((incoming) => incoming.socket.destroy());
    const failure = await send(port, 1, 10, () => request('/me')).catch((error: Error) => error);
    expect(String(failure)).to.contain('GET /me HTTP/1.1 failed: The connection');
  });
});
