import { expect } from 'chai';
import { addMonths } from '../../domain/order-recording/renewal.ts';
import { computeRefunded, type Reduction } from '../../domain/store/payment.ts';

describe('the refunded goods of a payment', () => {
  /** 100.00 of 120.00 that were paid are goods. */
  const amounts = {
    externalId: 'in_1',
    placedAt: 0,
    rank: 1,
    quantity: 1,
    total: 10_000,
    discount: 0,
    shipping: 0,
    tax: 2000,
    paid: 12_000,
  };
  let serial = 0;
  const adjusted = (effect: Extract<Reduction, { kind: 'adjustment' }>['effect'], amount = 3000): Reduction => {
    serial += 1;
    return { kind: 'adjustment', id: `adj_${serial}`, at: 2, amount, effect };
  };
  const total = (amount: number, at: number, id = 'ch_1'): Reduction => ({ kind: 'refunds', id, at, amount });
  const failed = (amount: number, at: number, chargeId = 'ch_1'): Reduction => ({
    kind: 'failed_refund',
    id: `re_${at}`,
    chargeId,
    at,
    amount,
  });
  const disputed = (amount: number, id = 'dp_1'): Reduction => ({ kind: 'dispute', id, at: 1, amount });

  const cases: [string, Reduction[], number][] = [
    ['nothing', [], 0],
    ['the share of the goods in a refund', [total(1200, 1)], 1000],
    ['refunds of two charges', [total(1200, 1), total(2400, 1, 'ch_2')], 3000],
    ['a refund and a dispute', [total(1200, 1), disputed(2400)], 3000],
    ['never more than was paid', [total(12_000, 1), disputed(12_000)], 10_000],
    ['a total less a refund that failed after it', [total(2400, 1), failed(1200, 2)], 1000],
    ['a total less a refund that failed in the same second', [total(2400, 1), failed(1200, 1)], 1000],
    ['a total that is newer than a refund that failed', [total(2400, 2), failed(1200, 1)], 2000],
    ['a total without refunds of another charge that failed', [total(2400, 1), failed(1200, 2, 'ch_2')], 2000],
    ['approved refunds and chargebacks', [adjusted('refund'), adjusted('chargeback', 2000)], 5000],
    ['no chargeback that was reversed', [adjusted('reversed_chargeback')], 0],
    ['no chargeback that has a reversal', [adjusted('chargeback'), adjusted('reversal')], 0],
    [
      'a chargeback that is told to be won twice once',
      [adjusted('reversed_chargeback'), adjusted('reversal'), adjusted('chargeback', 2000)],
      2000,
    ],
    ['one of two chargebacks that was won', [adjusted('chargeback'), adjusted('chargeback'), adjusted('reversal')], 3000],
    ['a refund beside a reversal without its chargeback', [adjusted('refund'), adjusted('reversal')], 3000],
    ['no adjustment that waits', [adjusted('none')], 0],
  ];
  for (const [title, reductions, expected] of cases)
    it(`are those of ${title}`, () => {
      expect(computeRefunded(amounts, reductions)).to.equal(expected);
      expect(computeRefunded(amounts, reductions.toReversed()), 'in another order').to.equal(expected);
    });
});

describe('the months of a limit of renewals', () => {
  const cases: [string, number, string][] = [
    ['2026-11-02T07:00:00Z', 1, '2026-12-02T07:00:00Z'],
    ['2026-11-02T07:00:00Z', 12, '2027-11-02T07:00:00Z'],
    ['2026-01-31T07:00:00Z', 1, '2026-02-28T07:00:00Z'],
    ['2028-01-31T07:00:00Z', 1, '2028-02-29T07:00:00Z'],
    ['2026-08-31T23:59:59Z', 1, '2026-09-30T23:59:59Z'],
    ['2026-12-31T00:00:00Z', 2, '2027-02-28T00:00:00Z'],
    ['2028-02-29T00:00:00Z', 12, '2029-02-28T00:00:00Z'],
  ];
  for (const [from, months, expected] of cases)
    it(`end ${months} after ${from} at ${expected}`, () => expect(addMonths(Date.parse(from), months)).to.equal(Date.parse(expected)));
});
