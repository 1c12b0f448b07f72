import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from '../../db/database.ts';

interface Unit {
  database: Database;
  kind: string;
  /** False once it has ended: callbacks that are still running may begin units of their own. */
  open: boolean;
  /** The unit of another database in which this one began. */
  outer: Unit | undefined;
}

/** One for all databases: Node copies the values of every storage into every new promise. */
const units = new AsyncLocalStorage<Unit>();

/** The open units around the running code, innermost first. */
function openUnits(): Unit[] {
  const open: Unit[] = [];
  for (let unit = units.getStore(); unit; unit = unit.outer) if (unit.open) open.push(unit);
  return open;
}

/**
 * Makes a database throw when a unit of work begins inside another one. In production such a unit would wait for a connection that its own
 * caller holds, until it times out; every test runs with this guard, so that none is ever merged.
 */
export function refuseNesting(database: Database): Database {
  for (const kind of ['query', 'read', 'readHeavy', 'write'] as const) {
    const original = database[kind].bind(database) as (work: (db: never) => Promise<unknown>, option?: never) => Promise<unknown>;
    const guarded = (work: (db: never) => Promise<unknown>, option?: never): Promise<unknown> => {
      const around = openUnits();
      const holder = around.find((unit) => unit.database === database);
      if (holder) throw new Error(`A ${kind} inside a ${holder.kind} could wait for itself: finish the ${holder.kind} first.`);
      const runGuarded = async (db: never): Promise<unknown> => {
        const unit: Unit = { database, kind, open: true, outer: around[0] };
        try {
          return await units.run(unit, () => work(db));
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
