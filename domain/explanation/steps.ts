import { afterRefund, commissionParts, percentOf } from '../commission/commission.ts';
import { isLost } from '../commission/commission-status.ts';
import { decimalsOf, inWords, type Minor } from '../money.ts';
import type { Order } from '../orders/order.ts';

export type StepName = 'net' | 'percent' | 'fixed_per_order' | 'fixed_per_product' | 'sum' | 'refund' | 'reversal';

export interface ExplanationStep {
  step: StepName;
  amount: Minor;
  text: string;
}

/** `1 payment`, `12 months`. */
export const quantityInWords = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Computes the commission step by step from the amounts and rates of the order. The last step is the commission. */
export function computeSteps(order: Order, currency: string): [ExplanationStep, ...ExplanationStep[]] {
  const { total, discount, quantity, refunded } = order;
  const { percentThousandths, fixedPerOrder, fixedPerProduct } = order.rates;
  const written = (amount: Minor): string => inWords(amount, currency);
  const { net, percent, perProduct, full } = commissionParts(order, order.rates);
  const steps: [ExplanationStep, ...ExplanationStep[]] = [
    { step: 'net', amount: net, text: `${written(total)} less a discount of ${written(discount)} is ${written(net)}.` },
    { step: 'percent', amount: percent, text: `${percentSentence(net, percentThousandths, currency)}.` },
  ];
  if (fixedPerOrder !== 0)
    steps.push({ step: 'fixed_per_order', amount: fixedPerOrder, text: `${written(fixedPerOrder)} for each order.` });
  if (fixedPerProduct !== 0) {
    const text = `${written(fixedPerProduct)} for each of ${quantity} items is ${written(perProduct)}.`;
    steps.push({ step: 'fixed_per_product', amount: perProduct, text });
  }
  if (steps.length > 2) {
    const parts = steps.slice(1).map(({ amount }) => written(amount));
    steps.push({ step: 'sum', amount: full, text: `${parts.join(' + ')} is ${written(full)}.` });
  }
  if (isLost(order)) steps.push({ step: 'reversal', amount: 0, text: `The order ${lossOf(order)}, so the commission is ${written(0)}.` });
  else if (refunded !== 0) steps.push(refundStep(net, refunded, full, written));
  return steps;
}

function refundStep(net: Minor, refunded: Minor, full: Minor, written: (amount: Minor) => string): ExplanationStep {
  const left = net - refunded;
  const amount = afterRefund(full, net, refunded);
  const isExact = BigInt(amount) * BigInt(net) === BigInt(full) * BigInt(left);
  const result = `${written(full)} × ${written(left)} / ${written(net)} is ${written(amount)}${isExact ? '' : ', rounded half up'}`;
  return { step: 'refund', amount, text: `${written(refunded)} of ${written(net)} was refunded: ${result}.` };
}

const losses: Partial<Record<Order['status'], string>> = { cancelled: 'was cancelled', failed: 'failed', refunded: 'was refunded' };
const lossOf = ({ status }: Order): string => losses[status] ?? 'was refunded in full';

export const percentInWords = (thousandths: number): string => `${thousandths / 1000} %`;

/** `10 % of 161.82 EUR is 16.182 EUR, rounded half up to 16.18 EUR`. */
export function percentSentence(amount: Minor, thousandths: number, currency: string): string {
  const rounded = inWords(percentOf(amount, thousandths), currency);
  const exact = `${exactPart(amount, thousandths, decimalsOf(currency))} ${currency}`;
  const result = exact === rounded ? rounded : `${exact}, rounded half up to ${rounded}`;
  return `${percentInWords(thousandths)} of ${inWords(amount, currency)} is ${result}`;
}

/** All decimals of the part, at least those of the currency. Thousandths of a percent are five more. */
function exactPart(amount: Minor, thousandths: number, decimals: number): string {
  const digits = String(BigInt(amount) * BigInt(thousandths)).padStart(decimals + 6, '0');
  const point = digits.length - decimals - 5;
  const fraction = digits.slice(point, point + decimals) + digits.slice(point + decimals).replace(/0+$/, '');
  return fraction === '' ? digits.slice(0, point) : `${digits.slice(0, point)}.${fraction}`;
}
