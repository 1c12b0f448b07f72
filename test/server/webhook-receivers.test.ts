import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { DeliveryFailure } from '../../domain/errors.ts';
import type { DeliveryOutcome } from '../../domain/webhooks/delivery.ts';
import { createWebhookSender } from '../../server/webhooks/send.ts';
import { localRules, messageTo, type Receiver, receiver, says } from './receivers.ts';

// Real connections to receivers that do what receivers should not. Whatever it is, the outcome says it, in time, and nothing is left open.

const deadlineMilliseconds = 300;
/** For what must not need the deadline: far away, so that a busy machine makes no failures of it. */
const farDeadlineMilliseconds = 4000;
const { send } = createWebhookSender({ timeoutMs: farDeadlineMilliseconds });
const { send: sendHastily } = createWebhookSender({ timeoutMs: deadlineMilliseconds });

type Behaviour = (socket: Socket) => void;

const head = (lines: string[]) => `${['HTTP/1.1 200 OK', ...lines].join('\r\n')}\r\n\r\n`;

/** Writes the same again and again, as fast as it is taken or at this distance. */
const repeats =
  (text: string | Buffer, milliseconds = 0): Behaviour =>
  (socket) => {
    const timer = setInterval(() => socket.writableLength < 1_000_000 && socket.write(text), milliseconds);
    socket.once('close', () => clearInterval(timer)).once('end', () => clearInterval(timer));
  };

const after =
  (text: string, behave: Behaviour): Behaviour =>
  (socket) =>
    socket.once('data', () => {
      socket.write(text);
      behave(socket);
    });

const readsTooLate: Behaviour = (socket) => {
  socket.pause();
  setTimeout(() => socket.resume(), 1.5 * deadlineMilliseconds);
};

interface Ending {
  outcome: DeliveryOutcome;
  receiver: Receiver;
}

async function sentTo(behave: Behaviour, by = send): Promise<Ending> {
  const hook = await receiver(behave);
  const outcome = await by(messageTo(`http://127.0.0.1:${hook.port}/hook?a=b`), localRules);
  await hook.idle();
  await hook.close();
  return { outcome, receiver: hook };
}

