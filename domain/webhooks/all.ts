import type { WebhookStore } from './store.ts';
import type { Webhook } from './webhook.ts';

/** Newest first, page by page. Inside one read: the collection cannot move meanwhile. */
export async function listAllWebhooks(store: Pick<WebhookStore, 'page'>): Promise<Webhook[]> {
  const perPage = 500;
  const found: Webhook[] = [];
  for (let page = 1; ; page += 1) {
    const { items, total } = await store.page({ page, perPage });
    found.push(...items);
    if (page * perPage >= total) return found;
  }
}
