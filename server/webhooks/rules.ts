import type { UrlRules } from '../../domain/webhooks/delivery.ts';
import type { Settings } from '../../site/settings/settings.ts';
import type { Configuration } from '../configuration.ts';

/** Where webhooks may lead, as this site stands. */
export const getUrlRules = ({ webhooks }: Settings, { environment }: Pick<Configuration, 'environment'>): UrlRules => ({
  allowPlainHttpAndLoopback: environment === 'local',
  ports: webhooks.ports,
});
