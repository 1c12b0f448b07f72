import { Router } from '@koa/router';
import { localDateTime } from '../../domain/dates.ts';
import { ApiError } from '../../domain/errors.ts';
import type { components } from '../../generated/api.d.ts';
import type { RequestContext, RequestState } from '../../server/http/request-context.ts';
import { readForm } from '../../server/pages/forms.ts';
import type { ReceivedDelivery } from './receiver.ts';
import { type ApiCall, createApiCall, type ServiceAccess } from './shop-api.ts';
import { type Product, type PurchaseView, readReferral, showShop } from './shop-page.ts';

type Order = components['schemas']['OrderRecord'];
type Outcome = components['schemas']['StoreOrderOutcome'];
type Coupon = components['schemas']['CouponDetail'];

const products: readonly Product[] = [
  { id: 'tent', name: 'Tent for two', price: 249 },
  { id: 'boots', name: 'Hiking boots', price: 159.9 },
  { id: 'bottle', name: 'Water bottle', price: 24.5 },
];

const shipping = 4.9;
const taxRate = 0.19;
const maxPurchases = 10;

/** An order of this shop, and what the service answered to its last state. */
interface Purchase {
  readonly product: Product;
  order: Order;
  outcome: Outcome;
}

export const shopPath = '/demo-shop';

/**
 * The shop of the demo. It has a page where one can buy, and sends its orders to the service as any shop can: with `POST /store/orders`.
 * Its orders are in memory, those of the service stay.
 */
export class DemoShop {
  readonly #purchases: Purchase[] = [];
  readonly #received: readonly ReceivedDelivery[];
  #call: ApiCall = () => Promise.reject(new ApiError('svc_api_unavailable'));

  constructor(received: readonly ReceivedDelivery[]) {
    this.#received = received;
  }

  /** Called when the service listens. */
  open(access: ServiceAccess): void {
    this.#call = createApiCall(access);
  }

  routes(): Router<RequestState> {
    const router = new Router<RequestState>();
    router.get(shopPath, (ctx) => this.#show(ctx));
    router.post(`${shopPath}/orders`, requireOwnForm, readForm, (ctx) => this.#submit(ctx, () => this.#buy(ctx)));
    router.post(`${shopPath}/orders/:id/:step`, requireOwnForm, (ctx) =>
      this.#submit(ctx, () => this.#change(Number(ctx.params['id']), ctx.params['step'] ?? '')),
    );
    return router;
  }

  /** Shows the page again: after a redirect, so that reloading it does not buy twice, or with what is wrong. */
  async #submit(ctx: RequestContext, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      ctx.status = error.status;
      return this.#show(ctx, error.message);
    }
    ctx.redirect(shopPath);
    ctx.status = 303;
  }

