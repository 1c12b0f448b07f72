import type { AffiliateRepository } from './affiliates/affiliate.ts';
import type { BacklogRepository } from './backlog/repository.ts';
import type { ClickRepository } from './clicks/repository.ts';
import type { OrderPageRepository } from './coupons/order-pages.ts';
import type { CouponRecordRepository, CouponRepository } from './coupons/repository.ts';
import type { CouponTermsRepository } from './coupons/terms.ts';
import type { EventRepository } from './events/event.ts';
import type { ExportRepository } from './exports/repository.ts';
import type { FigureRepository } from './figures/figures.ts';
import type { IdempotencyRepository } from './idempotency/repository.ts';
import type { InvoiceRepository } from './invoices/invoice.ts';
import type { ApiKey, KeyStatus, NewApiKey } from './keys/key.ts';
import type { LedgerChecks } from './ledger/checks.ts';
import type { BalancePool, Movement } from './ledger/movement.ts';
import type { SealRepository } from './ledger/seal.ts';
import type { MailRepository } from './mail/mail.ts';
import type { MasterKeyRepository } from './master-key/repository.ts';
import type { Minor } from './money.ts';
import type { OrderRepository } from './orders/order.ts';
import type { Page, Paged } from './page.ts';
import type { PayoutDetailsRepository } from './payout-details/payout-details.ts';
import type { BatchRepository } from './payouts/batch.ts';
import type { PayoutRepository } from './payouts/repository.ts';
import type { RegistrationRepository } from './registrations/repository.ts';
import type { ReportRepository } from './reports/repository.ts';
import type { ConnectionRepository } from './store/connection.ts';
import type { ProgramUserRepository, UserRecordRepository } from './users/repository.ts';
import type { Account, AppPassword, NewAppPassword, NewUser, User } from './users/user.ts';
import type { DeliveryRepository, WebhookRepository } from './webhooks/repository.ts';

// The storage interfaces of the domain. db/ implements them on SQLite and on PostgreSQL.

/** Logins and emails are unique and compared ignoring case. That no login is another user's email, domain/users/names.ts ensures. */
export interface UserRepository {
  byId(id: number): Promise<User | null>;
  byIds(ids: number[]): Promise<User[]>;
  byLoginOrEmail(name: string): Promise<User | null>;
  /** Those who have one of these names as login or as email. */
  named(names: readonly string[]): Promise<User[]>;
  /** For authentication, in one statement. Null for an unknown or disabled user. */
  withCredentials(loginOrEmail: string): Promise<UserCredentials | null>;
  /** Null without a password, and for a disabled user. */
  passwordHashOf(id: number): Promise<string | null>;
  setPasswordHash(id: number, hash: string): Promise<void>;
  /** Returns the id, or null when login or email is taken. */
  insert(user: NewUser): Promise<number | null>;
  /** Without disabled users, as `admins`. */
  countByRole(role: User['role']): Promise<number>;
  /** Administrators and managers, oldest first. */
  admins(): Promise<User[]>;
  /** All users, by id. */
  accounts(): Promise<Account[]>;
  /** Null enables the user. False when nothing changes. */
  setDisabledAt(id: number, at: number | null): Promise<boolean>;
}

export interface UserCredentials {
  user: User;
  passwordHash: string | null;
  appPasswords: AppPassword[];
}

export interface KeyFilter {
  userId?: number;
  status?: KeyStatus;
  /** Today in the store's time zone: separates active from expired keys. */
  today: string;
}

export interface KeyRepository {
  byHash(hash: string): Promise<ApiKey | null>;
  /** The key with its user, in one statement. */
  withUserByHash(hash: string): Promise<{ key: ApiKey; user: User | null } | null>;
  byId(id: number): Promise<ApiKey | null>;
  /** Newest first. */
  page(filter: KeyFilter, page: Page): Promise<Paged<ApiKey>>;
  insert(key: NewApiKey): Promise<ApiKey>;
  /** False when it was revoked before, or does not exist. */
  revoke(id: number, at: number): Promise<boolean>;
  /** Writes `lastUsedAt` unless a use after `unlessSince` is written already. */
  touch(ids: readonly number[], at: number, unlessSince: number): Promise<void>;
}

export interface AppPasswordRepository {
  /** Oldest first. */
  ofUser(userId: number): Promise<AppPassword[]>;
  insert(password: NewAppPassword): Promise<number>;
  remove(id: number): Promise<void>;
  /** As `touch` of `KeyRepository`. */
  touch(ids: readonly number[], at: number, unlessSince: number): Promise<void>;
}

