import type { NewEvent } from '../events/event.ts';

/** Events about webhooks are in the feed only. */
export const webhookEvent = (
  kind: 'webhook_created' | 'webhook_disabled',
  webhookId: number,
  circumstances: Pick<NewEvent, 'info' | 'userId' | 'at'>,
): NewEvent => ({ kind, type: null, objectType: 'webhook', objectId: webhookId, data: null, ...circumstances });
