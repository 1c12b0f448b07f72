import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { burstMs, ConcurrencyLimiter, concurrencyBounds, type RequestHandler } from '../../server/limits/concurrency-limiter.ts';
import { waitUntil } from '../cli/running-service.ts';
import { theContract } from '../support/contract.ts';

interface OverloadBody {
  code: string;
  data: { retry_after: number };
}

const listedOrigin = 'https://app.example';

/** A server that holds every request until the test releases it. */
class StalledServer {
  readonly #server: Server;
  readonly #held: ServerResponse[] = [];
  readonly shed: number[] = [];
  now = 0;

  private constructor() {
    const hold: RequestHandler = (request, response) => {
      this.#held.push(response);
      request.resume();
      return once(response, 'close');
    };
    const onShed = (count: number): void => void this.shed.push(count);
    const limiter = new ConcurrencyLimiter({ onShed, origins: () => [listedOrigin], monotonicMs: () => this.now });
    this.#server = createServer(limiter.limit(hold)).listen(0, '127.0.0.1');
  }

  static async start(): Promise<StalledServer> {
    const server = new StalledServer();
    await once(server.#server, 'listening');
    return server;
  }

  /** Sends requests on plain sockets, which cost less than fetch, and resolves when the server holds them all. */
  async fill(count: number, method = 'GET'): Promise<void> {
    const before = this.#held.length;
    const { port } = this.#server.address() as AddressInfo;
    const body = method === 'GET' ? '\r\n' : 'Content-Length: 2\r\n\r\n{}';
    for (let index = 0; index < count; index += 1) {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      socket.resume().write(`${method} /api/v2/me HTTP/1.1\r\nHost: 127.0.0.1\r\n${body}`);
    }
    while (this.#held.length < before + count) await once(this.#server, 'request');
  }

  request(method = 'GET', path = '/api/v2/me', headers: Record<string, string> = {}): Promise<Response> {
    const { port } = this.#server.address() as AddressInfo;
    return fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...(method === 'POST' && { body: '{}' }) });
  }

  /** Answers held requests, and resolves when they have ended. */
  async release(count: number): Promise<void> {
    const released = this.#held.splice(0, count);
    await Promise.all(released.map((response) => Promise.all([once(response, 'close'), response.end()])));
  }

