/** Why an exchange ended without an answer; as `data.failure` of the contract. `other`: reset, closed or not HTTP. */
export type DeliveryFailure = 'dns' | 'tls' | 'refused' | 'timeout' | 'blocked' | 'other';

export interface WebhookMessage {
  url: string;
  /** As `signedHeaders` makes them. What every exchange has (Content-Type, User-Agent, …) the sender adds. */
  headers: Record<string, string>;
  /** Sent byte for byte: it is what was signed. */
  body: string;
}

export interface ReceiverResponse {
  kind: 'answered';
  /** Whatever the receiver said, 3xx included: redirects are not followed. */
  code: number;
  retryAfter: string | null;
  /** The first KiB of the answer as text; control characters and what is no UTF-8 are replaced. */
  excerpt: string;
  milliseconds: number;
}

export interface NoResponse {
  kind: 'failed';
  failure: DeliveryFailure;
  /** A sentence for people; it names no address, host or port. */
  message: string;
  milliseconds: number;
}

export type DeliveryOutcome = ReceiverResponse | NoResponse;

export interface UrlRules {
  /** In the environment `local`: http too, and this machine's own loopback, on any port. */
  allowPlainHttpAndLoopback: boolean;
  /** The setting `webhooks.ports`. */
  ports: readonly number[];
}

/** Never rejects, and takes 8 seconds at most, whatever the receiver does. */
export type SendWebhook = (message: WebhookMessage, rules: UrlRules) => Promise<DeliveryOutcome>;

/** At creation: a sentence that says what is wrong with the address, or null. */
export type CheckUrl = (url: string, rules: UrlRules) => Promise<string | null>;
