import type { EntityManager, QueryRunner } from 'typeorm';
import { errorCode } from './database-error.ts';
import type { ManagedWork } from './storage.ts';

/** SQLSTATE of PostgreSQL. */
const inFailedTransaction = '25P02';

interface ScopedManager {
  readonly manager: EntityManager;
  /** Runs in the order of the statements. */
  send<Result>(task: () => Promise<Result>): Promise<Result>;
  /** Refuses further statements. Resolves when all have ended; rejects where one fails that was not waited for. */
  end(): Promise<void>;
}

interface Pipeline {
  /** Whether a first statement may be sent before the answer to `begin`. */
  maySendBeforeBegun(sql: string): boolean;
}

interface TransactionBoundaries {
  begin(): Promise<unknown>;
  commit(): Promise<unknown>;
  /** Runs when the rollback failed: the connection must not be used again. */
  onRollbackFailed(): Promise<void>;
  /** For a driver that sends statements in the order of the calls and without waiting for the one before. */
  pipeline?: Pipeline;
}

/**
 * Binds an entity manager to one transaction: statements run in the order of the calls, and none after the end. A forgotten `await`, or the
 * rest of a failed `Promise.all`, would otherwise run inside the next transaction of the same connection.
 */
function createScopedManager(runner: QueryRunner, begun: Promise<unknown>, pipeline: Pipeline | undefined): ScopedManager {
  const running = new Set<Promise<unknown>>();
  let last = begun;
  /** Set when a statement has to wait for the beginning: the ones after it must not overtake it. */
  let isHeld = false;
  let ended = false;
  let failure: unknown;
  begun.catch((error: unknown) => {
    failure = error;
  });
  /** Statements that were sent together with one that fails are refused: they report its error, and after it. */
  const reportFirst = async (error: unknown): Promise<never> => {
    failure ??= error;
    if (errorCode(error) === inFailedTransaction) await new Promise((resolve) => setImmediate(resolve));
    throw errorCode(error) === inFailedTransaction ? failure : error;
  };
  const send = <Result>(task: () => Promise<Result>, sql = ''): Promise<Result> => {
    isHeld ||= !pipeline?.maySendBeforeBegun(sql);
    const result = (isHeld ? last.then(task) : task()).catch(reportFirst);
    running.add(result);
    const settle = (): void => void running.delete(result);
    const settled = result.then(settle, settle);
    if (!pipeline) last = settled;
    return result;
  };
  const query = async (...statement: Parameters<QueryRunner['query']>): Promise<unknown> => {
    if (ended) throw new Error('This unit of work has ended: await every call inside it.');
    return send(() => runner.query(...statement), statement[0]);
  };
  // With this state TypeORM's `save()` joins the transaction instead of beginning another.
  const state = { isTransactionActive: true, transactionDepth: 1, isReleased: false };
  const scoped = Object.assign(Object.create(runner) as object, { query, ...state });
  const manager = runner.connection.createEntityManager(scoped as unknown as QueryRunner);
  Object.assign(scoped, { manager });
  return {
    manager,
    send,
    async end() {
      ended = true;
      const results = await Promise.allSettled([begun, ...running]);
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    },
  };
}

export async function runInTransaction<Result>(
  runner: QueryRunner,
  { begin, commit, onRollbackFailed, pipeline }: TransactionBoundaries,
  work: ManagedWork<Result>,
): Promise<Result> {
  const begun = begin();
  if (!pipeline) await begun;
  const { manager, send, end } = createScopedManager(runner, begun, pipeline);
  try {
    const result = await work(manager);
    const ending = end();
    if (!pipeline) await ending;
    const committing = send(commit);
    committing.catch(() => {});
    // First: the error of a statement says more than that of the COMMIT after it.
    await ending;
    await committing;
    return result;
  } catch (error) {
    await end().catch(() => {});
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
