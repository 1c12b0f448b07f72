import type { UnitOfWork } from '../ports.ts';
import { Together } from '../together.ts';
import type { IncomingOrder, OrderOutcome } from './incoming.ts';
import { type Recording, recordOrders } from './record.ts';

/** More at once would make the first of them wait, and save little: the disk is asked once for all as it is. */
const mostAtOnce = 64;

/**
 * The door for those who tell of orders one by one, as a store's connector does. Whoever is answered can rely on the order being on the
 * disk. Orders that come while others are being written are written together, in one transaction: to the same effect as if each had come
 * alone, in the order in which they came.
 */
export class OrderIntake {
  readonly #turns: Together<IncomingOrder, OrderOutcome>;

  /** `surroundings` is asked for every transaction: the program may change from one to the next. */
  constructor(storage: UnitOfWork, surroundings: () => Recording) {
    const write = (orders: readonly IncomingOrder[]): Promise<OrderOutcome[]> =>
      storage.write((transaction) => recordOrders(transaction, orders, surroundings()));
    this.#turns = new Together(write, mostAtOnce);
  }

  record(order: IncomingOrder): Promise<OrderOutcome> {
    return this.#turns.add(order);
  }
}
