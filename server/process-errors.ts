import path from 'node:path';
import type { Logger } from 'pino';

/**
 * What nobody waits for and nobody catches. A site's module may start things and forget them; that must not take the service down with
 * it. A defect of the service itself ends the process, because nobody knows what state it left behind; a supervisor starts it again.
 */
export function surviveStrayFailures(log: Logger, siteModule: string | null): void {
  // Its own file and not its folder, which may be that of the service as well.
  const ofSite = siteModule === null ? null : path.resolve(siteModule);
  const isOfSite = (cause: unknown): boolean => ofSite !== null && cause instanceof Error && (cause.stack ?? '').includes(ofSite);
  process.on('unhandledRejection', (cause) => log.error({ err: cause }, 'a failure that nobody waited for'));
  process.on('uncaughtException', (cause) => {
    if (isOfSite(cause)) return log.error({ err: cause }, 'the site module failed where nobody could catch it');
    log.fatal({ err: cause }, 'a defect; the process ends');
    return process.exit(1);
  });
}
