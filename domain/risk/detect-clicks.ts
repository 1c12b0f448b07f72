import { addDays, startOfDay } from '../dates.ts';
import type { Detection } from './detect-orders.ts';
import { formatCount, recentDays } from './rules.ts';
import type { Finding } from './signal.ts';

/** Of days that are over, because on the current one an order may still come, and that began with the coupon's present owner. */
export async function detectClickSpikes({ facts, rules, today }: Detection): Promise<Finding[]> {
  const { clicks, times } = rules.clickSpike;
  const found = await facts.clickDaysWithoutOrder({ from: addDays(today, -recentDays), to: addDays(today, -1), clicks });
  const days = found.filter(({ day, transferredAt }) => transferredAt === null || transferredAt <= startOfDay(day, rules.zone));
  const before = await facts.clickCounts(
    days.map(({ couponId, day }) => ({ couponId, from: addDays(day, -recentDays), to: addDays(day, -1) })),
  );
  return days.flatMap((spike, at): Finding[] => {
    const mean = (before[at] ?? 0) / recentDays;
    if (spike.clicks < times * mean) return [];
    const { userId, couponId, code, day } = spike;
    const figures = `${formatCount(spike.clicks, 'click')}, after ${mean.toFixed(1)} a day in the ${recentDays} days before`;
    const occurrence = { orderId: null, payoutId: null, at: startOfDay(day, rules.zone) };
    return [
      {
        kind: 'click_spike',
        userId,
        couponId,
        text: (count) => `${code} had ${figures}, and no order on that day: ${formatCount(count, 'day')}.`,
        occurrences: [{ key: `coupon ${couponId} on ${day}`, text: `${code} had ${figures}, and no order on ${day}.`, ...occurrence }],
      },
    ];
  });
}
