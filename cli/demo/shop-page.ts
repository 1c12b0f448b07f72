import { escapeHtml } from '../../domain/mail/mail-templates.ts';
import type { components } from '../../generated/api.d.ts';
import { getQueryValue } from '../../server/http/query.ts';
import type { RequestContext } from '../../server/http/request-context.ts';
import { sendSmallPage } from '../../server/pages/small-page.ts';

export interface Product {
  readonly id: string;
  readonly name: string;
  readonly price: number;
}

/** One order of the shop, and what became of it. */
export interface PurchaseView {
  product: Product;
  order: components['schemas']['OrderRecord'];
  outcome: components['schemas']['StoreOrderOutcome'];
  /** As the program has it. Null if it is not referred. */
  recorded: components['schemas']['Order'] | null;
  /** Sentences of the change feed, newest first. */
  events: readonly string[];
  /** Events of the webhooks that the receiver got, newest first. */
  webhooks: readonly string[];
}

interface ShopView {
  products: readonly Product[];
  purchases: readonly PurchaseView[];
  problem: string;
}

type Referral = Partial<Record<'coupon' | 'visitor' | 'campaign', string>>;

/** What /affiliate.js has stored in the browser: a cookie of the shop. */
export function readReferral(ctx: RequestContext): Referral {
  try {
    const stored = JSON.parse(decodeURIComponent(ctx.cookies.get('affiliate') ?? '')) as Record<string, unknown>;
    return Object.fromEntries(Object.entries(stored).filter(([, value]) => typeof value === 'string'));
  } catch {
    return {};
  }
}

export function showShop(ctx: RequestContext, { products, purchases, problem }: ShopView): void {
  const { store } = ctx.state.settings;
  const options = products.map(({ id, name, price }) => `<option value="${id}">${name}, ${money(price, store.currency)}</option>`);
  sendSmallPage(
    ctx,
    `${store.name}, a demo shop`,
    `<p>Nothing is sold here. The page shows how the orders of a shop become commission.</p>
${problem && `<p class="problem" role="alert">${escapeHtml(problem)}</p>\n`}<h2>1. Come by a link</h2>
<p>${describeReferral(ctx)} Trail Notes has published this link: <a href="/r/TRAIL10?campaign=newsletter">/r/TRAIL10?campaign=newsletter</a></p>
<h2>2. Buy</h2>
<form method="post" action="/demo-shop/orders">
<label for="product">Product</label><select id="product" name="product">${options.join('')}</select>
<label for="coupon">Coupon, if you have one, such as TRAIL10</label><input id="coupon" name="coupon" maxlength="100" autocomplete="off">
<button>Buy</button>
</form>
<h2>3. See what happened</h2>
${purchases.map((purchase) => describe(purchase, store.currency)).join('\n') || '<p>You have bought nothing yet.</p>'}
<footer><a href="/demo-shop/subscriptions">A subscription, month by month</a> · <a href="/">About this service</a></footer>`,
    '/affiliate.js',
  );
}

function describeReferral(ctx: RequestContext): string {
  const { coupon, campaign } = readReferral(ctx);
  const named = coupon ?? getQueryValue(ctx, 'ref');
  if (named === undefined) return 'This browser has followed no link.';
  const suffix = campaign ? ` (campaign ${escapeHtml(campaign)})` : '';
  return `This browser came by the link of <strong>${escapeHtml(named)}</strong>${suffix}, which earns commission without a coupon.`;
}

function describe({ product, order, outcome, recorded, events, webhooks }: PurchaseView, currency: string): string {
  const rows: [string, string][] = [
    ['Order', `${order.order_id}: ${product.name}, ${money(order.total - (order.discount ?? 0), currency)}, ${order.status}`],
    ['Sent', `POST /store/orders: ${outcome.outcome}${outcome.reason === null ? '' : `. ${outcome.reason}`}`],
    ['Commission', recorded === null ? 'none' : describeCommission(recorded, currency)],
    ['Change feed', events.join(' ') || 'no event'],
    ['Webhooks', webhooks.join(', ') || 'none'],
  ];
  return `<dl>${rows.map(([name, text]) => `<dt>${name}</dt><dd>${escapeHtml(text)}</dd>`).join('')}</dl>
${recorded === null ? '' : steps(order)}`;
}

const via: Record<string, string> = {
  coupon: 'by the coupon',
  referral_link: 'by the link',
  lifetime: 'by the lifetime link of the customer',
};

const describeCommission = (
  { commission, commission_status: status, credited_via: credited }: PurchaseView['recorded'] & object,
  currency: string,
): string => `${money(commission, currency)}, ${status}, credited ${via[credited] ?? credited}`;

function steps({ order_id: id, status }: PurchaseView['order']): string {
  const button = (step: string, label: string): string =>
    `<form method="post" action="/demo-shop/orders/${id}/${step}"><button>${label}</button></form>`;
  if (status === 'refunded') return '<p>It was refunded, so it earns no commission.</p>';
  const complete = status === 'completed' ? '' : button('complete', 'Deliver it');
  return `<div class="steps">${complete}${button('refund', 'Refund it')}</div>`;
}

const money = (amount: number, currency: string): string => new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount);
