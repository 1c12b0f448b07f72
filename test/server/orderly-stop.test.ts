import { once } from 'node:events';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import { readConfiguration } from '../../server/configuration.ts';
import { listen } from '../../server/http/http-server.ts';
import { createLogger } from '../../server/http/request-log.ts';
import { OrderlyStop } from '../../server/orderly-stop.ts';
import { isPortClosed } from '../cli/partial-request.ts';
import { waitUntil } from '../cli/running-service.ts';

/** A server whose handler works until `finish`, and a client that disconnects while it does. */
async function abandonedRequest() {
  let finish = (): void => {};
  const work = new Promise<void>((resolve) => (finish = resolve));
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const server = await listen(() => (begin(), work), readConfiguration({ PORT: '0' }));
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write('POST /api/v2/payouts?secret=1 HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n');
  await begun;
  socket.destroy();
  await once(socket, 'close');
  return { server, finish };
}

describe('a stop of the server', () => {
  it('waits for the work on a request whose client has disconnected', async () => {
    const { server, finish } = await abandonedRequest();
    let isDrained = false;
    const drained = server.drain().finally(() => (isDrained = true));
    await waitUntil(10_000, () => isPortClosed(new URL(server.url)));
    await isPortClosed(new URL(server.url));
    expect(isDrained).to.equal(false);
    finish();
    expect(await drained).to.deep.equal([]);
  });

  it('waits for the work on a request no longer than it may, and names it without its query', async () => {
    const { server, finish } = await abandonedRequest();
    expect(await server.drain(1)).to.deep.equal(['POST /api/v2/payouts']);
    finish();
  });

  it('logs every part that does not end in time', async () => {
    const lines: string[] = [];
    const log = createLogger('error', new Writable({ write: (chunk: Buffer, _encoding, done) => done(void lines.push(chunk.toString())) }));
    const stopping = new OrderlyStop(log);
    await stopping.wait('the database', Promise.resolve(), 1000);
    expect([stopping.report(), lines]).to.deep.equal([true, []]);
    await stopping.wait('work after responses', new Promise(() => {}), 1);
    expect(stopping.report()).to.equal(false);
    expect(lines.join('')).to.include('"open":["work after responses"]');
  });
});
