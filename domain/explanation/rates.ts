import { ratesOf } from '../commission/commission.ts';
import type { CouponTerms } from '../coupons/terms.ts';
import { inWords } from '../money.ts';
import type { Program, Rates } from '../program.ts';
import { percentInWords } from './steps.ts';

export interface ExplainedRate {
  rate: keyof Rates;
  /** As in `Rates`. */
  value: number;
  /** `order`: another rate applies now. */
  source: 'coupon' | 'store' | 'order';
  text: string;
}

const names: Record<keyof Rates, string> = {
  percentThousandths: 'Percentage',
  fixedPerOrder: 'Fixed amount for each order',
  fixedPerProduct: 'Fixed amount for each item',
};

/** An order stores its rates without their source, which is found by comparison with those that apply now. */
export function explainRates(rates: Rates, coupon: CouponTerms | undefined, program: Program): ExplainedRate[] {
  const now = coupon ? ratesOf(coupon, program.rates) : program.rates;
  return (Object.keys(names) as (keyof Rates)[]).map((rate) => {
    const inText = (value: number): string => (rate === 'percentThousandths' ? percentInWords(value) : inWords(value, program.currency));
    const value = rates[rate];
    const current = (coupon?.[rate] ?? null) === null ? 'store' : 'coupon';
    const source = value === now[rate] ? current : 'order';
    const origin = {
      coupon: "the coupon's own rate",
      store: 'the rate of the store',
      order: `as the order was recorded; now ${inText(now[rate])} applies`,
    }[source];
    return { rate, value, source, text: `${names[rate]}: ${inText(value)}, ${origin}.` };
  });
}
