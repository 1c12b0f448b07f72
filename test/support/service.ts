import path from 'node:path';
import { Writable } from 'node:stream';
import { type Database, openDatabase } from '../../db/database.ts';
import { errorCode } from '../../db/engine/database-error.ts';
import { missingTableOf } from '../../db/sql/missing-table.ts';
import { createVisitorHasher } from '../../domain/clicks/record.ts';
import type { Clock } from '../../domain/clock.ts';
import { ApiError } from '../../domain/errors.ts';
import { createKey } from '../../domain/keys/manage.ts';
import type { KeyRing } from '../../domain/master-key/key-ring.ts';
import { systemRandom } from '../../domain/random.ts';
import { appPasswordHash, generateAppPassword } from '../../domain/users/app-password.ts';
import { createUser } from '../../domain/users/create.ts';
import { hashPassword } from '../../domain/users/password.ts';
import { sessionHash } from '../../domain/users/sign-in.ts';
import type { Caller, Role, User } from '../../domain/users/user.ts';
import { listSentences, verifyLedger } from '../../domain/verification/verify.ts';
import type { Scope } from '../../generated/operations.ts';
import { composeService } from '../../server/compose.ts';
import { type Configuration, readConfiguration } from '../../server/configuration.ts';
import { listen } from '../../server/http/http-server.ts';
import { createLogger } from '../../server/http/request-log.ts';
import { createOutbox, type Outbox } from '../../server/jobs/outbox.ts';
import type { Metrics } from '../../server/metrics/metrics.ts';
import { openSettings } from '../../server/site.ts';
import { createWebhookSender, type WebhookSenderOptions } from '../../server/webhooks/send.ts';
import type { SiteModule } from '../../site/extension.ts';
import type { SiteSettings } from '../../site/settings/site-settings.ts';
import { theContract } from './contract.ts';
import { type ContractClient, contractClient } from './contract-client.ts';
import type { Engine } from './engines.ts';
import { suiteFixture, testFixture } from './fixture.ts';
import { refuseNesting } from './nesting-guard.ts';
import { temporaryFolder } from './postgres.ts';

/** A clock that moves only by `advance`. */
export class TestClock implements Clock {
  #now: number;

  constructor(now = Date.parse('2026-11-02T07:00:00Z')) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  advance(seconds: number): void {
    this.#now += seconds * 1000;
  }
}

export interface ServiceOptions {
  databaseUrl: string;
  clock?: Clock;
  siteModule?: SiteModule;
  /** Environment variables beside those that a test needs: `{ ENVIRONMENT: 'production' }`. */
  env?: Record<string, string>;
  /** Overrides of the webhook sender. */
  sender?: WebhookSenderOptions;
  /** Timeout of database operations. */
  timeoutMs?: number;
  /** Called with every statement, without its values. */
  onStatement?: (sql: string) => void;
  metrics?: Metrics;
}

const isUnavailable = (error: unknown): boolean => error instanceof ApiError && error.code === 'svc_api_unavailable';

/** The database is closed, or dropped from PostgreSQL (3D000). */
const isWithoutDatabase = (error: unknown): boolean =>
  errorCode(error) === '3D000' || (error instanceof Error && error.message === 'The database is closed.');

let folder: string | undefined;
let services = 0;

/** A folder for each service; all are removed when the process ends. */
function newDataFolder(): string {
  folder ??= temporaryFolder('data-');
  services += 1;
  return path.join(folder, String(services));
}

export const masterKey = 'the master key of every test service';
const keyRing: KeyRing = { keys: () => [masterKey], visitorKey: Buffer.from(masterKey) };

interface ServiceParts extends Pick<TestService, 'flush' | 'origin' | 'databaseUrl' | 'dataDir' | 'settings' | 'log' | 'clock'> {
  database: Database;
  outbox: Outbox;
  stop: () => Promise<void>;
}

/** The complete service in this process, on a port of its own. */
export class TestService {
  readonly #database: Database;
  readonly #stop: () => Promise<void>;
  #stopping: Promise<void> | undefined;
  readonly #outbox: Outbox;
  /** Resolves when what requests have left behind is written. */
  declare readonly flush: () => Promise<void>;
  declare readonly origin: string;
  declare readonly databaseUrl: string;
  declare readonly dataDir: string;
  declare readonly settings: SiteSettings;
  declare readonly log: string[];
  declare readonly clock: Clock;
  readonly hashVisitor = createVisitorHasher(masterKey);

  private constructor({ database, outbox, stop, ...own }: ServiceParts) {
    this.#database = database;
    this.#outbox = outbox;
    this.#stop = stop;
    Object.assign(this, own);
  }

