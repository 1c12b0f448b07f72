import { expect } from 'chai';
import { createSentences } from '../../domain/ledger/sentences.ts';
import { listSentences, verifyLedger } from '../../domain/ledger/verify.ts';

const say = createSentences(String);
const count = { day: '2026-11-02', status: 'paid', kept: 1, counted: 2, keptAmount: 10, countedAmount: 30 } as const;
const pool = (couponId: number) => ({ couponId, code: 'TRAIL10', pool: 'paid', kept: 1, inPayouts: 2 });

/** Books in which nothing is wrong but the pools that the coupons' payouts tell of. */
const booksWith = (wrongPools: number): Parameters<typeof verifyLedger>[0] => {
  const nothing = async () => ({ first: [], total: 0 });
  const names = ['wrongBalances', 'brokenMovements', 'strangeRows', 'wrongOrders', 'wrongShares', 'wrongPayouts', 'strangePayouts'];
  const payouts = {
    wrongPools: async () => Array.from({ length: wrongPools }, (_, index) => pool(index + 1)),
    wrongCounts: async () => [],
  };
  const unsealed = {
    seals: { last: async () => null, records: async () => [], impossibleRows: async () => [] },
    sealing: { storedKey: async () => null },
    events: { newest: async () => ({ items: [], total: 0 }) },
  };
  return { ledger: Object.fromEntries(names.map((name) => [name, nothing])), payouts, ...unsealed } as never;
};
const toldOf = async (wrongPools: number): Promise<string[]> => listSentences(await verifyLedger(booksWith(wrongPools), String));

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
    expect((await verifyLedger(booksWith(3), String)).total).to.equal(3);
  });

  it('are the first fifty of a kind, and the number of the others', async () => {
    expect(await toldOf(50)).to.have.length(50);
    const told = await toldOf(52);
    expect(told).to.have.length(51);
    expect(told.at(49)).to.equal('Coupon 50 (TRAIL10): paid is kept as 1, but its payouts sum to 2.');
    expect(told.at(-1)).to.equal('And 2 more like these.');
  });
});
