import { MicroBatcher } from '../micro-batcher.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import type { IncomingOrder, OrderOutcome } from './incoming.ts';
import { type OrderRecordingContext, type OrderRecordingRepositories, recordOrders } from './record.ts';

/** A larger batch would delay its first order and save little: the commit already costs one disk flush for all. */
const maxBatchSize = 64;

interface IntakeOptions {
  storage: UnitOfWork<OrderRecordingRepositories>;
  /** Called for every transaction, because the program's settings may change. */
  recordingContext(): OrderRecordingContext;
  /** Whether the error means that the database cannot be written to at all. */
  isDatabaseFailure(error: unknown): boolean;
}

/**
 * Records orders that arrive one by one, as a store's connector sends them. `record` resolves after the commit. Orders that arrive while a
 * transaction runs are committed together in the next, with the same effect as if each were recorded alone, in order of arrival.
 */
export class OrderIntake {
  readonly #batcher: MicroBatcher<IncomingOrder, OrderOutcome>;

  constructor({ storage, recordingContext, isDatabaseFailure }: IntakeOptions) {
    this.#batcher = new MicroBatcher({
      runBatch: (orders) => storage.write((transaction) => recordOrders(transaction, orders, recordingContext()), 'exclusive'),
      maxBatchSize,
      failsWholeBatch: isDatabaseFailure,
    });
  }

  record(order: IncomingOrder): Promise<OrderOutcome> {
    return this.#batcher.add(order);
  }
}
