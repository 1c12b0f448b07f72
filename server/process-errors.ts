import path from 'node:path';
import type { Logger } from 'pino';

/**
 * A site module may start work and forget it; its errors must not end the service. A defect of the service itself ends the process, because
 * its state is unknown after that; a supervisor starts it again.
 */
export function handleProcessErrors(log: Logger, siteModule: string | null): void {
  // Its own file and not its folder, which may be that of the service as well.
  const file = siteModule === null ? null : path.resolve(siteModule);
  const isOfSite = (cause: unknown): boolean => file !== null && cause instanceof Error && (cause.stack ?? '').includes(file);
  process.on('unhandledRejection', (cause) => log.error({ err: cause }, 'a promise was rejected without a handler'));
  process.on('uncaughtException', (cause) => {
    if (isOfSite(cause)) return log.error({ err: cause }, 'the site module threw an error that was not caught');
    log.fatal({ err: cause }, 'a defect; the process ends');
    return process.exit(1);
  });
}
