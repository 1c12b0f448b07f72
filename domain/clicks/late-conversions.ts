import { attributionWindow, findLeadingClick } from '../attribution/attribute.ts';
import { groupBy } from '../group-by.ts';
import type { Transaction } from '../ports.ts';
import type { Program } from '../program.ts';
import type { Click } from './click.ts';

const dayMilliseconds = 86_400_000;

/**
 * Decisions, "Import file": a click that precedes an order of the same visitor counts as converted, also if the order was recorded first.
 * The order's credited coupon does not change.
 */
export async function convertLateClicks(transaction: Transaction, clicks: readonly Click[], program: Program): Promise<void> {
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
async function publishedClicks({ clicks, couponTerms }: Transaction, windows: Parameters<Transaction['clicks']['attributing']>[0]) {
  const found = await clicks.attributing(windows);
  const coupons = await couponTerms.byIds([...new Set(found.map(({ couponId }) => couponId))]);
  const published = new Set(coupons.filter(({ status }) => status === 'publish').map(({ id }) => id));
  return found.filter(({ couponId }) => published.has(couponId));
}
