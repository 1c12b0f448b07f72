import type { Minor } from '../domain/money.ts';
import type { OrderStatus } from '../domain/orders/order.ts';
import type { PullState } from '../domain/store/connection.ts';
import type { BillingFact } from '../domain/store/payment.ts';
import type { PlatformOrder, PlatformUpdate } from '../domain/store/update.ts';
import type { Fields } from './payload.ts';

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface WebhookRequest {
  headers: Headers;
  /** As sent: the signature is of the bytes, not of what a parser makes of them. */
  bytes: Buffer;
  receivedAt: number;
}

export interface TranslationOptions {
  currency: string;
  /** The store's own order statuses. */
  statuses: Readonly<Record<string, OrderStatus>>;
  completedWhen: 'paid' | 'fulfilled';
  /** Whether payments of a test mode count: on a site where people try the service. */
  acceptsTests?: boolean;
}

/** Everything that is particular to one store platform. Pure: `server/store/` receives the webhooks and sends the requests of a pull. */
export type Connector = PullingConnector | WebhookConnector;

export interface PullingConnector extends ConnectorBase {
  pull: PullApi;
}

interface WebhookConnector extends ConnectorBase {
  pull: null;
  /** A sentence. */
  whyNoPull: string;
}

interface ConnectorBase {
  /** The platform's name, as people write it. */
  title: string;
  setup: Setup;
  /** Nothing may be parsed before. */
  isSigned(request: WebhookRequest, secret: string): boolean;
  /** An unsigned request that tries the address. */
  isPing(request: WebhookRequest): boolean;
  /** Never throws. `payload` is undefined where the body is not JSON. */
  findTopic(headers: Headers, payload: unknown): string;
  /** Null for a topic, or an order, that does not concern the program. @throws PayloadError */
  translate(topic: string, payload: Fields, options: TranslationOptions): PlatformUpdate | BillingFact | null;
  /** The platform's id of the order, for the log of deliveries. Never throws. */
  findOrderId(topic: string, payload: unknown): string | null;
  /** The number that the order with this id has here. Null for a platform whose ids are texts: then numbers are assigned and stored. */
  toOrderNumber: ((externalId: string) => number) | null;
  /** Webhooks without which something is missing, for `affiliate doctor`. */
  neededTopics: readonly NeededTopics[];
  /** Webhooks by which a refund finds its payment. */
  paymentTopics?: readonly string[];
}

export interface NeededTopics {
  /** Any of them is enough. */
  topics: readonly string[];
  /** Completes "they are needed to …". */
  purpose: string;
  /** Missing only after many other webhooks. */
  isRare?: true;
}

/** How an operator connects a shop. */
export interface Setup {
  /** False for a platform that shows a secret of its own after the address is entered. */
  usesOurSecret: boolean;
  /** What to do in the shop, for readers of a browser and of a terminal. `<url>` stands for the address of the connection. */
  steps: readonly string[];
  /** Commands that connect a shop. */
  examples: readonly string[];
}

/** Where a pull ended, for each list that the platform has. */
export type PullPosition = Exclude<keyof PullState, 'pulledAt'>;

/** The REST API that `affiliate store pull` reads orders from, with key and secret by HTTP Basic authentication. Paths begin after the shop's address. */
export interface PullApi {
  /** How to get the key. */
  help: string;
  /** What a key looks like. */
  keyExample: string;
  /** A sentence about the versions that list orders by the date of their last change. */
  requirement: string;
  /** The shop's address, without the path of the API. */
  toShopUrl(url: URL): string;
  /** The topic of a webhook with the same payload as a listed order. */
  topic: string;
  /** The largest number of items on a page. */
  perPage: number;
  lists: readonly { status: string; position: PullPosition }[];
  /** Orders that changed at `from` or later, in the order of their changes. */
  changedOrdersPath(status: string, from: number | null): string;
  /** Orders that changed within the second that begins at `from`, by their id. */
  ordersOfSecondPath(status: string, from: number, page: number): string;
  refundsPath(externalId: string, page: number): string;
  /** Returns a sentence where the answer is not a page. */
  readPage(answer: ApiAnswer): ListPage | string;
  /** Null where a listed order has no valid date. */
  readModifiedAt(item: unknown): number | null;
  /** The refunded goods. Null unless the listed refunds are exactly those of the order: it has changed meanwhile. */
  readExactRefund(order: PlatformOrder, listed: readonly unknown[], currency: string): Minor | null;
}

export interface ApiAnswer {
  status: number;
  headers: Headers;
  body: Buffer;
}

export interface ListPage {
  items: unknown[];
  /** On all pages. Null if the shop does not say. */
  total: number | null;
  pages: number | null;
}