  async #buy(ctx: RequestContext): Promise<void> {
    const form = (ctx.request.body ?? {}) as Record<string, unknown>;
    const product = products.find(({ id }) => id === form['product']);
    if (!product) throw invalid('Choose one of the products.');
    const code = String(form['coupon'] ?? '').trim();
    const { visitor, campaign } = readReferral(ctx);
    const discount = code === '' ? 0 : this.#discountOf(product, await this.#findCoupon(code));
    const order: Order = {
      order_id: this.#nextOrderId(),
      date: localDateTime(Date.now(), ctx.state.settings.store.timezone),
      status: 'processing',
      total: product.price,
      discount,
      shipping,
      tax: inCents((product.price - discount) * taxRate),
      quantity: 1,
      ...(code !== '' && { coupon_code: code }),
      ...(visitor && { visitor }),
      ...(campaign && { campaign }),
    };
    const outcome = await this.#send(order);
    this.#purchases.unshift({ product, order, outcome });
    this.#purchases.splice(maxPurchases);
    if (outcome.outcome === 'created') await this.#waitForWebhook(order.order_id);
  }

  /** Ships or refunds an order, and sends its new state. */
  async #change(orderId: number, step: string): Promise<void> {
    const purchase = this.#purchases.find(({ order }) => order.order_id === orderId);
    const change = Object.hasOwn(changes, step) ? changes[step] : undefined;
    if (!purchase || !change) throw new ApiError('svc_api_not_found');
    purchase.order = { ...purchase.order, ...change(purchase.order) };
    purchase.outcome = await this.#send(purchase.order);
  }

  async #send(order: Order): Promise<Outcome> {
    const [outcome] = await this.#call<[Outcome]>('POST', '/store/orders', [order]);
    return outcome;
  }

  async #findCoupon(code: string): Promise<Coupon> {
    const found = await this.#call<{ id: number; code: string }[]>('GET', `/coupons?per_page=100&search=${encodeURIComponent(code)}`);
    const coupon = found.find((one) => one.code.toLowerCase() === code.toLowerCase());
    if (!coupon) throw invalid(`The shop has no coupon ${code}. Try TRAIL10.`);
    return this.#call<Coupon>('GET', `/coupons/${coupon.id}`);
  }

  #discountOf({ price }: Product, { discount: { type, amount } }: Coupon): number {
    return inCents(Math.min(price, type === 'percent' ? (price * amount) / 100 : amount));
  }

  /** Unlike those of the demo's year, and of a run before. */
  #nextOrderId(): number {
    const last = this.#purchases[0]?.order.order_id ?? 0;
    return Math.max(last + 1, Math.floor(Date.now() / 1000));
  }

  /** Deliveries follow the commit. Not for ever: the webhook may have been deleted. */
  async #waitForWebhook(orderId: number): Promise<void> {
    for (let tries = 0; tries < 20 && this.#webhooksOf(orderId).length === 0; tries += 1)
      await new Promise((resolve) => void setTimeout(resolve, 100));
  }

  #webhooksOf(orderId: number): string[] {
    const ofOrder = this.#received.filter(({ body }) => (body as { data?: { order_id?: number } }).data?.order_id === orderId);
    return ofOrder.map(({ event }) => event);
  }

  async #show(ctx: RequestContext, problem = ''): Promise<void> {
    const purchases = await this.#listPurchases().catch((error: Error) => {
      if (error instanceof ApiError) problem ||= error.message;
      else throw error;
      return [];
    });
    showShop(ctx, { products, purchases, problem });
  }

  async #listPurchases(): Promise<PurchaseView[]> {
    if (this.#purchases.length === 0) return [];
    const kinds = 'referral,commission_added,commission_removed';
    const events = await this.#call<components['schemas']['Event'][]>('GET', `/events?per_page=100&event=${kinds}`);
    const views: PurchaseView[] = [];
    for (const { product, order, outcome } of this.#purchases) {
      const id = order.order_id;
      const orders = outcome.coupon_id === null ? [] : await this.#ordersOf(outcome.coupon_id);
      views.push({
        product,
        order,
        outcome,
        webhooks: this.#webhooksOf(id),
        recorded: orders.find(({ order_id }) => order_id === id) ?? null,
        events: events.filter(({ object_type, event_id }) => object_type === 'order' && event_id === id).map(({ info }) => info),
      });
    }
    return views;
  }

  #ordersOf(couponId: number): Promise<components['schemas']['Order'][]> {
    return this.#call('GET', `/coupons/${couponId}/orders?per_page=${maxPurchases}`);
  }
}

const inCents = (amount: number): number => Math.round(amount * 100) / 100;

const changes: Readonly<Record<string, (order: Order) => Partial<Order>>> = {
  complete: () => ({ status: 'completed' }),
  refund: ({ total, discount = 0 }) => ({ status: 'refunded', refunded_amount: inCents(total - discount) }),
};

const invalid = (sentence: string): ApiError => new ApiError('rest_invalid_param', { message: sentence });

/** A page elsewhere must not buy here. Origin counts where the browser does not send Sec-Fetch-Site: it may be hidden for privacy. */
export const requireOwnForm = (ctx: RequestContext, next: () => Promise<void>): Promise<void> => {
  const site = ctx.get('Sec-Fetch-Site') || (['', ctx.state.origin].includes(ctx.get('Origin')) ? 'same-origin' : 'cross-site');
  if (site !== 'same-origin') throw new ApiError('svc_api_forbidden');
  return next();
};
