import { ApiError } from '../../domain/errors.ts';
import type { WindowCounters } from '../../domain/window-counters.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { addressGroup, addressNetwork } from '../http/trusted-proxies.ts';

/** Locks an address out after repeated authentication failures. */
export class Lockout {
  readonly #counters: WindowCounters;

  constructor(counters: WindowCounters) {
    this.#counters = counters;
  }

  /** Returns the error while the address is locked out. */
  async check(address: string, { lockout }: Settings): Promise<ApiError | null> {
    if (lockout.max_failures === 0) return null;
    const windows = await Promise.all(
      bucketsOf(address).map(async ({ name, times }) => {
        const { count, secondsLeft } = await this.#counters.peek(name, lockout.window_minutes * 60);
        return count >= times * lockout.max_failures ? secondsLeft : 0;
      }),
    );
    const secondsLeft = Math.max(...windows);
    return secondsLeft > 0 ? lockedOut(secondsLeft) : null;
  }

  /**
   * Returns the error for failures beyond the limit: of many at once, only as many as the limit allows learn that they failed. Where a guess
   * is likely to be right, as with passwords, call it before the check, and `undoFailure` after a success.
   */
  async recordFailure(address: string, { lockout }: Settings): Promise<ApiError | null> {
    if (lockout.max_failures === 0) return null;
    // In sequence: what the limit of the address stops does not count for its network, which others may share.
    for (const { name, times } of bucketsOf(address)) {
      const { count, secondsLeft } = await this.#counters.hit(name, lockout.window_minutes * 60);
      if (count > times * lockout.max_failures) return lockedOut(secondsLeft);
    }
    return null;
  }

  async undoFailure(address: string, { lockout }: Settings): Promise<void> {
    if (lockout.max_failures === 0) return;
    for (const { name } of bucketsOf(address)) await this.#counters.undoHit(name, lockout.window_minutes * 60);
  }
}

const networkTimes = 10;

/** Of the address (IPv6: its /64), and of the /48 of an IPv6 address with a multiple of the threshold. */
function bucketsOf(address: string): { name: string; times: number }[] {
  const network = addressNetwork(address);
  return [
    { name: `auth-failures:${addressGroup(address)}`, times: 1 },
    ...(network === null ? [] : [{ name: `auth-failures:${network}`, times: networkTimes }]),
  ];
}

const lockedOut = (secondsLeft: number): ApiError => new ApiError('svc_api_too_many_auth_failures', { data: { retry_after: secondsLeft } });