  static async start(options: ServiceOptions): Promise<TestService> {
    const { databaseUrl, clock = new TestClock(), siteModule = {}, sender = {}, metrics } = options;
    const configuration = configurationOf(options);
    const database = await migrated(options, clock);
    const settings = openSettings(database, siteModule);
    const log: string[] = [];
    const stream = new Writable({ write: (chunk: Buffer, _encoding, done) => done(void log.push(chunk.toString())) });
    const logger = createLogger('debug', stream);
    const { dataDir } = configuration;
    // No DNS query: every host name resolves to a public address, which the tests never connect to.
    const webhooks = createWebhookSender({ resolve: async () => ['93.184.215.14'], ...sender });
    const contract = await theContract();
    const parts = { configuration, database, settings, log: logger, masterKey: keyRing, clock, metrics };
    const { handle, endStreams, flush } = await composeService({ ...parts, siteModule, webhooks, contract });
    const outbox = createOutbox({ ...parts, sendWebhook: webhooks.send });
    metrics?.watch(database, clock);
    // The clients of a test have had their answers.
    const listening = await listen(handle, configuration, { lastRequestsMs: 0 });
    const stop = async (): Promise<void> => {
      endStreams();
      await listening.drain();
      await flush();
      await database.close();
    };
    const own = { databaseUrl, dataDir, origin: listening.url, settings, log, clock };
    return new TestService({ database, outbox, flush, stop, ...own });
  }

  /** Stops the service and throws if its ledger does not verify. */
  stop(): Promise<void> {
    this.#stopping ??= this.#verifyAndStop();
    return this.#stopping;
  }

  async #verifyAndStop(): Promise<void> {
    const differences = await this.#differencesIfAny().finally(this.#stop);
    if (differences.length > 0) throw new Error(`The ledger is not sound: ${differences.join(' ')}`);
  }

  /** Empty if a test has removed the tables or the database. Without coupons there are no orders, no payouts and no movements. */
  async #differencesIfAny(): Promise<string[]> {
    try {
      return (await hasCoupons(this.#database)) ? await this.differences() : [];
    } catch (error) {
      if (missingTableOf(error) !== null || isUnavailable(error) || isWithoutDatabase(error)) return [];
      throw error;
    }
  }

  /** What `affiliate ledger verify` finds. */
  async differences(): Promise<string[]> {
    return listSentences(await this.#database.read((db) => verifyLedger(db, { written: String })));
  }

  /** Sends all mails and webhooks that are due. A test service sends nothing by itself. */
  work(): Promise<void> {
    return this.#outbox.sendAllDue();
  }

  get storage(): Database {
    return this.#database;
  }

  /** A client that checks every response against the contract. */
  async client(headers: Record<string, string> = {}): Promise<ContractClient> {
    return contractClient(await theContract(), this.origin, headers);
  }

  /** A client of the user, by a key with these scopes, or by an application password. */
  async clientOf(user: User, scopes?: Scope[]): Promise<ContractClient> {
    return this.client(scopes ? (await this.key(user, scopes)).headers : await this.appPassword(user));
  }

  /** A client of a new administrator. */
  async admin(): Promise<ContractClient> {
    return this.clientOf(await this.user('administrator', 'administrator'));
  }

  async user(login: string, role: Role, { password }: { password?: string } = {}): Promise<User> {
    const passwordHash = password === undefined ? null : await hashOnce(password);
    const user = { login, email: `${login}@shop.example`, displayName: `The ${login}`, role, registeredAt: this.clock.now(), passwordHash };
    return this.#database.write((transaction) => createUser(transaction, user));
  }

  /** Creates a key of the user as an administrator. */
  async key(user: User, scopes: Scope[], expiresDay?: string): Promise<{ id: number; token: string; headers: Record<string, string> }> {
    const creator: Caller = { user: { ...user, role: 'administrator' }, method: 'session', keyId: null, scopes: null };
    const zone = (await this.settings.current()).store.timezone;
    const request = { userId: user.id, description: 'test', scopes, ...(expiresDay !== undefined && { expiresDay }) };
    const { key, token } = await this.#database.write((transaction) =>
      createKey(transaction, creator, request, { now: this.clock.now(), zone, random: systemRandom }),
    );
    return { id: key.id, token, headers: { Authorization: `Bearer ${token}` } };
  }

  async appPassword(user: User): Promise<Record<string, string>> {
    const password = generateAppPassword(systemRandom);
    const row = { userId: user.id, name: 'test', hash: appPasswordHash(password), createdAt: this.clock.now() };
    await this.#database.write(({ appPasswords }) => appPasswords.insert(row));
    return { Authorization: `Basic ${Buffer.from(`${user.login}:${password}`).toString('base64')}` };
  }

  /** Signs in as a browser does, and returns headers with the cookie and the CSRF token. */
  async session(login: string, password: string): Promise<Record<string, string>> {
    const cookies = await this.signIn(login, password);
    return { Cookie: `svc_session=${cookies['svc_session']}`, 'X-Svc-CSRF': cookies['svc_csrf'] ?? '' };
  }

  /** A session that must confirm its password, as ten minutes after its sign-in. */
  async staleSession(login: string, password: string): Promise<Record<string, string>> {
    const headers = await this.session(login, password);
    const hash = sessionHash((headers['Cookie'] ?? '').replace('svc_session=', ''));
    await this.#database.write(({ sessions }) => sessions.confirm(hash, { confirmedUntil: null, codeConfirmedUntil: null }));
    return headers;
  }

  async signIn(login: string, password: string): Promise<Record<string, string>> {
    return cookiesOf(await this.sendSignIn(login, password));
  }

  /** Sends the form of the sign-in page, with further headers. */
  async sendSignIn(login: string, password: string, { Cookie, ...headers }: Record<string, string> = {}): Promise<Response> {
    const form = await fetch(`${this.origin}/sign-in`, { headers });
    const token = /name="form_token" value="([^"]+)"/.exec(await form.text())?.[1] ?? '';
    const body = new URLSearchParams({ login, password, form_token: token });
    const formCookie = form.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
    const cookies = [...formCookie, ...(Cookie === undefined ? [] : [Cookie])].join('; ');
    return fetch(`${this.origin}/sign-in`, { method: 'POST', body, headers: { ...headers, Cookie: cookies }, redirect: 'manual' });
  }

  /** Does the work while a setting has another value. */
  async withSetting(path: string, value: unknown, work: () => Promise<unknown>): Promise<void> {
    const { values } = await this.#database.read(({ settings }) => settings.all());
    await this.settings.set(path, value);
    try {
      await work();
    } finally {
      await (path in values ? this.settings.set(path, values[path]) : this.settings.unset(path));
    }
  }

  /** Removes all rate limits, for tests of other features. */
  async withoutLimits(): Promise<this> {
    for (const path of ['limits.authenticated', 'limits.anonymous']) await this.settings.set(path, 1_000_000);
    await this.settings.set('lockout.max_failures', 0);
    return this;
  }
}

