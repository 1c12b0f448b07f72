import type { Stores } from '../../domain/ports.ts';
import { codeOf } from './database-error.ts';
import { InFlight } from './in-flight.ts';

type Look<Result> = (stores: Stores) => Promise<Result>;
type Read = <Result>(look: Look<Result>) => Promise<Result>;

/** Those whose view is not taken yet: it is being begun, or waits for a connection. */
interface Party {
  since: number;
  readers: Reader[];
}

interface Reader {
  look(stores: Stores): Promise<void>;
  fail(error: unknown): void;
}

/** A view that takes longer to begin may never be: then nobody else should wait for it. */
const longestGatheringMs = 50;

/**
 * Brief reads that come together share one view: to begin it and to end it are two ways to the database, longer than most of what is
 * asked inside, and rows that several ask for by id come in one statement. Whoever comes once the view is taken waits for the next: what
 * was committed before a read began is always seen by it.
 */
export class SharedViews {
  readonly #read: Read;
  #gathering: Party | null = null;
  /** A view ends some time after its readers have what they wanted. */
  readonly #views = new InFlight();

  constructor(read: Read) {
    this.#read = read;
  }

  join<Result>(look: Look<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const reader: Reader = {
        look: (stores) => look(stores).then(resolve, (error) => (isOfAnother(error) ? alone() : reject(error))),
        fail: reject,
      };
      const alone = (): void => {
        // What becomes of the view that was spoiled does not matter any more.
        reader.fail = () => {};
        this.#views.track(() => this.#read(look)).then(resolve, reject);
      };
      const now = performance.now();
      if (this.#gathering && now - this.#gathering.since < longestGatheringMs) this.#gathering.readers.push(reader);
      else this.#views.track(() => this.#begin({ since: now, readers: [reader] })).catch(reject);
    });
  }

  finish(): Promise<void> {
    return this.#views.finish();
  }

  async #begin(party: Party): Promise<void> {
    this.#gathering = party;
    const isTaken = (): void => {
      if (this.#gathering === party) this.#gathering = null;
    };
    try {
      await this.#read(async (stores) => {
        isTaken();
        await Promise.all(party.readers.map((reader) => reader.look(stores)));
      });
    } catch (error) {
      isTaken();
      // Those who have their answer by now keep it.
      for (const reader of party.readers) reader.fail(error);
    }
  }
}

/** PostgreSQL answers nobody in a transaction in which a statement failed. Whoever failed for that alone reads again, alone. */
const isOfAnother = (error: unknown): boolean => codeOf(error) === '25P02';
