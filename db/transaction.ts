import type { EntityManager } from 'typeorm';
import type { NewEvent } from '../domain/events/event.ts';
import type { Stores, Transaction } from '../domain/ports.ts';
import type { WebhookNotifier } from '../domain/webhooks/event-notifier.ts';
import type { Storage } from './engine/storage.ts';
import { affiliateStore } from './repositories/affiliates.ts';
import { appPasswordStore } from './repositories/app-passwords.ts';
import { backlogStore } from './repositories/backlog.ts';
import { clickStore } from './repositories/clicks.ts';
import { couponRecordStore } from './repositories/coupon-records.ts';
import { couponTermsStore } from './repositories/coupon-terms.ts';
import { couponStore } from './repositories/coupons.ts';
import { deliveryStore } from './repositories/deliveries.ts';
import { queueDeliveries } from './repositories/delivery-queue.ts';
import { appendEvents } from './repositories/events.ts';
import { exportStore } from './repositories/exports.ts';
import { feedStore } from './repositories/feed.ts';
import { figureStore } from './repositories/figures.ts';
import { idempotencyStore } from './repositories/idempotency.ts';
import { keyStore } from './repositories/keys.ts';
import { ledgerStore } from './repositories/ledger.ts';
import { mailStore } from './repositories/mails.ts';
import { sealingStore } from './repositories/master-key-check.ts';
import { orderPageStore } from './repositories/order-pages.ts';
import { orderStore } from './repositories/orders.ts';
import { payoutDetailsStore } from './repositories/payout-details.ts';
import { payoutStore } from './repositories/payouts.ts';
import { programUserStore } from './repositories/program-users.ts';
import { registrationStore } from './repositories/registrations.ts';
import { reportStore } from './repositories/reports.ts';
import { sessionStore } from './repositories/sessions.ts';
import { settingStore } from './repositories/settings.ts';
import { userRecordStore } from './repositories/user-records.ts';
import { userStore } from './repositories/users.ts';
import { webhookStore } from './repositories/webhooks.ts';

/** `onOutgoing`: this transaction leaves something for a worker to send. */
const tablesOf = (manager: EntityManager, onOutgoing: () => void): Omit<Stores, 'events'> => ({
  users: userStore(manager),
  keys: keyStore(manager),
  appPasswords: appPasswordStore(manager),
  sessions: sessionStore(manager),
  coupons: couponStore(manager),
  affiliates: affiliateStore(manager),
  figures: figureStore(manager),
  orderPages: orderPageStore(manager),
  payoutDetails: payoutDetailsStore(manager),
  sealing: sealingStore(manager),
  payouts: payoutStore(manager),
  idempotency: idempotencyStore(manager),
  registrations: registrationStore(manager),
  mails: mailStore(manager, onOutgoing),
  webhooks: webhookStore(manager),
  deliveries: deliveryStore(manager, onOutgoing),
  settings: settingStore(manager),
  clicks: clickStore(manager),
  reports: reportStore(manager),
  orders: orderStore(manager),
  ledger: ledgerStore(manager),
  couponTerms: couponTermsStore(manager),
  programUsers: programUserStore(manager),
  userRecords: userRecordStore(manager),
  couponRecords: couponRecordStore(manager),
  exports: exportStore(manager),
  backlog: backlogStore(manager),
});

const nothingIsRecorded = async (): Promise<never> => {
  throw new Error('Events are recorded in a write, not in a read.');
};

export const readOnlyStores = (manager: EntityManager): Stores => ({
  ...tablesOf(manager, () => {}),
  events: { ...feedStore(manager), record: nothingIsRecorded },
});

export interface OpenTransaction {
  readonly stores: Transaction;
  readonly events: readonly NewEvent[];
  readonly afterCommit: readonly (() => void | Promise<void>)[];
  /** Whether it leaves something for a worker to send. */
  hasOutgoing(): boolean;
  /** The last thing before the commit: the feed's lock is held from here on, so nothing else may take time under it. */
  appendEvents(): Promise<void>;
}

export function openTransaction(manager: EntityManager, storage: Storage, tell: WebhookNotifier): OpenTransaction {
  const events: NewEvent[] = [];
  const afterCommit: (() => void | Promise<void>)[] = [];
  let outgoing = false;
  const onOutgoing = (): void => {
    outgoing = true;
  };
  const record = async (event: NewEvent): Promise<void> => {
    events.push(event);
  };
  return {
    stores: {
      ...tablesOf(manager, onOutgoing),
      events: { ...feedStore(manager), record },
      afterCommit: (work) => void afterCommit.push(work),
    },
    events,
    afterCommit,
    hasOutgoing: () => outgoing,
    async appendEvents() {
      // Before the lock: it may take a while to say what a thousand events mean to many webhooks.
      if (await queueDeliveries(manager, events, tell)) onOutgoing();
      await appendEvents(manager, storage, events);
    },
  };
}