const failures: Record<string, [Behaviour, DeliveryFailure, RegExp]> = {
  'never answers': [() => {}, 'timeout', /did not answer within 0.3 seconds/],
  'does not even read': [readsTooLate, 'timeout', /did not answer/],
  'drips its headers': [after('HTTP/1.1 200 OK\r\nX-Drip: ', repeats('.', 20)), 'timeout', /did not answer/],
  'drips its answer': [after(head(['Content-Length: 5000']), repeats('.', 20)), 'timeout', /did not answer/],
  'stops in the middle of a chunked answer': [says(`${head(['Transfer-Encoding: chunked'])}5\r\nhello\r\n`), 'timeout', /did not answer/],
  'announces more than it sends, and waits': [says(`${head(['Content-Length: 50'])}short`), 'timeout', /did not answer/],
  'closes at once': [(socket) => socket.destroy(), 'other', /closed the connection/],
  'closes after the request': [after('', (socket) => socket.destroy()), 'other', /closed the connection/],
  'closes its half and answers nothing': [after('', (socket) => socket.end()), 'other', /closed the connection/],
  'resets before the answer': [after('', (socket) => socket.resetAndDestroy()), 'other', /closed the connection/],
  'has a header without end': [
    after('HTTP/1.1 200 OK\r\nX-Long: ', repeats('x'.repeat(10_000))),
    'other',
    /headers of the answer are too large/,
  ],
  'has headers without end': [
    after('HTTP/1.1 200 OK\r\n', repeats('X-One: more\r\n'.repeat(1000))),
    'other',
    /headers of the answer are too large/,
  ],
  'has interim answers without end': [after('', repeats('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100))), 'other', /too large/],
  'does not talk HTTP': [says('220 mail.example ESMTP\r\n'), 'other', /did not answer in HTTP/],
  'talks before the request': [(socket) => void socket.write('SSH-2.0-OpenSSH_9.2\r\n'), 'other', /did not answer in HTTP/],
  'answers an invalid status': [says('HTTP/1.1 999 Much\r\nContent-Length: 0\r\n\r\n'), 'other', /did not answer in HTTP/],
  'answers a status below 100': [says('HTTP/1.1 099 Little\r\nContent-Length: 2\r\n\r\nok'), 'other', /did not answer in HTTP/],
  'answers random bytes': [says(Buffer.from([0, 255, 1, 254, 22, 3, 1])), 'other', /did not answer in HTTP/],
  'answers an invalid status, and malformed headers': [
    says('HTTP/1.1 999 Much\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!'),
    'other',
    /did not answer in HTTP/,
  ],
};

const answers: Record<string, [Behaviour, Partial<Extract<DeliveryOutcome, { kind: 'answered' }>>]> = {
  'answers 204': [says('HTTP/1.1 204 No Content\r\n\r\n'), { code: 204, excerpt: '', retryAfter: null }],
  'answers 204 with a body': [says('HTTP/1.1 204 No Content\r\n\r\nthanks'), { code: 204, excerpt: '' }],
  'answers 204 with a body and its length': [says('HTTP/1.1 204 No Content\r\nContent-Length: 6\r\n\r\nthanks'), { code: 204 }],
  'answers 200 with two lengths': [says(`${head(['Content-Length: 5', 'Content-Length: 6'])}hello!`), { code: 200, excerpt: '' }],
  'answers 200 with a header that is none': [says(`${head(['no header at all'])}`), { code: 200, excerpt: '' }],
  'answers 200 with a chunk that is none': [says(`${head(['Transfer-Encoding: chunked'])}5\r\nhello\r\nzz\r\n`), { code: 200 }],
  'answers 500 with a body that ends early': [
    after('HTTP/1.1 500 Oh\r\nContent-Length: 50\r\n\r\nshort', (socket) => socket.end()),
    { code: 500, excerpt: 'short' },
  ],
  'announces more than it sends, and closes': [
    after(`${head(['Content-Length: 50'])}short`, (socket) => socket.end()),
    { code: 200, excerpt: 'short' },
  ],
  'resets in the middle of the answer': [
    after(`${head(['Content-Length: 50'])}short`, (socket) => void setTimeout(() => socket.resetAndDestroy(), 20)),
    { code: 200, excerpt: 'short' },
  ],
  'has chunk extensions without end': [
    after(head(['Transfer-Encoding: chunked']), repeats(`1;${'x'.repeat(5000)}\r\n.\r\n`)),
    { code: 200 },
  ],
  'answers 200 and closes': [after(`${head([])}thanks`, (socket) => socket.end()), { code: 200, excerpt: 'thanks' }],
  'answers 200 and leaves the connection open': [says(`${head(['Content-Length: 6'])}thanks`), { code: 200, excerpt: 'thanks' }],
  'answers after an interim answer': [says(`HTTP/1.1 100 Continue\r\n\r\n${head(['Content-Length: 2'])}ok`), { code: 200, excerpt: 'ok' }],
  'answers 500': [says('HTTP/1.1 500 Oh\r\nContent-Length: 4\r\n\r\noops'), { code: 500, excerpt: 'oops' }],
  'answers 410': [says('HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n'), { code: 410 }],
  'answers 429 with seconds': [
    says('HTTP/1.1 429 Slow\r\nRetry-After: 120\r\nContent-Length: 0\r\n\r\n'),
    { code: 429, retryAfter: '120' },
  ],
  'answers 503 with a date': [
    says('HTTP/1.1 503 Later\r\nRetry-After: Sun, 15 Nov 2026 06:00:00 GMT\r\nContent-Length: 0\r\n\r\n'),
    { code: 503, retryAfter: 'Sun, 15 Nov 2026 06:00:00 GMT' },
  ],
  'wants to switch protocols': [says('HTTP/1.1 101 Switching\r\nUpgrade: chat\r\nConnection: Upgrade\r\n\r\n'), { code: 101 }],
  'answers without end': [after(head([]), repeats('x'.repeat(50_000))), { code: 200, excerpt: 'x'.repeat(1024) }],
  'answers in chunks without end': [
    after(head(['Transfer-Encoding: chunked']), repeats('4\r\nmore\r\n'.repeat(900))),
    { code: 200, excerpt: 'more'.repeat(256) },
  ],
  'announces a gigabyte': [after(head(['Content-Length: 1073741824']), repeats('x'.repeat(50_000))), { code: 200 }],
  'answers controls and half characters': [
    says(Buffer.concat([Buffer.from(head(['Content-Length: 8'])), Buffer.from('a\0\x1b[\n\xff\xe2\x82', 'latin1')])),
    { code: 200, excerpt: 'a��[\n��' },
  ],
  'answers a character across the end of the first KiB': [
    says(`${head(['Content-Length: 1100'])}${'x'.repeat(1023)}€${'x'.repeat(74)}`),
    { code: 200, excerpt: 'x'.repeat(1023) },
  ],
};

/** Sockets, servers and lookups, of the whole process. */
const openThings = () => process.getActiveResourcesInfo().filter((kind) => /TCP|TLS|Pipe|UDP|QUERY|GETADDRINFO/i.test(kind)).length;

describe('a delivery to a receiver that', () => {
  let before: number;
  let timers: number;
  beforeEach(async () => {
    // Asynchronous as the other hook is, which mocha counts the time of.
    await setImmediate();
    before = openThings();
    timers = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  });
  afterEach('nothing is left open', async () => {
    for (let turn = 0; turn < 20 && openThings() > before; turn += 1) await setImmediate();
    expect(openThings()).to.be.at.most(before);
    expect(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length).to.be.at.most(timers);
  });

  for (const [title, [behave, failure, sentence]] of Object.entries(failures))
    it(`${title} fails (${failure})`, async () => {
      const { outcome, receiver: hook } = await sentTo(behave, failure === 'timeout' ? sendHastily : send);
      expect(outcome).to.include({ kind: 'failed', failure });
      expect(outcome)
        .to.have.property('message')
        .that.matches(sentence)
        .and.does.not.match(/127\.|localhost|\d{5}/);
      expect(outcome.milliseconds).to.be.below(farDeadlineMilliseconds);
      expect(hook.connections).to.equal(1);
    });

  for (const [title, [behave, expected]] of Object.entries(answers))
    it(`${title} returns the code`, async () => {
      const { outcome, receiver: hook } = await sentTo(behave);
      expect(outcome).to.include({ kind: 'answered', ...expected });
      expect(outcome.milliseconds).to.be.below(farDeadlineMilliseconds);
      expect(hook.connections).to.equal(1);
    });

  it('redirects returns the code without the other address, which gets no request', async () => {
    const other = await receiver(() => {});
    for (const code of [301, 302, 303, 307, 308]) {
      const { outcome } = await sentTo(
        says(`HTTP/1.1 ${code} There\r\nLocation: http://127.0.0.1:${other.port}/\r\nContent-Length: 0\r\n\r\n`),
      );
      expect(outcome).to.include({ kind: 'answered', code, excerpt: '' });
      expect(JSON.stringify(outcome)).not.to.include(String(other.port));
    }
    expect(other.connections).to.equal(0);
    await other.close();
  });

  it('sends a gzip bomb is read without decompression', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const { outcome } = await sentTo(
      says(Buffer.concat([Buffer.from(head(['Content-Encoding: gzip', `Content-Length: ${bomb.length}`])), bomb])),
    );
    expect(outcome).to.include({ kind: 'answered', code: 200 });
    expect((outcome as { excerpt: string }).excerpt.length).to.be.at.most(1024);
  });

  it('does not listen is refused', async () => {
    const gone = await receiver(() => {});
    await gone.close();
    const outcome = await send(messageTo(`http://127.0.0.1:${gone.port}/`), localRules);
    expect(outcome).to.include({ kind: 'failed', failure: 'refused', message: 'The receiver refused the connection.' });
  });

  it('is well-behaved gets the message byte for byte', async () => {
    const { receiver: hook } = await sentTo(says('HTTP/1.1 204 No Content\r\n\r\n'));
    const message = messageTo('');
    const [headers = '', body] = hook.received.split('\r\n\r\n');
    expect(headers).to.match(/^POST \/hook\?a=b HTTP\/1\.1\r\nHost: 127\.0\.0\.1:\d+\r\n/);
    for (const line of [
      'X-Svc-Event: ping',
      'Content-Type: application/json',
      'Connection: close',
      `Content-Length: ${Buffer.byteLength(message.body)}`,
    ])
      expect(headers.split('\r\n')).to.include(line);
    expect(body).to.equal(message.body);
  });

  it('does any of this delays no other', async () => {
    const slow = await receiver(() => {});
    const quick = await receiver(says('HTTP/1.1 204 No Content\r\n\r\n'));
    const late = sendHastily(messageTo(`http://127.0.0.1:${slow.port}/`), localRules);
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => send(messageTo(`http://127.0.0.1:${quick.port}/`), localRules)));
    expect(outcomes.map(({ kind }) => kind)).to.deep.equal(Array(40).fill('answered'));
    expect(Math.max(...outcomes.map(({ milliseconds }) => milliseconds))).to.be.below(farDeadlineMilliseconds);
    expect(await late).to.include({ failure: 'timeout' });
    expect(quick.connections).to.equal(40);
    await Promise.all([slow.close(), quick.close()]);
  });

  it('would get an invalid header fails like any other', async () => {
    const hook = await receiver(says('HTTP/1.1 204 No Content\r\n\r\n'));
    const outcome = await send(
      { ...messageTo(`http://127.0.0.1:${hook.port}/`), headers: { 'X-Svc-Event': 'not\r\na: header' } },
      localRules,
    );
    expect(outcome).to.include({ kind: 'failed', failure: 'other' });
    await hook.close();
    expect(hook.received).to.equal('');
  });
});
