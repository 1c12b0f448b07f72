import { fromNumber } from '../domain/money.ts';
import type { Program } from '../domain/program.ts';
import { isAddOnActive } from './served.ts';
import type { Settings } from './settings/settings.ts';

const thousandths = (percent: number): number => Math.round(percent * 1000);

/** What the settings mean for the program: amounts in minor units, percentages in thousandths, and no rate of an inactive add-on. */
export function buildProgram(settings: Settings): Program {
  const { store, commission, attribution, multi_level: multiLevel, registration } = settings;
  const { percent, discount_type: discountType, discount_amount: discountAmount } = registration.coupon_template;
  return {
    zone: store.timezone,
    currency: store.currency,
    shopUrl: store.url,
    storeName: store.name,
    rates: {
      percentThousandths: thousandths(commission.percent),
      fixedPerOrder: fromNumber(commission.fixed_per_order, store.currency),
      fixedPerProduct: fromNumber(commission.fixed_per_product, store.currency),
    },
    clearingDays: commission.clearing_days,
    attribution: { windowDays: attribution.window_days, lifetime: attribution.lifetime },
    multiLevelThousandths: isAddOnActive('multi_level', settings) ? multiLevel.rates.map(thousandths) : [],
    couponTemplate: {
      percentThousandths: percent === null ? null : thousandths(percent),
      discountType,
      discountAmount: discountType === 'percent' ? thousandths(discountAmount) : fromNumber(discountAmount, store.currency),
    },
  };
}
