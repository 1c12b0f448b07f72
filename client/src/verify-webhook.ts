import type { WebhookDelivery } from './events.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** A delivery as received: its body as text or bytes, before it is parsed. */
export interface RawDelivery {
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string | Uint8Array | ArrayBuffer;
}

export interface VerifyOptions {
  /** The maximum difference between the time of the signature and now. 300 by default. */
  readonly toleranceSeconds?: number;
  /** In milliseconds since 1970. The current time by default. */
  readonly now?: number;
}

const problems = {
  body_not_raw: 'Pass the body as received: as text or bytes, not read or parsed before.',
  no_signature: 'The delivery is not signed.',
  bad_signature: 'The signature does not match the secret and the body.',
  not_recent: 'The signature is too old, or one of the clocks is wrong.',
  not_json: 'The body is not JSON.',
  bad_secret: 'Pass the secret as the service returned it: whsec_…',
} as const;

export type WebhookProblem = keyof typeof problems;

/** Respond with 400, except to `body_not_raw` and `bad_secret`, which are mistakes of the receiver. */
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
  /** Precedes the body in the signed text. */
  readonly prefix: string;
  readonly values: Bytes[];
  readonly keyOf: (secret: string) => Bytes;
}

/**
 * Returns the delivery if it is signed with the secret and recent. Throws a `WebhookError` otherwise. During a change of the secret, pass the old
 * and the new one. A later version of the service may send events that this version does not know: respond with 2xx to them.
 */
export async function verifyWebhook(
  delivery: Request | RawDelivery,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookDelivery> {
  const accepted = [secrets].flat();
  if (!accepted.every((secret) => /^whsec_[A-Za-z0-9+/]+=*$/.test(secret))) throw new WebhookError('bad_secret');
  const body = await readBody(delivery);
  const signatures = parseSignatures((name) => headerOf(delivery, name));
  if (signatures.length === 0) throw new WebhookError('no_signature');
  for (const signature of signatures) {
    if (!(await isValid(signature, body, accepted))) throw new WebhookError('bad_signature');
    if (!(Math.abs(now / 1000 - Number(signature.seconds)) <= toleranceSeconds)) throw new WebhookError('not_recent');
  }
  try {
    return JSON.parse(new TextDecoder().decode(body)) as WebhookDelivery;
  } catch {
    throw new WebhookError('not_json');
  }
}

async function readBody(delivery: Request | RawDelivery): Promise<Bytes> {
  const { body } = delivery;
  if (typeof body === 'string') return utf8(body);
  if (body instanceof Uint8Array || body instanceof ArrayBuffer) return new Uint8Array(body);
  if (!('arrayBuffer' in delivery) || delivery.bodyUsed) throw new WebhookError('body_not_raw');
  return new Uint8Array(await delivery.arrayBuffer());
}

/** Header names in any case: servers differ. */
function headerOf({ headers }: Request | RawDelivery, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  return String(Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1] ?? '');
}

/** Deliveries have two signatures: the service's own, and that of Standard Webhooks. Each one that is present must be valid. */
function parseSignatures(header: (name: string) => string): Signature[] {
  const own = header('x-svc-signature');
  const seconds = /t=(\d+)/.exec(own)?.[1] ?? '';
  const standard = header('webhook-signature');
  const standardSeconds = header('webhook-timestamp');
  const signatures = [
    { text: own, seconds, prefix: `${seconds}.`, values: matchesOf(own, /v1=([0-9a-f]{64})/g, fromHex), keyOf: utf8 },
    {
      text: standard,
      seconds: standardSeconds,
      prefix: `${header('webhook-id')}.${standardSeconds}.`,
      values: matchesOf(standard, /v1,([A-Za-z0-9+/]{43}=)/g, fromBase64),
      keyOf: (secret: string) => fromBase64(secret.slice('whsec_'.length)),
    },
  ];
  return signatures.filter(({ text }) => text);
}

const matchesOf = (text: string, pattern: RegExp, decode: (part: string) => Bytes): Bytes[] =>
  [...text.matchAll(pattern)].map(([, part = '']) => decode(part));

/** `crypto.subtle.verify` compares in constant time. */
async function isValid({ prefix, values, keyOf }: Signature, body: Bytes, secrets: readonly string[]): Promise<boolean> {
  const signed = new Uint8Array([...utf8(prefix), ...body]);
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey('raw', keyOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const value of values) if (await crypto.subtle.verify('HMAC', key, value, signed)) return true;
  }
  return false;
}

const utf8 = (text: string): Bytes => new TextEncoder().encode(text) as Bytes;

/** Throws if the text is not base64. */
const fromBase64 = (text: string): Bytes => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

const fromHex = (text: string): Bytes => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
