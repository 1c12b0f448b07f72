import { expect } from 'chai';
import sqlite3 from 'sqlite3';
import { plainTerms } from '../../domain/coupons/coupon.ts';
import { createCoupon } from '../../domain/coupons/create.ts';
import { recordOrders } from '../../domain/order-recording/record.ts';
import { order, simpleProgram } from '../program/samples.ts';
import { Machine } from './machine.ts';

describe('affiliate ledger verify', () => {
  const masterKey = 'a master key of more than 32 characters';
  const machine = new Machine({ ENVIRONMENT: 'local', MASTER_KEY: masterKey });
  before(async () => {
    expect((await machine.run(['migrate'])).code).to.equal(0);
    await machine.inside((database) =>
      database.write(async (transaction) => {
        const coupon = { code: 'TRAIL10', userId: null, status: 'publish', createdAt: 1, ...plainTerms } as const;
        await createCoupon(transaction, coupon, { now: 1, userId: 0 });
        const context = { program: simpleProgram, now: Date.now(), userId: 0, hashVisitor: String };
        await recordOrders(transaction, [order({ orderId: 1, couponId: 1, total: 16_180 })], context);
      }),
    );
  });

  const execute = (sql: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const handle = new sqlite3.Database(machine.databaseUrl.slice('sqlite:'.length));
      handle.run(sql, (error) => {
        handle.close();
        if (error) reject(error);
        else resolve();
      });
    });

  it('prints that the ledger is sound, and exits with 0', async () => {
    expect(await machine.run(['ledger', 'verify'])).to.deep.equal({
      code: 0,
      out: 'The ledger is sound: every row, order, payout, balance and count is what it should be. It is not sealed yet.\n',
      err: '',
    });
    const { out } = await machine.run(['ledger', 'verify', '--json']);
    expect(JSON.parse(out)).to.deep.equal({
      ok: true,
      differences: 0,
      wrong_balances: [],
      broken_movements: [],
      strange_rows: [],
      wrong_orders: [],
      wrong_shares: [],
      wrong_payouts: [],
      wrong_adjustments: [],
      wrong_counts: [],
      wrong_commissions: [],
      broken_seals: [],
      last_seal: null,
    });
  });

  it('prints every difference with its amounts, and exits with 1', async () => {
    await execute('update coupons set unpaid_minor = 7, paid_minor = 5');
    await execute("insert into payout_days values ('all', 0, '2026-11-02', 'paid', 2, 100)");
    const { code, out, err } = await machine.run(['ledger', 'verify']);
    expect([code, err]).to.deep.equal([1, '3 differences were found.\n']);
    expect(out.trim().split('\n')).to.deep.equal([
      'Coupon 1 (TRAIL10): paid is stored as 0.05 USD, but its movements add up to 0.00 USD.',
      'Coupon 1 (TRAIL10): unpaid is stored as 0.07 USD, but its movements add up to 16.18 USD.',
      'Payouts of all on 2026-11-02 that are paid: 2 (1.00 USD) are stored, but 0 (0.00 USD) exist.',
    ]);
    await execute('update coupons set unpaid_minor = 1618, paid_minor = 0');
    await execute('delete from payout_days');
  });

  it('counts all differences and prints the first of each kind', async () => {
    await execute(`with recursive numbers as (select 1 as number union all select number + 1 from numbers where number < 60)
      insert into payout_days select 'all', 0, '2026-11-02', 'status ' || number, 1, 100 from numbers`);
    const { out, err } = await machine.run(['ledger', 'verify']);
    expect(err).to.equal('60 differences were found.\n');
    expect(out.trim().split('\n').slice(50)).to.deep.equal(['And 10 more like these.']);
    await execute('delete from payout_days');
  });

  it('prints the head and the public key, and verifies against the head', async () => {
    const { head, public_key: publicKey } = await machine.json<{ head: string; public_key: string }>('ledger', 'head');
    expect((await machine.json<{ public_key: string }>('ledger', 'key')).public_key).to.equal(publicKey);
    expect(await machine.json('ledger', 'verify', '--against', head)).to.include({ ok: true, last_seal: head });
    const { code, err } = await machine.run(['ledger', 'verify', '--against', 'nothing']);
    expect([code, err]).to.deep.equal([1, '--against must be a head as affiliate ledger head prints it: <number>.<hash>.<signature>.\n']);
    const { id, movements, hash, signature, date } = await machine.json<Record<string, unknown>>('ledger', 'head');
    expect({ id, movements, head: `${id}.${hash}.${signature}` }).to.deep.equal({ id: 1, movements: 2, head });
    expect(date).to.match(/^\d{4}-\d\d-\d\dT/);
    await execute('create table saved_keys as select * from stored_keys');
    await execute('delete from stored_keys');
    expect((await machine.run(['ledger', 'verify'])).out).to.match(
      /^The sealing key is missing, so the signer of seal 1 cannot be checked\. Restore a backup\.$/m,
    );
    await execute('insert into stored_keys select * from saved_keys');
    await execute('update orders set total_minor = total_minor + 1000');
    const { out } = await machine.run(['ledger', 'verify']);
    expect(out).to.equal('Order 1 (coupon 1) has a commission of 16.18 USD, but its amounts and rates give 17.18 USD.\n');
  });

  it('reports a missing table and the remedy, without the message of the driver', async () => {
    await execute('drop table payout_days');
    expect(await machine.run(['ledger', 'verify'])).to.deep.equal({
      code: 1,
      out: '',
      err: 'The table payout_days is missing. The ledger cannot be verified: restore a backup.\n',
    });
  });
});
