import type { NewEvent } from '../../domain/events/event.ts';

type Listener = (events: readonly NewEvent[]) => void;

/** One write's place among the others, however often it is tried. */
interface Place {
  /** While the feed's lock is held, so that places are in the order of the feed. */
  take(): void;
  /** With what was committed, be it nothing. */
  leave(committed: readonly NewEvent[]): void;
}

/**
 * Tells of events once they are committed, in the order of the feed. On PostgreSQL a writer may hear of its commit before another hears
 * of an earlier one: so each takes its place under the lock, and what it committed is told when all before it have left theirs.
 */
export class EventNews {
  readonly #listeners = new Set<Listener>();
  readonly #onError: (error: unknown) => void;
  #toldBefore: Promise<void> = Promise.resolve();

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  place(): Place {
    let leave: Place['leave'] = () => {};
    return {
      take: () => {
        // An attempt before this one came to nothing.
        leave([]);
        if (this.#listeners.size === 0) return;
        const left = new Promise<readonly NewEvent[]>((resolve) => {
          leave = resolve;
        });
        this.#toldBefore = this.#toldBefore.then(async () => this.#tell(await left));
      },
      leave: (committed) => leave(committed),
    };
  }

  #tell(events: readonly NewEvent[]): void {
    if (events.length === 0) return;
    for (const listener of this.#listeners) {
      try {
        listener(events);
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}
