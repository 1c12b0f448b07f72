import { type CouponTerms, foldCode } from '../coupons/terms.ts';
import { dayOf } from '../dates.ts';
import { grouped } from '../grouped.ts';
import type { Transaction } from '../ports.ts';
import type { Program } from '../program.ts';
import type { Click } from './click.ts';
import { type IncomingClick, refusalOf } from './incoming.ts';
import { convertLate } from './late-conversions.ts';
import type { HashVisitor } from './visitor.ts';

export interface Recording {
  program: Program;
  hashVisitor: HashVisitor;
}

export interface RecordedClicks {
  /** How many were new. */
  recorded: number;
  /** In the place of each click why it was refused; null where it was taken in, now or before. */
  refusals: (string | null)[];
}

/** The way in for clicks. A bad one is refused and touches no other; one that is known changes nothing. */
export async function recordClicks(
  transaction: Transaction,
  incoming: readonly IncomingClick[],
  { program, hashVisitor }: Recording,
): Promise<RecordedClicks> {
  const unsound = incoming.map(refusalOf);
  const couponOf = await couponFinder(
    transaction,
    incoming.filter((_, index) => unsound[index] === null),
  );
  const clicks: Click[] = [];
  const refusals = incoming.map((click, index) => {
    const coupon = unsound[index] ?? couponOf(click);
    if (typeof coupon === 'string') return coupon;
    clicks.push(kept(click, coupon, program.zone, hashVisitor));
    return null;
  });
  const recorded = await transaction.clicks.insert(clicks);
  if (recorded > 0) await convertLate(transaction, clicks, program);
  return { recorded, refusals };
}

const kept = (click: IncomingClick, { id }: CouponTerms, zone: string, hashVisitor: HashVisitor): Click => ({
  couponId: id,
  day: dayOf(click.clickedAt, zone),
  clickedAt: click.clickedAt,
  visitorHash: hashVisitor(click.visitor),
  campaign: click.campaign || null,
  referrer: click.referrer || null,
  landingPage: click.landingPage || null,
});

/** Finds the coupon that a click names, or says why there is no telling. All are read at once. */
async function couponFinder(
  { couponTerms }: Transaction,
  incoming: readonly IncomingClick[],
): Promise<(click: IncomingClick) => CouponTerms | string> {
  const ids = incoming.flatMap(({ couponId }) => couponId ?? []);
  const codes = incoming.flatMap(({ couponId, couponCode }) =>
    couponId === undefined && couponCode !== undefined ? [foldCode(couponCode)] : [],
  );
  const byId = new Map((await couponTerms.byIds([...new Set(ids)])).map((coupon) => [coupon.id, coupon]));
  const byCode = grouped(await couponTerms.publishedByCodes([...new Set(codes)]), ({ codeFolded }) => codeFolded);
  return ({ couponId, couponCode = '' }) => {
    if (couponId !== undefined) return byId.get(couponId) ?? `There is no coupon ${couponId}.`;
    const [coupon, another] = byCode.get(foldCode(couponCode)) ?? [];
    if (another) return `More than one published coupon answers to the code ${couponCode}. Name one by its id.`;
    return coupon ?? `There is no published coupon with the code ${couponCode}.`;
  };
}
