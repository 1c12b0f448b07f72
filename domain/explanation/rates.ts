import { ratesOf } from '../commission/commission.ts';
import type { CouponTerms } from '../coupons/terms.ts';
import { inWords } from '../money.ts';
import type { SubscriptionPayment } from '../orders/credit-link.ts';
import type { Program, Rates } from '../program.ts';
import { percentInWords, quantityInWords } from './steps.ts';

export interface ExplainedRate {
  rate: keyof Rates;
  /** As in `Rates`. */
  value: number;
  /** `order`: another rate applies now. `recurring`: that of a renewal. */
  source: 'coupon' | 'store' | 'order' | 'recurring';
  text: string;
}

const names: Record<keyof Rates, string> = {
  percentThousandths: 'Percentage',
  fixedPerOrder: 'Fixed amount for each order',
  fixedPerProduct: 'Fixed amount for each item',
};

/** An order stores its rates without their source, which is found by comparison with those that apply now. */
export function explainRates(
  rates: Rates,
  coupon: CouponTerms | undefined,
  payment: SubscriptionPayment | undefined,
  program: Program,
): ExplainedRate[] {
  const renewal = payment && explainRenewal(payment);
  const now = coupon ? ratesOf(coupon, program.rates) : program.rates;
  return (Object.keys(names) as (keyof Rates)[]).map((rate) => {
    const inText = (value: number): string => (rate === 'percentThousandths' ? percentInWords(value) : inWords(value, program.currency));
    const value = rates[rate];
    const current = (coupon?.[rate] ?? null) === null ? 'store' : 'coupon';
    const source = renewal?.decides(rate, value) ? 'recurring' : value === now[rate] ? current : 'order';
    const origin = {
      recurring: renewal?.text,
      coupon: "the coupon's own rate",
      store: 'the rate of the store',
      order: `as the order was recorded; now ${inText(now[rate])} applies`,
    }[source];
    return { rate, value, source, text: `${names[rate]}: ${inText(value)}, ${origin}.` };
  });
}

/** Undefined where the rates of the coupon apply, as they do to the first payment. Rates that came with the order are not those of renewals. */
function explainRenewal({ number, exceeded, percentThousandths, maxPayments, maxMonths }: SubscriptionPayment) {
  if (exceeded !== null) {
    const limit =
      exceeded === 'payments' ? quantityInWords(maxPayments, 'payment') : `${quantityInWords(maxMonths, 'month')} after the first`;
    return {
      decides: (_rate: keyof Rates, value: number) => value === 0,
      text: `because payment ${number} is beyond the limit of ${limit}`,
    };
  }
  if (number === 1 || percentThousandths === null) return undefined;
  const decides = (rate: keyof Rates, value: number): boolean => rate === 'percentThousandths' && value === percentThousandths;
  return { decides, text: 'the rate of renewals' };
}
