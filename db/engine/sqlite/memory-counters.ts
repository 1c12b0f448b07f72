import type { Clock } from '../../../domain/clock.ts';
import type { WindowCount, WindowCounters } from '../../../domain/window-counters.ts';
import { emptyWindow, windowCount } from '../window-count.ts';

interface Window {
  count: number;
  startedAt: number;
  endsAt: number;
}

const sweepIntervalMs = 60_000;

/** Counts in memory, because one process serves an SQLite file. A restart resets all windows. */
export class MemoryWindowCounters implements WindowCounters {
  readonly #clock: Clock;
  readonly #windows = new Map<string, Window>();
  #sweptAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#sweptAt = clock.now();
  }

  hit(name: string, seconds: number): WindowCount {
    const now = this.#clock.now();
    this.#sweep(now);
    const { count, startedAt } = this.#running(name, seconds, now) ?? { count: 0, startedAt: now };
    this.#windows.set(name, { count: count + 1, startedAt, endsAt: startedAt + seconds * 1000 });
    return windowCount(count + 1, startedAt, now, seconds);
  }

  async undoHit(name: string, seconds: number): Promise<void> {
    const window = this.#running(name, seconds, this.#clock.now());
    if (window && window.count > 0) window.count -= 1;
  }

  peek(name: string, seconds: number): WindowCount {
    const now = this.#clock.now();
    const window = this.#running(name, seconds, now);
    return window ? windowCount(window.count, window.startedAt, now, seconds) : emptyWindow;
  }

  #running(name: string, seconds: number, now: number): Window | undefined {
    const window = this.#windows.get(name);
    // After the clock was set back, the window restarts with its count, instead of lasting until the clock reaches its start again.
    if (window && window.startedAt > now) Object.assign(window, { startedAt: now, endsAt: now + seconds * 1000 });
    return window && now < window.startedAt + seconds * 1000 ? window : undefined;
  }

  #sweep(now: number): void {
    if (Math.abs(now - this.#sweptAt) < sweepIntervalMs) return;
    this.#sweptAt = now;
    for (const [name, { endsAt }] of this.#windows) if (endsAt <= now) this.#windows.delete(name);
  }
}
