import type { EntityManager } from 'typeorm';
import type { EventStore, NewEvent } from '../domain/events/event.ts';
import type { Stores, Transaction } from '../domain/ports.ts';
import type { WebhookNotifier } from '../domain/webhooks/delivery.ts';
import type { Storage } from './engine/storage.ts';
import { affiliateStore } from './repositories/affiliates.ts';
import { backlogStore } from './repositories/backlog.ts';
import { clickStore } from './repositories/clicks.ts';
import { connectionStore } from './repositories/connections.ts';
import { couponRecordStore, couponStore, couponTermsStore } from './repositories/coupons.ts';
import { deliveryStore, prepareDeliveries } from './repositories/deliveries.ts';
import { appendEvents, feedStore } from './repositories/events.ts';
import { exportStore } from './repositories/exports.ts';
import { figureStore } from './repositories/figures.ts';
import { idempotencyStore } from './repositories/idempotency.ts';
import { invoiceStore } from './repositories/invoices.ts';
import { ledgerStore } from './repositories/ledger.ts';
import { sealRepository } from './repositories/ledger-seals.ts';
import { mailStore } from './repositories/mails.ts';
import { sealingStore } from './repositories/master-key.ts';
import { orderPageStore } from './repositories/order-pages.ts';
import { orderStore } from './repositories/orders.ts';
import { payoutBatchStore } from './repositories/payout-batches.ts';
import { payoutDetailsStore } from './repositories/payout-details.ts';
import { payoutStore } from './repositories/payouts.ts';
import { registrationStore } from './repositories/registrations.ts';
import { reportStore } from './repositories/reports.ts';
import { settingStore } from './repositories/settings.ts';
import { appPasswordStore, keyStore, programUserStore, sessionStore, userRecordStore, userStore } from './repositories/users.ts';
import { webhookStore } from './repositories/webhooks.ts';

interface StoreContext {
  manager: EntityManager;
  /** Called when the transaction leaves a mail or a webhook delivery to send. */
  onOutgoing(): void;
  recordEvent: EventStore['record'];
}

const createStore: { [Name in keyof Stores]: (context: StoreContext) => Stores[Name] } = {
  users: ({ manager }) => userStore(manager),
  keys: ({ manager }) => keyStore(manager),
  appPasswords: ({ manager }) => appPasswordStore(manager),
  sessions: ({ manager }) => sessionStore(manager),
  coupons: ({ manager }) => couponStore(manager),
  affiliates: ({ manager }) => affiliateStore(manager),
  figures: ({ manager }) => figureStore(manager),
  orderPages: ({ manager }) => orderPageStore(manager),
  payoutDetails: ({ manager }) => payoutDetailsStore(manager),
  sealing: ({ manager }) => sealingStore(manager),
  payouts: ({ manager }) => payoutStore(manager),
  batches: ({ manager }) => payoutBatchStore(manager),
  invoices: ({ manager }) => invoiceStore(manager),
  idempotency: ({ manager }) => idempotencyStore(manager),
  registrations: ({ manager }) => registrationStore(manager),
  mails: ({ manager, onOutgoing }) => mailStore(manager, onOutgoing),
  webhooks: ({ manager }) => webhookStore(manager),
  deliveries: ({ manager, onOutgoing }) => deliveryStore(manager, onOutgoing),
  settings: ({ manager }) => settingStore(manager),
  clicks: ({ manager }) => clickStore(manager),
  connections: ({ manager }) => connectionStore(manager),
  reports: ({ manager }) => reportStore(manager),
  orders: ({ manager }) => orderStore(manager),
  ledger: ({ manager }) => ledgerStore(manager),
  seals: ({ manager }) => sealRepository(manager),
  couponTerms: ({ manager }) => couponTermsStore(manager),
  programUsers: ({ manager }) => programUserStore(manager),
  userRecords: ({ manager }) => userRecordStore(manager),
  couponRecords: ({ manager }) => couponRecordStore(manager),
  exports: ({ manager }) => exportStore(manager),
  backlog: ({ manager }) => backlogStore(manager),
  events: ({ manager, recordEvent }) => ({ ...feedStore(manager), record: recordEvent }),
};

/** Creates each store when it is first used: a request uses two or three of them. */
class LazyStores {
  readonly context: StoreContext;
  readonly created: Partial<Record<keyof Stores, unknown>> = {};

  static {
    for (const name of Object.keys(createStore) as (keyof Stores)[])
      Object.defineProperty(LazyStores.prototype, name, {
        get(this: LazyStores) {
          this.created[name] ??= createStore[name](this.context);
          return this.created[name];
        },
      });
  }

  constructor(context: StoreContext) {
    this.context = context;
  }
}

const createStores = (context: StoreContext): Stores => new LazyStores(context) as unknown as Stores;

const refuseEvent = async (): Promise<never> => {
  throw new Error('Events are recorded in a write, not in a read.');
};

export const readOnlyStores = (manager: EntityManager): Stores => createStores({ manager, onOutgoing: () => {}, recordEvent: refuseEvent });

export interface OpenTransaction {
  readonly stores: Transaction;
  readonly events: readonly NewEvent[];
  /** Whether the transaction leaves a mail or a webhook delivery to send. */
  hasOutgoing(): boolean;
  /** Must be the last step before the commit: it takes the feed's lock, and nothing else should run while that is held. */
  appendEvents(): Promise<void>;
}

interface TransactionParts {
  storage: Storage;
  notify: WebhookNotifier;
}

export function openTransaction(manager: EntityManager, { storage, notify }: TransactionParts): OpenTransaction {
  const events: NewEvent[] = [];
  let outgoing = false;
  const onOutgoing = (): void => {
    outgoing = true;
  };
  const recordEvent = async (event: NewEvent): Promise<void> => {
    events.push(event);
  };
  return {
    stores: Object.assign(createStores({ manager, onOutgoing, recordEvent }), {
      canWrite: true,
    } as const),
    events,
    hasOutgoing: () => outgoing,
    async appendEvents() {
      const queueDeliveries = await prepareDeliveries(manager, events, notify);
      if (queueDeliveries) onOutgoing();
      await appendEvents(manager, storage, events, queueDeliveries);
    },
  };
}
