import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Database } from '../../db/database.ts';
import { lockWrites } from '../../db/engine/dialect.ts';
import type { SendWebhook } from '../../domain/webhooks/delivery.ts';
import { createWebhookSender } from '../../server/webhooks/send.ts';
import { gate } from '../db/gate.ts';
import { forEachEngine } from '../support/engines.ts';
import { recordReferrals, upTo, webhooksTo } from '../support/load.ts';
import { outboxOn } from '../support/outbox.ts';

interface Arrival {
  /** Of the address: which webhook it is. */
  path: string;
  delivery: string;
  answer(code?: number): void;
}

/** A machine with many receivers, one for each path; `onArrival` decides when each is answered. */
async function receivers(onArrival: (arrival: Arrival) => unknown): Promise<{ url(path: string): string; close(): Promise<void> }> {
  const server: Server = createServer((request, response: ServerResponse) => {
    request.resume().on('end', () =>
      onArrival({
        path: request.url ?? '',
        delivery: String(request.headers['x-svc-delivery']),
        answer: (code = 204) => response.writeHead(code).end(),
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  return { url: (path) => `http://127.0.0.1:${port}${path}`, close };
}

// So long that a test which waits for it fails.
const { send } = createWebhookSender({ timeoutMs: 120_000 });

forEachEngine((engine) => {
  describe('queued webhook deliveries', () => {
    let database: Database;
    let url: string;
    const machines: { close(): Promise<void> }[] = [];
    beforeEach(async () => {
      url = await engine.freshUrl();
      database = await engine.open({ url });
    });
    afterEach(async () => {
      for (const machine of machines.splice(0)) await machine.close();
    });
    const machine = async (onArrival: (arrival: Arrival) => unknown): Promise<(path: string) => string> => {
      const started = await receivers(onArrival);
      machines.push(started);
      return started.url;
    };
    const statuses = async (): Promise<Record<string, number>> => {
      const sql = 'select status, count(*) as count from webhook_deliveries group by status';
      const rows = await (await engine.observe(url)).query<{ status: string; count: unknown }>(sql);
      return Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)]));
    };

    it('to nine healthy receivers all arrive while a tenth still holds its first requests', async () => {
      const [allButOne, released] = [gate(), gate()];
      const arrived = new Map<string, Set<string>>();
      const held: Arrival[] = [];
      const urlOf = await machine((arrival) => {
        const seen = arrived.get(arrival.path) ?? new Set();
        arrived.set(arrival.path, seen.add(arrival.delivery));
        if (arrival.path === '/hangs') {
          held.push(arrival);
          void released.opened.then(() => arrival.answer());
        } else arrival.answer();
        const healthy = [...arrived].filter(([path]) => path !== '/hangs');
        if (healthy.length === 9 && healthy.every(([, deliveries]) => deliveries.size === 40) && held.length > 0) allButOne.open();
      });
      // The one that hangs was there first, and its deliveries are the oldest.
      await webhooksTo(database, ['/hangs', ...upTo(9).map((number) => `/healthy-${number}`)].map(urlOf));
      await recordReferrals(database, upTo(40));
      const working = outboxOn(database, { sendWebhook: send }).sendAllDue();
      await allButOne.opened;
      // None of them was answered yet, and no more than these were begun.
      expect(held).to.have.length(5);
      released.open();
      await working;
      expect(arrived.get('/hangs')?.size).to.equal(40);
      expect(await statuses()).to.deep.equal({ delivered: 400 });
    });

    for (const { webhooks, each, inAll } of [
      { webhooks: 2, each: 5, inAll: 10 },
      { webhooks: 11, each: 5, inAll: 50 },
    ])
      it(`have a concurrency of exactly 5 for each receiver and 50 in all: ${webhooks} receivers`, async () => {
        // Responds only when all requests have arrived, so that they are concurrent.
        const full = gate();
        let begun = 0;
        const open = new Map<string, number>();
        const most = { each: 0, inAll: 0 };
        const urlOf = await machine(async ({ path, answer }) => {
          open.set(path, (open.get(path) ?? 0) + 1);
          const now = [...open.values()].reduce((sum, count) => sum + count, 0);
          most.each = Math.max(most.each, ...open.values());
          most.inAll = Math.max(most.inAll, now);
          if (now === begun) full.open();
          await full.opened;
          open.set(path, (open.get(path) ?? 0) - 1);
          answer();
        });
        const counting: SendWebhook = (message, rules) => {
          begun += 1;
          return send(message, rules);
        };
        await webhooksTo(
          database,
          upTo(webhooks).map((number) => urlOf(`/${number}`)),
        );
        await recordReferrals(database, upTo(20));
        await outboxOn(database, { sendWebhook: counting }).sendAllDue();
        expect(most).to.deep.equal({ each, inAll });
        expect(await statuses()).to.deep.equal({ delivered: webhooks * 20 });
      });

    it('are sent at once after the commit, and by another process within its poll', async () => {
      const [first, second] = [gate(), gate()];
      const arrivals: string[] = [];
      const urlOf = await machine(({ delivery, answer }) => {
        arrivals.push(delivery);
        answer();
        if (arrivals.length === 1) first.open();
        else second.open();
      });
      await webhooksTo(database, [urlOf('/')]);
      const running = outboxOn(database, { sendWebhook: send }).start();
      await recordReferrals(database, [1]);
      await first.opened;
      await recordReferrals(await engine.open({ url }), [2]);
      await second.opened;
      await running.stop();
      expect(await statuses()).to.deep.equal({ delivered: 2 });
    });

    it('that are in flight at a shutdown are completed, and the others left to the next worker', async () => {
      const [begun, released] = [gate(), gate()];
      const urlOf = await machine(({ answer }) => {
        begun.open();
        void released.opened.then(() => answer());
      });
      await webhooksTo(database, [urlOf('/')]);
      const running = outboxOn(database, { sendWebhook: send }).start();
      await recordReferrals(database, upTo(20));
      await begun.opened;
      const stopping = running.stop();
      released.open();
      await stopping;
      const { delivered = 0, pending = 0 } = await statuses();
      expect([delivered, pending]).to.satisfy(() => delivered >= 1 && delivered <= 5 && delivered + pending === 20);
      // No lease is left behind: the next one needs not wait.
      await outboxOn(await engine.open({ url }), { sendWebhook: send }).sendAllDue();
      expect(await statuses()).to.deep.equal({ delivered: 20 });
    });

    it('are shared by several workers: none is sent twice while they run, and no transaction is repeated', async () => {
      const arrivals: string[] = [];
      const urlOf = await machine(({ delivery, answer }) => {
        arrivals.push(delivery);
        answer();
      });
      await webhooksTo(
        database,
        upTo(10).map((number) => urlOf(`/${number}`)),
      );
      await recordReferrals(database, upTo(30));
      const counts = [0, 0, 0];
      // Each has some under way before any may end, so that none does it all alone.
      const allWorkers = gate();
      const counting =
        (worker: number): SendWebhook =>
        async (message, rules) => {
          counts[worker] = (counts[worker] ?? 0) + 1;
          if (counts.every((count) => count > 0)) allWorkers.open();
          await allWorkers.opened;
          return send(message, rules);
        };
      let repeated = 0;
      const onStatement = (sql: string): void => {
        if (sql.includes(lockWrites.exclusive)) repeated += 1;
      };
      const workers = await Promise.all(
        counts.map(async (_, worker) => outboxOn(await engine.open({ url, onStatement }), { sendWebhook: counting(worker) })),
      );
      await Promise.all(workers.map((worker) => worker.sendAllDue()));
      expect(arrivals).to.have.length(300);
      expect(new Set(arrivals).size).to.equal(300);
      expect(await statuses()).to.deep.equal({ delivered: 300 });
      expect(repeated).to.equal(0);
    });
  });
});
