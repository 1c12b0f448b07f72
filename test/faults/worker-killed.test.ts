import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import type { Database } from '../../db/database.ts';
import { verifySignature } from '../../domain/webhooks/signature.ts';
import { compiledProgram } from '../cli/compiled-command.ts';
import { waitUntil } from '../cli/running-service.ts';
import { mainlyOn, type Observer } from '../support/engines.ts';
import { recordReferrals, upTo, webhooksTo } from '../support/load.ts';
import { masterKey } from '../support/service.ts';
import type { WorkerTask } from './worker-process.ts';

const program = 'test/faults/worker-process.ts';
const numberOfWebhooks = 5;
/** PROVE_KILLS: number of kills on each engine, during more deliveries where there is more than one. */
const numberOfKills = Number(process.env['PROVE_KILLS'] ?? 1);
const numberOfEvents = numberOfKills > 1 ? 400 : 120;
/** Long enough for a live worker to finish, short enough to wait for. */
const leaseMilliseconds = 4000;

/** A slow receiver, so that a killed worker has deliveries in flight. */
class SlowReceiver {
  readonly #server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString();
      this.#check(Number(request.url?.slice(1)), request.headers as Record<string, string>, body);
      setTimeout(() => response.writeHead(204).end(), Math.random() * 20);
    });
    request.on('error', () => {});
  });
  readonly secrets: string[] = [];
  /** Number of deliveries by webhook and order. */
  readonly deliveries = new Map<string, number>();
  readonly wronglySigned: string[] = [];
  arrivals = 0;
  readonly #watching: { arrivals: number; resolve: () => void }[] = [];

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  /** Resolves at this number of deliveries, including repeated ones. */
  async reached(arrivals: number): Promise<void> {
    if (this.arrivals < arrivals) await new Promise<void>((resolve) => this.#watching.push({ arrivals, resolve }));
  }

  #check(webhook: number, headers: Record<string, string>, body: string): void {
    const secret = this.secrets[webhook] ?? '';
    const { data } = JSON.parse(body) as { data: { order_id: number } };
    const key = `${webhook}/${data.order_id}`;
    this.deliveries.set(key, (this.deliveries.get(key) ?? 0) + 1);
    if (!isSigned(secret, headers, body)) this.wronglySigned.push(key);
    this.arrivals += 1;
    for (const { arrivals, resolve } of this.#watching) if (arrivals <= this.arrivals) resolve();
  }
}

/** Verified by our own code and by the public library. */
function isSigned(secret: string, headers: Record<string, string>, body: string): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return verifySignature(headers, { secret, body, now: Date.now() });
  } catch {
    return false;
  }
}

mainlyOn('postgres', (engine) => {
  describe('webhook workers that are killed', function killing() {
    let url: string;
    let database: Database;
    let observer: Observer;
    const receiver = new SlowReceiver();
    const children = new Set<ChildProcess>();
    before(async () => {
      url = await engine.freshUrl();
      database = await engine.open({ url });
      observer = await engine.observe(url);
    });
    after(async () => {
      for (const child of children) child.kill('SIGKILL');
      await receiver.stop();
    });

    const startWorker = async (): Promise<ChildProcess> => {
      const task: WorkerTask = { databaseUrl: url, masterKey, leaseMilliseconds };
      const child = spawn(process.execPath, [...compiledProgram(program), JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'inherit'] });
      children.add(child);
      await new Promise((resolve, reject) => {
        child.stdout.once('data', resolve);
        child.once('exit', (code) => reject(new Error(`A worker ended by itself, with ${code}.`)));
      });
      return child;
    };
    const kill = (child: ChildProcess): void => {
      child.removeAllListeners('exit');
      child.kill('SIGKILL');
      children.delete(child);
    };
    const count = async (condition: string): Promise<number> => {
      const [row] = await observer.query<{ count: unknown }>(`select count(*) as count from webhook_deliveries where ${condition}`);
      return Number(row?.count);
    };

    it(`at random points during ${numberOfWebhooks * numberOfEvents} deliveries lose no delivery, and sign each`, async () => {
      const origin = await receiver.start();
      const webhooks = await webhooksTo(
        database,
        upTo(numberOfWebhooks).map((number) => `${origin}/${number - 1}`),
      );
      receiver.secrets.push(...webhooks.map(({ secret }) => secret));
      const all = numberOfWebhooks * numberOfEvents;

      // New events arrive meanwhile.
      const recording = (async () => {
        for (let first = 0; first < numberOfEvents; first += 20)
          await recordReferrals(
            database,
            upTo(20).map((number) => first + number),
          );
      })();
      // The next worker starts while the last one works, so that one is always running.
      let next = startWorker();
      for (const arrivals of randomPoints(numberOfKills, all)) {
        const worker = await next;
        next = startWorker();
        await receiver.reached(arrivals);
        kill(worker);
      }
      await Promise.all([recording, next]);
      await waitUntil(150_000, async () => (await count("status = 'delivered'")) === all);

      expect(receiver.deliveries.size).to.equal(all);
      expect(receiver.wronglySigned).to.deep.equal([]);
      // Repeated deliveries are allowed only for what was in flight at a kill.
      expect(receiver.arrivals - all).to.be.lessThan(numberOfKills * 5 * numberOfWebhooks + 1);
    });
  });
});

/** Numbers of deliveries at which a worker is killed; never at the very end, where nothing is in flight. */
const randomPoints = (count: number, all: number): number[] =>
  Array.from({ length: count }, () => 1 + Math.floor(Math.random() * all * 0.9)).toSorted((one, other) => one - other);
