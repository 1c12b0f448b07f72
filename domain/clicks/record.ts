import { createHmac } from 'node:crypto';
import { type CouponTerms, type CouponTermsRepository, foldCode } from '../coupons/terms.ts';
import { dayOf } from '../dates.ts';
import { groupBy } from '../group-by.ts';
import type { Program } from '../program.ts';
import type { Transaction } from '../unit-of-work.ts';
import { attributionWindow, findLeadingClick } from './attribution.ts';
import { cleanCampaign, type IncomingClick, validateClick } from './incoming.ts';
import type { Click, ClickKey, ClickRepository, VisitorWindow } from './repository.ts';

interface ClickRecordingRepositories {
  clicks: ClickRepository;
  couponTerms: CouponTermsRepository;
}

export interface ClickRecordingContext {
  program: Program;
  hashVisitor: HashVisitor;
  /** Clicks before this moment are erased already, so that they would be counted twice. */
  oldestClick?: number;
}

export interface RecordedClicks {
  /** The number of new clicks. */
  recorded: number;
  /** For each click the reason for its refusal, or null if it is recorded now or was before. */
  refusals: (string | null)[];
  /** For each click whether it is new. Of equal clicks, the first one is. */
  isNew: boolean[];
}

/** Records clicks. An invalid click is refused without affecting others; a repeated one changes nothing. */
export async function recordClicks(
  transaction: Transaction<ClickRecordingRepositories>,
  incoming: readonly IncomingClick[],
  { program, hashVisitor, oldestClick = 0 }: ClickRecordingContext,
): Promise<RecordedClicks> {
  const problems = incoming.map((click) => validateClick(click) ?? findAgeProblem(click, oldestClick));
  const couponOf = await createCouponFinder(
    transaction,
    incoming.filter((_, index) => problems[index] === null),
  );
  const found = incoming.map((click, index) => {
    const coupon = problems[index] ?? couponOf(click);
    return typeof coupon === 'string' ? coupon : toClick(click, coupon, program.zone, hashVisitor);
  });
  const clicks = found.filter((click) => typeof click !== 'string');
  const inserted = await transaction.clicks.insert(clicks);
  if (inserted.length > 0) await convertLateClicks(transaction, clicks, program);
  const created = new Set(inserted.map(keyOf));
  return {
    recorded: inserted.length,
    refusals: found.map((click) => (typeof click === 'string' ? click : null)),
    isNew: found.map((click) => typeof click !== 'string' && created.delete(keyOf(click))),
  };
}

const findAgeProblem = ({ clickedAt }: IncomingClick, oldestClick: number): string | null =>
  clickedAt < oldestClick ? 'The click is older than privacy.click_days, after which clicks are erased.' : null;

const keyOf = ({ couponId, clickedAt, visitorHash }: ClickKey): string => `${couponId} ${clickedAt} ${visitorHash}`;

const toClick = (click: IncomingClick, { id }: CouponTerms, zone: string, hashVisitor: HashVisitor): Click => ({
  couponId: id,
  day: dayOf(click.clickedAt, zone),
  clickedAt: click.clickedAt,
  visitorHash: hashVisitor(click.visitor),
  campaign: cleanCampaign(click.campaign) ?? null,
  referrer: click.referrer || null,
  landingPage: click.landingPage || null,
});

/** Loads all named coupons at once and returns a function that finds a click's coupon, or the reason for its refusal. */
async function createCouponFinder(
  { couponTerms }: ClickRecordingRepositories,
  incoming: readonly IncomingClick[],
): Promise<(click: IncomingClick) => CouponTerms | string> {
  const ids = incoming.flatMap(({ couponId }) => couponId ?? []);
  const codes = incoming.flatMap(({ couponId, couponCode }) =>
    couponId === undefined && couponCode !== undefined ? [foldCode(couponCode)] : [],
  );
  const byId = new Map((await couponTerms.byIds([...new Set(ids)])).map((coupon) => [coupon.id, coupon]));
  const byCode = groupBy(await couponTerms.publishedByCodes([...new Set(codes)]), ({ codeFolded }) => codeFolded);
  return ({ couponId, couponCode = '' }) => {
    if (couponId !== undefined) return byId.get(couponId) ?? `There is no coupon ${couponId}.`;
    const [coupon, another] = byCode.get(foldCode(couponCode)) ?? [];
    if (another) return `More than one published coupon answers to the code ${couponCode}. Name one by its id.`;
    return coupon ?? `There is no published coupon with the code ${couponCode}.`;
  };
}

export type HashVisitor = (visitor: string) => string;

/**
 * Equal visitors have equal hashes, so that clicks match orders. Without the key the visitor cannot be found, not even by trying all ids.
 */
export const createVisitorHasher =
  (visitorKey: string | Buffer): HashVisitor =>
  (visitor) =>
    createHmac('sha256', visitorKey).update(visitor).digest('base64url');

const dayMilliseconds = 86_400_000;

/**
 * A click that precedes an order of the same visitor counts as converted, also if the order was recorded first.
 * The order's credited coupon does not change.
 */
async function convertLateClicks(
  transaction: Transaction<ClickRecordingRepositories>,
  clicks: readonly Click[],
  program: Program,
): Promise<void> {
  const orders = await transaction.clicks.ordersWithoutClick(
    clicks.map(({ visitorHash, clickedAt }) => ({
      visitorHash,
      from: clickedAt,
      to: clickedAt + program.attribution.windowDays * dayMilliseconds,
    })),
  );
  if (orders.length === 0) return;
  const windows = orders.map(({ orderId, visitorHash, placedAt }) => ({ orderId, ...attributionWindow(visitorHash, placedAt, program) }));
  const clicksOf = groupBy(await publishedClicks(transaction, windows), ({ visitorHash }) => visitorHash);
  const conversions = windows.flatMap(({ orderId, ...window }) => {
    const click = findLeadingClick(clicksOf.get(window.visitorHash) ?? [], window);
    return click ? [{ clickId: click.clickId, orderId }] : [];
  });
  await transaction.clicks.convert(conversions);
}

/** As for orders recorded after their clicks, links count for published coupons only. */
async function publishedClicks({ clicks, couponTerms }: ClickRecordingRepositories, windows: readonly VisitorWindow[]) {
  const found = await clicks.attributing(windows);
  const coupons = await couponTerms.byIds([...new Set(found.map(({ couponId }) => couponId))]);
  const published = new Set(coupons.filter(({ status }) => status === 'publish').map(({ id }) => id));
  return found.filter(({ couponId }) => published.has(couponId));
}
