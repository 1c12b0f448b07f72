import type { Transaction } from '../../domain/ports.ts';
import type { PlannedAffiliate } from './affiliates.ts';
import type { Surroundings } from './demo-context.ts';
import { apply, decide, type Moment } from './joining.ts';
import { promotions, type SiteName } from './names.ts';
import type { Chance } from './random.ts';

/** An application that nobody became an affiliate by. */
export interface PlannedApplication extends Pick<PlannedAffiliate, 'login' | 'displayName' | 'promote' | 'coupons'> {
  day: number;
  /** Open ones wait for somebody to try the decision. */
  isDeclined: boolean;
}

const counts = { declined: 14, open: 9 };
const recentDays = 12;

export function planApplications(days: number, nextName: () => SiteName, chance: Chance): PlannedApplication[] {
  return Array.from({ length: counts.declined + counts.open }, (_, at) => {
    const isDeclined = at < counts.declined;
    const { word, ...name } = nextName();
    const code = { code: `${word}10`, status: 'publish', percent: null, discountType: 'percent', discount: 10 } as const;
    const day = isDeclined ? chance.between(0, days - recentDays) : chance.between(days - recentDays, days - 1);
    return { ...name, promote: chance.pick(promotions), coupons: [code], day, isDeclined };
  });
}

export async function takeApplication(
  transaction: Transaction,
  planned: PlannedApplication,
  moment: Moment,
  surroundings: Surroundings,
): Promise<void> {
  const registration = await apply(transaction, planned, moment.now - 3_600_000, surroundings);
  if (planned.isDeclined) await decide(transaction, registration, 'declined', moment, surroundings);
}