export interface SessionRepository {
  byHash(hash: string): Promise<Session | null>;
  /** The session with its user, in one statement. */
  withUserByHash(hash: string): Promise<{ session: Session; user: User | null } | null>;
  insert(session: Session): Promise<void>;
  remove(hash: string): Promise<void>;
  /** Signs the user out everywhere. */
  removeOf(userId: number): Promise<void>;
  removeExpired(now: number): Promise<void>;
}

export interface SettingRepository {
  /** Returns the stored values by path, and a number that grows with every change. */
  all(): Promise<{ version: number; values: Record<string, unknown> }>;
  version(): Promise<number>;
  /** Null resets the setting to its default. */
  set(path: string, value: unknown): Promise<void>;
}

/** All repositories, bound to one transaction. */
export interface Repositories {
  users: UserRepository;
  keys: KeyRepository;
  appPasswords: AppPasswordRepository;
  sessions: SessionRepository;
  coupons: CouponRepository;
  affiliates: AffiliateRepository;
  figures: FigureRepository;
  orderPages: OrderPageRepository;
  payoutDetails: PayoutDetailsRepository;
  masterKeys: MasterKeyRepository;
  payouts: PayoutRepository;
  batches: BatchRepository;
  invoices: InvoiceRepository;
  idempotency: IdempotencyRepository;
  registrations: RegistrationRepository;
  mails: MailRepository;
  webhooks: WebhookRepository;
  deliveries: DeliveryRepository;
  settings: SettingRepository;
  clicks: ClickRepository;
  connections: ConnectionRepository;
  reports: ReportRepository;
  orders: OrderRepository;
  ledger: LedgerRepository;
  seals: SealRepository;
  couponTerms: CouponTermsRepository;
  programUsers: ProgramUserRepository;
  userRecords: UserRecordRepository;
  couponRecords: CouponRecordRepository;
  exports: ExportRepository;
  backlog: BacklogRepository;
  events: EventRepository;
}

/** The repositories of a write: functions that need one cannot be called from a read. */
export interface Transaction extends Repositories {
  readonly canWrite: true;
}

/** All reads and writes go through here. A unit of work must not begin another one inside. */
export interface UnitOfWork {
  /** Runs one statement, which sees what is committed. A second statement is refused: use `read`. */
  query<Result>(work: (db: Repositories) => Promise<Result>): Promise<Result>;
  /** A consistent snapshot of what is committed. */
  read<Result>(work: (db: Repositories) => Promise<Result>): Promise<Result>;
  /** All or nothing. `work` may run again after a serialization failure, so it must have no effect beside its statements. */
  write<Result>(work: (transaction: Transaction) => Promise<Result>, isolation?: IsolationLevel): Promise<Result>;
}

export interface HeavyReads {
  /** As `read`, for work that may take as long as there is history. Other reads do not wait for it. */
  readHeavy<Result>(work: (db: Repositories) => Promise<Result>): Promise<Result>;
}

/**
 * `serializable` is the default. `read-committed` is for work that locks the rows it decides on first, such as workers that share a queue:
 * each statement sees what is committed when it begins, and transactions with other rows do not fail each other.
 */
export type IsolationLevel = 'serializable' | 'read-committed';

/** Fixed-window counters for rate limits and lock-outs, shared by all processes on one database. */
export interface WindowCounters {
  /** Increments the count. The window lasts `seconds` and starts with its first hit. */
  hit(name: string, seconds: number): WindowCount | Promise<WindowCount>;
  /** Decrements the count of the current window. */
  undoHit(name: string, seconds: number): Promise<void>;
  /** Returns the count without incrementing it. */
  peek(name: string, seconds: number): WindowCount | Promise<WindowCount>;
}

export interface WindowCount {
  count: number;
  /** Seconds until the window ends. */
  secondsLeft: number;
}

export interface LedgerRepository extends LedgerChecks {
  /** Writes the rows of each movement and moves the balances of the coupons with them. */
  append(movements: readonly Movement[]): Promise<void>;
  /** What a coupon holds in a pool. */
  balance(couponId: number, pool: BalancePool): Promise<Minor>;
  /** At most so many movements of an order on these coupons, the last ones, oldest first. */
  ofOrder(orderId: number, couponIds: readonly number[], limit: number): Promise<Movement[]>;
}

/** A signed-in browser. Of the cookie's value only the hash is kept. */
export interface Session {
  hash: string;
  userId: number;
  csrfToken: string;
  createdAt: number;
  expiresAt: number;
}

/** Now, in milliseconds since 1970 UTC. Everything that asks for the time asks a clock, so that tests can move it. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
