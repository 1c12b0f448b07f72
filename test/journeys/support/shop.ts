import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { wooOrder } from '../../connectors/payloads.ts';

interface Connection {
  /** Where WooCommerce sends its webhooks. */
  url: string;
  secret: string;
}

const sixtyEuros = { total: '60.00', discount_total: '0.00', shipping_total: '0.00', total_tax: '0.00' };

/** A shop as WooCommerce: a page with the script of the service and a button, and a signed webhook for each order. */
export class SmallShop {
  url = '';
  /** Entered by the owner, under Settings, Advanced, Webhooks. */
  connection: Connection | undefined;
  /** In the head of the page. */
  script = '';
  #number = 7000;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async open(): Promise<SmallShop> {
    const shop = new SmallShop();
    shop.#server.listen(0, '127.0.0.1');
    await once(shop.#server, 'listening');
    shop.url = `http://127.0.0.1:${(shop.#server.address() as AddressInfo).port}`;
    return shop;
  }

  async #answer({ method, headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    if (method !== 'POST') {
      response.end(`<!doctype html><title>Fjell</title>${this.script}<form method="post"><button>Buy the tent</button></form>`);
      return;
    }
    const cookie = /(?:^|; )affiliate=([^;]*)/.exec(headers.cookie ?? '')?.[1];
    const referral = cookie === undefined ? {} : (JSON.parse(decodeURIComponent(cookie)) as { visitor?: string });
    const meta_data = referral.visitor === undefined ? [] : [{ id: 1, key: '_affiliate_visitor', value: referral.visitor }];
    const order = await this.sell({ meta_data });
    response.end(`<!doctype html><title>Fjell</title><h1>Thank you for order ${order}</h1>`);
  }

  /** Sends an order of 60 EUR that is completed, signed with the secret. Returns its number. */
  async sell(changed: object): Promise<number> {
    if (!this.connection) throw new Error('The owner has entered no webhook in the shop.');
    this.#number += 1;
    const now = new Date().toISOString().slice(0, 19);
    const dates = { date_created: now, date_created_gmt: now, date_modified_gmt: now };
    const items = { line_items: [{ id: 1, quantity: 1, subtotal: '60.00', total: '60.00', taxes: [] }], coupon_lines: [], meta_data: [] };
    const body = JSON.stringify(wooOrder({ id: this.#number, status: 'completed', ...sixtyEuros, ...dates, ...items, ...changed }));
    const signature = createHmac('sha256', this.connection.secret).update(body).digest('base64');
    const headers = { 'Content-Type': 'application/json', 'X-WC-Webhook-Topic': 'order.created', 'X-WC-Webhook-Signature': signature };
    const response = await fetch(this.connection.url, { method: 'POST', body, headers });
    if (!response.ok) throw new Error(`The service answered the delivery with ${response.status}: ${await response.text()}`);
    return this.#number;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
