import { Router } from '@koa/router';
import type { Database } from '../../db/database.ts';
import { withTimeout } from '../../domain/timeout.ts';
import type { RequestState } from './request-context.ts';

/** A database that does not respond in time counts as unreachable: load balancers wait for this answer. */
const checkTimeoutMs = 2000;

/** Probes need no password and no limit holds for them, so their number must not matter to the database. */
const checkIntervalMs = 1000;

/** For load balancers and supervisors: `/healthz` says that the process runs, `/readyz` whether it can serve requests. */
export function healthRoutes(database: Database): Router<RequestState> {
  const router = new Router<RequestState>();
  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });
  const check = shareFor(checkIntervalMs, () => checkReadiness(database));
  router.get('/readyz', async (ctx) => {
    const checks = await check();
    const isReady = checks.database && checks.migrations;
    ctx.status = isReady ? 200 : 503;
    ctx.body = { status: isReady ? 'ok' : 'not ready', checks };
  });
  return router;
}

interface Readiness {
  database: boolean;
  migrations: boolean;
}

async function checkReadiness(database: Database): Promise<Readiness> {
  const [isReachable, isMigrated] = await Promise.all([
    succeeds(async () => database.ping().then(() => true)),
    succeeds(async () => (await database.pendingMigrations()).length === 0),
  ]);
  return { database: isReachable, migrations: isMigrated };
}

/** Callers within the interval share one result, also while it is pending. */
function shareFor<Result>(intervalMs: number, run: () => Promise<Result>): () => Promise<Result> {
  let shared: { result: Promise<Result>; at: number } | undefined;
  return () => {
    const now = performance.now();
    if (!shared || now - shared.at >= intervalMs) shared = { result: run(), at: now };
    return shared.result;
  };
}

const succeeds = (check: () => Promise<boolean>): Promise<boolean> =>
  withTimeout(
    check().catch(() => false),
    checkTimeoutMs,
    () => false,
  );
