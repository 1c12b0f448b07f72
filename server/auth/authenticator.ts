import type { Clock } from '../../domain/clock.ts';
import { dayOf } from '../../domain/dates.ts';
import { ApiError } from '../../domain/errors.ts';
import { type ApiKey, hashToken, keyStatus } from '../../domain/keys/key.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';
import { findAppPassword } from '../../domain/users/app-password.ts';
import { findSession } from '../../domain/users/sign-in.ts';
import type { Caller, User } from '../../domain/users/user.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { type DataVersion, VersionedLru } from '../cache/versioned-lru.ts';
import type { RequestState } from '../http/request-context.ts';
import type { Credentials } from './credentials.ts';
import { anonymous, type Identity } from './identity.ts';
import { isLastUseStale, LastUsed } from './last-used.ts';

interface KeyHolder {
  key: ApiKey | null;
  user: User | null;
}

const maxKeys = 10_000;

/** A revocation is seen by every process within a second, by the one that made it at once. */
const graceMs = 500;

/** Finds the caller that credentials belong to. Returns failures instead of throwing them; `admit` decides what they cost. */
export class Authenticator {
  readonly #storage: UnitOfWork<Repositories>;
  readonly #clock: Clock;
  readonly #holders = new VersionedLru<KeyHolder>({ maxSize: maxKeys, graceMs });
  readonly #keyUse: LastUsed;
  readonly #appPasswordUse: LastUsed;
  readonly #sessionUse: LastUsed<string>;

  constructor(storage: UnitOfWork<Repositories>, clock: Clock) {
    this.#storage = storage;
    this.#clock = clock;
    this.#keyUse = new LastUsed(storage, ({ keys }, ...use) => keys.touch(...use));
    this.#appPasswordUse = new LastUsed(storage, ({ appPasswords }, ...use) => appPasswords.touch(...use));
    this.#sessionUse = new LastUsed<string>(storage, ({ sessions }, ...use) => sessions.touch(...use));
  }

  identify(credentials: Credentials, state: Pick<RequestState, 'settings' | 'dataVersion'>): Identity | Promise<Identity> {
    switch (credentials.kind) {
      case 'key':
        return this.#byKey(credentials.token, state);
      case 'basic':
        return this.#byAppPassword(credentials, state.settings);
      case 'session':
        return this.#bySession(credentials.cookie);
      case 'none':
        return anonymous;
    }
  }

  /** Null where it takes a query. */
  identifyCached(token: string, { settings, dataVersion }: Pick<RequestState, 'settings' | 'dataVersion'>): Identity | null {
    const holder = this.#holders.get(hashToken(token), dataVersion);
    if (!holder?.key || isLastUseStale(holder.key, this.#clock.now())) return null;
    const identity = this.#identityOf(holder, settings);
    return identity.kind === 'caller' ? identity : null;
  }

  async #byKey(token: string, { settings, dataVersion }: Pick<RequestState, 'settings' | 'dataVersion'>): Promise<Identity> {
    const hash = hashToken(token);
    const holder = this.#holders.get(hash, dataVersion) ?? (await this.#lookUp(hash, dataVersion));
    const identity = this.#identityOf(holder, settings);
    const now = this.#clock.now();
    if (identity.kind === 'caller' && holder.key && isLastUseStale(holder.key, now)) await this.#keyUse.record(holder.key.id, now);
    return identity;
  }

  #identityOf({ key, user }: KeyHolder, { store }: Settings): Identity {
    if (!key || keyStatus(key, this.#clock.now(), store.timezone) !== 'active') return rejected('svc_api_invalid_key');
    if (!user) return rejected('svc_api_invalid_key_user');
    return identified({ user, method: 'api_key', keyId: key.id, scopes: key.scopes });
  }

  async #lookUp(hash: string, dataVersion: DataVersion): Promise<KeyHolder> {
    const holder = await this.#storage.query(({ keys }) => keys.withUserByHash(hash));
    // An unknown key is not cached: guesses would evict valid keys.
    if (!holder) return { key: null, user: null };
    this.#holders.set(hash, dataVersion, holder);
    return holder;
  }

  /** The same work for unknown names and wrong passwords: the time to a rejection does not reveal which names exist. */
  async #byAppPassword({ name, password }: { name: string; password: string }, { store }: Settings): Promise<Identity> {
    const found = await this.#storage.query(({ users }) => users.withCredentials(name));
    const sent = findAppPassword(password, found?.appPasswords ?? []);
    const now = this.#clock.now();
    if (!found || !sent || (sent.expiresDay !== null && sent.expiresDay < dayOf(now, store.timezone)))
      return rejected('svc_api_unauthorized', 'The user name or the application password is wrong.');
    if (isLastUseStale(sent, now)) await this.#appPasswordUse.record(sent.id, now);
    return { kind: 'caller', caller: { user: found.user, method: 'basic', keyId: null, scopes: null }, appPasswordId: sent.id };
  }

  /** An expired session is no failure: the browser is not signed in any more. */
  async #bySession(cookie: string): Promise<Identity> {
    const now = this.#clock.now();
    const found = await findSession(this.#storage, cookie, now);
    if (!found) return anonymous;
    const { session, user } = found;
    const { hash, csrfToken, confirmedUntil, codeConfirmedUntil } = session;
    if (isLastUseStale(session, now)) await this.#sessionUse.record(hash, now);
    return {
      kind: 'caller',
      caller: { user, method: 'session', keyId: null, scopes: null },
      session: { hash, csrfToken, isConfirmed: (confirmedUntil ?? 0) > now, isCodeConfirmed: (codeConfirmedUntil ?? 0) > now },
    };
  }
}

const identified = (caller: Caller): Identity => ({ kind: 'caller', caller });

const rejected = (code: 'svc_api_invalid_key' | 'svc_api_invalid_key_user' | 'svc_api_unauthorized', message?: string): Identity => ({
  kind: 'rejected',
  error: new ApiError(code, message === undefined ? {} : { message }),
});
