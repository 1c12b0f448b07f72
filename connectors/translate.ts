import { isUtf8 } from 'node:buffer';
import { exceedsJson } from '../domain/json-values.ts';
import { firstAssignedNumber, numberIsAssigned } from '../domain/order-recording/incoming.ts';
import type { BillingFact } from '../domain/store/payment.ts';
import type { NumberedUpdate } from '../domain/store/update.ts';
import type { Connector, TranslationOptions, WebhookRequest } from './connector.ts';
import { PayloadError, readObject } from './payload.ts';

/** `orderId` is our number of the order, null where the payload names none. */
export type Translation = { topic: string; orderId: number | null } & (
  | { update: NumberedUpdate }
  | { fact: BillingFact }
  | { outcome: 'ignored' | 'refused'; reason: string; error?: 'rest_invalid_json' | 'rest_body_too_large' }
);

/** What orders of hundreds of lines have. More, or keys that all differ, would block the event loop. */
const maxValues = 30_000;
const maxLevels = 64;

/** Translates a signed webhook. Never throws. */
export function translate(connector: Connector, { headers, bytes }: WebhookRequest, options: TranslationOptions): Translation {
  const findTopic = (payload?: unknown): string => connector.findTopic(headers, payload).slice(0, 100);
  const refused = { orderId: null, outcome: 'refused' } as const;
  if (!isUtf8(bytes)) return { ...refused, topic: findTopic(), error: 'rest_invalid_json', reason: 'The body is not UTF-8.' };
  const text = bytes.toString('utf8');
  if (exceedsJson(text, maxValues, maxLevels)) {
    const reason = 'The body has more than 30,000 values or 64 levels.';
    return { ...refused, topic: findTopic(), error: 'rest_body_too_large', reason };
  }
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch {
    return { ...refused, topic: findTopic(), error: 'rest_invalid_json', reason: 'The body is not JSON.' };
  }
  return translatePayload(connector, findTopic(payload), payload, options);
}

/** Translates what the platform sent or listed. Never throws. */
export function translatePayload(connector: Connector, topic: string, payload: unknown, options: TranslationOptions): Translation {
  const externalId = connector.findOrderId(topic, payload);
  const orderId = externalId === null ? null : toNumber(connector, externalId);
  try {
    if (orderId !== null && orderId >= firstAssignedNumber) throw new PayloadError(numberIsAssigned);
    const update = connector.translate(topic, readObject(payload, 'The body'), options);
    if (update === null) return { topic, orderId, outcome: 'ignored', reason: 'This topic or order does not concern the program.' };
    if (update.kind === 'payment' || update.kind === 'code') return { topic, orderId, fact: update };
    return { topic, orderId, update: { ...update, orderId: toNumber(connector, update.externalId) } };
  } catch (error) {
    if (!(error instanceof PayloadError)) throw error;
    return { topic, orderId, outcome: 'refused', reason: error.message };
  }
}

function toNumber({ title, toOrderNumber }: Connector, externalId: string): number {
  if (toOrderNumber === null) throw new Error(`${title} has no numbers of orders.`);
  return toOrderNumber(externalId);
}
