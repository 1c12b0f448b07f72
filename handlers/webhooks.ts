import { ApiError } from '../domain/errors.ts';
import { offsetOf } from '../domain/page.ts';
import { deliveryIdOf } from '../domain/webhooks/delivery.ts';
import { listDeliveries, replayDelivery } from '../domain/webhooks/delivery-queue.ts';
import { changeWebhook, createTestDelivery, createWebhook, recordTestOutcome } from '../domain/webhooks/manage.ts';
import { normalizeUrl } from '../domain/webhooks/url-rules.ts';
import { resolveSubscription } from '../domain/webhooks/webhook.ts';
import { webhookEvents } from '../generated/events.ts';
import { listOfferedEvents } from '../site/webhook-events.ts';
import type { HandlerContext, OperationHandler } from './context.ts';
import { totals } from './views/user.ts';
import { deliveryView, webhookView } from './views/webhook.ts';

export const get_webhooks: OperationHandler<'get_webhooks'> = async ({ query }, { storage, settings }) => {
  const { page, per_page: perPage } = query;
  const { items, total } = await storage.read(({ webhooks }) => webhooks.page({ page, perPage }));
  return { status: 200, body: items.map((webhook) => webhookView(webhook, settings)), headers: totals(total, perPage) };
};

export const post_webhooks: OperationHandler<'post_webhooks'> = async ({ body }, context) => {
  const { name } = body;
  const { storage, caller, settings, now, random } = context;
  const events = resolveSubscription(body.events, subscribableNames(context));
  // Before the transaction: it queries name servers, and other writers would wait for them.
  const problem = await context.checkUrl(body.url);
  if (problem !== null) throw new ApiError('svc_api_invalid_url', { message: problem });
  const url = normalizeUrl(body.url);
  const creation = { now, random, secrets: context.secretsFor('webhook_secret') };
  const { webhook, secret } = await storage.write((transaction) => createWebhook(transaction, caller, { name, url, events }, creation));
  return { status: 201, body: { ...webhookView(webhook, settings), last_delivery: null, secret } };
};

export const patch_webhooks_id: OperationHandler<'patch_webhooks_id'> = async ({ path, body }, context) => {
  const { status, events } = body ?? {};
  if (status === undefined && events === undefined) throw new ApiError('svc_api_no_fields');
  const change = {
    ...(status !== undefined && { status }),
    ...(events !== undefined && { events: resolveSubscription(events, subscribableNames(context)) }),
  };
  const { storage, caller, settings, now } = context;
  const webhook = await storage.write((transaction) => changeWebhook(transaction, caller, path.id, change, now));
  return { status: 200, body: webhookView(webhook, settings) };
};

export const delete_webhooks_id: OperationHandler<'delete_webhooks_id'> = async ({ path }, { storage }) => {
  const isDeleted = await storage.write(({ webhooks }) => webhooks.remove(path.id));
  if (!isDeleted) throw new ApiError('svc_api_not_found');
  return { status: 200, body: { deleted: true } };
};

export const get_webhooks_id_deliveries: OperationHandler<'get_webhooks_id_deliveries'> = async ({ path, query }, context) => {
  const { page, per_page: perPage } = query;
  const { items, total } = await context.storage.read((db) => listDeliveries(db, path.id, { page, perPage }));
  const { timezone } = context.settings.store;
  return { status: 200, body: items.map((delivery) => deliveryView(delivery, timezone)), headers: totals(total, perPage) };
};

export const post_webhooks_id_deliveries_delivery_replay: OperationHandler<'post_webhooks_id_deliveries_delivery_replay'> = async (
  { path },
  { storage, now },
) => {
  const id = deliveryIdOf(path.delivery);
  await storage.write((transaction) => replayDelivery(transaction, { id, webhookId: path.id }, now));
  return { status: 200, body: { id: path.delivery, status: 'pending' } };
};

/** Outside of any transaction while the receiver thinks. */
export const post_webhooks_id_test: OperationHandler<'post_webhooks_id_test'> = async ({ path }, context) => {
  const { storage, settings, now } = context;
  const sending = { site: settings.store.url, secrets: context.secretsFor('webhook_secret'), now };
  const { test, message } = await storage.write((transaction) => createTestDelivery(transaction, path.id, sending));
  const outcome = await context.sendWebhook(message);
  await storage.write((transaction) => recordTestOutcome(transaction, test, outcome, now));
  if (outcome.kind === 'answered') return { status: 200, body: { code: outcome.code } };
  throw new ApiError('svc_api_delivery_failed', { message: outcome.message, data: { failure: outcome.failure } });
};

export const get_webhooks_events: OperationHandler<'get_webhooks_events'> = async ({ query }, context) => {
  const { page, per_page: perPage } = query;
  const catalog = catalogOf(context);
  const start = offsetOf({ page, perPage });
  return { status: 200, body: catalog.slice(start, start + perPage), headers: totals(catalog.length, perPage) };
};

interface CatalogEntry {
  event: string;
  description: string;
}

/** What the contract has for the active add-ons, and what the site adds. */
const catalogOf = ({ settings, site }: HandlerContext): CatalogEntry[] => [
  ...listOfferedEvents(settings).map((event) => ({ event, description: webhookEvents[event].description })),
  ...[...site.webhookEvents].map(([event, { description }]) => ({ event, description })),
];

const subscribableNames = (context: HandlerContext): Set<string> => new Set(catalogOf(context).map(({ event }) => event));
