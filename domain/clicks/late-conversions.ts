import { leadingClick, windowOf } from '../attribution/attribute.ts';
import { grouped } from '../grouped.ts';
import type { Transaction } from '../ports.ts';
import type { Program } from '../program.ts';
import type { Click } from './click.ts';

const dayMilliseconds = 86_400_000;

/**
 * Decisions, "Import file": a click before an order of the same visitor makes it a conversion, also where the store tells of the order
 * first. Who is credited with the order was settled when it came in and stays.
 */
export async function convertLate(transaction: Transaction, clicks: readonly Click[], program: Program): Promise<void> {
  const orders = await transaction.clicks.ordersWithoutClick(
    clicks.map(({ visitorHash, clickedAt }) => ({
      visitorHash,
      from: clickedAt,
      to: clickedAt + program.attribution.windowDays * dayMilliseconds,
    })),
  );
  if (orders.length === 0) return;
  const windows = orders.map(({ orderId, visitorHash, placedAt }) => ({ orderId, ...windowOf(visitorHash, placedAt, program) }));
  const clicksOf = grouped(await publishedClicks(transaction, windows), ({ visitorHash }) => visitorHash);
  const conversions = windows.flatMap(({ orderId, ...window }) => {
    const click = leadingClick(clicksOf.get(window.visitorHash) ?? [], window);
    return click ? [{ clickId: click.clickId, orderId }] : [];
  });
  await transaction.clicks.convert(conversions);
}

/** As for orders that come in after their clicks: links lead to published coupons alone. */
async function publishedClicks({ clicks, couponTerms }: Transaction, windows: Parameters<Transaction['clicks']['attributing']>[0]) {
  const found = await clicks.attributing(windows);
  const coupons = await couponTerms.byIds([...new Set(found.map(({ couponId }) => couponId))]);
  const published = new Set(coupons.filter(({ status }) => status === 'publish').map(({ id }) => id));
  return found.filter(({ couponId }) => published.has(couponId));
}
