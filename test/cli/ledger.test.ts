import { expect } from 'chai';
import sqlite3 from 'sqlite3';
import { createCoupon } from '../../domain/coupons/create.ts';
import { Machine } from './command-line.ts';

const terms = {
  percentThousandths: null,
  fixedPerOrder: null,
  fixedPerProduct: null,
  discountType: 'percent',
  discountAmount: 0,
} as const;

describe('affiliate ledger verify', () => {
  const machine = new Machine({ ENVIRONMENT: 'local' });
  before(async () => {
    expect((await machine.run(['migrate'])).code).to.equal(0);
    await machine.inside((database) =>
      database.write(async (transaction) => {
        const coupon = { code: 'TRAIL10', userId: null, status: 'publish', createdAt: 1, ...terms } as const;
        await createCoupon(transaction, coupon, { now: 1, userId: 0 });
        const movement = { couponId: 1, from: 'store', to: 'unpaid', amount: 1618, reason: 'order_granted', orderId: 1 } as const;
        await transaction.ledger.append([{ ...movement, payoutId: null, userId: 0, note: '', at: 1 }]);
      }),
    );
  });

  const meddle = (sql: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const handle = new sqlite3.Database(machine.databaseUrl.slice('sqlite:'.length));
      handle.run(sql, (error) => {
        handle.close();
        if (error) reject(error);
        else resolve();
      });
    });

  it('says that all is well, and exits with 0', async () => {
    expect(await machine.run(['ledger', 'verify'])).to.deep.equal({
      code: 0,
      out: 'The ledger is sound: every balance, pool and count is what it should be.\n',
      err: '',
    });
    const { out } = await machine.run(['ledger', 'verify', '--json']);
    expect(JSON.parse(out)).to.deep.equal({ ok: true, wrong_balances: [], broken_movements: [], wrong_pools: [], wrong_counts: [] });
  });

  it('names every difference in words and amounts, and exits with 1', async () => {
    await meddle('update coupons set unpaid_minor = 7, paid_minor = 5');
    await meddle("insert into payout_days values ('all', 0, '2026-11-02', 'paid', 2, 100)");
    const { code, out, err } = await machine.run(['ledger', 'verify']);
    expect([code, err]).to.deep.equal([1, '4 differences were found.\n']);
    expect(out.trim().split('\n')).to.deep.equal([
      'Coupon 1 (TRAIL10): paid is kept as 0.05 USD, but its movements sum to 0.00 USD.',
      'Coupon 1 (TRAIL10): unpaid is kept as 0.07 USD, but its movements sum to 16.18 USD.',
      'Coupon 1 (TRAIL10): paid is kept as 0.05 USD, but its payouts sum to 0.00 USD.',
      'Payouts of all on 2026-11-02 that are paid: 2 of 1.00 USD are kept, 0 of 0.00 USD were counted.',
    ]);
  });
});
