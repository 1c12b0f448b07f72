import { Together } from '../micro-batcher.ts';
import type { UnitOfWork } from '../ports.ts';
import type { IncomingOrder, OrderOutcome } from './incoming.ts';
import { type Recording, recordOrders } from './record.ts';

/** More at once would make the first of them wait, and save little: the disk is asked once for all as it is. */
const mostAtOnce = 64;

interface IntakeStorage extends UnitOfWork {
  /** @throws inside another unit of work, for which somebody else's write would wait while it waits for that write. */
  refuseInside(): void;
}

interface IntakeParts {
  storage: IntakeStorage;
  /** Asked for every transaction: the program may change from one to the next. */
  surroundings(): Recording;
  /** Whether nobody can write at the moment, whatever it is. */
  isTrouble(error: unknown): boolean;
}

/**
 * The door for those who tell of orders one by one, as a store's connector does. Whoever is answered can rely on the order being on the
 * disk. Orders that come while others are being written are written together, in one transaction: to the same effect as if each had come
 * alone, in the order in which they came.
 */
export class OrderIntake {
  readonly #storage: IntakeStorage;
  readonly #turns: Together<IncomingOrder, OrderOutcome>;

  constructor({ storage, surroundings, isTrouble }: IntakeParts) {
    this.#storage = storage;
    this.#turns = new Together({
      doAll: (orders) => storage.write((transaction) => recordOrders(transaction, orders, surroundings())),
      mostAtOnce,
      isForAll: isTrouble,
    });
  }

  async record(order: IncomingOrder): Promise<OrderOutcome> {
    this.#storage.refuseInside();
    return this.#turns.add(order);
  }
}
