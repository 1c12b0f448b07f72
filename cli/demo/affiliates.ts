import type { CouponStatus } from '../../domain/coupons/coupon.ts';
import type { MethodType } from '../../domain/payout-details/payout-details.ts';
import type { DiscountType } from '../../domain/program.ts';
import { promotions, type SiteName } from './names.ts';
import type { Chance } from './random.ts';

export interface PlannedCoupon {
  code: string;
  status: CouponStatus;
  /** Null: the store's. In percent, as its affiliate was promised. */
  percent: number | null;
  discountType: DiscountType;
  /** Percent, or cents. */
  discount: number;
}

export interface PlannedAffiliate extends SiteName {
  /** The day of the year on which they joined; below zero, before it. */
  joined: number;
  /** Whether they applied, or the store made them an affiliate itself. */
  applied: boolean;
  /** The place of their multi-level parent among the affiliates. */
  parent: number | null;
  coupons: PlannedCoupon[];
  /** How much they sell, against the others. */
  weight: number;
  promote: string;
  groups: string[];
  payout: { method: string; methodType: MethodType; details: Record<string, string> } | null;
}

/** The two of the contract's examples. The first of them is who the affiliate's credentials are for, and recruits others. */
const trailNotes: SiteName = { displayName: 'Trail Notes', login: 'trailnotes', word: 'TRAIL' };
const summitWeekly: SiteName = { displayName: 'Summit Weekly', login: 'summitweekly', word: 'SUMMIT' };
export const [summit, trail] = [0, 1];

export function planAffiliates(count: number, nextName: () => SiteName, chance: Chance): PlannedAffiliate[] {
  const affiliates = Array.from({ length: count }, (_, at) => {
    const name = [summitWeekly, trailNotes][at] ?? nextName();
    const joined = joinedOf(at / count);
    const applied = joined >= 0 && chance.happens(0.4);
    return {
      ...name,
      joined,
      applied,
      parent: parentOf(at, chance),
      coupons: couponsOf(name, at <= trail || applied, chance),
      // A few sell a lot and many a little, as everywhere.
      weight: (at <= trail ? 2.5 : 1) / (at + 3) ** 0.75,
      promote: chance.pick(promotions),
      groups: chance.happens(0.5) ? [chance.pick(['bloggers', 'newsletters', 'video', 'clubs'])] : [],
      payout: at <= trail || chance.happens(0.7) ? payoutOf(name, chance) : null,
    };
  });
  shareCode(affiliates);
  return affiliates;
}

/**
 * Three of five were there before the year began; nobody joins so late that nothing has come of it. The shop takes new ones in once a week,
 * on the first day of a week of the year.
 */
const joinedOf = (place: number): number => (place < 0.6 ? Math.floor(place * 830) - 500 : Math.floor((place - 0.6) * 115) * 7);

/** Two coupons of one code, as happens: what names that code is ambiguous. */
function shareCode([, , one, other]: PlannedAffiliate[]): void {
  const [coupon] = one?.coupons ?? [];
  if (coupon) other?.coupons.push({ ...coupon, code: coupon.code.toLowerCase() });
}

/** Trees grow from those who came early. Trail Notes has eight recruits at least, and a parent. */
function parentOf(at: number, chance: Chance): number | null {
  if (at === summit) return null;
  if (at === trail) return summit;
  if (at < 10) return trail;
  return chance.happens(0.35) ? chance.between(0, Math.min(at - 1, 30)) : null;
}

/** Who applied gets what the store gives to all who do. */
function couponsOf({ word }: SiteName, isOnUsualTerms: boolean, chance: Chance): PlannedCoupon[] {
  const usual: PlannedCoupon = { code: `${word}10`, status: 'publish', percent: null, discountType: 'percent', discount: 10 };
  const better = { ...usual, percent: chance.pick([8, 12, 12.5, 15]), code: `${word}15`, discount: 15 };
  const fixed: PlannedCoupon = { ...usual, code: `${word}5EUR`, discountType: 'fixed_cart', discount: 500 };
  const main = isOnUsualTerms ? usual : chance.pick([usual, usual, usual, better, fixed]);
  if (!chance.happens(0.2)) return [main];
  return [main, { ...better, code: `${word}VIP`, status: chance.pick(['publish', 'publish', 'draft', 'private'] as const) }];
}

function payoutOf({ login, displayName }: SiteName, chance: Chance): PlannedAffiliate['payout'] {
  const bank = { holder: displayName, iban: `DE00${String(chance.between(0, 999_999_999)).padStart(18, '0')}` };
  return chance.pick([
    { method: 'PayPal', methodType: 'paypal' as const, details: { email: `pay@${login}.example` } },
    { method: 'PayPal', methodType: 'paypal' as const, details: { email: `pay@${login}.example` } },
    { method: 'Bank transfer', methodType: 'banktransfer' as const, details: bank },
    { method: 'Store credit', methodType: 'credit' as const, details: { account: login } },
  ]);
}
