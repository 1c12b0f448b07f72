import { AsyncLocalStorage } from 'node:async_hooks';
import type { Stores } from '../../domain/ports.ts';

type Kind = 'read' | 'write';

interface Unit {
  kind: Kind;
  /** False once it has ended: what it left running is on its own then, and may start units of its own. */
  open: boolean;
  /** What a read sees. */
  stores: Stores | null;
}

/**
 * Knows which unit of work a call comes from. A write inside another unit would wait for a connection that its own caller holds; it is
 * refused, so nobody can wait in a circle. A read inside a write is independent of it and sees what is committed.
 */
export class Nesting {
  readonly #units = new AsyncLocalStorage<Unit>();
  #open = 0;

  /** The view of the read that we are in: a read inside it sees the same, and needs no connection of its own. */
  get enclosingRead(): Stores | null {
    return this.#current?.stores ?? null;
  }

  get isInside(): boolean {
    return this.#current !== undefined;
  }

  async run<Result>(kind: Kind, stores: Stores | null, work: () => Promise<Result>): Promise<Result> {
    if (kind === 'write') this.refuseInside('write');
    const unit: Unit = { kind, open: true, stores };
    this.#open += 1;
    try {
      return await this.#units.run(unit, work);
    } finally {
      unit.open = false;
      this.#open -= 1;
      // While anybody is to be known again, every promise and socket of the process pays for it, also where nothing is read or written.
      if (this.#open === 0) this.#units.disable();
    }
  }

  refuseInside(what: 'write' | 'close'): void {
    const outer = this.#current;
    if (outer)
      throw new Error(`A ${what} inside a ${outer.kind} would wait for itself: finish the ${outer.kind} first, or use afterCommit.`);
  }

  get #current(): Unit | undefined {
    const unit = this.#units.getStore();
    return unit?.open ? unit : undefined;
  }
}
