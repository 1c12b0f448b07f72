import type { NewEvent } from '../../domain/events/event.ts';

type Listener = (events: readonly NewEvent[]) => void;

/** One write's position among the others, over all its attempts. */
interface Slot {
  /** Called while the feed's lock is held, so that slots are in feed order. */
  reserve(): void;
  /** Called with what was committed, or with an empty list. */
  release(committed: readonly NewEvent[]): void;
}

/**
 * Publishes committed events to listeners of this process in feed order. On PostgreSQL a commit may be acknowledged before an earlier one:
 * each write reserves a slot under the feed's lock, and its events are published when all earlier slots are released.
 */
export class EventBus {
  readonly #listeners = new Set<Listener>();
  readonly #onError: (error: unknown) => void;
  #previous: Promise<void> = Promise.resolve();

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Returns an unsubscribe function. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  createSlot(): Slot {
    let release: Slot['release'] = () => {};
    return {
      reserve: () => {
        // The slot of an attempt that was rolled back.
        release([]);
        if (this.#listeners.size === 0) return;
        const committed = new Promise<readonly NewEvent[]>((resolve) => {
          release = resolve;
        });
        this.#previous = this.#previous.then(async () => this.#publish(await committed));
      },
      release: (committed) => release(committed),
    };
  }

  #publish(events: readonly NewEvent[]): void {
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
