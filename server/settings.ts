import type { UnitOfWork } from '../domain/ports.ts';
import type { SiteModule } from '../site/extension.ts';
import { SiteSettings } from '../site/settings/site-settings.ts';

/** The site's settings over this storage: for the service and for the command line alike. */
export const openSettings = (unitOfWork: UnitOfWork, { gateways = {} }: SiteModule = {}): SiteSettings =>
  new SiteSettings({
    unitOfWork,
    moneyExists: ({ coupons }) => coupons.anyMoney(),
    daysExist: ({ figures }) => figures.anyDays(),
    gateways: Object.keys(gateways),
  });
