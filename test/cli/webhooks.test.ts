import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { listDeliveries } from '../../domain/webhooks/delivery-queue.ts';
import { type CommandOutcome, expectCommandError, Machine } from './machine.ts';
import { startService, waitUntil } from './running-service.ts';

const lines = (records: readonly object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');
const shop = [
  { kind: 'user', login: 'bob', email: 'bob@example.com', display_name: 'Bob' },
  { kind: 'coupon', id: 301, code: 'BOB10', user: 'bob' },
  { kind: 'order', order_id: 1, coupon_id: 301, date: '2026-10-01T12:00:00', status: 'completed', total: 100 },
];

interface Delivery {
  id: string;
  status: string;
  attempts: { code: number | null; failure: string | null; error: string; excerpt: string }[];
}

describe('affiliate webhook', () => {
  it('lists deliveries with the responses of the receiver, and replays them', async () => {
    const machine = new Machine();
    const got: { id: string; event: string }[] = [];
    let secret = '';
    let code = 500;
    const hook = createServer(async (request, response) => {
      const body = (await request.toArray()).join('');
      got.push(new Webhook(secret).verify(body, request.headers as Record<string, string>) as { id: string; event: string });
      response.writeHead(code).end('no room\u0007');
    });
    hook.listen(0, '127.0.0.1');
    await once(hook, 'listening');
    await machine.addUser('ada', 'administrator');
    const { token } = await machine.json<{ token: string }>('key', 'create', '--user', 'ada', '--scopes', 'read,write,manage');
    const served = await startService(machine);
    const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/hooks`;
    const made = await fetch(`${served.url}/api/v2/webhooks`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Books', url, events: ['affiliate.created', 'referral.created'] }),
    });
    secret = ((await made.json()) as { secret: string }).secret;

    await machine.run(['import', '-'], { input: lines(shop) });
    /** Reads the database directly, which is faster than polling with the command. */
    const statuses = () => machine.inside((database) => database.read((db) => listDeliveries(db, 1, { page: 1, perPage: 9 })));
    const settled = async (attempts: number) => (await statuses()).items[0]?.attempts.length === attempts;
    await waitUntil(10_000, () => settled(1));
    const [newest] = await machine.json<Delivery[]>('webhook', 'deliveries', '1', '--limit', '1');
    const attempt = { code: 500, failure: null, error: 'The receiver answered 500.', excerpt: 'no room\u{fffd}' };
    expect(newest?.attempts[0]).to.include(attempt);
    expect(newest).to.include({ webhook_id: 1, status: 'pending', event: 'referral.created', date_finished: null });

    code = 204;
    const id = newest?.id ?? '';
    expect(await machine.json('webhook', 'replay', id.replace('dlv_', ''))).to.deep.equal({ id, status: 'pending' });
    await waitUntil(10_000, () => settled(2));
    expect(await machine.text('webhook', 'replay', id)).to.equal(
      `Delivery ${id} will be sent again as soon as the service or a worker runs.\n`,
    );
    await waitUntil(10_000, () => settled(3));
    const sent = { id, event: 'referral.created' };
    expect(got.filter((delivery) => delivery.id === id).map(({ id, event }) => ({ id, event }))).to.deep.equal([sent, sent, sent]);

    const [heading = '', row = ''] = (await machine.text('webhook', 'deliveries', '1')).split('\n');
    expect(heading).to.match(/^DELIVERY +EVENT +DATE +STATUS +ATTEMPTS +LAST ATTEMPT +CODE +NEXT ATTEMPT +LAST ERROR$/);
    expect(row).to.match(new RegExp(`^${id} +referral\\.created +2[-0-9]+ [0-9:]+ +delivered +3 `));
    const [webhook] = await machine.json<Record<string, unknown>[]>('webhook', 'list');
    expect(webhook).to.include({ id: 1, name: 'Books', url, status: 'active' });
    expect(JSON.stringify(webhook)).not.to.include('whsec_');
    const [columns = '', books = ''] = (await machine.text('webhook', 'list')).split('\n');
    expect(columns).to.match(/^ID +NAME +URL +EVENTS +STATUS +FAILURES +LAST DELIVERY +LAST ERROR$/);
    expect(books).to.match(/^ 1 +Books +http:\S+ +affiliate\.created,referral\.created +active +\d+ +just now +/);
    served.child.kill('SIGTERM');
    expect(await served.ended).to.include({ code: 0 });
    hook.close();
  });

  it('reports unknown ids and invalid numbers', async () => {
    const machine = new Machine();
    await machine.text('migrate');
    const refusals = new Map([
      ['deliveries 5', 'There is no webhook 5. affiliate webhook list shows them.'],
      ['deliveries five', '"five" is not the id of a webhook. affiliate webhook list shows them.'],
      ['deliveries 5 --limit 0', '--limit is "0". It must be a whole number from 1 to 1000.'],
      ['replay dlv_9', 'There is no such delivery, or its webhook is gone. affiliate webhook deliveries shows them.'],
      ['replay dlv_', '"dlv_" is not the id of a delivery. affiliate webhook deliveries shows them.'],
    ]);
    const outcomes = await machine.runSeries([...refusals.keys()].map((args) => ({ args: ['webhook', ...args.split(' ')] })));
    for (const [index, sentence] of [...refusals.values()].entries()) expectCommandError(outcomes[index] as CommandOutcome, sentence);
  });
});
