import { ApiError } from '../../domain/errors.ts';
import type { WindowCounters } from '../../domain/ports.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { addressGroup } from '../http/trusted-proxies.ts';

/** Repeated authentication failures close the door to their address, and to no other. */
export class Lockout {
  readonly #counters: WindowCounters;

  constructor(counters: WindowCounters) {
    this.#counters = counters;
  }

  /** The refusal, while the address is locked out. */
  async check(address: string, { lockout }: Settings): Promise<ApiError | null> {
    if (lockout.max_failures === 0) return null;
    const { count, secondsLeft } = await this.#counters.peek(bucket(address), lockout.window_minutes * 60);
    return count >= lockout.max_failures ? lockedOut(secondsLeft) : null;
  }

  /** Counts a failure. Of many at once, only as many as the limit allows learn that they failed; the others are locked out already. */
  async failed(address: string, { lockout }: Settings): Promise<ApiError | null> {
    if (lockout.max_failures === 0) return null;
    const { count, secondsLeft } = await this.#counters.hit(bucket(address), lockout.window_minutes * 60);
    return count > lockout.max_failures ? lockedOut(secondsLeft) : null;
  }

  /**
   * Counts a try before it is judged, for what people choose and others can guess: of many guesses at once only as many are looked at
   * as the limit allows. `taken` gives a right one back.
   */
  trying(address: string, settings: Settings): Promise<ApiError | null> {
    return this.failed(address, settings);
  }

  async taken(address: string, { lockout }: Settings): Promise<void> {
    if (lockout.max_failures > 0) await this.#counters.undoHit(bucket(address), lockout.window_minutes * 60);
  }
}

const bucket = (address: string): string => `auth-failures:${addressGroup(address)}`;

const lockedOut = (secondsLeft: number): ApiError => new ApiError('svc_api_too_many_auth_failures', { data: { retry_after: secondsLeft } });
