import { type LinkAddresses, referralUrl } from '../../domain/clicks/referral-link.ts';
import type { Coupon, CouponDetails, Terms } from '../../domain/coupons/coupon.ts';
import { localDateTime } from '../../domain/dates.ts';
import type { Snapshot } from '../../domain/figures/figures.ts';
import { type Minor, toNumber } from '../../domain/money.ts';
import { listObstacles } from '../../domain/payouts/eligibility.ts';
import type { Program } from '../../domain/program.ts';
import { type Caller, callerIsAdmin } from '../../domain/users/user.ts';
import type { components } from '../../generated/api.d.ts';
import { buildPayoutRules, buildProgram } from '../../site/program.ts';
import { isAddOnActive } from '../../site/served.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { balancesView, couponTotalsView, sourcesView } from './stats.ts';
import { userView } from './user.ts';

type Schemas = components['schemas'];

// Records are extended by Object.assign: a spread with further properties takes forty times as long, 15 µs for a coupon.

export const couponView = (coupon: Coupon, { store }: Settings): Schemas['Coupon'] =>
  Object.assign(
    {
      id: coupon.id,
      code: coupon.code,
      user_id: coupon.userId ?? 0,
      status: coupon.status,
      date_created: localDateTime(coupon.createdAt, store.timezone),
    },
    balancesView(coupon.balances, store.currency),
  );

export const couponWithStatsView = (coupon: Coupon, snapshot: Snapshot, settings: Settings): Schemas['CouponWithStats'] =>
  Object.assign(couponView(coupon, settings), { stats: couponTotalsView(snapshot, settings) });

export function couponDetailView(
  { coupon, user, snapshot, sources, details, hasInvoice, codeIsShared }: CouponDetails,
  { caller, settings }: { caller: Caller; settings: Settings },
): Schemas['CouponDetail'] {
  const program = buildProgram(settings);
  const view: Schemas['CouponDetail'] = Object.assign(couponWithStatsView(coupon, snapshot, settings), {
    user: user && userView(user, caller),
    referral_url: referralUrl(coupon, codeIsShared, linkAddresses(settings)),
    commission: commissionView(coupon.terms, program),
    discount: discountView(coupon.terms, program),
  });
  if (sources) view.balances = sourcesView(sources, coupon.balances, settings.store.currency);
  if (isAddOnActive('payouts', settings) && settings.switches.payouts && mayRequest(caller, coupon)) {
    const rules = buildPayoutRules(settings);
    const facts = { rules, byAdmin: callerIsAdmin(caller), userId: coupon.userId, unpaid: coupon.balances.unpaid, details, hasInvoice };
    view.payout_eligibility = eligibilityView(listObstacles(facts));
  }
  return view;
}

const linkAddresses = (settings: Settings): LinkAddresses => ({
  serviceUrl: settings.service.url,
  shopUrl: settings.store.url,
  isServed: isAddOnActive('store', settings),
});

/** An upline reads the coupon but cannot request its payout, so it learns nothing of why the owner could or could not. */
const mayRequest = (caller: Caller, { userId }: Coupon): boolean => callerIsAdmin(caller) || caller.user.id === userId;

const eligibilityView = (reasons: string[]): Schemas['PayoutEligibility'] => ({ eligible: reasons.length === 0, reasons });

const percentOf = (thousandths: number): number => thousandths / 1000;

function commissionView({ percentThousandths, fixedPerOrder, fixedPerProduct }: Terms, program: Program): Schemas['CommissionRates'] {
  // The coupon's own amount counts even where it is zero; a store without one has none.
  const fixed = (own: Minor | null, ofStore: Minor): number | null =>
    own === null && ofStore === 0 ? null : toNumber(own ?? ofStore, program.currency);
  return {
    percent: percentOf(percentThousandths ?? program.rates.percentThousandths),
    percent_override: percentThousandths === null ? null : percentOf(percentThousandths),
    fixed_per_order: fixed(fixedPerOrder, program.rates.fixedPerOrder),
    fixed_per_product: fixed(fixedPerProduct, program.rates.fixedPerProduct),
  };
}

const discountView = ({ discountType, discountAmount }: Terms, { currency }: Program): Schemas['Discount'] => ({
  type: discountType,
  amount: discountType === 'percent' ? percentOf(discountAmount) : toNumber(discountAmount, currency),
});
