import type { Socket } from 'node:net';
import { expect } from 'chai';
import { receiver, says } from '../server/receivers.ts';
import type { ContractClient } from '../support/contract-client.ts';
import { TestService } from '../support/service.ts';
import { onOneEngine } from './one-engine.ts';

type Behaviour = (socket: Socket) => void;

const repeats =
  (head: string, text: string): Behaviour =>
  (socket) =>
    void socket.once('data', () => {
      socket.write(head);
      const timer = setInterval(() => socket.writableLength < 1_000_000 && socket.write(text), 1);
      socket.once('close', () => clearInterval(timer)).once('end', () => clearInterval(timer));
    });

// The outcome of each attempt: test/server/webhook-receivers.test.ts. Mail servers: test/server/mail-smtp.test.ts.
onOneEngine((engine) => {
  describe('API10:2023 Unsafe Consumption of APIs: receivers of webhooks', () => {
    let service: TestService;
    let admin: ContractClient;
    before(async () => {
      service = await (await TestService.start({ databaseUrl: await engine.freshUrl(), sender: { timeoutMs: 300 } })).withoutLimits();
      admin = await service.admin();
    });
    after(() => service.stop());

    const behaviours: Record<string, Behaviour> = {
      'answers without end': repeats('HTTP/1.1 500 Oh\r\nTransfer-Encoding: chunked\r\n\r\n', `10000\r\n${'x'.repeat(65_536)}\r\n`),
      'has headers without end': repeats('HTTP/1.1 200 OK\r\n', 'X-More: and more\r\n'.repeat(100)),
      'answers terminal control characters': says(
        'HTTP/1.1 500 Oh\r\nContent-Length: 30\r\n\r\n\u001b[2J\u0000\u0007<script>alert(1)</script>',
      ),
      'sends Retry-After of a hundred years': says('HTTP/1.1 503 No\r\nRetry-After: 3153600000\r\nContent-Length: 0\r\n\r\n'),
      'sets cookies and requires a password': says(
        'HTTP/1.1 401 Who\r\nSet-Cookie: a=b\r\nWWW-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n',
      ),
    };
    for (const [what, behave] of Object.entries(behaviours))
      it(`a receiver that ${what} is reported as a failure of bounded size, and the service continues`, async () => {
        const hook = await receiver(behave);
        const { body: webhook } = await admin.post('/webhooks', { json: { url: `http://127.0.0.1:${hook.port}/`, events: ['*'] } });
        const { status, body } = await admin.post(`/webhooks/${webhook.id}/test`);
        expect(status === 502 || body.code >= 400, what).to.equal(true);
        const shown = JSON.stringify((await admin.get('/webhooks')).body[0]);
        expect(shown.length).to.be.below(3000);
        const { query } = await engine.observe(service.databaseUrl);
        const kept = JSON.stringify(await query('select * from webhook_attempts order by id desc limit 1'));
        expect(kept.length).to.be.below(5000);
        // oxlint-disable-next-line no-control-regex
        expect(`${shown}${kept}`).not.to.match(/\\u0000|\\u001b|\\u0007|[\u0000\u001b]/);
        expect(hook.connections).to.equal(1);
        await hook.close();
      });
  });
});
