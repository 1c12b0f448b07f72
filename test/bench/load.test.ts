import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { applyLoad, type Wire } from '../../scripts/bench/load.ts';

const wire = (path: string, expected = 200): Wire => ({
  bytes: Buffer.from(`GET ${path} HTTP/1.1\r\nHost: bench\r\n\r\n`),
  expect: expected,
});

/** So many, then no more. */
function times(count: number, path = '/'): () => Wire | null {
  let left = count;
  return () => {
    left -= 1;
    return left < 0 ? null : wire(path);
  };
}

describe('the load of the bench', () => {
  let server: Server | undefined;
  afterEach(() => void server?.closeAllConnections());
  afterEach(() => void server?.close());

  async function listening(answer: RequestListener): Promise<number> {
    server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  it('counts every answer once, and no more than the server gave', async () => {
    let asked = 0;
    const port = await listening((_request, response) => {
      asked += 1;
      response.end('{"ok":true}');
    });
    const { requests, latencies } = await applyLoad({ port, connections: 8, seconds: 30, next: times(500) });
    expect({ requests, asked, latencies: latencies.length }).to.deep.equal({ requests: 500, asked: 500, latencies: 500 });
    expect(latencies[0]).to.be.greaterThan(0);
    expect([...latencies]).to.deep.equal([...latencies].sort((one, other) => one - other));
  });

  it('never has two requests under way on one connection', async () => {
    const busy = new Map<unknown, number>();
    let most = 0;
    const port = await listening((request, response) => {
      busy.set(request.socket, (busy.get(request.socket) ?? 0) + 1);
      most = Math.max(most, ...busy.values());
      setImmediate(() => {
        busy.set(request.socket, (busy.get(request.socket) ?? 1) - 1);
        response.end('done');
      });
    });
    await applyLoad({ port, connections: 4, seconds: 30, next: times(200) });
    expect({ connections: busy.size, most }).to.deep.equal({ connections: 4, most: 1 });
  });

  it('takes an answer that comes in pieces for one', async () => {
    const port = await listening((_request, response) => {
      response.setHeader('Content-Length', 200_000);
      response.write('x'.repeat(100_000));
      setImmediate(() => response.end('y'.repeat(100_000)));
    });
    const { requests } = await applyLoad({ port, connections: 2, seconds: 30, next: times(20) });
    expect(requests).to.equal(20);
  });

  it('takes a chunked answer for one', async () => {
    const port = await listening((_request, response) => {
      response.write('first');
      setImmediate(() => response.end('second'));
    });
    const { requests } = await applyLoad({ port, connections: 2, seconds: 30, next: times(20) });
    expect(requests).to.equal(20);
  });

  it('fails at an unexpected status, and says which request and what the answer was', async () => {
    const port = await listening((_request, response) => {
      response.statusCode = 429;
      response.end('slow down');
    });
    const failure = await applyLoad({ port, connections: 4, seconds: 30, next: () => wire('/coupons/7') }).catch((error: Error) => error);
    expect(String(failure)).to.contain('GET /coupons/7 HTTP/1.1 was answered 429 instead of 200: slow down');
  });

  it('fails when the server hangs up instead of answering', async () => {
    const port = await listening((request) => request.socket.destroy());
    const failure = await applyLoad({ port, connections: 1, seconds: 30, next: () => wire('/me') }).catch((error: Error) => error);
    expect(failure).to.be.instanceOf(Error);
  });
});
