import { decimalsOf, exactMinor } from '../../domain/money.ts';
import { amount, type CouponTemplateSetting, optionalPercent, percent } from './kinds.ts';
import { getSetting, shown } from './settings.ts';

/**
 * What is wrong with a value that says more than is used, in two sentences; null where nothing is. Percentages are used in thousandths, amounts
 * in minor units of the currency. Such a value may be stored from before: then it goes on working, rounded.
 */
export function findImprecision(path: string, value: unknown, currency: string): string | null {
  const { percents, amounts } = numbersOf(path, value);
  const wrong = (sentence: string): string => `${path} cannot be ${shown(value)}. ${sentence}`;
  if (percents.some((number) => Math.round(number * 1000) / 1000 !== number)) return wrong('A percentage has at most 3 decimals.');
  if (amounts.some((number) => exactMinor(number, currency) === null))
    return wrong(`An amount in ${currency} has at most ${decimalsOf(currency)} decimals.`);
  const isAboveAll = path === 'multi_level.rates' && percents.reduce((sum, rate) => sum + Math.round(rate * 1000), 0) > 100_000;
  return isAboveAll ? wrong('The tiers together can have at most 100 percent of the commission.') : null;
}

function numbersOf(path: string, value: unknown): { percents: readonly number[]; amounts: readonly number[] } {
  if (path === 'multi_level.rates') return { percents: value as number[], amounts: [] };
  if (path === 'registration.coupon_template') {
    const { percent: own, discount_type: type, discount_amount: discount } = value as CouponTemplateSetting;
    return { percents: [own ?? 0, ...(type === 'percent' ? [discount] : [])], amounts: type === 'percent' ? [] : [discount] };
  }
  const { kind } = getSetting(path);
  const isPercent = kind === percent || kind === optionalPercent;
  return { percents: isPercent ? [Number(value ?? 0)] : [], amounts: kind === amount ? [Number(value)] : [] };
}
