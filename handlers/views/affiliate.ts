import type { AffiliateReading, ListedAffiliate } from '../../domain/affiliates/reading.ts';
import { localDateTime } from '../../domain/dates.ts';
import { methodOf, type PayoutDetails } from '../../domain/payout-details/payout-details.ts';
import type { Caller } from '../../domain/users/user.ts';
import type { components } from '../../generated/api.d.ts';
import { isAddOnActive } from '../../site/served.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { couponView, couponWithStatsView } from './coupon.ts';
import { balancesView, sourcesView } from './stats.ts';
import { userView } from './user.ts';

type Schemas = components['schemas'];

interface Viewing {
  caller: Caller;
  settings: Settings;
}

export const affiliateView = ({ user, coupons, balances }: ListedAffiliate, { caller, settings }: Viewing): Schemas['Affiliate'] => ({
  id: user.id,
  user: userView(user, caller),
  date_registered: localDateTime(user.registeredAt, settings.store.timezone),
  ...(isAddOnActive('management', settings) && { status: user.disabledAt === null ? ('active' as const) : ('disabled' as const) }),
  coupons: coupons.map((coupon) => couponView(coupon, settings)),
  ...balancesView(balances, settings.store.currency),
});

export function affiliateDetailView(reading: AffiliateReading, viewing: Viewing): Schemas['AffiliateDetail'] {
  const { affiliate, coupons, balances, sources, snapshots, details } = reading;
  const { settings } = viewing;
  return {
    ...affiliateView({ ...reading, user: affiliate }, viewing),
    coupons: coupons.flatMap((coupon) => {
      const snapshot = snapshots.get(coupon.id);
      return snapshot ? couponWithStatsView(coupon, snapshot, settings) : [];
    }),
    ...(sources && { balances: sourcesView(sources, balances, settings.store.currency) }),
    profile: affiliate.profile,
    groups: affiliate.groups,
    custom_fields: affiliate.customFields,
    payout_method: details && payoutMethodView(details, settings),
    ...(settings.edition === 'pro' && { mla_parents: parentsView(reading, settings) }),
  };
}

export function payoutMethodView(details: PayoutDetails, { payouts }: Settings): Schemas['PayoutMethod'] {
  const { methodType } = details;
  const { method, hasDetails } = methodOf(details, { [methodType]: payouts.methods[methodType].label });
  return { method, method_type: methodType, has_details: hasDetails };
}

/** Empty where the add-on is not active. */
const parentsView = ({ ancestors }: AffiliateReading, settings: Settings): Record<string, Schemas['UserRef']> =>
  isAddOnActive('multi_level', settings)
    ? Object.fromEntries(ancestors.map(({ id, displayName }, above) => [`T${above + 1}`, { id, display_name: displayName }]))
    : {};
