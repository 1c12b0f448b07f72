import { setTimeout as wait } from 'node:timers/promises';
import { Router } from '@koa/router';
import type { Database } from '../../db/database.ts';

/** For load balancers and supervisors: is the process there, and could it do its work? */
export function healthRoutes(database: Database): Router {
  const router = new Router();
  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });
  router.get('/readyz', async (ctx) => {
    const [reachable, migrated] = await Promise.all([inTime(isReachable(database)), inTime(isMigrated(database))]);
    const checks = { database: reachable, migrations: migrated };
    const isReady = checks.database && checks.migrations;
    ctx.status = isReady ? 200 : 503;
    ctx.body = { status: isReady ? 'ok' : 'not ready', checks };
  });
  return router;
}

/** A database that does not answer is as good as none: whoever asks has requests to send elsewhere. */
const inTime = (check: Promise<boolean>): Promise<boolean> => Promise.race([check, wait(2000, false, { ref: false })]);

async function isReachable(database: Database): Promise<boolean> {
  try {
    await database.ping();
    return true;
  } catch {
    return false;
  }
}

async function isMigrated(database: Database): Promise<boolean> {
  try {
    return (await database.pendingMigrations()).length === 0;
  } catch {
    return false;
  }
}
