import { createHash } from 'node:crypto';
import { ApiError } from '../../domain/errors.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';
import { deviceHash } from '../../domain/users/device.ts';
import { foldName } from '../../domain/users/names.ts';
import type { User } from '../../domain/users/user.ts';
import type { WindowCounters } from '../../domain/window-counters.ts';
import { readCookie } from '../http/cookies.ts';
import type { RequestContext } from '../http/request-context.ts';
import { deviceCookie } from './credentials.ts';
import type { Lockout } from './lockout.ts';

const maxFailures = 30;
const windowSeconds = 15 * 60;

/** Codes of one page, or of one session, that may be wrong. */
const maxWrongCodes = 5;
const codeWindowSeconds = 10 * 60;
const wrongCodesWindowSeconds = 24 * 60 * 60;

/** Of a person who is known: a wrong code, or a wrong confirmation, counts under both names. */
export const accountOf = ({ id, login, email }: User): Account => ({ userId: id, names: [login, email] });

/** Too many failures of an account: only its devices may try. */
export class AccountLockedError extends ApiError {
  constructor(secondsLeft: number) {
    const message = 'Too many failed sign-ins to this account. Set a new password at /forgot-password, or try again later.';
    super('svc_api_too_many_auth_failures', { message, data: { retry_after: secondsLeft } });
  }
}

interface Account {
  /** Null if there is no such user. */
  userId: number | null;
  /** As it was typed, or, where the password was right or a session proves the person, both names of the account. */
  names: readonly string[];
}

interface AttemptParts {
  storage: UnitOfWork<Repositories>;
  counters: WindowCounters;
  lockout: Lockout;
}

/**
 * Limits how often passwords and codes of people can be guessed: by address, as all credentials (`Lockout`), and by account over all addresses.
 * A browser with a device cookie of the account has a budget of its own, so that others cannot lock the owner out. Names without a user are
 * counted in the same way, by as many statements.
 */
export class SignInAttempts {
  readonly #storage: UnitOfWork<Repositories>;
  readonly #counters: WindowCounters;
  readonly #lockout: Lockout;

  constructor({ storage, counters, lockout }: AttemptParts) {
    this.#storage = storage;
    this.#counters = counters;
    this.#lockout = lockout;
  }

  /**
   * Counts a failure before the proof is verified: of many at once, only as many as the limits allow are. `verify` calls `succeed` if the proof
   * is right; an attempt that the service cannot complete is no failure either. @throws ApiError beyond a limit.
   */
  async run<Result>(ctx: RequestContext, account: Account, verify: (succeed: () => Promise<void>) => Promise<Result>): Promise<Result> {
    const { address, settings } = ctx.state;
    const lockedOut = await this.#lockout.recordFailure(address, settings);
    if (lockedOut) throw lockedOut;
    const counted = [() => this.#lockout.undoFailure(address, settings)];
    const undo = async (): Promise<void> => {
      for (const undoFailure of counted.splice(0)) await undoFailure();
    };
    try {
      counted.push((await this.#countForDevice(ctx, account)) ?? (await this.#countForAccount(account)));
      return await verify(undo);
    } catch (error) {
      if (!(error instanceof ApiError && error.status < 500)) await undo();
      throw error;
    }
  }

  /** The user of that name, if the browser has a device cookie of theirs which is not void. A browser without a cookie costs no query. */
  async findDeviceUser(ctx: RequestContext, name: string): Promise<number | null> {
    const cookie = readCookie(ctx, deviceCookie);
    if (cookie === undefined) return null;
    const userId = (await this.#storage.query(({ users }) => users.withCredentials(name)))?.user.id ?? 0;
    return (await this.#storage.query(({ devices }) => devices.isValid(deviceHash(cookie), userId))) ? userId : null;
  }

  async #countForDevice(ctx: RequestContext, { userId }: Account): Promise<(() => Promise<void>) | null> {
    const cookie = readCookie(ctx, deviceCookie);
    if (cookie === undefined) return null;
    const [hash, id] = [deviceHash(cookie), userId ?? 0];
    const isCounted = await this.#storage.write(({ devices }) => devices.countFailure(hash, id), 'read-committed');
    return isCounted ? () => this.#storage.write(({ devices }) => devices.undoFailure(hash, id), 'read-committed') : null;
  }

  async #countForAccount({ names }: Account): Promise<() => Promise<void>> {
    const buckets = [...new Set(names.map(failuresOf))];
    for (const bucket of buckets) {
      const { count, secondsLeft } = await this.#counters.hit(bucket, windowSeconds);
      if (count > maxFailures) throw new AccountLockedError(secondsLeft);
    }
    return async () => {
      for (const bucket of buckets) await this.#counters.undoHit(bucket, windowSeconds);
    };
  }

  /** Counts a code of one sign-in, or of one session, before it is verified. Returns how many more may follow; below 0, it must not be verified. */
  async countCode(owner: string): Promise<number> {
    const { count } = await this.#counters.hit(`codes:${owner}`, codeWindowSeconds);
    return maxWrongCodes - count;
  }

  /** Counts a wrong code of a user over all sign-ins, also those that were given up early. True for each fifth within a day. */
  async countWrongCode(userId: number): Promise<boolean> {
    const { count } = await this.#counters.hit(`wrong-codes:${userId}`, wrongCodesWindowSeconds);
    return count % maxWrongCodes === 0;
  }
}

/** By name, known or not: by user, a typed name would show that login and e-mail are of one account. Its hash, because names may be long. */
export const failuresOf = (name: string): string => `account-failures:${createHash('sha256').update(foldName(name)).digest('base64url')}`;
