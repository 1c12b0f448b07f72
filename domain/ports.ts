import type { AffiliateStore } from './affiliates/store.ts';
import type { BacklogStore } from './backlog/store.ts';
import type { ClickStore } from './clicks/store.ts';
import type { OrderPageStore } from './coupons/order-pages.ts';
import type { CouponRecordStore } from './coupons/record-store.ts';
import type { CouponStore } from './coupons/store.ts';
import type { CouponTermsStore } from './coupons/terms.ts';
import type { EventStore } from './events/store.ts';
import type { ExportStore } from './exports/store.ts';
import type { FigureStore } from './figures/store.ts';
import type { IdempotencyStore } from './idempotency/store.ts';
import type { ApiKey, KeyStatus, NewApiKey } from './keys/key.ts';
import type { LedgerStore } from './ledger/store.ts';
import type { MailStore } from './mail/store.ts';
import type { SealingStore } from './master-key/store.ts';
import type { OrderStore } from './orders/store.ts';
import type { Page, Paged } from './page.ts';
import type { PayoutDetailsStore } from './payout-details/store.ts';
import type { PayoutStore } from './payouts/store.ts';
import type { RegistrationStore } from './registrations/store.ts';
import type { ReportStore } from './reports/store.ts';
import type { Session } from './sessions/session.ts';
import type { ProgramUserStore } from './users/program-store.ts';
import type { UserRecordStore } from './users/record-store.ts';
import type { NewUser, User } from './users/user.ts';
import type { DeliveryStore, WebhookStore } from './webhooks/store.ts';

// What the domain needs from storage. db/ implements it on SQLite and on PostgreSQL; nothing above knows which.

/** Login and email are unique and compared ignoring case. */
export interface UserStore {
  byId(id: number): Promise<User | null>;
  byIds(ids: number[]): Promise<User[]>;
  byLoginOrEmail(name: string): Promise<User | null>;
  /** For sign-in alone: the hash leaves storage nowhere else. */
  passwordHashOf(id: number): Promise<string | null>;
  setPasswordHash(id: number, hash: string): Promise<void>;
  /** The id, or null when login or email is taken. */
  insert(user: NewUser): Promise<number | null>;
  countByRole(role: User['role']): Promise<number>;
  /** Administrators and managers, oldest first. */
  admins(): Promise<User[]>;
}

export interface KeyFilter {
  userId?: number;
  status?: KeyStatus;
  /** Today in the store's calendar: what separates active from expired. */
  today: string;
}

export interface KeyStore {
  byHash(hash: string): Promise<ApiKey | null>;
  byId(id: number): Promise<ApiKey | null>;
  /** Newest first. */
  page(filter: KeyFilter, page: Page): Promise<Paged<ApiKey>>;
  insert(key: NewApiKey): Promise<ApiKey>;
  /** False when it was revoked before, or does not exist. */
  revoke(id: number, at: number): Promise<boolean>;
  /** Writes `lastUsedAt` unless a use after `unlessSince` is written already. */
  touch(ids: readonly number[], at: number, unlessSince: number): Promise<void>;
}

export interface AppPasswordStore {
  ofUser(userId: number): Promise<{ id: number; hash: string }[]>;
  insert(password: { userId: number; name: string; hash: string; createdAt: number }): Promise<number>;
}

export interface SessionStore {
  byHash(hash: string): Promise<Session | null>;
  insert(session: Session): Promise<void>;
  remove(hash: string): Promise<void>;
  /** Signs the user out everywhere. */
  removeOf(userId: number): Promise<void>;
  removeExpired(now: number): Promise<void>;
}

export interface SettingStore {
  /** What was set, by path, and a number that grows with every change of any of them. */
  all(): Promise<{ version: number; values: Record<string, unknown> }>;
  version(): Promise<number>;
  /** Null takes the setting back to its default. */
  set(path: string, value: unknown): Promise<void>;
}

/** Everything storage offers, all of it seeing one transaction. */
export interface Stores {
  users: UserStore;
  keys: KeyStore;
  appPasswords: AppPasswordStore;
  sessions: SessionStore;
  coupons: CouponStore;
  affiliates: AffiliateStore;
  figures: FigureStore;
  orderPages: OrderPageStore;
  payoutDetails: PayoutDetailsStore;
  sealing: SealingStore;
  payouts: PayoutStore;
  idempotency: IdempotencyStore;
  registrations: RegistrationStore;
  mails: MailStore;
  webhooks: WebhookStore;
  deliveries: DeliveryStore;
  settings: SettingStore;
  clicks: ClickStore;
  reports: ReportStore;
  orders: OrderStore;
  ledger: LedgerStore;
  couponTerms: CouponTermsStore;
  programUsers: ProgramUserStore;
  userRecords: UserRecordStore;
  couponRecords: CouponRecordStore;
  exports: ExportStore;
  backlog: BacklogStore;
  events: EventStore;
}

export interface Transaction extends Stores {
  /** Runs once the transaction is committed, and not at all when it is rolled back. */
  afterCommit(work: () => void | Promise<void>): void;
}

/** All reads and writes go through here. */
export interface UnitOfWork {
  /** A consistent view of what is committed. */
  read<Result>(work: (stores: Stores) => Promise<Result>, manner?: ReadManner): Promise<Result>;
  /** All or nothing. `work` may run again after a serialisation failure, so it does nothing but read and write storage. */
  write<Result>(work: (transaction: Transaction) => Promise<Result>, manner?: WriteManner): Promise<Result>;
}

/**
 * `alone`, unless told otherwise. `brief` is for those who look up a few rows and nothing that takes long: those who come at the same
 * time share one view, and each waits for the statements of all.
 */
export type ReadManner = 'alone' | 'brief';

/**
 * `in turn`, unless told otherwise: as if no other write ran beside it. `row by row` is for workers that share a queue and lock the rows
 * they change, in one order: each statement sees what is committed when it begins, and nobody fails because somebody else was at work.
 */
export type WriteManner = 'in turn' | 'row by row';

/** Counts in fixed windows that start with their first hit, for rate limits and lock-outs. Shared by all processes on one database. */
export interface WindowCounters {
  /** Counts one more. The window is `seconds` long and starts with its first hit. */
  hit(name: string, seconds: number): WindowCount | Promise<WindowCount>;
  /** Takes one hit of the running window back. */
  takeBack(name: string, seconds: number): Promise<void>;
  /** The count so far, without counting. */
  peek(name: string, seconds: number): WindowCount | Promise<WindowCount>;
}

export interface WindowCount {
  count: number;
  /** Seconds until the window ends and the count starts anew. */
  secondsLeft: number;
}
