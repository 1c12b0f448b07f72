import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { type Answering, bounds, momentMilliseconds, Shedding } from '../../server/limits/concurrency-limiter.ts';
import { until } from '../cli/served.ts';
import { theContract } from '../support/contract.ts';

interface Overload {
  code: string;
  data: { retry_after: number };
}

const listed = 'https://app.example';

/** A server that answers nobody before it is told to. */
class Stalled {
  readonly #server: Server;
  readonly #held: ServerResponse[] = [];
  readonly shed: number[] = [];
  now = 0;

  private constructor() {
    const hold: Answering = (request, response) => {
      this.#held.push(response);
      request.resume();
      return once(response, 'close');
    };
    const onShed = (count: number): void => void this.shed.push(count);
    const shedding = new Shedding({ onShed, origins: () => [listed], monotonicMs: () => this.now });
    this.#server = createServer(shedding.guard(hold)).listen(0, '127.0.0.1');
  }

  static async start(): Promise<Stalled> {
    const server = new Stalled();
    await once(server.#server, 'listening');
    return server;
  }

  /** Resolves when the server has them all. */
  async take(count: number, method = 'GET'): Promise<void> {
    const before = this.#held.length;
    for (let index = 0; index < count; index += 1) this.ask(method).catch(() => {});
    while (this.#held.length < before + count) await once(this.#server, 'request');
  }

  ask(method = 'GET', path = '/api/v2/me', headers: Record<string, string> = {}): Promise<Response> {
    const { port } = this.#server.address() as AddressInfo;
    return fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...(method === 'POST' && { body: '{}' }) });
  }

  /** Answers so many, and resolves when they are gone. */
  async answer(count: number): Promise<void> {
    const some = this.#held.splice(0, count);
    await Promise.all(some.map((response) => Promise.all([once(response, 'close'), response.end()])));
  }

