import { ownInvoices } from './invoices.ts';
import { AffiliatePage } from './pages/affiliate.tsx';
import { Affiliates } from './pages/affiliates.tsx';
import { Applications } from './pages/applications.tsx';
import { BatchesPage, BatchPage } from './pages/batches.tsx';
import { CouponPage, Coupons } from './pages/coupons.tsx';
import { Feed } from './pages/feed.tsx';
import { Keys } from './pages/keys.tsx';
import { OwnAccount } from './pages/own-account.tsx';
import { OwnClicks } from './pages/own-clicks.tsx';
import { OwnInvoices } from './pages/own-invoices.tsx';
import { OwnOrders } from './pages/own-orders.tsx';
import { OwnOverview } from './pages/own-overview.tsx';
import { OwnPayouts } from './pages/own-payouts.tsx';
import { Payday } from './pages/payday.tsx';
import { PayoutPage } from './pages/payout.tsx';
import { ProgramOrders } from './pages/program-orders.tsx';
import { ProgramOverview } from './pages/program-overview.tsx';
import { ProgramPayouts } from './pages/program-payouts.tsx';
import { Risk, SignalPage } from './pages/risk.tsx';
import { Settings } from './pages/settings.tsx';
import { Shop } from './pages/shop.tsx';
import { WebhookPage } from './pages/webhook.tsx';
import { Webhooks } from './pages/webhooks.tsx';
import { getMe, isServed } from './session.ts';
import type { PageEntry } from './shell.tsx';

const own = { group: 'own' } as const;
const program = { group: 'program' } as const;
/** Reached from the page of payouts. */
const belowPayouts = { ...program, parent: '/console/program/payouts', isListed: () => false } as const;
const onePayout = { showOne: PayoutPage, needsForOne: 'get_payouts_id' } as const;

const entries: readonly PageEntry[] = [
  { ...own, path: '/console', title: 'Overview', icon: 'home', needs: [], show: OwnOverview },
  { ...own, path: '/console/orders', title: 'Orders', icon: 'orders', needs: ['get_coupons_id_orders'], show: OwnOrders },
  { ...own, path: '/console/payouts', title: 'Payouts', icon: 'payouts', needs: ['get_payouts'], show: OwnPayouts, ...onePayout },
  {
    ...own,
    path: '/console/invoices',
    title: 'Invoices',
    icon: 'application',
    needs: ['post_payouts'],
    show: OwnInvoices,
    isListed: () => ownInvoices.value?.is_needed === true,
  },
  { ...own, path: '/console/clicks', title: 'Clicks', icon: 'clicks', needs: ['get_clicks_stats'], show: OwnClicks },
  { ...own, path: '/console/account', title: 'Account', icon: 'account', needs: [], show: OwnAccount },
  { ...program, path: '/console/program', title: 'Overview', icon: 'home', needs: ['get_reports_summary'], show: ProgramOverview },
  {
    ...program,
    path: '/console/affiliates',
    title: 'Affiliates',
    icon: 'people',
    needs: ['get_affiliates'],
    show: Affiliates,
    showOne: AffiliatePage,
    needsForOne: 'get_affiliates_id',
  },
  { ...program, path: '/console/program/orders', title: 'Orders', icon: 'orders', needs: ['get_orders'], show: ProgramOrders },
  {
    ...program,
    path: '/console/coupons',
    title: 'Coupons',
    icon: 'coupon',
    needs: ['get_coupons'],
    show: Coupons,
    showOne: CouponPage,
    needsForOne: 'get_coupons_id',
  },
  {
    ...program,
    path: '/console/applications',
    title: 'Applications',
    icon: 'application',
    needs: ['get_registrations'],
    show: Applications,
  },
  {
    ...program,
    path: '/console/program/payouts',
    title: 'Payouts',
    icon: 'payouts',
    needs: ['get_payouts'],
    show: ProgramPayouts,
    ...onePayout,
  },
  {
    ...belowPayouts,
    path: '/console/program/payday',
    title: 'Pay affiliates',
    icon: 'payouts',
    needs: ['post_payout_runs'],
    show: Payday,
  },
  {
    ...belowPayouts,
    path: '/console/program/batches',
    title: 'Payout files',
    icon: 'payouts',
    needs: ['get_payout_batches'],
    show: BatchesPage,
    showOne: BatchPage,
    needsForOne: 'get_payout_batches_id',
  },
  {
    ...program,
    path: '/console/risk',
    title: 'Risk',
    icon: 'risk',
    needs: ['get_risk_signals'],
    show: Risk,
    showOne: SignalPage,
    needsForOne: 'get_risk_signals_id',
  },
  { ...program, path: '/console/shop', title: 'Shop', icon: 'shop', needs: ['get_store_connections'], show: Shop },
  { ...program, path: '/console/feed', title: 'Feed', icon: 'feed', needs: ['get_events'], show: Feed },
  {
    ...program,
    path: '/console/webhooks',
    title: 'Webhooks',
    icon: 'webhook',
    needs: ['get_webhooks'],
    show: Webhooks,
    showOne: WebhookPage,
    needsForOne: 'get_webhooks_id_deliveries',
  },
  { ...program, path: '/console/keys', title: 'API keys', icon: 'key', needs: ['get_keys'], show: Keys },
  { ...program, path: '/console/settings', title: 'Settings', icon: 'settings', needs: [], show: Settings },
];

const account = '/console/account';

/** The pages of this person on this site. People who are no affiliates have an account only. Admins start with the program. */
export function listEntries(): PageEntry[] {
  const { is_admin, is_affiliate } = getMe();
  const shown = entries.filter(
    ({ group, path, needs }) => isServed(...needs) && (group === 'program' ? is_admin : is_affiliate || path === account),
  );
  return is_affiliate ? shown : shown.sort((one, other) => other.group.localeCompare(one.group));
}
