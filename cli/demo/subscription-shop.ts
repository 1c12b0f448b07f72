import { createHmac, randomBytes } from 'node:crypto';
import { Router } from '@koa/router';
import { ApiError } from '../../domain/errors.ts';
import { escapeHtml } from '../../domain/mail/mail-templates.ts';
import type { components } from '../../generated/api.d.ts';
import type { RequestContext, RequestState } from '../../server/http/request-context.ts';
import { sendSmallPage } from '../../server/pages/small-page.ts';
import { requireOwnForm, shopPath } from './shop.ts';
import { type ApiCall, createApiCall, createDelivery, type DeliverWebhook, type ServiceAccess } from './shop-api.ts';

type Order = components['schemas']['ProgramOrder'];
type Connection = components['schemas']['StoreConnection'];
type Explanation = components['schemas']['CommissionExplanation'];

/** One month of the subscription. */
interface Payment {
  id: string;
  intent: string;
  /** In seconds. */
  at: number;
  refunded: number;
  /** What the service answered to each event. */
  answers: string[];
  /** As the program has it after the last event. Null if it is not referred. */
  order: Order | null;
  explanation: string;
}

const subscriptionsPath = `${shopPath}/subscriptions`;

/** In cents. */
const price = 2000;
const tax = 380;
const total = price + tax;
const code = 'TRAIL10';
const maxMonths = 12;

/**
 * A subscription whose months are advanced by a button. What Stripe would send about it is signed and sent to the connection of the service.
 * It began eleven months ago, so that no payment is in the future. It is in memory; its orders stay.
 */
export class SubscriptionShop {
  /** Other ids in every run. */
  readonly #run = Date.now().toString(36);
  readonly #secret = `whsec_${randomBytes(24).toString('hex')}`;
  /** Newest first. */
  readonly #payments: Payment[] = [];
  #connectionId: string | null = null;
  #call: ApiCall = () => Promise.reject(new ApiError('svc_api_unavailable'));
  #deliver: DeliverWebhook = () => Promise.reject(new ApiError('svc_api_unavailable'));

  /** Called when the service listens. */
  open(access: ServiceAccess): void {
    this.#call = createApiCall(access);
    this.#deliver = createDelivery(access);
  }

  routes(): Router<RequestState> {
    const router = new Router<RequestState>();
    router.get(subscriptionsPath, (ctx) => this.#show(ctx));
    router.post(`${subscriptionsPath}/months`, requireOwnForm, (ctx) => this.#submit(ctx, () => this.#advance()));
    router.post(`${subscriptionsPath}/:id/refund`, requireOwnForm, (ctx) => this.#submit(ctx, () => this.#refund(ctx.params['id'] ?? '')));
    return router;
  }

  async #submit(ctx: RequestContext, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      ctx.status = error.status;
      return this.#show(ctx, error.message);
    }
    ctx.redirect(subscriptionsPath);
    ctx.status = 303;
  }

  /** The first month is the checkout with its payment, every other a renewal. */
  async #advance(): Promise<void> {
    const month = this.#payments.length;
    if (month >= maxMonths) throw new ApiError('svc_api_conflict', { message: 'The subscription has reached the present month.' });
    const name = `${this.#run}_${month + 1}`;
    const at = monthsAgo(maxMonths - 1 - month);
    const payment: Payment = { id: `in_${name}`, intent: `pi_${name}`, at, refunded: 0, answers: [], order: null, explanation: '' };
    if (month === 0) await this.#send(payment, 'checkout.session.completed', payment.at, this.#session(payment));
    await this.#send(payment, 'invoice.paid', payment.at, this.#invoice(payment));
    this.#payments.unshift(payment);
    await this.#readOrder(payment);
  }

