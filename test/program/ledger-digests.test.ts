import { expect } from 'chai';
import { recordCoupon } from '../../domain/coupons/record.ts';
import { laterKinds } from '../../domain/ledger/digest.ts';
import { beforeAll, noHash, SealedRows, signSeal } from '../../domain/ledger/seal.ts';
import { reencrypt } from '../../domain/master-key/rotate.ts';
import { recordOrders } from '../../domain/orders/record.ts';
import { setParent } from '../../domain/users/create.ts';
import { disableIntegrityChecks } from '../support/disable-integrity-checks.ts';
import { type Engine, forEachEngine } from '../support/engines.ts';
import { webhooksTo } from '../support/load.ts';
import { masterKey } from '../support/service.ts';
import { changedPayout } from './payouts.ts';
import { day, order } from './samples.ts';
import {
  changedStoreSecret,
  earlierSecrets,
  findings,
  openSealedShop,
  savedDetails,
  sealed,
  sealingKey,
  useSealingKey,
  withoutBeginning,
} from './sealed-shop.ts';
import { Shop } from './shop.ts';

const changeOfCoupon = (shop: Shop, id: number, code: string, percentThousandths: number) =>
  shop.database.write((transaction) => recordCoupon(transaction, { id, code, percentThousandths }, shop));

const changedBefore = (name: string, change = '\\d+'): RegExp =>
  new RegExp(
    `^${name} was changed past the service: what change ${change} of it found is not what change \\d+ had left \\(digest \\d+, `,
    'm',
  );

const computedFrom = (name: string, change: number, basis: string): RegExp =>
  new RegExp(
    `^${name} was computed from a record that was changed past the service, in change ${change} of it: ${basis} \\(digest \\d+, `,
    'm',
  );

interface Case {
  what: string;
  attack: string[];
  /** A change by the service, after which the record and its last digest agree. */
  change(shop: Shop): Promise<unknown>;
  /** By SQL, after the change. */
  undo?: string[];
  found: RegExp;
}

