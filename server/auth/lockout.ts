import { ApiError } from '../../domain/errors.ts';
import type { WindowCounters } from '../../domain/window-counters.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { addressGroup } from '../http/trusted-proxies.ts';

/** Locks an address out after repeated authentication failures. */
export class Lockout {
  readonly #counters: WindowCounters;

  constructor(counters: WindowCounters) {
    this.#counters = counters;
  }

  /** Returns the error while the address is locked out. */
  async check(address: string, { lockout }: Settings): Promise<ApiError | null> {
    if (lockout.max_failures === 0) return null;
    const { count, secondsLeft } = await this.#counters.peek(bucketOf(address), lockout.window_minutes * 60);
    return count >= lockout.max_failures ? lockedOut(secondsLeft) : null;
  }

  /**
   * Returns the error for failures beyond the limit: of many at once, only as many as the limit allows learn that they failed. Where a guess
   * is likely to be right, as with passwords, call it before the check, and `undoFailure` after a success.
   */
  async recordFailure(address: string, { lockout }: Settings): Promise<ApiError | null> {
    if (lockout.max_failures === 0) return null;
    const { count, secondsLeft } = await this.#counters.hit(bucketOf(address), lockout.window_minutes * 60);
    return count > lockout.max_failures ? lockedOut(secondsLeft) : null;
  }

  async undoFailure(address: string, { lockout }: Settings): Promise<void> {
    if (lockout.max_failures > 0) await this.#counters.undoHit(bucketOf(address), lockout.window_minutes * 60);
  }
}

const bucketOf = (address: string): string => `auth-failures:${addressGroup(address)}`;

const lockedOut = (secondsLeft: number): ApiError => new ApiError('svc_api_too_many_auth_failures', { data: { retry_after: secondsLeft } });
