import type { NewEvent } from '../domain/events/event.ts';
import type { WebhookNews } from '../domain/webhooks/delivery.ts';
import type { TellWebhooks } from '../domain/webhooks/event-notifier.ts';
import { type WebhookEvent, webhookEvents } from '../generated/events.ts';
import type { GuardedSite } from './extension.ts';
import { eventIsOffered, isActive } from './served.ts';
import { buildSettings, type Settings } from './settings/settings.ts';

type OwnEvents = Pick<GuardedSite, 'raisedBy'>;

/** Those of the contract that can be subscribed to here and now. The test delivery cannot. */
export const offeredEvents = (settings: Settings): WebhookEvent[] =>
  (Object.keys(webhookEvents) as WebhookEvent[]).filter((event) => event !== 'ping' && eventIsOffered(event, settings));

/** Without the events of inactive add-ons, with those of the site's own. The module is asked for where somebody may listen to it. */
export const webhookNews =
  (site: () => Promise<OwnEvents>): TellWebhooks =>
  async (events, { subscribed, storedSettings }) => {
    const { settings } = buildSettings(storedSettings);
    if (!isActive('webhooks', settings)) return [];
    const offered = new Set<string>(offeredEvents(settings));
    const own = [...subscribed].every((name) => name in webhookEvents) ? null : await site();
    return events.flatMap((event) => [...contracted(event, offered), ...raised(event, own)]);
  };

const contracted = ({ type, data, at }: NewEvent, offered: ReadonlySet<string>): WebhookNews[] =>
  type !== null && offered.has(type) ? [{ event: type, data, at }] : [];

const raised = (event: NewEvent, own: OwnEvents | null): WebhookNews[] =>
  own === null ? [] : own.raisedBy(event).map(({ event: name, data }) => ({ event: name, data, at: event.at }));
