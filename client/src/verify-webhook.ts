import { type Bytes, fromBase64, fromHex, utf8 } from './bytes.ts';
import type { WebhookDelivery } from './events.ts';

/** A delivery as it came in: its body as text or bytes, before anything has parsed it. */
export interface RawDelivery {
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string | Uint8Array | ArrayBuffer;
}

export interface VerifyOptions {
  /** How far the time of the signature may be from now. 300 when not given. */
  readonly toleranceSeconds?: number;
  /** In milliseconds. */
  readonly now?: number;
}

const problems = {
  body_not_raw: 'Give the body as it came in: as text or bytes, not read or parsed before.',
  no_signature: 'The delivery is not signed.',
  bad_signature: 'The signature is of another secret or another body.',
  not_recent: 'The signature is too old, or a clock is wrong.',
  not_json: 'The body is no JSON.',
  bad_secret: 'Give the secret as the service gave it: whsec_…',
} as const;

export type WebhookProblem = keyof typeof problems;

/** Answer 400 to it, but for `body_not_raw` and `bad_secret`: those are mistakes of the receiver. */
export class WebhookError extends Error {
  readonly reason: WebhookProblem;

  constructor(reason: WebhookProblem) {
    super(problems[reason]);
    this.name = 'WebhookError';
    this.reason = reason;
  }
}

interface Signature {
  readonly seconds: string;
  /** What stands before the body in the signed text. */
  readonly prefix: string;
  readonly values: Bytes[];
  readonly keyOf: (secret: string) => Bytes;
}

/**
 * The delivery, when whoever knows the secret has sent it, a moment ago. Throws a `WebhookError` otherwise. While a secret is being changed, give
 * the old and the new one. A later version of the service may send events that this one does not know: answer 2xx to them.
 */
export async function verifyWebhook(
  delivery: Request | RawDelivery,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookDelivery> {
  const known = [secrets].flat();
  if (!known.every((secret) => /^whsec_[A-Za-z0-9+/]+=*$/.test(secret))) throw new WebhookError('bad_secret');
  const body = await bytesOf(delivery);
  const signatures = signaturesIn((name) => headerOf(delivery, name));
  if (signatures.length === 0) throw new WebhookError('no_signature');
  for (const signature of signatures) {
    if (!(await isRight(signature, body, known))) throw new WebhookError('bad_signature');
    if (!(Math.abs(now / 1000 - Number(signature.seconds)) <= toleranceSeconds)) throw new WebhookError('not_recent');
  }
  try {
    return JSON.parse(new TextDecoder().decode(body)) as WebhookDelivery;
  } catch {
    throw new WebhookError('not_json');
  }
}

async function bytesOf(delivery: Request | RawDelivery): Promise<Bytes> {
  const { body } = delivery;
  if (typeof body === 'string') return utf8(body);
  if (body instanceof Uint8Array || body instanceof ArrayBuffer) return new Uint8Array(body);
  if (!('arrayBuffer' in delivery) || delivery.bodyUsed) throw new WebhookError('body_not_raw');
  return new Uint8Array(await delivery.arrayBuffer());
}

/** Servers write the names as they like. */
function headerOf({ headers }: Request | RawDelivery, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  return String(Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1] ?? '');
}

/** Deliveries are signed twice: in the service's own way, and as Standard Webhooks does. Whatever is there must be right. */
function signaturesIn(header: (name: string) => string): Signature[] {
  const own = header('x-svc-signature');
  const seconds = /t=(\d+)/.exec(own)?.[1] ?? '';
  const standard = header('webhook-signature');
  const standardSeconds = header('webhook-timestamp');
  const signatures = [
    { given: own, seconds, prefix: `${seconds}.`, values: allIn(own, /v1=([0-9a-f]{64})/g, fromHex), keyOf: utf8 },
    {
      given: standard,
      seconds: standardSeconds,
      prefix: `${header('webhook-id')}.${standardSeconds}.`,
      values: allIn(standard, /v1,([A-Za-z0-9+/]{43}=)/g, fromBase64),
      keyOf: (secret: string) => fromBase64(secret.slice('whsec_'.length)),
    },
  ];
  return signatures.filter(({ given }) => given);
}

const allIn = (text: string, form: RegExp, decode: (part: string) => Bytes): Bytes[] =>
  [...text.matchAll(form)].map(([, part = '']) => decode(part));

/** `verify` compares in constant time. */
async function isRight({ prefix, values, keyOf }: Signature, body: Bytes, secrets: readonly string[]): Promise<boolean> {
  const signed = new Uint8Array([...utf8(prefix), ...body]);
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey('raw', keyOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const value of values) if (await crypto.subtle.verify('HMAC', key, value, signed)) return true;
  }
  return false;
}
