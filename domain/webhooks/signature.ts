import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SecureRandom } from '../random.ts';

const secretPrefix = 'whsec_';

/** How far a signature's time may be from now, as the public Standard Webhooks libraries hold it. */
const toleranceSeconds = 5 * 60;

/** `whsec_` and the base64 of 32 random bytes. */
export const createSigningSecret = (random: SecureRandom): string => secretPrefix + random.bytes(32).toString('base64');

export interface SignatureInput {
  secret: string;
  /** With its prefix: `dlv_88`. */
  deliveryId: string;
  event: string;
  /** The very text that is sent. */
  body: string;
  /** Of this attempt, in milliseconds: a repeated attempt is signed anew. */
  now: number;
}

/** A delivery's own headers, signed in both forms. */
export function createSignedHeaders({ secret, deliveryId, event, body, now }: SignatureInput): Record<string, string> {
  const seconds = String(Math.floor(now / 1000));
  return {
    'X-Svc-Event': event,
    'X-Svc-Delivery': deliveryId,
    'X-Svc-Signature': `t=${seconds},v1=${ownSignature(secret, seconds, body)}`,
    'webhook-id': deliveryId,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${standardSignature(secret, deliveryId, seconds, body)}`,
  };
}

/** Whether both signatures of these headers are right and fresh. Header names are read ignoring case. */
export function verifySignature(
  headers: Readonly<Record<string, string>>,
  { secret, body, now }: Pick<SignatureInput, 'secret' | 'body' | 'now'>,
): boolean {
  const given = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const seconds = given.get('webhook-timestamp') ?? '';
  const isFresh = Math.abs(now / 1000 - Number(seconds)) <= toleranceSeconds;
  const own = `t=${seconds},v1=${ownSignature(secret, seconds, body)}`;
  const standard = `v1,${standardSignature(secret, given.get('webhook-id') ?? '', seconds, body)}`;
  const isOwn = isSame(given.get('x-svc-signature'), own);
  const isStandard = isSame(given.get('webhook-signature'), standard);
  return isFresh && isOwn && isStandard;
}

/** Keyed with the secret's text as it was given out, prefix included. */
function ownSignature(secret: string, seconds: string, body: string): string {
  return createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
}

/** Standard Webhooks: keyed with the bytes that the text behind the prefix stands for. */
function standardSignature(secret: string, id: string, seconds: string, body: string): string {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  return createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
}

function isSame(given: string | undefined, right: string): boolean {
  const [one, other] = [Buffer.from(given ?? ''), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
