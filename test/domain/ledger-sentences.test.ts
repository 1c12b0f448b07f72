import { expect } from 'chai';
import { createSentences } from '../../domain/ledger/sentences.ts';
import { listSentences, verifyLedger } from '../../domain/ledger/verify.ts';

const say = createSentences(String);
const count = { day: '2026-11-02', status: 'paid', kept: 1, counted: 2, keptAmount: 10, countedAmount: 30 } as const;

/** Books in which nothing is wrong but stored counts of payouts. */
const booksWith = (wrongCounts: number): Parameters<typeof verifyLedger>[0] => {
  const nothing = async () => ({ first: [], total: 0 });
  const names = ['wrongBalances', 'brokenMovements', 'strangeRows', 'wrongOrders', 'wrongShares', 'wrongPayouts', 'strangePayouts'];
  const all = Array.from({ length: wrongCounts }, (_, index) => ({ ...count, scope: 'coupon', scopeId: index + 1 }));
  return {
    ledger: Object.fromEntries(names.map((name) => [name, nothing])),
    payouts: { wrongCounts: async (limit: number) => ({ first: all.slice(0, limit), total: all.length }) },
    exports: { orders: async () => [] },
    orders: { sharesOf: async () => [] },
    seals: { after: async () => [] },
    events: { newest: async () => ({ items: [], total: 0 }) },
  } as never;
};
const verify = (wrongCounts: number) => verifyLedger(booksWith(wrongCounts), { written: String });
const toldOf = async (wrongCounts: number): Promise<string[]> => listSentences(await verify(wrongCounts));

describe('the sentences about ledger differences', () => {
  it('describe a movement whose rows are not two or do not sum to zero first, and otherwise what differs', () => {
    const told = (rows: number, sum: number) => say.brokenMovement({ movement: 'M', rows, sum, differing: ['coupon', 'note'] });
    expect(told(3, 0)).to.equal('Movement M has 3 rows that sum to 0.');
    expect(told(2, 5)).to.equal('Movement M has 2 rows that sum to 5.');
    expect(told(2, 0)).to.equal('The two rows of movement M do not agree: coupon, note.');
  });

  it('name the owner of a count, and the whole program without a number', () => {
    const rest = 'on 2026-11-02 that are paid: 1 of 10 are kept, 2 of 30 were counted.';
    expect(say.wrongCount({ ...count, scope: 'coupon', scopeId: 1 } as never)).to.equal(`Payouts of coupon 1 ${rest}`);
    expect(say.wrongCount({ ...count, scope: 'program', scopeId: 0 } as never)).to.equal(`Payouts of program ${rest}`);
  });

  it('are none for a consistent ledger', async () => {
    expect(await toldOf(0)).to.deep.equal([]);
    expect((await verify(3)).total).to.equal(3);
  });

  it('are the first fifty of a kind, and the number of the others', async () => {
    expect(await toldOf(50)).to.have.length(50);
    const told = await toldOf(52);
    expect(told).to.have.length(51);
    expect(told.at(49)).to.equal('Payouts of coupon 50 on 2026-11-02 that are paid: 1 of 10 are kept, 2 of 30 were counted.');
    expect(told.at(-1)).to.equal('And 2 more like these.');
  });
});