export interface StartOptions extends Partial<ServiceOptions> {
  /** By path, beside the defaults. */
  settings?: Record<string, unknown>;
  hasLimits?: boolean;
}

/** Starts a service, on a fresh database by default, that is stopped after the test, or after the suite if it was started in `before`. */
export async function startService(
  engine: Engine,
  { settings = {}, hasLimits = false, ...options }: StartOptions = {},
): Promise<TestService> {
  const service = await TestService.start({ ...options, databaseUrl: options.databaseUrl ?? (await engine.freshUrl()) });
  if (!hasLimits) await service.withoutLimits();
  for (const [path, value] of Object.entries(settings)) await service.settings.set(path, value);
  return engine.keep(service, () => service.stop());
}

interface ServiceFixtureOptions extends StartOptions {
  /** What the clock says at the start. */
  now?: string;
}

function serviceFixture(
  fixture: typeof suiteFixture,
  engine: Engine,
  { now = '2026-11-02T07:00:00Z', ...options }: ServiceFixtureOptions = {},
) {
  const clock = fixture(async () => new TestClock(Date.parse(now)));
  const service = fixture(() => startService(engine, { clock, ...options }));
  const administrator = fixture(() => service.user('administrator', 'administrator'));
  const admin = fixture(() => service.clientOf(administrator));
  return { service, clock, administrator, admin };
}

/** A service for the suite, on a fresh database by default, and a client of an administrator. */
export const suiteService = (engine: Engine, options?: ServiceFixtureOptions) => serviceFixture(suiteFixture, engine, options);

/** The same with a new service for each test. */
export const testService = (engine: Engine, options?: ServiceFixtureOptions) => serviceFixture(testFixture, engine, options);

const hashes = new Map<string, Promise<string>>();

/** A hash takes 0.1 s, by design. Users with the same password share it. */
function hashOnce(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password, systemRandom);
  hashes.set(password, hash);
  return hash;
}

const configurationOf = ({ databaseUrl, env = {} }: ServiceOptions): Configuration =>
  readConfiguration({
    PORT: '0',
    ENVIRONMENT: 'local',
    DATABASE_URL: databaseUrl,
    DATA_DIR: newDataFolder(),
    LOG_LEVEL: 'debug',
    ...env,
  });

async function migrated({ databaseUrl: url, timeoutMs, onStatement }: ServiceOptions, clock: Clock): Promise<Database> {
  const options = { url, clock, ...(onStatement && { onStatement }), ...(timeoutMs !== undefined && { timeoutMs }) };
  const database = refuseNesting(await openDatabase(options));
  await database.migrate();
  return database;
}

const hasCoupons = (database: Database): Promise<boolean> => database.read(async ({ exports }) => (await exports.coupons(0, 1)).length > 0);

export const cookiesOf = (response: Response): Record<string, string> =>
  Object.fromEntries(
    response.headers.getSetCookie().map((cookie) => {
      const [pair = ''] = cookie.split(';');
      return [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
    }),
  );