  /** Answers held requests and all later ones. */
  releaseAll(): Promise<void> {
    this.#server.on('request', (_request, response: ServerResponse) => void (response.headersSent || response.end()));
    return this.release(this.#held.length);
  }

  /** All clients disconnect. */
  async disconnectClients(): Promise<void> {
    const closed = this.#held.splice(0).map((response) => once(response, 'close'));
    this.#server.closeAllConnections();
    await Promise.all(closed);
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

describe('the concurrency limiter', () => {
  let server: StalledServer;
  beforeEach(async () => {
    server = await StalledServer.start();
  });
  afterEach(() => server.stop());

  const { sustained, max } = concurrencyBounds.reads;

  it('accepts a short burst up to the maximum, and sheds every request above it', async () => {
    await server.fill(max);
    expect((await server.request()).status).to.equal(503);
    await server.release(1);
    await server.fill(1);
    expect((await server.request()).status).to.equal(503);
  });

  it('sheds requests while more than the usual number has been in flight for a while, until half of them have ended', async () => {
    await server.fill(sustained);
    server.now = burstMs + 1;
    expect((await server.request()).status).to.equal(503);
    // One ends, one starts: the number is as before.
    await server.release(1);
    await server.fill(1);
    expect((await server.request()).status).to.equal(503);
    await server.release(sustained / 2);
    await server.fill(sustained);
  });

  it('counts reads and writes separately', async () => {
    await server.fill(concurrencyBounds.writes.max, 'POST');
    expect((await server.request('DELETE')).status).to.equal(503);
    await server.fill(max);
    await server.release(1);
    await server.fill(1, 'PATCH');
  });

  it('leaves the connection of a shed request open whose body was not read', async () => {
    await server.fill(concurrencyBounds.writes.max, 'POST');
    const statuses: number[] = [];
    for (let index = 0; index < 20; index += 1) statuses.push((await server.request('POST')).status);
    expect(statuses).to.deep.equal(Array.from({ length: 20 }, () => 503));
  });

  it('sends CORS headers with the 503 for listed origins only', async () => {
    await server.fill(max);
    const requestFrom = (Origin: string) => server.request('GET', '/api/v2/me', { Origin });
    const { status, headers } = await requestFrom(listedOrigin);
    expect(status).to.equal(503);
    expect(headers.get('Access-Control-Allow-Origin')).to.equal(listedOrigin);
    expect(headers.get('Access-Control-Allow-Credentials')).to.equal('true');
    expect(headers.get('Access-Control-Expose-Headers')).to.include('Retry-After');
    const other = await requestFrom('https://evil.example');
    expect([other.status, other.headers.get('Access-Control-Allow-Origin')]).to.deep.equal([503, null]);
    for (const received of [headers, other.headers]) expect(received.get('Vary')).to.equal('Origin');
  });

  it('answers preflight requests of listed origins, so that the browser can read the 503 of the actual request', async () => {
    await server.fill(concurrencyBounds.writes.max, 'POST');
    const preflight = (Origin: string) => server.request('OPTIONS', '/api/v2/keys', { Origin, 'Access-Control-Request-Method': 'POST' });
    const { status, headers } = await preflight(listedOrigin);
    expect([status, headers.get('Access-Control-Allow-Origin')]).to.deep.equal([204, listedOrigin]);
    expect(headers.get('Access-Control-Allow-Methods')).to.include('POST');
    expect(headers.get('Access-Control-Allow-Headers')).to.include('Authorization');
    expect((await preflight('https://evil.example')).status).to.equal(503);
    await waitUntil(10_000, async () => server.shed.length > 0);
    expect(server.shed).to.deep.equal([1]);
  });

  it('never sheds health checks', async () => {
    await server.fill(max);
    const health = ['/healthz', '/readyz'].map((path) => server.request('GET', path));
    expect((await server.request('GET', '/healthz/more')).status).to.equal(503);
    await server.releaseAll();
    expect((await Promise.all(health)).map(({ status }) => status)).to.deep.equal([200, 200]);
  });

  it('stops counting requests whose clients disconnect', async () => {
    await server.fill(max);
    await server.disconnectClients();
    await server.fill(max);
  });

  it('reports the number of shed requests once, not once for each', async () => {
    await server.fill(max);
    for (let index = 0; index < 5; index += 1) await server.request();
    await waitUntil(10_000, async () => server.shed.length > 0);
    expect(server.shed).to.deep.equal([5]);
  });

  it('answers a 503 that matches the contract of every operation, with varying Retry-After', async () => {
    await server.fill(max);
    const replies = [];
    for (let index = 0; index < 40; index += 1) {
      const response = await server.request();
      replies.push({
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: (await response.json()) as OverloadBody,
      });
    }
    const contract = await theContract();
    const [reply] = replies;
    for (const { operationId } of contract.operations)
      if (reply) expect(contract.checkResponse(operationId, reply), operationId).to.deep.equal([]);
    for (const { headers, body } of replies) expect(headers['retry-after']).to.equal(String(body.data.retry_after));
    const times = new Set(replies.map(({ body }) => body.data.retry_after));
    expect([...times].toSorted()).to.deep.equal([1, 2, 3]);
  });
});

describe('the concurrency limiter with clients that do not read responses', () => {
  let server: Server;
  let port: number;
  before(async () => {
    const read: RequestHandler = async (request, response) => {
      for await (const _ of request);
      response.end('read');
    };
    server = createServer(new ConcurrencyLimiter().limit(read)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const status = async (method: string): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}/`, { method, ...(method === 'POST' && { body: 'x' }) })).status;
  const openSocket = async (text: string): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  };

  it('stops counting pipelined requests of a connection that is reset', async () => {
    for (let time = 0; time < 3; time += 1) {
      const received = once(server, 'request');
      const socket = await openSocket('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(concurrencyBounds.reads.max));
      await received;
      socket.resetAndDestroy();
    }
    await waitUntil(5000, async () => (await status('GET')) === 200);
    expect(await status('GET')).to.equal(200);
  });

  it('does not count requests whose bodies never arrive', async () => {
    const sockets = [];
    for (let each = 0; each < concurrencyBounds.writes.max; each += 1)
      sockets.push(await openSocket('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhal'));
    expect(await status('POST')).to.equal(200);
    for (const socket of sockets) socket.destroy();
  });

  it('does not count responses that are never read', async () => {
    const sockets = [];
    for (let each = 0; each < 120; each += 1) {
      const socket = await openSocket('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50));
      sockets.push(socket.pause());
    }
    await waitUntil(5000, async () => (await status('GET')) === 200);
    expect(await status('GET')).to.equal(200);
    for (const socket of sockets) socket.destroy();
  });
});
