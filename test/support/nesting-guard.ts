import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from '../../db/database.ts';

interface Unit {
  kind: string;
  /** False once it has ended: callbacks that are still running may begin units of their own. */
  open: boolean;
}

/**
 * Makes a database throw when a unit of work begins inside another one. In production such a unit would wait for a connection that its own
 * caller holds, until it times out; every test runs with this guard, so that none is ever merged.
 */
export function refuseNesting(database: Database): Database {
  const units = new AsyncLocalStorage<Unit>();
  for (const kind of ['query', 'read', 'readHeavy', 'write'] as const) {
    const original = database[kind].bind(database) as (work: (stores: never) => Promise<unknown>, option?: never) => Promise<unknown>;
    const guarded = (work: (stores: never) => Promise<unknown>, option?: never): Promise<unknown> => {
      const outer = units.getStore();
      if (outer?.open) throw new Error(`A ${kind} inside a ${outer.kind} could wait for itself: finish the ${outer.kind} first.`);
      const runGuarded = async (stores: never): Promise<unknown> => {
        const unit = { kind, open: true };
        try {
          return await units.run(unit, () => work(stores));
        } finally {
          unit.open = false;
        }
      };
      return original(runGuarded, option);
    };
    Object.assign(database, { [kind]: guarded });
  }
  return database;
}
