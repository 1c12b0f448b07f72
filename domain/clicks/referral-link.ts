import type { Coupon } from '../coupons/coupon.ts';
import { type CouponTermsRepository, foldCode } from '../coupons/terms.ts';
import { groupBy } from '../group-by.ts';

type NamedCoupon = Pick<Coupon, 'id' | 'code'>;

/**
 * How a link names a coupon: by its code, or by its id where the code consists of digits, which mean an id, belongs to several coupons, or is
 * a step in a path.
 */
const linkNameOf = ({ id, code }: NamedCoupon, codeIsShared: boolean): string =>
  codeIsShared || /^(?:\d+|\.\.?)$/.test(code) ? String(id) : code;

export interface LinkAddresses {
  /** Empty: unknown. */
  serviceUrl: string;
  shopUrl: string;
  /** Whether the service answers referral links. */
  isServed: boolean;
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

/** The address that an affiliate publishes: a link of this service where it serves them, else the shop's own. */
export function referralUrl(coupon: NamedCoupon, codeIsShared: boolean, { serviceUrl, shopUrl, isServed }: LinkAddresses): string {
  const name = encodeURIComponent(isServed ? linkNameOf(coupon, codeIsShared) : coupon.code);
  return isServed && serviceUrl !== '' ? `${withoutSlash(serviceUrl)}/r/${name}` : `${withoutSlash(shopUrl)}/?ref=${name}`;
}

const maxPathLength = 2000;

/** The page of the shop that a link leads to. A `to` that is not a path on the shop's origin is replaced by the front page. */
export function landingPage(shopUrl: string, to: string | null): URL {
  const front = new URL(shopUrl);
  if (to === null || to.length > maxPathLength || !/^\/(?!\/)[^\\\p{Cc}]*$/u.test(to)) return front;
  const address = `${withoutSlash(shopUrl)}${to}`;
  const page = URL.canParse(address) ? new URL(address) : front;
  // Dots are resolved by now: a path that begins with two slashes would be a host to whatever reads it next.
  return page.origin === front.origin && !page.pathname.startsWith('//') ? page : front;
}

/** A published coupon of an affiliate that a link or a page of the shop names. */
export interface LinkedCoupon {
  id: number;
  /** What the shop gets as `ref`: the id where the link names it so, so that an id does not tell the code. */
  name: string;
}

/** For each name the coupon, or null where no published coupon of an affiliate has this id, or not exactly one published has this code. */
export async function findLinkedCoupons(
  { couponTerms }: { couponTerms: CouponTermsRepository },
  names: readonly string[],
): Promise<(LinkedCoupon | null)[]> {
  const ids = new Set(names.filter(isId).map(Number));
  const found = ids.size === 0 ? [] : await couponTerms.byIds([...ids]);
  const byId = new Map(found.filter(({ status }) => status === 'publish').map((coupon) => [coupon.id, coupon]));
  const codes = new Set(names.filter((name) => !isId(name)).map(foldCode));
  const byCode = groupBy(codes.size === 0 ? [] : await couponTerms.publishedByCodes([...codes]), ({ codeFolded }) => codeFolded);
  return names.map((name) => {
    const coupon = isId(name) ? byId.get(Number(name)) : onlyOne(byCode.get(foldCode(name)));
    if (!coupon || coupon.userId === null) return null;
    return { id: coupon.id, name: isId(name) ? String(coupon.id) : linkNameOf(coupon, false) };
  });
}

const isId = (name: string): boolean => /^\d+$/.test(name);

const onlyOne = <Item>(items: readonly Item[] = []): Item | undefined => (items.length === 1 ? items[0] : undefined);
