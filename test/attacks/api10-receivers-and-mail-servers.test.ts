import type { Socket } from 'node:net';
import { expect } from 'chai';
import type { Mail } from '../../domain/mail/mail.ts';
import { createSmtpSender } from '../../server/mail/smtp-sender.ts';
import { parseSmtpUrl } from '../../server/mail/smtp-url.ts';
import { receiver, says } from '../server/receivers.ts';
import { TestService } from '../support/service.ts';
import { onOneEngine } from './one-engine.ts';

type Behaviour = (socket: Socket) => void;

onOneEngine((engine) => {
  describe('API10:2023 Unsafe Consumption of APIs: receivers of webhooks', () => {
    const repeats =
      (head: string, text: string): Behaviour =>
      (socket) =>
        void socket.once('data', () => {
          socket.write(head);
          const timer = setInterval(() => socket.writableLength < 1_000_000 && socket.write(text), 1);
          socket.once('close', () => clearInterval(timer)).once('end', () => clearInterval(timer));
        });
    const behaviours: Record<string, Behaviour> = {
      'never answers': () => {},
      'answers without end': repeats('HTTP/1.1 500 Oh\r\nTransfer-Encoding: chunked\r\n\r\n', `10000\r\n${'x'.repeat(65_536)}\r\n`),
      'has headers without end': repeats('HTTP/1.1 200 OK\r\n', 'X-More: and more\r\n'.repeat(100)),
      'is no web server': says('SSH-2.0-OpenSSH_9.2\r\n'),
      'answers terminal control characters': says(
        'HTTP/1.1 500 Oh\r\nContent-Length: 30\r\n\r\n\u001b[2J\u0000\u0007<script>alert(1)</script>',
      ),
      'sends a gzip bomb': says(
        Buffer.concat([Buffer.from('HTTP/1.1 500 Oh\r\nContent-Encoding: gzip\r\nContent-Length: 5000\r\n\r\n'), Buffer.alloc(5000, 0x1f)]),
      ),
      'sends Retry-After of a hundred years': says('HTTP/1.1 503 No\r\nRetry-After: 3153600000\r\nContent-Length: 0\r\n\r\n'),
      'sets cookies and requires a password': says(
        'HTTP/1.1 401 Who\r\nSet-Cookie: a=b\r\nWWW-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n',
      ),
    };
    for (const [what, behave] of Object.entries(behaviours))
      it(`a receiver that ${what} is reported as a failure of bounded size, and the service continues`, async () => {
        const hook = await receiver(behave);
        const service = await (
          await TestService.start({ databaseUrl: await engine.freshUrl(), sender: { timeoutMs: 300 } })
        ).withoutLimits();
        try {
          const admin = await service.client((await service.key(await service.user('boss', 'administrator'), ['read', 'manage'])).headers);
          const { body: webhook } = await admin.post('/webhooks', { json: { url: `http://127.0.0.1:${hook.port}/`, events: ['*'] } });
          const { status, body } = await admin.post(`/webhooks/${webhook.id}/test`);
          expect(status === 502 || body.code >= 400, what).to.equal(true);
          const shown = JSON.stringify((await admin.get('/webhooks')).body);
          expect(shown.length).to.be.below(3000);
          const kept = JSON.stringify(await (await engine.observe(service.databaseUrl)).query('select * from webhook_attempts'));
          expect(kept.length).to.be.below(5000);
          // oxlint-disable-next-line no-control-regex
          expect(`${shown}${kept}`).not.to.match(/\\u0000|\\u001b|\\u0007|[\u0000\u001b]/);
          expect(hook.connections).to.equal(1);
        } finally {
          await service.stop();
          await hook.close();
        }
      });
  });
});

describe('API10:2023 Unsafe Consumption of APIs: mail servers', () => {
  const mail: Mail = {
    id: 1,
    from: { name: 'Fjell', address: 'no-reply@fjell.example' },
    to: { name: 'Trail', address: 'canary@trail.example' },
    subject: 'Hello',
    text: 'Hello\n',
    html: '<p>Hello</p>\n',
    createdAt: 0,
  };
  const greets =
    (answer: string): Behaviour =>
    (socket) => {
      socket.write('220 mail.example\r\n');
      socket.on('data', () => socket.write(answer));
    };
  const behaviours: Record<string, Behaviour> = {
    'never greets': () => {},
    'greets without end': (socket) => void socket.write(`220-${'x'.repeat(5_000_000)}`),
    'talks HTTP': (socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\n'),
    'refuses at great length': greets(`550 ${'canary@trail.example '.repeat(50_000)}\r\n`),
    'refuses with 200,000 letters': greets(`550 ${'x'.repeat(200_000)}\r\n`),
    'answers random bytes': greets('\u0000\u00ff\u001b[2J\r\n'),
    'says yes to everything at once': greets('250 ok\r\n'.repeat(20)),
  };
  for (const [what, behave] of Object.entries(behaviours))
    it(`a mail server that ${what} costs one attempt of one mail, reported in a short sentence without addresses`, async () => {
      const server = await receiver(behave);
      const send = createSmtpSender(parseSmtpUrl(`smtp://127.0.0.1:${server.port}`), { timeoutMs: 700 });
      const outcome = await send(mail, new AbortController().signal);
      await server.close();
      const told = JSON.stringify(outcome);
      expect(told.length).to.be.below(1500);
      expect(told).not.to.include('canary@');
      expect(outcome.kind).to.be.oneOf(['failed', 'sent']);
    });
});
