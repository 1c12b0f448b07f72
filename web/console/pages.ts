import { OwnAccount } from './pages/own-account.tsx';
import { OwnClicks } from './pages/own-clicks.tsx';
import { OwnOrders } from './pages/own-orders.tsx';
import { OwnOverview } from './pages/own-overview.tsx';
import { OwnPayouts } from './pages/own-payouts.tsx';
import { getMe, isServed } from './session.ts';
import type { PageEntry } from './shell.tsx';

const own = { group: 'own' } as const;

const entries: readonly PageEntry[] = [
  { ...own, path: '/console', title: 'Overview', icon: 'home', needs: [], show: OwnOverview },
  { ...own, path: '/console/orders', title: 'Orders', icon: 'orders', needs: ['get_coupons_id_orders'], show: OwnOrders },
  { ...own, path: '/console/payouts', title: 'Payouts', icon: 'payouts', needs: ['get_payouts'], show: OwnPayouts },
  { ...own, path: '/console/clicks', title: 'Clicks', icon: 'clicks', needs: ['get_clicks_stats'], show: OwnClicks },
  { ...own, path: '/console/account', title: 'Account', icon: 'account', needs: [], show: OwnAccount },
];

const account = '/console/account';

/** The pages of this person on this site. People without a coupon have an account only. */
export function listEntries(): PageEntry[] {
  const { is_admin, is_affiliate } = getMe();
  return entries.filter(
    ({ group, path, needs }) => isServed(...needs) && (group === 'program' ? is_admin : is_affiliate || path === account),
  );
}
