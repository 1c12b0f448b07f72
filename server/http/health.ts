import { Router } from '@koa/router';
import type { Database } from '../../db/database.ts';
import { withTimeout } from '../../domain/timeout.ts';

/** A database that does not respond in time counts as unreachable: load balancers wait for this answer. */
const checkTimeoutMs = 2000;

/** For load balancers and supervisors: `/healthz` says that the process runs, `/readyz` whether it can serve requests. */
export function healthRoutes(database: Database): Router {
  const router = new Router();
  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });
  router.get('/readyz', async (ctx) => {
    const [isReachable, isMigrated] = await Promise.all([
      succeeds(async () => database.ping().then(() => true)),
      succeeds(async () => (await database.pendingMigrations()).length === 0),
    ]);
    const isReady = isReachable && isMigrated;
    ctx.status = isReady ? 200 : 503;
    ctx.body = { status: isReady ? 'ok' : 'not ready', checks: { database: isReachable, migrations: isMigrated } };
  });
  return router;
}

const succeeds = (check: () => Promise<boolean>): Promise<boolean> =>
  withTimeout(
    check().catch(() => false),
    checkTimeoutMs,
    () => false,
  );
