import type { Database } from '../../db/database.ts';
import type { NewEvent } from '../../domain/events/event.ts';
import { systemRandom } from '../../domain/random.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { Transaction } from '../../domain/unit-of-work.ts';
import type { ClaimedDelivery, Delivery, DeliveryOutcome } from '../../domain/webhooks/delivery.ts';
import {
  type AttemptedDelivery,
  claimDeliveries,
  listDeliveries,
  nextDueAt,
  settleDeliveries,
} from '../../domain/webhooks/delivery-queue.ts';
import type { Webhook, WebhookStatus } from '../../domain/webhooks/webhook.ts';
import { newEvent } from '../db/samples.ts';

export const start = 1_760_000_001_000;

export const answered = (code: number, retryAfter: string | null = null): DeliveryOutcome => ({
  kind: 'answered',
  code,
  retryAfter,
  excerpt: 'ok',
  milliseconds: 3,
});

export const timedOut: DeliveryOutcome = {
  kind: 'failed',
  failure: 'timeout',
  message: 'The receiver did not answer within 8 seconds.',
  milliseconds: 8000,
};

interface Claiming {
  limit?: number;
  inFlight?: ReadonlyMap<number, number>;
}

/** Webhooks, events and a worker whose clock the test moves. Sends no requests. */
export class DeliveryFixture {
  readonly database: Database & { url: string };
  now = start;

  constructor(database: Database & { url: string }) {
    this.database = database;
  }

  write<Result>(work: (transaction: Transaction<Repositories>) => Promise<Result>): Promise<Result> {
    return this.database.write(work);
  }

  read<Result>(work: (db: Repositories) => Promise<Result>): Promise<Result> {
    return this.database.read(work);
  }

  async webhook(events = ['*']): Promise<number> {
    const made = { name: 'Books', url: 'https://books.example/hook', events, encryptedSecret: 'sealed', createdBy: 1, createdAt: start };
    return (await this.write(({ webhooks }) => webhooks.insert(made))).id;
  }

  setStatus(id: number, status: WebhookStatus): Promise<boolean> {
    return this.write(({ webhooks }) => webhooks.setStatus(id, status));
  }

  state(id: number): Promise<Webhook | null> {
    return this.read(({ webhooks }) => webhooks.byId(id));
  }

  /** Records the same event `count` times, in one transaction. */
  recordEvents(count = 1, event: Partial<NewEvent> = {}): Promise<void> {
    return this.write(async ({ events }) => {
      for (let orderId = 0; orderId < count; orderId += 1)
        await events.record(newEvent({ data: { order_id: orderId }, at: this.now, ...event }));
    });
  }

  claim({ limit = 50, inFlight = new Map() }: Claiming = {}): Promise<ClaimedDelivery[]> {
    const { now } = this;
    const claiming = { now, leaseMilliseconds: 30_000, limit, perWebhook: 5, inFlight };
    return this.database.write((transaction) => claimDeliveries(transaction, claiming), 'read-committed');
  }

  async claimOne(): Promise<ClaimedDelivery> {
    const [claimed] = await this.claim({ limit: 1 });
    if (!claimed) throw new Error('Nothing was due.');
    return claimed;
  }

  settle(claimed: ClaimedDelivery, outcome: DeliveryOutcome): Promise<void> {
    return this.settleAll([{ claimed, outcome }]);
  }

  /** Records outcomes as a worker does, in one transaction. */
  settleAll(ended: readonly AttemptedDelivery[]): Promise<void> {
    const program = { storeName: 'Fjell', shopUrl: 'https://fjell.example', serviceUrl: '' };
    const context = { now: this.now, random: systemRandom, program };
    return this.database.write((transaction) => settleDeliveries(transaction, ended, context), 'read-committed');
  }

  nextDueAt(inFlight = new Map<number, number>()): Promise<number | null> {
    return this.read((db) => nextDueAt(db, { perWebhook: 5, inFlight }));
  }

  async log(webhookId: number): Promise<Delivery[]> {
    return (await this.read((db) => listDeliveries(db, webhookId, { page: 1, perPage: 100 }))).items;
  }
}
