import type { NewEvent } from '../domain/events/event.ts';
import type { WebhookNotification, WebhookNotifier } from '../domain/webhooks/delivery.ts';
import { type WebhookEvent, webhookEvents } from '../generated/events.ts';
import type { SiteExtension } from './extension.ts';
import { isAddOnActive, isEventOffered } from './served.ts';
import { buildSettings, type Settings } from './settings/settings.ts';

type OwnEvents = Pick<SiteExtension, 'raisedBy'>;

/** Those of the contract that can be subscribed to here and now. The test delivery cannot. */
export const listOfferedEvents = (settings: Settings): WebhookEvent[] =>
  (Object.keys(webhookEvents) as WebhookEvent[]).filter((event) => event !== 'ping' && isEventOffered(event, settings));

/** Omits events of inactive add-ons and adds the site's custom events. Loads the module only if a webhook subscribes to one. */
export const createWebhookNotifier =
  (site: () => Promise<OwnEvents>): WebhookNotifier =>
  async (events, { subscribed, storedSettings }) => {
    const { settings } = buildSettings(storedSettings);
    if (!isAddOnActive('webhooks', settings)) return [];
    const offered = new Set<string>(listOfferedEvents(settings));
    const own = [...subscribed].every((name) => name in webhookEvents) ? null : await site();
    return events.flatMap((event) => [...contracted(event, offered), ...raised(event, own)]);
  };

const contracted = ({ type, data, at }: NewEvent, offered: ReadonlySet<string>): WebhookNotification[] =>
  type !== null && offered.has(type) ? [{ event: type, data, at }] : [];

const raised = (event: NewEvent, own: OwnEvents | null): WebhookNotification[] =>
  own === null ? [] : own.raisedBy(event).map(({ event: name, data }) => ({ event: name, data, at: event.at }));
