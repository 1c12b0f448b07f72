import type { Stores } from '../domain/ports.ts';
import { codeOf } from './database-error.ts';
import { InFlight } from './in-flight.ts';

type Look<Result> = (stores: Stores) => Promise<Result>;
type Read = <Result>(look: Look<Result>) => Promise<Result>;

/** One who reads. Settled by looking, unless the view was spoiled by another. */
interface Reader {
  look(stores: Stores): Promise<void>;
  isSpoiled: boolean;
  fail(error: unknown): void;
}

/**
 * Brief reads that come together share one view: to begin it and to end it are two ways to the database, longer than most of what is
 * asked inside, and rows that several ask for by id come in one statement. Whoever comes once the view is taken waits for the next: what
 * was committed before a read began is always seen by it.
 */
export class SharedViews {
  readonly #read: Read;
  /** Those whose view is not taken yet: it is being begun, or waits for a connection. */
  #gathering: Reader[] | null = null;
  /** A view ends some time after its readers have what they wanted. */
  readonly #views = new InFlight();

  constructor(read: Read) {
    this.#read = read;
  }

  join<Result>(look: Look<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const reader = readerOf(look, resolve, reject);
      if (this.#gathering) this.#gathering.push(reader);
      else this.#views.track(() => this.#begin([reader])).catch(reject);
    });
  }

  finish(): Promise<void> {
    return this.#views.finish();
  }

  async #begin(readers: Reader[]): Promise<void> {
    this.#gathering = readers;
    try {
      await this.#read(async (stores) => {
        this.#gathering = null;
        await Promise.all(readers.map((reader) => reader.look(stores)));
      });
    } catch (error) {
      if (this.#gathering === readers) this.#gathering = null;
      // Those who have their answer by now keep it.
      for (const reader of readers) if (!reader.isSpoiled) reader.fail(error);
    }
    for (const reader of readers) if (reader.isSpoiled) this.#read((stores) => reader.look(stores)).catch(reader.fail);
  }
}

function readerOf<Result>(look: Look<Result>, resolve: (result: Result) => void, fail: (error: unknown) => void): Reader {
  const reader: Reader = {
    isSpoiled: false,
    fail,
    look: async (stores) => {
      try {
        resolve(await look(stores));
      } catch (error) {
        reader.isSpoiled = !reader.isSpoiled && isOfAnother(error);
        if (!reader.isSpoiled) fail(error);
      }
    },
  };
  return reader;
}

/** PostgreSQL answers nobody in a transaction in which a statement failed. Whoever failed for that alone reads again, alone. */
const isOfAnother = (error: unknown): boolean => codeOf(error) === '25P02';
