import type { EntityManager, QueryRunner } from 'typeorm';
import type { ManagedWork } from './storage.ts';

interface ScopedManager {
  readonly manager: EntityManager;
  /** Waits for pending statements and refuses further ones. */
  end(): Promise<void>;
}

/**
 * Binds an entity manager to one transaction: statements run one after the other, and none after the end. A forgotten `await`, or the rest
 * of a failed `Promise.all`, would otherwise run inside the next transaction of the same connection.
 */
function createScopedManager(runner: QueryRunner): ScopedManager {
  let last: Promise<unknown> = Promise.resolve();
  let ended = false;
  const query = async (...statement: Parameters<QueryRunner['query']>): Promise<unknown> => {
    if (ended) throw new Error('This unit of work has ended: await every call inside it.');
    const result = last.then(() => runner.query(...statement));
    last = result.catch(() => {});
    return result;
  };
  // With this state TypeORM's `save()` joins the transaction instead of beginning another.
  const state = { isTransactionActive: true, transactionDepth: 1, isReleased: false };
  const scoped = Object.assign(Object.create(runner) as object, { query, ...state });
  const manager = runner.connection.createEntityManager(scoped as unknown as QueryRunner);
  Object.assign(scoped, { manager });
  return {
    manager,
    async end() {
      ended = true;
      await last;
    },
  };
}

interface TransactionBoundaries {
  begin: string;
  commit(): Promise<unknown>;
  /** Runs when the rollback failed: the connection must not be used again. */
  onRollbackFailed(): Promise<void>;
}

export async function runInTransaction<Result>(
  runner: QueryRunner,
  { begin, commit, onRollbackFailed }: TransactionBoundaries,
  work: ManagedWork<Result>,
): Promise<Result> {
  await runner.query(begin);
  const { manager, end } = createScopedManager(runner);
  try {
    const result = await work(manager);
    await end();
    await commit();
    return result;
  } catch (error) {
    await end();
    await runner.query('ROLLBACK').catch(onRollbackFailed);
    throw error;
  }
}

/** An entity manager that runs statements outside of any transaction, and reports each through `onQuery` before it runs. */
export function createAutocommitManager(runner: QueryRunner, onQuery: () => void): EntityManager {
  const query = (...statement: Parameters<QueryRunner['query']>): Promise<unknown> => {
    onQuery();
    return runner.query(...statement);
  };
  const scoped = Object.assign(Object.create(runner) as object, { query });
  const manager = runner.connection.createEntityManager(scoped as unknown as QueryRunner);
  Object.assign(scoped, { manager });
  return manager;
}

/** Returns a function that throws when it is called a second time. */
export function allowOneStatement(): () => void {
  let count = 0;
  return () => {
    count += 1;
    if (count > 1) throw new Error('`query` runs one statement: use `read` for more, so that they see one state.');
  };
}
