import type { Program } from '../program.ts';
import type { AttributingClick, VisitorWindow } from './repository.ts';

const dayMilliseconds = 86_400_000;

/** The period before an order in which a click of its visitor counts. Empty where clicks credit nothing. */
export const attributionWindow = (visitorHash: string, placedAt: number, { attribution }: Program): VisitorWindow => ({
  visitorHash,
  from: attribution.windowDays === 0 ? placedAt + 1 : placedAt - attribution.windowDays * dayMilliseconds,
  to: placedAt,
});

/** Returns the latest click within the window; of two at the same moment, the one recorded last. */
export function findLeadingClick(clicks: readonly AttributingClick[], { from, to }: VisitorWindow): AttributingClick | undefined {
  const later = (one: AttributingClick, other: AttributingClick): boolean =>
    one.clickedAt > other.clickedAt || (one.clickedAt === other.clickedAt && one.clickId > other.clickId);
  let latest: AttributingClick | undefined;
  for (const click of clicks)
    if (click.clickedAt >= from && click.clickedAt <= to && (latest === undefined || later(click, latest))) latest = click;
  return latest;
}