  /** Half of the payment, then the rest. */
  async #refund(id: string): Promise<void> {
    const payment = this.#payments.find((one) => one.id === id);
    if (!payment) throw new ApiError('svc_api_not_found');
    if (payment.refunded >= total) return;
    payment.refunded += total / 2;
    await this.#send(payment, 'charge.refunded', payment.at + payment.refunded, {
      id: payment.intent.replace('pi_', 'ch_'),
      object: 'charge',
      created: payment.at,
      amount: total,
      amount_refunded: payment.refunded,
      currency: 'eur',
      payment_intent: payment.intent,
    });
    await this.#readOrder(payment);
  }

  #session({ at }: Payment): object {
    return {
      id: `cs_${this.#run}`,
      object: 'checkout.session',
      created: at,
      mode: 'subscription',
      client_reference_id: `coupon_${code}`,
      subscription: `sub_${this.#run}`,
    };
  }

  #invoice({ id, intent, at }: Payment): object {
    return {
      id,
      object: 'invoice',
      subscription: `sub_${this.#run}`,
      payment_intent: intent,
      charge: intent.replace('pi_', 'ch_'),
      currency: 'eur',
      subtotal: price,
      subtotal_excluding_tax: price,
      total_tax_amounts: [{ amount: tax, inclusive: false }],
      total,
      amount_paid: total,
      status_transitions: { paid_at: at },
    };
  }

  /** As Stripe signs it. */
  async #send(payment: Payment, type: string, created: number, object: object): Promise<void> {
    this.#connectionId ??= await this.#connect();
    const body = JSON.stringify({ object: 'event', type, created, livemode: true, data: { object } });
    const time = Math.floor(Date.now() / 1000);
    const signature = createHmac('sha256', this.#secret).update(`${time}.${body}`).digest('hex');
    const outcome = await this.#deliver(this.#connectionId, { 'Stripe-Signature': `t=${time},v1=${signature}` }, body);
    payment.answers.push(`${type}: ${outcome}`);
  }

  /** A program has one connection: the former one is ended. */
  async #connect(): Promise<string> {
    const [newest] = await this.#call<Connection[]>('GET', '/store/connections?per_page=1');
    if (newest && newest.status !== 'disconnected') await this.#call('DELETE', `/store/connections/${newest.id}`);
    const connection = { platform: 'stripe', name: 'Fjell Maps', secret: this.#secret };
    return (await this.#call<Connection>('POST', '/store/connections', connection)).id;
  }

  #show(ctx: RequestContext, problem = ''): void {
    const advance = this.#payments.length === 0 ? 'Subscribe' : 'Next month';
    sendSmallPage(
      ctx,
      'Fjell Maps, a demo subscription',
      `<p>Nothing is sold here. Maps cost €20.00 a month plus tax, and the customer came by the link of ${code}. Each button sends what Stripe would send.
The first one connects the program to Stripe in place of WooCommerce.</p>
${problem && `<p class="problem" role="alert">${escapeHtml(problem)}</p>`}
${this.#payments.length < maxMonths ? `<form method="post" action="${subscriptionsPath}/months"><button>${advance}</button></form>` : ''}
${this.#payments.map(describe).join('\n')}
<footer><a href="${shopPath}">The shop</a></footer>`,
    );
  }

  async #readOrder(payment: Payment): Promise<void> {
    const [order] = await this.#call<Order[]>('GET', `/orders?search=${payment.id}`);
    if (!order) return;
    const { attribution } = await this.#call<Explanation>('GET', `/coupons/${order.coupon_id}/orders/${order.order_id}/explanation`);
    payment.order = order;
    payment.explanation = attribution.text;
  }
}

function monthsAgo(months: number): number {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1) / 1000;
}

const euros = (amount: number): string => `€${amount.toFixed(2)}`;

function describe({ id, at, refunded, answers, order, explanation }: Payment): string {
  const rows: [string, string][] = [
    ['Payment', `${new Date(at * 1000).toISOString().slice(0, 7)}: ${euros(total / 100)}, refunded ${euros(refunded / 100)}`],
    ['Sent', answers.join(', ')],
    ['Commission', order === null ? 'none' : `${euros(order.commission)}, ${order.commission_status}`],
    ['Why', explanation],
  ];
  const refund = `<div class="steps"><form method="post" action="${subscriptionsPath}/${id}/refund"><button>Refund half</button></form></div>`;
  return `<dl>${rows.map(([name, text]) => `<dt>${name}</dt><dd>${escapeHtml(text)}</dd>`).join('')}</dl>${refunded < total ? refund : ''}`;
}