  /** Answers whatever comes from now on. */
  answerAll(): Promise<void> {
    this.#server.on('request', (_request, response: ServerResponse) => void (response.headersSent || response.end()));
    return this.answer(this.#held.length);
  }

  /** Every client goes, and what was held goes with them. */
  async hangUp(): Promise<void> {
    const gone = this.#held.splice(0).map((response) => once(response, 'close'));
    this.#server.closeAllConnections();
    await Promise.all(gone);
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

describe('shedding', () => {
  let server: Stalled;
  beforeEach(async () => {
    server = await Stalled.start();
  });
  afterEach(() => server.stop());

  const { usual, most } = bounds.reads;

  it('lets a burst pass that is over in a moment, and not one request more than the most', async () => {
    await server.take(most);
    expect((await server.ask()).status).to.equal(503);
    await server.answer(1);
    await server.take(1);
    expect((await server.ask()).status).to.equal(503);
  });

  it('refuses what comes while more than usual have been under way for longer than a moment, until half of them are gone', async () => {
    await server.take(usual);
    server.now = momentMilliseconds + 1;
    expect((await server.ask()).status).to.equal(503);
    // One goes, one comes: the line stands as before.
    await server.answer(1);
    await server.take(1);
    expect((await server.ask()).status).to.equal(503);
    await server.answer(usual / 2);
    await server.take(usual);
  });

  it('holds reads up for no writes, and writes for no reads', async () => {
    await server.take(bounds.writes.most, 'POST');
    expect((await server.ask('DELETE')).status).to.equal(503);
    await server.take(most);
    await server.answer(1);
    await server.take(1, 'PATCH');
  });

  it('keeps a connection whose request it refused, unread body and all', async () => {
    await server.take(bounds.writes.most, 'POST');
    const statuses: number[] = [];
    for (let index = 0; index < 20; index += 1) statuses.push((await server.ask('POST')).status);
    expect(statuses).to.deep.equal(Array.from({ length: 20 }, () => 503));
  });

  it('lets pages of listed origins read the refusal, and those of no others', async () => {
    await server.take(most);
    const refusalTo = (Origin: string) => server.ask('GET', '/api/v2/me', { Origin });
    const { status, headers } = await refusalTo(listed);
    expect(status).to.equal(503);
    expect(headers.get('Access-Control-Allow-Origin')).to.equal(listed);
    expect(headers.get('Access-Control-Allow-Credentials')).to.equal('true');
    expect(headers.get('Access-Control-Expose-Headers')).to.include('Retry-After');
    const other = await refusalTo('https://evil.example');
    expect([other.status, other.headers.get('Access-Control-Allow-Origin')]).to.deep.equal([503, null]);
    for (const answer of [headers, other.headers]) expect(answer.get('Vary')).to.equal('Origin');
  });

  it('still says to browsers that a listed origin may call, so that its call comes and is told why it is refused', async () => {
    await server.take(bounds.writes.most, 'POST');
    const preflight = (Origin: string) => server.ask('OPTIONS', '/api/v2/keys', { Origin, 'Access-Control-Request-Method': 'POST' });
    const { status, headers } = await preflight(listed);
    expect([status, headers.get('Access-Control-Allow-Origin')]).to.deep.equal([204, listed]);
    expect(headers.get('Access-Control-Allow-Methods')).to.include('POST');
    expect(headers.get('Access-Control-Allow-Headers')).to.include('Authorization');
    expect((await preflight('https://evil.example')).status).to.equal(503);
    await until(10_000, async () => server.shed.length > 0);
    expect(server.shed).to.deep.equal([1]);
  });

  it('never refuses those who ask for the health of the process', async () => {
    await server.take(most);
    const asked = ['/healthz', '/readyz'].map((path) => server.ask('GET', path));
    expect((await server.ask('GET', '/healthz/more')).status).to.equal(503);
    await server.answerAll();
    expect((await Promise.all(asked)).map(({ status }) => status)).to.deep.equal([200, 200]);
  });

  it('forgets those who hang up', async () => {
    await server.take(most);
    await server.hangUp();
    await server.take(most);
  });

  it('tells once how many it were, not once for each', async () => {
    await server.take(most);
    for (let index = 0; index < 5; index += 1) await server.ask();
    await until(10_000, async () => server.shed.length > 0);
    expect(server.shed).to.deep.equal([5]);
  });

  it('answers as the contract says for every operation, with a time to come back that differs', async () => {
    await server.take(most);
    const replies = [];
    for (let index = 0; index < 40; index += 1) {
      const response = await server.ask();
      replies.push({ status: response.status, headers: Object.fromEntries(response.headers), body: (await response.json()) as Overload });
    }
    const contract = await theContract();
    const [reply] = replies;
    for (const { operationId } of contract.operations)
      if (reply) expect(contract.checkReply(operationId, reply), operationId).to.deep.equal([]);
    for (const { headers, body } of replies) expect(headers['retry-after']).to.equal(String(body.data.retry_after));
    const times = new Set(replies.map(({ body }) => body.data.retry_after));
    expect([...times].toSorted()).to.deep.equal([1, 2, 3]);
  });
});

describe('shedding, by those who do not wait for their answers,', () => {
  let server: Server;
  let port: number;
  before(async () => {
    const read: Answering = async (request, response) => {
      for await (const _ of request);
      response.end('read');
    };
    server = createServer(new Shedding().guard(read)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const status = async (method: string): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}/`, { method, ...(method === 'POST' && { body: 'x' }) })).status;
  const sent = async (text: string): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  };

  it('is not brought about: many requests behind each other on a connection that dies leave nothing behind', async () => {
    for (let time = 0; time < 3; time += 1) {
      const gone = once(server, 'request');
      const socket = await sent('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(bounds.reads.most));
      await gone;
      socket.resetAndDestroy();
    }
    await until(5000, async () => (await status('GET')) === 200);
    expect(await status('GET')).to.equal(200);
  });

  it('is not brought about: bodies that never come are not in the way of others', async () => {
    const sockets = [];
    for (let each = 0; each < bounds.writes.most; each += 1)
      sockets.push(await sent('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhal'));
    expect(await status('POST')).to.equal(200);
    for (const socket of sockets) socket.destroy();
  });

  it('is not brought about: answers that nobody reads are not in the way of others', async () => {
    const sockets = [];
    for (let each = 0; each < 120; each += 1) {
      const socket = await sent('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50));
      sockets.push(socket.pause());
    }
    await until(5000, async () => (await status('GET')) === 200);
    expect(await status('GET')).to.equal(200);
    for (const socket of sockets) socket.destroy();
  });
});
