import type { EntityManager, QueryRunner } from 'typeorm';
import type { Work } from './storage.ts';

interface Lease {
  readonly manager: EntityManager;
  /** Waits for the statements that were asked for and lets no further one through. */
  end(): Promise<void>;
}

/**
 * A connection as one unit of work sees it: one statement after the other, and none after the end. A forgotten `await`, or the rest of a
 * `Promise.all` of which one part failed, would otherwise run after the commit or the rollback: inside somebody else's transaction.
 */
function leaseOf(runner: QueryRunner): Lease {
  let last: Promise<unknown> = Promise.resolve();
  let ended = false;
  const query = async (...statement: Parameters<QueryRunner['query']>): Promise<unknown> => {
    if (ended) throw new Error('This unit of work has ended: await every call inside it.');
    const answer = last.then(() => runner.query(...statement));
    last = answer.catch(() => {});
    return answer;
  };
  // TypeORM believes that it began the transaction itself, so that `save()` joins it instead of beginning another.
  const bookkeeping = { isTransactionActive: true, transactionDepth: 1, isReleased: false };
  const leased = Object.assign(Object.create(runner) as object, { query, ...bookkeeping });
  const manager = runner.connection.createEntityManager(leased as unknown as QueryRunner);
  Object.assign(leased, { manager });
  return {
    manager,
    async end() {
      ended = true;
      await last;
    },
  };
}

interface Boundaries {
  begin: string;
  commit(): Promise<unknown>;
  /** The connection may hold half a transaction and must not be used again. */
  broken(): Promise<void>;
}

export async function inTransaction<Result>(
  runner: QueryRunner,
  { begin, commit, broken }: Boundaries,
  work: Work<Result>,
): Promise<Result> {
  await runner.query(begin);
  const lease = leaseOf(runner);
  try {
    const result = await work(lease.manager);
    await lease.end();
    await commit();
    return result;
  } catch (error) {
    await lease.end();
    await runner.query('ROLLBACK').catch(broken);
    throw error;
  }
}
