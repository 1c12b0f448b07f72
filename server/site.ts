import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import type { Repositories } from '../domain/repositories.ts';
import type { UnitOfWork } from '../domain/unit-of-work.ts';
import { guardSiteModule, type SiteExtension, type SiteModule } from '../site/extension.ts';
import { SiteSettings } from '../site/settings/site-settings.ts';
import { createWebhookNotifier } from '../site/webhook-events.ts';

/** The site module of a process that serves or sends. Subscribes it to the events that this process records. */
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

/** The site's settings in this database, for the service and the command line. */
export const openSettings = (unitOfWork: UnitOfWork<Repositories>, { gateways = {} }: SiteModule = {}): SiteSettings =>
  new SiteSettings({
    unitOfWork,
    moneyExists: ({ coupons }) => coupons.anyMoney(),
    daysExist: ({ figures }) => figures.anyDays(),
    gateways: Object.keys(gateways),
  });