const cases: Case[] = [
  {
    what: 'the rate of an order',
    attack: ['update orders set percent_thousandths = 90000, commission_minor = 9000 where order_id = 7'],
    change: (shop) => shop.record(order({ orderId: 7, couponId: 1, total: 12_000 })),
    found: changedBefore('Order 7', '2'),
  },
  {
    what: 'the total of an order that is granted after its clearing period',
    attack: ['update orders set total_minor = 20000, commission_minor = 2000 where order_id = 11'],
    change: async (shop) => {
      shop.now += 60 * day;
      await shop.grant();
    },
    found: changedBefore('Order 11', '2'),
  },
  {
    what: 'a share',
    attack: ['update order_shares set amount_minor = amount_minor + 7 where order_id = 8'],
    change: (shop) => shop.record(order({ orderId: 8, couponId: 1, total: 20_000, refunded: 1000 })),
    found: changedBefore('The shares of order 8', '2'),
  },
  {
    what: 'the method of a payee',
    attack: ["update payout_details set method = 'Wire' where user_id = 2"],
    change: (shop) => savedDetails(shop, 2, 'other@paypal.example'),
    found: changedBefore('The payout details of user 2', '2'),
  },
  {
    what: 'payout details that are encrypted with another master key',
    attack: ["update payout_details set method = 'Wire' where user_id = 1"],
    change: (shop) => shop.database.write((transaction) => reencrypt(transaction, [masterKey, 'another master key of 32 characters'])),
    found: changedBefore('The payout details of user 1', '2'),
  },
  {
    what: 'the rate of a coupon',
    attack: ['update coupons set percent_thousandths = 90000 where id = 1'],
    change: (shop) => changeOfCoupon(shop, 1, 'TRAIL10', 20_000),
    found: changedBefore('The owner, code and rates of coupon 1', '2'),
  },
  {
    what: 'the owner of a coupon that is assigned',
    attack: ['update coupons set user_id = 2 where id = 3'],
    change: (shop) => shop.assign(3, 1),
    found: changedBefore('The owner, code and rates of coupon 3', '2'),
  },
  {
    what: 'an order that is set back, with its earlier digest written again',
    attack: [
      'update orders set total_minor = 5000, commission_minor = 500 where order_id = 5',
      `insert into ledger_digests (kind, object_id, digest, before_mark) select kind, object_id, digest, before_mark from ledger_digests
       where id = (select min(id) from ledger_digests where kind = 'order' and object_id = 5)`,
    ],
    change: (shop) => shop.record(order({ orderId: 5, couponId: 1, total: 6000 })),
    found: changedBefore('Order 5', '3'),
  },
  {
    what: 'an order with a digest that was made up, as the version before wrote it',
    attack: [
      'update orders set total_minor = 5000, commission_minor = 500 where order_id = 3',
      "insert into ledger_digests (kind, object_id, digest) values ('order', 3, 'AAAAAAAABBBBBBBBBBBBBBBBBBBBBB')",
    ],
    change: (shop) => shop.record(order({ orderId: 3, couponId: 1, total: 6000 })),
    found: changedBefore('Order 3', '4'),
  },
  {
    what: 'an order whose digests were deleted',
    attack: [
      'update orders set total_minor = 5000, commission_minor = 500 where order_id = 12',
      "delete from ledger_digests where kind = 'order' and object_id = 12",
    ],
    change: (shop) => shop.record(order({ orderId: 12, couponId: 1, total: 6000 })),
    found: /^Order 12 was changed past the service: what change 1 of it found had a digest that is gone \(digest \d+, sealed at 20/m,
  },
  {
    what: 'a deleted order that the store sends again',
    attack: ['delete from orders where order_id = 13'],
    change: (shop) => shop.record(order({ orderId: 13, couponId: 1, total: 6000 })),
    found: changedBefore('Order 13', '2'),
  },
  {
    what: 'the rate of a coupon, for the moment in which an order is recorded',
    attack: ['update coupons set percent_thousandths = 90000 where id = 4'],
    change: (shop) => shop.record(order({ orderId: 15, couponId: 4 })),
    undo: ['update coupons set percent_thousandths = null where id = 4'],
    found: computedFrom('Order 15', 1, 'The owner, code and rates of coupon 4'),
  },
  {
    what: 'the owner of a coupon, for the moment in which an order is granted',
    attack: ['update coupons set user_id = 2 where id = 5'],
    change: (shop) => shop.record(order({ orderId: 16, couponId: 5 })),
    undo: ['update coupons set user_id = null where id = 5'],
    found: computedFrom('Order 16', 2, 'The owner, code and rates of coupon 5'),
  },
  {
    what: 'the code of a coupon, for the moment in which an order names it',
    attack: ["update coupons set code_folded = 'eighth10' where id = 4"],
    change: (shop) => shop.record(order({ orderId: 19, couponCode: 'Eighth10' })),
    undo: ["update coupons set code_folded = 'fourth10' where id = 4"],
    found: computedFrom('Order 19', 1, 'The owner, code and rates of coupon 4'),
  },
  {
    what: 'the parent of an affiliate, for the moment in which an order is recorded',
    attack: ['update users set parent_id = 1 where id = 4'],
    change: (shop) => shop.record(order({ orderId: 17, couponId: 6 })),
    undo: ['update users set parent_id = 2 where id = 4'],
    found: computedFrom('Order 17', 1, 'The parent of user 4'),
  },
  {
    what: 'no parent of an affiliate, for the moment in which an order is recorded',
    attack: ['update users set parent_id = null where id = 5'],
    change: (shop) => shop.record(order({ orderId: 18, couponId: 7 })),
    undo: ['update users set parent_id = 4 where id = 5'],
    found: computedFrom('Order 18', 1, 'The parent of user 5'),
  },
  {
    what: 'the address of a webhook whose secret is encrypted with another master key',
    attack: ["update webhooks set url = 'https://three.example/' where id = 2"],
    change: async () => {},
    found: changedBefore('The address and secret of webhook 2', '2'),
  },
  {
    what: 'the address of a webhook that is deleted',
    attack: ["update webhooks set url = 'https://three.example/' where id = 1"],
    change: (shop) => shop.database.write(({ webhooks }) => webhooks.remove(1)),
    found: changedBefore('The address and secret of webhook 1', '2'),
  },
  {
    what: 'the connection of the store, whose secret is changed',
    attack: [`update store_connections set encrypted_secret = '${earlierSecrets.store}'`],
    change: ({ database }) => changedStoreSecret(database),
    found: changedBefore('The store connection of 2026-11-02T\\S+', '4'),
  },
  {
    what: 'a parent, before the service sets another one',
    attack: ['update users set parent_id = 1 where id = 6'],
    change: (shop) => shop.database.write((transaction) => setParent(transaction, 6, 5)),
    found: changedBefore('The parent of user 6', '2'),
  },
  {
    what: 'a parent where there was none, before the service sets another one',
    attack: ['update users set parent_id = 1 where id = 7'],
    change: (shop) => shop.database.write((transaction) => setParent(transaction, 7, 5)),
    found: /^The parent of user 7 was changed past the service: what change 1 of it found had a digest that is gone/m,
  },
  {
    what: 'a parent that the service removes',
    attack: ['update users set parent_id = 1 where id = 8'],
    change: (shop) => shop.database.write((transaction) => setParent(transaction, 8, null)),
    found: changedBefore('The parent of user 8', '2'),
  },
];

/** Changes an order in the same statement as the service does. */
async function createTrigger({ name }: Engine, { observer }: Shop): Promise<void> {
  if (name === 'sqlite') {
    const changing = 'update orders set tax_minor = 1 where order_id = new.order_id';
    await observer.query(`create trigger skim after update on orders when new.order_id in (11, 14) begin ${changing}; end`);
    return;
  }
  await observer.query(`create function skim() returns trigger language plpgsql as $$ begin new.tax_minor = 1; return new; end $$`);
  await observer.query('create trigger skim before update on orders for each row when (new.order_id in (11, 14)) execute function skim()');
}

const allowIds = async ({ name }: Engine, { observer }: Shop): Promise<void> => {
  if (name === 'postgres') await observer.query('alter table ledger_digests alter column id set generated by default');
};

/** Rows are deleted as long as the work takes. */
const hiding =
  ({ observer }: Shop) =>
  async (rows: readonly string[], work: () => Promise<unknown>): Promise<void> => {
    for (const [place, from] of rows.entries()) {
      await observer.query(`create table hidden_${place} as select * from ${from}`);
      await observer.query(`delete from ${from}`);
    }
    await work();
    for (const [place, from] of rows.entries()) {
      await observer.query(`insert into ${from.split(' ')[0]} select * from hidden_${place}`);
      await observer.query(`drop table hidden_${place}`);
    }
  };

/** As the version left it that did not digest these kinds: without their digests, and with seals that cover the others. */
async function deleteLaterKinds(shop: Shop): Promise<void> {
  const { database, observer } = shop;
  await withoutBeginning(shop);
  await observer.query(`delete from ledger_digests where kind in (${laterKinds.map((kind) => `'${kind}'`).join(', ')})`);
  const stored = await database.query(({ seals }) => seals.after(0, 100));
  let [last, before] = [beforeAll, noHash];
  for (const seal of stored) {
    const from = last;
    const ledger = await database.query(({ seals }) => seals.ledgerRows(from.ledgerId, seal.ledgerId, 1000));
    const digests = await database.query(({ seals }) => seals.digestRows(from.digestId, seal.digestId, 1000));
    const collected = new SealedRows();
    collected.add({ ledger, digests });
    const { hash, signature } = signSeal(sealingKey, { ...seal, rows: collected.rows }, before, collected.hash());
    await observer.query(
      `update ledger_seals set row_count = ${collected.rows}, hash = '${hash}', signature = '${signature}' where number = ${seal.number}`,
    );
    [last, before] = [seal, hash];
  }
}

forEachEngine((engine) => {
  describe('digests of a record', () => {
    let template: string;
    before(async () => {
      template = await engine.freshUrl();
      const filled = await openSealedShop(engine, template);
      for (const code of ['THIRD10', 'FOURTH10', 'FIFTH10']) await filled.coupon(code);
      // Users 4 and 5 with coupons 6 and 7, and users 6 to 8.
      await filled.affiliate('SIXTH10', { parent: 2 });
      await filled.affiliate('SEVENTH10', { parent: 4 });
      await filled.user('fifth', { parent: 2 });
      await filled.user('sixth');
      await filled.user('seventh', { parent: 2 });
      await filled.record(order({ orderId: 16, couponId: 5, status: 'processing' }));
      for (const orderId of [12, 13, 14]) await filled.record(order({ orderId, couponId: 1 }));
      filled.program = { ...filled.program, clearingDays: 30 };
      await filled.record(order({ orderId: 11, couponId: 1, placedAt: filled.now }));
      await filled.close();
    });
    const openCopy = async (): Promise<Shop> => {
      const shop = await Shop.open(engine, { multiLevelThousandths: [5000] }, await engine.copyUrl(template));
      await useSealingKey(shop);
      await disableIntegrityChecks(engine, shop.observer);
      return shop;
    };
    const changeAll = async (shop: Shop): Promise<string[]> => {
      for (const { change, undo = [] } of cases) {
        await change(shop);
        for (const sql of undo) await shop.observer.query(sql);
      }
      await sealed(shop);
      return findings(shop);
    };

    it('fit each other after every kind of change', async () => {
      const shop = await openCopy();
      const sentences = await changeAll(shop);
      expect(sentences.filter((sentence) => !sentence.startsWith('The stored secret'))).to.deep.equal([]);
    });

    it('name what was changed past the service, also after the service has changed the record again', async () => {
      const shop = await openCopy();
      for (const { attack } of cases) for (const sql of attack) await shop.observer.query(sql);
      const sentences = (await changeAll(shop)).join('\n');
      for (const { what, found } of cases) expect(sentences, what).to.match(found);
      expect(sentences).not.to.contain('is not what the service wrote last');
    });

    it('name it also if a digest was put in between that has no mark of before, and is made of the next one', async () => {
      const shop = await openCopy();
      const run = (sql: string) => shop.observer.query(sql);
      const head = await sealed(shop);
      const between = async (kind: string, id: number, attack: string, change: () => Promise<unknown>): Promise<void> => {
        await run(attack);
        await run("insert into ledger_digests (kind, object_id, digest) values ('none', 1, '')");
        await change();
        const next = `select before_mark from ledger_digests where kind = '${kind}' and object_id = ${id} order by id desc limit 1`;
        const [{ before_mark: before = '' } = {}] = await shop.observer.query<{ before_mark?: string }>(next);
        const [mark] = before.split(/[?~]/);
        await run(`update ledger_digests set kind = '${kind}', object_id = ${id}, digest = '${mark}' where kind = 'none'`);
      };
      const rate = 'update orders set percent_thousandths = 5000, total_minor = total_minor * 2 where order_id = 7';
      await between('order', 7, rate, () => shop.record(order({ orderId: 7, couponId: 1, total: 12_000 })));
      await between('coupon', 1, 'update coupons set user_id = 1 where id = 1', () => changeOfCoupon(shop, 1, 'TRAIL10', 20_000));
      await between('order', 13, 'delete from orders where order_id = 13', () => shop.record(order({ orderId: 13, couponId: 1 })));
      await sealed(shop, shop.now + 2000);
      const sentences = (await findings(shop, head)).join('\n');
      for (const name of ['Order 7', 'The owner, code and rates of coupon 1', 'Order 13'])
        expect(sentences).to.match(changedBefore(name, '3'));
    });

    it('name what an order was computed from, also if digests and seals are hidden for that moment', async () => {
      const shop = await openCopy();
      await allowIds(engine, shop);
      const whileHidden = hiding(shop);
      await shop.observer.query('update coupons set percent_thousandths = 90000 where id = 4');
      await whileHidden(['ledger_seals', "ledger_digests where kind = 'coupon'"], () => shop.record(order({ orderId: 15, couponId: 4 })));
      await shop.observer.query('update coupons set percent_thousandths = null where id = 4');
      await shop.observer.query('update users set parent_id = 1 where id = 4');
      await whileHidden(["ledger_digests where kind = 'parent'"], () => shop.record(order({ orderId: 17, couponId: 6 })));
      await shop.observer.query('update users set parent_id = 2 where id = 4');
      const sentences = (await findings(shop)).join('\n');
      expect(sentences).to.match(computedFrom('Order 15', 1, 'The owner, code and rates of coupon 4'));
      expect(sentences).to.match(computedFrom('Order 17', 1, 'The parent of user 4'));
      await withoutBeginning(shop);
      await whileHidden(["ledger_digests where kind = 'parent' and object_id = 0"], () => sealed(shop));
      expect((await findings(shop)).join('\n')).to.match(/^Digests of the kind parent have begun 2 times/m);
    });

    it('name an order that was computed from an earlier state, whose digest was the last one for that moment', async () => {
      const shop = await openCopy();
      await allowIds(engine, shop);
      const whileHidden = hiding(shop);
      await changeOfCoupon(shop, 4, 'FOURTH10', 20_000);
      await shop.database.write((transaction) => setParent(transaction, 4, 1));
      await shop.record(order({ orderId: 40, couponId: 4 }), order({ orderId: 41, couponId: 6 }));
      await sealed(shop);
      expect(await findings(shop)).to.deep.equal([]);
      const last = (kind: string, id: number): string =>
        `ledger_digests where id = (select max(id) from ledger_digests where kind = '${kind}' and object_id = ${id})`;
      await shop.observer.query('update coupons set percent_thousandths = null where id = 4');
      await whileHidden([last('coupon', 4)], () => shop.record(order({ orderId: 42, couponId: 4 })));
      await shop.observer.query('update coupons set percent_thousandths = 20000 where id = 4');
      await shop.observer.query('update users set parent_id = 2 where id = 4');
      await whileHidden([last('parent', 4)], () => shop.record(order({ orderId: 43, couponId: 6 })));
      await shop.observer.query('update users set parent_id = 1 where id = 4');
      const of = (orderId: number, basis: string): RegExp =>
        new RegExp(`^Order ${orderId} was computed from an earlier state of a record: ${basis} \\(digest \\d+, not sealed yet\\)\\.$`);
      const sentences = await findings(shop);
      expect(sentences[0]).to.match(of(42, 'The owner, code and rates of coupon 4'));
      expect(sentences[1]).to.match(of(43, 'The parent of user 4'));
      expect(sentences.length).to.equal(2);
    });

    if (engine.name === 'postgres')
      it('are in the order of the transactions, where one computes an order from what the other changes', async () => {
        const shop = await openCopy();
        const other = await Shop.open(engine, {}, shop.databaseUrl);
        await useSealingKey(other);
        // More than a page of each index: PostgreSQL compares what was read and written by pages.
        await shop.observer.query(
          "insert into ledger_digests (kind, object_id, digest) select 'order', 1000 + number, 'filler' from generate_series(1, 20000) as number",
        );
        await shop.observer.query('analyze');
        let attempts = 0;
        await shop.database.write(async (transaction) => {
          attempts += 1;
          await transaction.orders.byIds([44]);
          if (attempts === 1) await other.database.write((changing) => setParent(changing, 4, 1));
          await recordOrders(transaction, [order({ orderId: 44, couponId: 6 })], { ...shop, hashVisitor: String });
        });
        expect((await findings(shop)).filter((sentence) => sentence.includes('computed from'))).to.deep.equal([]);
        expect(attempts).to.equal(2);
      });

    it('name an order whose shares stayed, because they or the owner of their coupon were hidden while it was refunded', async () => {
      const shop = await openCopy();
      const refund = (orderId: number) => shop.record(order({ orderId, couponId: 1, refunded: 10_000 }));
      await shop.observer.query('update coupons set user_id = 5 where id = 2');
      await refund(12);
      await shop.observer.query('update coupons set user_id = 1 where id = 2');
      await hiding(shop)(['order_shares where order_id = 13'], () => refund(13));
      await refund(14);
      const sentences = await findings(shop);
      expect(sentences.length).to.equal(2);
      expect(sentences[0]).to.equal('Order 13 has a share of 50 for coupon 2, but its commission and the rate give 0.');
      expect(sentences[1]).to.match(/^Order 12 was computed from a record that was changed past .*: The owner, code and rates of coupon 2/);
    });

    it('let no changed payout move money, until it is what the service wrote', async () => {
      const shop = await openCopy();
      const raise = (by: number) => shop.observer.query(`update payouts set amount_minor = amount_minor + ${by} where id = 2`);
      const payout = (await shop.database.read(({ payouts }) => payouts.byId(2))) ?? expect.fail();
      const refusals: string[] = [];
      const tryAll = async (): Promise<void> => {
        for (const to of ['created', 'paid', 'cancel'] as const)
          await changedPayout(shop, payout, to).catch(({ message }: Error) => refusals.push(message));
      };
      await raise(100);
      await tryAll();
      // Does not follow the details, and is refused as before.
      await savedDetails(shop, 2, 'other@paypal.example');
      await tryAll();
      expect((await findings(shop)).join('\n')).to.match(/^Payout 2 is not what the service wrote last/m);
      await raise(-100);
      expect(await findings(shop)).to.deep.equal([]);
      await shop.observer.query("create table saved as select * from ledger_digests where kind = 'payout' and object_id = 2");
      await shop.observer.query("delete from ledger_digests where kind = 'payout' and object_id = 2");
      await tryAll();
      const overriding = engine.name === 'postgres' ? 'overriding system value' : '';
      await shop.observer.query(`insert into ledger_digests ${overriding} select * from saved`);
      expect(new Set(refusals).size).to.equal(1);
      expect(refusals.length).to.equal(9);
      expect(refusals[0]).to.equal(
        'Payout 2 is not what the service wrote last: it was changed past the service. Nothing was changed. Run affiliate ledger verify.',
      );
      expect((await changedPayout(shop, payout, 'paid')).status).to.equal('paid');
      expect(await findings(shop)).to.deep.equal([]);
    });

    it('name what a trigger changes together with the service', async () => {
      const shop = await openCopy();
      await createTrigger(engine, shop);
      await shop.record(order({ orderId: 14, couponId: 1, total: 9000 }));
      shop.now += 60 * day;
      await shop.grant();
      const sentences = (await findings(shop)).join('\n');
      for (const id of [11, 14]) expect(sentences).to.match(new RegExp(`^Order ${id} is not what the service wrote last`, 'm'));
      await shop.observer.query(engine.name === 'sqlite' ? 'drop trigger skim' : 'drop trigger skim on orders');
      await shop.record(order({ orderId: 14, couponId: 1, total: 8000 }));
      expect((await findings(shop)).join('\n')).to.match(changedBefore('Order 14', '3'));
    });

    it('name a mark of the record before that was changed afterwards', async () => {
      const shop = await openCopy();
      const before = "update ledger_digests set before_mark = 'AAAAAAAAAAAAAAAAAAAAAA'";
      await shop.record(order({ orderId: 7, couponId: 1, total: 8000 }));
      await shop.record(order({ orderId: 7, couponId: 1, total: 9000 }));
      await shop.observer.query(
        `${before} where id = (select id from ledger_digests where kind = 'order' and object_id = 7 order by id desc limit 1 offset 1)`,
      );
      expect((await findings(shop)).join('\n')).to.match(changedBefore('Order 7'));
    });

    it('begin with the next seal where a version did not digest the kind', async () => {
      const shop = await openCopy();
      await deleteLaterKinds(shop);
      // Orders of that version do not say what they were computed from.
      const found = async () => (await findings(shop)).filter((sentence) => !sentence.includes('computed from an earlier state'));
      const changes = cases.filter(({ what }) => /parent/.test(what));
      expect(await found()).to.deep.equal([]);
      await changes[0]?.change(shop);
      await changes[2]?.change(shop);
      expect(await found()).to.deep.equal([]);
      await sealed(shop);
      for (const { change } of changes.slice(3)) await change(shop);
      await changedStoreSecret(shop.database);
      await shop.database.write(({ webhooks }) => webhooks.remove(1));
      await webhooksTo(shop.database, ['https://four.example/'], shop.now, masterKey, 'chief');
      await sealed(shop);
      expect(await found()).to.deep.equal([]);
      await shop.observer.query('update users set parent_id = 1 where id in (3, 4)');
      await shop.observer.query("update webhooks set url = 'https://five.example/'");
      const sentences = (await found()).join('\n');
      for (const id of [2, 3]) expect(sentences).to.match(new RegExp(`^The address and secret of webhook ${id} is not`, 'm'));
      expect(sentences).to.match(/^The parent of user 4 is not what the service wrote last/m);
      expect(sentences).to.match(/^The parent of user 3 was inserted past the service/m);
    });

    it('follow digests of the version that did not mark the record before', async () => {
      const shop = await openCopy();
      const nonce = 'AAAAAAAA';
      for (const [id, owner] of [
        [1, 2],
        [2, 1],
      ]) {
        const older = nonce + sealingKey.mark(JSON.stringify(['coupon/1', nonce, [id, owner, 0, null, null, null]]));
        const where = `where kind = 'coupon' and object_id = ${id}`;
        await shop.observer.query(`update ledger_digests set digest = '${older}', before_mark = null ${where}`);
      }
      const content = sealingKey.mark(JSON.stringify(['coupon/2', nonce, [3, null, 0, null, null, null]]));
      const second = nonce + sealingKey.mark(JSON.stringify(['change/2', nonce, '', content]));
      await shop.observer.query(`update ledger_digests set digest = '${second}', before_mark = '' where kind = 'coupon' and object_id = 3`);
      const ofCoupons = async () => (await findings(shop)).filter((sentence) => sentence.startsWith('The owner'));
      expect(await ofCoupons()).to.deep.equal([]);
      await changeOfCoupon(shop, 1, 'TRAIL10', 20_000);
      await changeOfCoupon(shop, 1, 'TRAIL10', 30_000);
      await changeOfCoupon(shop, 3, 'THIRD10', 20_000);
      await changeOfCoupon(shop, 3, 'THIRD10', 30_000);
      expect(await ofCoupons()).to.deep.equal([]);
      await shop.observer.query('update coupons set percent_thousandths = 90000 where id = 2');
      await changeOfCoupon(shop, 2, 'PEAK20', 20_000);
      expect((await ofCoupons()).join('\n')).to.match(changedBefore('The owner, code and rates of coupon 2', '2'));
    });
  });
});
