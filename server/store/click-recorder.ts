import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { databaseErrorKind } from '../../db/engine/database-error.ts';
import type { IncomingClick } from '../../domain/clicks/incoming.ts';
import { createVisitorHasher, recordClicks } from '../../domain/clicks/record.ts';
import { findLinkedCoupons, type LinkedCoupon } from '../../domain/clicks/referral-link.ts';
import type { Clock } from '../../domain/clock.ts';
import type { KeyRing } from '../../domain/master-key/key-ring.ts';
import { MicroBatcher } from '../../domain/micro-batcher.ts';
import type { Repositories } from '../../domain/repositories.ts';
import { withTimeout } from '../../domain/timeout.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';
import type { WindowCount, WindowCounters } from '../../domain/window-counters.ts';
import { buildProgram } from '../../site/program.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { addressGroup } from '../http/trusted-proxies.ts';

export interface ClickRecorderParts {
  storage: UnitOfWork<Repositories> & { readonly counters: WindowCounters };
  clock: Clock;
  masterKey: KeyRing;
  log: Logger;
}

/** As a page of the shop or a link sends it. The moment is that of its arrival. */
export type ArrivingClick = Pick<IncomingClick, 'couponId' | 'visitor' | 'campaign'>;

const maxClicks = 30;
const windowSeconds = 60;

const maxBatchSize = 256;

/** How long a visitor waits for the commit. After that it is not waited for, but still made. */
const commitWaitMs = 500;

/** While more clicks than these wait for a commit, visitors do not: batches grow, and cost less for each click. */
const maxWaiting = 16;
/** Above this, visitors wait again: the database is slower than they come. */
const maxUnwritten = 10_000;

/** How long a coupon is not looked up again. Shorter where there is none yet. */
const foundMs = 10_000;
const missingMs = 1000;
const maxLookups = 10_000;

const failsWholeBatch = (error: unknown): boolean => databaseErrorKind(error) !== null;

/** Records clicks as they arrive. Those that arrive together are looked up together and committed together. */
export class ClickRecorder {
  readonly #parts: ClickRecorderParts;
  readonly #lookup: MicroBatcher<string, LinkedCoupon | null>;
  readonly #looked = new LRUCache<string, { coupon: LinkedCoupon | null }>({ max: maxLookups, ttl: missingMs });
  readonly #writer: MicroBatcher<IncomingClick, void>;
  readonly #hashVisitor: ReturnType<typeof createVisitorHasher>;
  #settings: Settings | undefined;
  #last: Promise<void> = Promise.resolve();
  /** Clicks that are not committed yet. */
  #unwritten = 0;

  constructor(parts: ClickRecorderParts) {
    this.#parts = parts;
    this.#hashVisitor = createVisitorHasher(parts.masterKey.visitorKey);
    const runBatch = (names: readonly string[]) => parts.storage.read((db) => findLinkedCoupons(db, names));
    this.#lookup = new MicroBatcher({ runBatch, maxBatchSize, failsWholeBatch });
    this.#writer = new MicroBatcher({ runBatch: (clicks) => this.#write(clicks), maxBatchSize, failsWholeBatch });
  }

  /** The published coupon of an affiliate with this id or code; null for an unknown or ambiguous one. */
  async find(name: string): Promise<LinkedCoupon | null> {
    const cached = this.#looked.get(name);
    if (cached) return cached.coupon;
    const coupon = await this.#lookup.add(name);
    this.#looked.set(name, { coupon }, { ttl: coupon ? foundMs : missingMs });
    return coupon;
  }

  /** Counts a click, or another request for a link, of this address. The address is not stored. */
  async exceedsLimit(address: string): Promise<WindowCount | null> {
    const window = await this.#parts.storage.counters.hit(`clicks:${addressGroup(address)}`, windowSeconds);
    return window.count > maxClicks ? window : null;
  }

  /** Resolves after the commit, or earlier under load. A click that cannot be recorded does not stop its visitor. */
  async record(click: ArrivingClick, settings: Settings): Promise<void> {
    this.#settings = settings;
    // In whole seconds, like the orders of shops: an order must not be older than its click because it was rounded.
    const clickedAt = Math.floor(this.#parts.clock.now() / 1000) * 1000;
    this.#unwritten += 1;
    const written = this.#writer
      .add({ ...click, clickedAt })
      .catch((error: unknown) => this.#parts.log.warn({ err: error }, 'a click could not be recorded'))
      .finally(() => (this.#unwritten -= 1));
    this.#last = written;
    if (this.#unwritten <= maxWaiting || this.#unwritten > maxUnwritten) await withTimeout(written, commitWaitMs, () => {});
  }

  /** Resolves when all clicks that have arrived are recorded. */
  flush(): Promise<void> {
    return this.#last;
  }

  async #write(clicks: readonly IncomingClick[]): Promise<void[]> {
    const context = { program: buildProgram(this.#settings as Settings), hashVisitor: this.#hashVisitor };
    await this.#parts.storage.write((transaction) => recordClicks(transaction, clicks, context));
    return clicks.map(() => {});
  }
}
