import type { WindowCount } from '../../domain/ports.ts';

/** Before the first hit there is no window, so nothing to wait for. */
export const noWindow: WindowCount = { count: 0, secondsLeft: 0 };

export function counted(count: number, startedAt: number, now: number, seconds: number): WindowCount {
  const left = Math.ceil((startedAt + seconds * 1000 - now) / 1000);
  // Another process, whose clock is a little ahead, may have started the window.
  return { count, secondsLeft: Math.min(left, seconds) };
}
