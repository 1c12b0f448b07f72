import { findLinkedCoupons } from '../clicks/referral-link.ts';
import { type CouponTerms, foldCode } from '../coupons/terms.ts';
import { groupBy } from '../group-by.ts';
import type { PaymentFact, Referral } from './payment.ts';
import type { PaymentRepositories } from './store-facts.ts';

/** Finds the first coupon of an affiliate that a referral names. A code that several coupons have names none. `codes` has them by their ids. */
export async function createCouponFinder(
  transaction: PaymentRepositories,
  facts: readonly PaymentFact[],
  codes: ReadonlyMap<string, string>,
): Promise<(referral?: Referral) => number | undefined> {
  const referrals = facts.flatMap(({ referral }) => referral ?? []);
  const codesOf = (referral: Referral): string[] =>
    [...referral.codes, ...referral.codeIds.flatMap((id) => codes.get(id) ?? [])].map(foldCode);
  const typed = [...new Set(referrals.flatMap(codesOf))];
  const published = typed.length === 0 ? [] : await transaction.couponTerms.publishedByCodes(typed);
  const byCode = groupBy(published, ({ codeFolded }) => codeFolded);
  const names = [...new Set(referrals.flatMap(({ coupons }) => coupons))];
  const linked = names.length === 0 ? [] : await findLinkedCoupons(transaction, names);
  const byName = new Map(names.map((name, at) => [name, linked[at]?.id]));
  const ofCode = (code: string): number | undefined => {
    const [coupon, another]: (CouponTerms | undefined)[] = (byCode.get(code) ?? []).filter(({ userId }) => userId !== null);
    return another ? undefined : coupon?.id;
  };
  return (referral) => {
    if (!referral) return undefined;
    return [...referral.coupons.map((name) => byName.get(name)), ...codesOf(referral).map(ofCode)].find((id) => id !== undefined);
  };
}
