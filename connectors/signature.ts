import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookRequest } from './connector.ts';

/** Whether a header has the HMAC-SHA256 of the bytes in Base64. */
export function hasHmac(header: string, { headers, bytes }: WebhookRequest, secret: string): boolean {
  return isEqual(String(headers[header] ?? ''), createHmac('sha256', secret).update(bytes).digest('base64'));
}

function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** How a platform writes a time stamp and signatures into one header: `t=1700000000,v1=<hex>,v1=<hex>`. */
export interface TimedSignature {
  header: string;
  separator: string;
  time: string;
  signature: string;
  /** Stands between the time stamp and the body in what is signed. */
  joint: string;
}

const toleranceSeconds = 300;
/** While a secret is replaced there are two. */
const maxSignatures = 10;

/** Whether one of the signatures is that of the time stamp and the bytes, and the time stamp is at most five minutes off. */
export function hasTimedHmac(scheme: TimedSignature, { headers, bytes, receivedAt }: WebhookRequest, secret: string): boolean {
  const parts = String(headers[scheme.header] ?? '')
    .split(scheme.separator)
    .map((part) => part.trim());
  const valuesOf = (name: string): string[] =>
    parts.flatMap((part) => (part.startsWith(`${name}=`) ? [part.slice(name.length + 1)] : [])).slice(0, maxSignatures);
  const [time = ''] = valuesOf(scheme.time);
  if (!/^\d{1,12}$/.test(time) || Math.abs(receivedAt / 1000 - Number(time)) > toleranceSeconds) return false;
  const expected = createHmac('sha256', secret).update(`${time}${scheme.joint}`).update(bytes).digest('hex');
  return valuesOf(scheme.signature).some((given) => isEqual(given, expected));
}
