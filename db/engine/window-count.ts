import type { WindowCount } from '../../domain/window-counters.ts';

/** Before the first hit there is no window. */
export const emptyWindow: WindowCount = { count: 0, secondsLeft: 0 };

export function windowCount(count: number, startedAt: number, now: number, seconds: number): WindowCount {
  const left = Math.ceil((startedAt + seconds * 1000 - now) / 1000);
  // Another process whose clock is ahead may have started the window.
  return { count, secondsLeft: Math.min(left, seconds) };
}
