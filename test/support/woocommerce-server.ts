import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { wooOrder } from '../connectors/payloads.ts';

type ShopOrder = ReturnType<typeof wooOrder>;

/** Answers instead of the shop. Returns whether it did. */
export type Intervention = (response: ServerResponse, query: URLSearchParams, path: string) => boolean | Promise<boolean>;

/** The orders and refunds of WooCommerce's REST API v3, as far as a pull uses them. */
export class WooCommerceServer {
  readonly key = 'ck_0123456789abcdef';
  readonly secret = 'cs_the secret of the REST API';
  readonly orders = new Map<number, ShopOrder>();
  readonly refunds = new Map<number, object[]>();
  /** Paths and queries so far. */
  readonly requests: { path: string; query: URLSearchParams }[] = [];
  readonly #server: Server;
  /** Moments are whole seconds, so that orders share them. */
  now = Date.parse('2026-10-05T14:31:07Z');
  maxPerPage = 100;
  intervene: Intervention = () => false;

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<WooCommerceServer> {
    const shop = new WooCommerceServer();
    shop.#server.listen(0, '127.0.0.1');
    await once(shop.#server, 'listening');
    return shop;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Creates or changes an order at the present moment of the shop. */
  save(id: number, changed: Partial<ShopOrder> = {}): void {
    const before = this.orders.get(id) ?? wooOrder({ id });
    this.orders.set(id, { ...before, ...changed, date_modified_gmt: new Date(this.now).toISOString().slice(0, 19) });
  }

  /** Refunds one line; with the whole amount, which includes tax and shipping. */
  refund(orderId: number, refundId: number, total: string, lineTotal: string | null): void {
    const lines = lineTotal === null ? [] : [{ id: refundId, quantity: -1, total: lineTotal, total_tax: '0.00' }];
    const listed = this.refunds.get(orderId) ?? [];
    this.refunds.set(orderId, [...listed, { id: refundId, reason: 'Jane Secretname asked for it', line_items: lines }]);
    this.save(orderId, { refunds: [...(this.orders.get(orderId)?.refunds ?? []), { id: refundId, total }] });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '', this.url);
    this.requests.push({ path, query });
    response.setHeader('Content-Type', 'application/json; charset=UTF-8');
    const expected = `Basic ${Buffer.from(`${this.key}:${this.secret}`).toString('base64')}`;
    if (await this.intervene(response, query, path)) return;
    const [, order] = /^\/wp-json\/wc\/v3\/orders(?:\/(\d+)\/refunds)?$/.exec(path) ?? [null];
    if (request.headers.authorization !== expected) this.#send(response, 401, { code: 'woocommerce_rest_cannot_view', message: 'Jane' });
    else if (path !== '/wp-json/wc/v3/orders' && order === undefined) this.#send(response, 404, { code: 'rest_no_route' });
    else this.#sendPage(response, order === undefined ? this.#select(query) : (this.refunds.get(Number(order)) ?? []), query);
  }

  /** Orders with the same date come in any order, as MySQL returns them. */
  #select(query: URLSearchParams): ShopOrder[] {
    const [after, before] = [query.get('modified_after'), query.get('modified_before')];
    const isTrash = query.get('status') === 'trash';
    const found = [...this.orders.values()].filter(
      ({ status, date_modified_gmt: at }) =>
        (status === 'trash') === isTrash && (after === null || at > after) && (before === null || at < before),
    );
    const byDate = (one: ShopOrder, other: ShopOrder): number =>
      one.date_modified_gmt.localeCompare(other.date_modified_gmt) || Math.random() - 0.5;
    return found.sort(query.get('orderby') === 'modified' ? byDate : (one, other) => one.id - other.id);
  }

  #sendPage(response: ServerResponse, all: readonly object[], query: URLSearchParams): void {
    const size = Math.min(Number(query.get('per_page') ?? 10), this.maxPerPage);
    const first = (Number(query.get('page') ?? 1) - 1) * size;
    const fields = query.get('_fields')?.split(',');
    const select = (item: object): object => Object.fromEntries(Object.entries(item).filter(([name]) => fields?.includes(name) ?? true));
    response.setHeader('X-WP-Total', String(all.length));
    response.setHeader('X-WP-TotalPages', String(Math.ceil(all.length / size)));
    this.#send(response, 200, all.slice(first, first + size).map(select));
  }

  #send(response: ServerResponse, status: number, body: unknown): void {
    response.statusCode = status;
    response.end(JSON.stringify(body));
  }
}
