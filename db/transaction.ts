import type { EntityManager } from 'typeorm';
import type { NewEvent } from '../domain/events/event.ts';
import type { Stores, Transaction } from '../domain/ports.ts';
import { affiliateStore } from './repositories/affiliates.ts';
import { appPasswordStore } from './repositories/app-passwords.ts';
import { clickStore } from './repositories/clicks.ts';
import { couponRecordStore } from './repositories/coupon-records.ts';
import { couponTermsStore } from './repositories/coupon-terms.ts';
import { couponStore } from './repositories/coupons.ts';
import { appendEvents } from './repositories/events.ts';
import { exportStore } from './repositories/exports.ts';
import { feedStore } from './repositories/feed.ts';
import { figureStore } from './repositories/figures.ts';
import { keyStore } from './repositories/keys.ts';
import { ledgerStore } from './repositories/ledger.ts';
import { mailStore } from './repositories/mails.ts';
import { orderPageStore } from './repositories/order-pages.ts';
import { orderStore } from './repositories/orders.ts';
import { payoutDetailsStore } from './repositories/payout-details.ts';
import { programUserStore } from './repositories/program-users.ts';
import { registrationStore } from './repositories/registrations.ts';
import { reportStore } from './repositories/reports.ts';
import { sessionStore } from './repositories/sessions.ts';
import { settingStore } from './repositories/settings.ts';
import { userRecordStore } from './repositories/user-records.ts';
import { userStore } from './repositories/users.ts';
import type { Storage } from './storage.ts';

const tablesOf = (manager: EntityManager): Omit<Stores, 'events'> => ({
  users: userStore(manager),
  keys: keyStore(manager),
  appPasswords: appPasswordStore(manager),
  sessions: sessionStore(manager),
  coupons: couponStore(manager),
  affiliates: affiliateStore(manager),
  figures: figureStore(manager),
  orderPages: orderPageStore(manager),
  payoutDetails: payoutDetailsStore(manager),
  registrations: registrationStore(manager),
  mails: mailStore(manager),
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
});

const nothingIsRecorded = async (): Promise<never> => {
  throw new Error('Events are recorded in a write, not in a read.');
};

export const readOnlyStores = (manager: EntityManager): Stores => ({
  ...tablesOf(manager),
  events: { ...feedStore(manager), record: nothingIsRecorded },
});

export interface OpenTransaction {
  readonly stores: Transaction;
  readonly afterCommit: readonly (() => void | Promise<void>)[];
  /** The last thing before the commit: the feed's lock is held from here on, so nothing else may take time under it. */
  appendEvents(): Promise<void>;
}

export function openTransaction(manager: EntityManager, storage: Storage): OpenTransaction {
  const events: NewEvent[] = [];
  const afterCommit: (() => void | Promise<void>)[] = [];
  const record = async (event: NewEvent): Promise<void> => {
    events.push(event);
  };
  return {
    stores: { ...tablesOf(manager), events: { ...feedStore(manager), record }, afterCommit: (work) => void afterCommit.push(work) },
    afterCommit,
    appendEvents: () => appendEvents(manager, storage, events),
  };
}
