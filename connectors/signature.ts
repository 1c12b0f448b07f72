import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookRequest } from './connector.ts';

/** Whether a header has the HMAC-SHA256 of the bytes in Base64. */
export function hasHmac(header: string, { headers, bytes }: WebhookRequest, secret: string): boolean {
  const given = Buffer.from(String(headers[header] ?? ''));
  const expected = Buffer.from(createHmac('sha256', secret).update(bytes).digest('base64'));
  return given.length === expected.length && timingSafeEqual(given, expected);
}
