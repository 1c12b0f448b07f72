import type { NewEvent } from '../events/event.ts';

/** The feed tells of webhooks; webhooks do not tell of each other. */
export const webhookEvent = (
  kind: 'webhook_created' | 'webhook_disabled',
  webhookId: number,
  circumstances: Pick<NewEvent, 'info' | 'userId' | 'at'>,
): NewEvent => ({ kind, type: null, objectType: 'webhook', objectId: webhookId, data: null, ...circumstances });
