import { setTimeout as pause } from 'node:timers/promises';
import { waitUntil } from '../cli/running-service.ts';
import { StreamReader } from './stream-reader.ts';

interface Following {
  /** Of the service to connect to next. */
  origin: () => string;
  headers: Record<string, string>;
  /** `&event=referral`. */
  query?: string;
  after?: number;
}

/** Follows the feed by streams: after every end it opens the next one with the id of the last event, as a browser does. */
export class StreamFollower {
  readonly ids: number[] = [];
  /** Of the streams that were opened. */
  opened = 0;
  readonly #following: Following;
  readonly #running: Promise<void>;
  #reader: StreamReader | undefined;
  #isStopped = false;

  constructor(following: Following) {
    this.#following = following;
    this.#running = this.#run();
  }

  /** Loses the connection, or what was sent and not yet read of it. */
  disconnect(): void {
    this.#reader?.close();
  }

  /** Resolves when an event with this id or a later one was received. */
  reached(id: number, deadlineMs = 15_000): Promise<void> {
    return waitUntil(deadlineMs, async () => (this.ids.at(-1) ?? 0) >= id);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.disconnect();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { origin, headers, query = '', after = 0 } = this.#following;
    while (!this.#isStopped) {
      const own = { ...headers, 'Last-Event-ID': String(this.ids.at(-1) ?? after) };
      const reader = await StreamReader.open(origin(), { headers: own, query: `?cursor=0${query}` }).catch(() => null);
      if (reader?.status === 200) {
        this.opened += 1;
        this.#reader = reader;
        reader.onEvent = ({ id }) => void this.ids.push(id);
        while (!reader.isOver && !this.#isStopped) await pause(5);
      }
      reader?.close();
      await pause(10);
    }
  }
}
