import type { RiskKind } from './signal.ts';

/** When signals open, as the settings stand. Percentages and factors are as they are written there. */
export interface RiskRules {
  enabled: ReadonlySet<RiskKind>;
  zone: string;
  currency: string;
  refundRate: { orders: number; percent: number; times: number };
  refundAfterPayout: { orders: number; percent: number; days: number };
  detailsChanged: { hours: number };
  codeWithoutClick: { orders: number; percent: number; ordersBefore: number; times: number };
  fastConversion: { orders: number; seconds: number };
  clickSpike: { clicks: number; times: number };
  visitorManyCoupons: { coupons: number };
}

/** Lengths of the windows. */
export const refundDays = 90;
export const recentDays = 28;
export const beforeDays = 90;

export const dayMs = 86_400_000;
export const hourMs = 3_600_000;
/** How long a dismissal covers what happens again. */
export const quietMs = 90 * dayMs;

export const isAtLeast = (part: number, whole: number, percent: number): boolean => whole > 0 && part * 100 >= percent * whole;

/** For people: `25 %`, `33.3 %`. */
export const formatShare = (part: number, whole: number): string => `${whole === 0 ? 0 : Number(((part * 100) / whole).toFixed(1))} %`;

export const formatCount = (count: number, one: string, several = `${one}s`): string => `${count} ${count === 1 ? one : several}`;
