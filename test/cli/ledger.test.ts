import path from 'node:path';
import { expect } from 'chai';
import sqlite3 from 'sqlite3';
import { plainTerms } from '../../domain/coupons/coupon.ts';
import { createCoupon } from '../../domain/coupons/create.ts';
import { sealDay } from '../../domain/ledger/seal-ledger.ts';
import { openSealingKey } from '../../domain/master-key/key-ownership.ts';
import { recordOrders } from '../../domain/orders/record.ts';
import { day, order, simpleProgram } from '../program/samples.ts';
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
      changed_schema: [],
      wrong_balances: [],
      broken_movements: [],
      strange_rows: [],
      wrong_orders: [],
      wrong_shares: [],
      wrong_payouts: [],
      wrong_pools: [],
      wrong_counts: [],
      wrong_commissions: [],
      broken_seals: [],
      foreign_movements: [],
      changed_records: [],
      foreign_secrets: [],
      last_seal: null,
    });
  });

  it('prints every difference with its amounts, and exits with 1', async () => {
    await execute('update coupons set unpaid_minor = 7, paid_minor = 5');
    await execute("insert into payout_days values ('all', 0, '2026-11-02', 'paid', 2, 100)");
    const { code, out, err } = await machine.run(['ledger', 'verify']);
    expect([code, err]).to.deep.equal([1, '4 differences were found.\n']);
    expect(out.trim().split('\n')).to.deep.equal([
      'Coupon 1 (TRAIL10): paid is kept as 0.05 USD, but its movements sum to 0.00 USD.',
      'Coupon 1 (TRAIL10): unpaid is kept as 0.07 USD, but its movements sum to 16.18 USD.',
      'Coupon 1 (TRAIL10): paid is kept as 0.05 USD, but its payouts sum to 0.00 USD.',
      'Payouts of all on 2026-11-02 that are paid: 2 of 1.00 USD are kept, 0 of 0.00 USD were counted.',
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
    const sealTwoDaysAgo = () =>
      machine.inside(async (database) => {
        const stored = (await database.query(({ sealing }) => sealing.storedKey('sealing_key'))) ?? expect.fail();
        await sealDay({ storage: database, key: openSealingKey(stored, masterKey), now: Date.now() - 2 * day });
      });
    // Commands that move money seal first, also if they find nothing to do.
    for (const [index, args] of [
      ['import', '-'],
      ['payout', 'file', '--format', 'paypal', '--out', path.join(machine.folder, 'payouts.csv')],
      ['payout', 'batch', 'paid', '9'],
      ['payout', 'batch', 'cancel', '9'],
      ['payout', 'resolve', '9', '--as', 'failed'],
      ['store', 'pull'],
    ].entries()) {
      await sealTwoDaysAgo();
      await machine.run(args);
      const last = await machine.inside((database) => database.query(({ seals }) => seals.last()));
      expect(last?.number, args.join(' ')).to.equal(2 * index + 3);
    }
    await execute('update orders set total_minor = total_minor + 1');
    const { out } = await machine.run(['ledger', 'verify']);
    await execute('delete from stored_keys');
    expect((await machine.run(['ledger', 'verify'])).out).to.contain(
      'The sealing key was deleted, and there is a seal 13: nothing can be compared with it. Restore a backup.\n',
    );
    expect(out).to.match(/^Order 1 is not what the service wrote last: the record or its digest was changed\.$/m);
    expect(
      out
        .trim()
        .split('\n')
        .filter((line) => !/^[A-Z].*\.$/.test(line)),
    ).to.deep.equal([]);
  });

  it('prints what was changed in the schema, and exits with 1', async () => {
    await execute('create trigger other after insert on orders begin update coupons set unpaid_minor = 0; end');
    const { code, out } = await machine.run(['ledger', 'verify', '--json']);
    const sentence =
      'The trigger other of orders is none that the migrations create: CREATE TRIGGER other after insert on orders begin update';
    expect([code, JSON.parse(out).changed_schema]).to.deep.equal([1, [`${sentence} coupons set unpaid_mino….`]]);
    expect((await machine.run(['ledger', 'verify'])).out).to.contain(sentence);
    expect((await machine.run(['doctor'])).out).to.contain(sentence);
    await execute('drop trigger other');
  });

  it('reports a missing table and the remedy, without the message of the driver', async () => {
    await execute('drop table payout_days');
    expect(await machine.run(['ledger', 'verify'])).to.deep.equal({
      code: 1,
      out: '',
      err: 'The table payout_days is missing: the migrations create it. The ledger cannot be verified until that is put right: restore a backup.\n',
    });
  });
});
