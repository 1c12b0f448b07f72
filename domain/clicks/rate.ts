import { share } from '../money.ts';
import type { ClickCounts } from './store.ts';

/** Conversions per hundred clicks, with two decimals, rounded half up. 0 without clicks. */
export const conversionRate = ({ clicks, conversions }: ClickCounts): number =>
  clicks === 0 ? 0 : share(conversions, 10_000, clicks) / 100;
