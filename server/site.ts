import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { guardSiteModule, type SiteExtension, type SiteModule } from '../site/extension.ts';
import { createWebhookNotifier } from '../site/webhook-events.ts';

/** The site's module for a process that serves or sends. From here on it hears of what this process records. */
export function openSite(siteModule: SiteModule, database: Database, log: Logger): SiteExtension {
  const site = guardSiteModule(siteModule, ({ member, problem, cause }) =>
    log.error({ member, err: cause }, `the site module: ${member} ${problem}`),
  );
  database.setWebhookNotifier(createWebhookNotifier(async () => site));
  const { onEvent } = site;
  if (onEvent)
    database.onEvents((events) => {
      for (const event of events) void onEvent(event);
    });
  return site;
}
