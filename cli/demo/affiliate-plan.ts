import { storyAffiliates, summitIndex, trailIndex } from './contract-story.ts';
import { promotions, type SeededRandom, type SiteName } from './names.ts';
import type { PlannedAffiliate, PlannedCoupon } from './plan.ts';

const standardCoupon = (word: string): PlannedCoupon => ({
  code: `${word}10`,
  status: 'publish',
  percent: null,
  discountType: 'percent',
  discount: 10,
});

export function planAffiliates(count: number, nextName: () => SiteName, random: SeededRandom): PlannedAffiliate[] {
  const affiliates = Array.from({ length: count }, (_, at) => {
    const story = storyAffiliates[at];
    const name = story ?? nextName();
    const joined = planJoinDay(at / count);
    const applied = joined >= 0 && random.happens(0.4);
    return {
      ...name,
      joined,
      applied,
      parent: planParent(at, random),
      coupons: planCoupons(name, at <= trailIndex || applied, random),
      // A few sell a lot, and many a little.
      weight: (at <= trailIndex ? 2.5 : 1) / (at + 3) ** 0.75,
      promote: random.pick(promotions),
      groups: random.happens(0.5) ? [random.pick(['bloggers', 'newsletters', 'video', 'clubs'])] : [],
      payout: at <= trailIndex || random.happens(0.7) ? planPayoutDetails(name, random) : null,
      ...story,
    };
  });
  duplicateCode(affiliates);
  // Its balance is not requested during the year, so that the demo's affiliate has a payout to request.
  affiliates[trailIndex]?.coupons.push({ ...standardCoupon('TRAIL'), code: 'TRAILMAIL' });
  return affiliates;
}

/**
 * 60 % joined before the year, the others on the first day of a week. None in the last four months: the first sales of a new coupon are many
 * times those of the 90 days before, as with a leaked code.
 */
const planJoinDay = (part: number): number => (part < 0.6 ? Math.floor(part * 830) - 500 : Math.floor((part - 0.6) * 87) * 7);

/** Gives two coupons the same code, which is then ambiguous. */
function duplicateCode([, , one, other]: PlannedAffiliate[]): void {
  const [coupon] = one?.coupons ?? [];
  if (coupon) other?.coupons.push({ ...coupon, code: coupon.code.toLowerCase() });
}

/** Parents are among the first affiliates. Trail Notes has at least eight recruits, and a parent. */
function planParent(at: number, random: SeededRandom): number | null {
  if (at === summitIndex) return null;
  if (at === trailIndex) return summitIndex;
  if (at < 10) return trailIndex;
  return random.happens(0.35) ? random.between(0, Math.min(at - 1, 30)) : null;
}

/** Applicants get the coupon of the store's template. */
function planCoupons({ word }: SiteName, isStandard: boolean, random: SeededRandom): PlannedCoupon[] {
  const standard = standardCoupon(word);
  const better = { ...standard, percent: random.pick([8, 12, 12.5, 15]), code: `${word}15`, discount: 15 };
  const fixed: PlannedCoupon = { ...standard, code: `${word}5EUR`, discountType: 'fixed_cart', discount: 500 };
  const main = isStandard ? standard : random.pick([standard, standard, standard, better, fixed]);
  if (!random.happens(0.2)) return [main];
  return [main, { ...better, code: `${word}VIP`, status: random.pick(['publish', 'publish', 'draft', 'private'] as const) }];
}

function planPayoutDetails({ login, displayName }: SiteName, random: SeededRandom): PlannedAffiliate['payout'] {
  const bank = { holder: displayName, iban: germanIban(random.between(0, 999_999_999)), town: 'Berlin', country: 'DE' };
  const paypal = { method: 'PayPal', methodType: 'paypal' as const, details: { email: `pay@${login}.example` } };
  return random.pick([
    paypal,
    paypal,
    { method: 'Bank transfer', methodType: 'banktransfer' as const, details: bank },
    { method: 'Store credit', methodType: 'credit' as const, details: { account: login } },
  ]);
}

/** With valid check digits, of a bank that does not exist. */
function germanIban(account: number): string {
  const number = String(account).padStart(18, '0');
  // DE as digits, then 00 in place of the check digits.
  const check = 98n - (BigInt(`${number}131400`) % 97n);
  return `DE${String(check).padStart(2, '0')}${number}`;
}

/** An application that is declined or still open. */
export interface PlannedApplication extends Pick<PlannedAffiliate, 'login' | 'displayName' | 'promote' | 'coupons'> {
  day: number;
  isDeclined: boolean;
}

const applicationCounts = { declined: 14, open: 9 };
const recentDays = 12;

export const planApplications = (days: number, nextName: () => SiteName, random: SeededRandom): PlannedApplication[] =>
  Array.from({ length: applicationCounts.declined + applicationCounts.open }, (_, at) => {
    const isDeclined = at < applicationCounts.declined;
    const { word, ...name } = nextName();
    const day = isDeclined ? random.between(0, days - recentDays) : random.between(days - recentDays, days - 1);
    return { ...name, promote: random.pick(promotions), coupons: [standardCoupon(word)], day, isDeclined };
  });
