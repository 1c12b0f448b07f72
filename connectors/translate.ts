import { createHmac, timingSafeEqual } from 'node:crypto';
import { exceedsJson } from '../domain/json-values.ts';
import type { Platform } from '../domain/store/connection.ts';
import type { PlatformUpdate } from '../domain/store/update.ts';
import type { Connector, RequestHeaders, TranslationOptions } from './connector.ts';
import { PayloadError, readId, readObject } from './payload.ts';
import { shopify } from './shopify.ts';
import { woocommerce } from './woocommerce.ts';

const connectors: Record<Platform, Connector> = { woocommerce, shopify };

/** Whether the bytes were signed with the secret. Nothing may be parsed before. */
export function isSigned(platform: Platform, headers: RequestHeaders, bytes: Buffer, secret: string): boolean {
  const given = Buffer.from(String(headers[connectors[platform].signatureHeader] ?? ''));
  const expected = Buffer.from(createHmac('sha256', secret).update(bytes).digest('base64'));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** WooCommerce tries a new webhook with an unsigned form, and does not save it without a 200. */
export const isPing = (platform: Platform, bytes: Buffer): boolean =>
  platform === 'woocommerce' && bytes.length < 40 && /^webhook_id=\d+$/.test(bytes.toString('latin1'));

export type Translation = { topic: string; orderId: number | null } & (
  | { update: PlatformUpdate }
  | { outcome: 'ignored' | 'refused'; reason: string; error?: 'rest_invalid_json' | 'rest_body_too_large' }
);

/** What orders of hundreds of lines have. More, or keys that all differ, would block the event loop. */
const maxValues = 30_000;
const maxLevels = 64;

/** Translates a signed webhook. Never throws. */
export function translate(platform: Platform, headers: RequestHeaders, bytes: Buffer, options: TranslationOptions): Translation {
  const topic = String(headers[connectors[platform].topicHeader] ?? '').slice(0, 100);
  const text = bytes.toString('utf8');
  const refused = { topic, orderId: null, outcome: 'refused' } as const;
  if (exceedsJson(text, maxValues, maxLevels))
    return { ...refused, error: 'rest_body_too_large', reason: 'The body has more than 30,000 values or 64 levels.' };
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch {
    return { ...refused, error: 'rest_invalid_json', reason: 'The body is not JSON.' };
  }
  return translatePayload(platform, topic, payload, options);
}

/** Translates what the platform sent or listed. Never throws. */
export function translatePayload(platform: Platform, topic: string, payload: unknown, options: TranslationOptions): Translation {
  try {
    const fields = readObject(payload, 'The body');
    const update = connectors[platform].translate(topic, fields, options);
    const orderId = findOrderId(fields, topic);
    return update
      ? { topic, orderId, update }
      : { topic, orderId, outcome: 'ignored', reason: 'This topic or order does not concern the program.' };
  } catch (error) {
    if (!(error instanceof PayloadError)) throw error;
    return { topic, orderId: findOrderId(payload, topic), outcome: 'refused', reason: error.message };
  }
}

/** For the log of deliveries. */
function findOrderId(payload: unknown, topic: string): number | null {
  try {
    return readId(readObject(payload, 'The body'), topic === 'refunds/create' ? 'order_id' : 'id');
  } catch {
    return null;
  }
}
