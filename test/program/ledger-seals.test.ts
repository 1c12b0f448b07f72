import { expect } from 'chai';
import { checkSeals } from '../../cli/doctor/ledger.ts';
import { formatHead, parseHead, type Seal } from '../../domain/ledger/seal.ts';
import { beginAgain, ForeignSealError, sealDay, sealLedger } from '../../domain/ledger/seal-ledger.ts';
import { createSealingKey } from '../../domain/ledger/sealing-key.ts';
import { openSealingKey, renewSecrets } from '../../domain/master-key/key-ownership.ts';
import { reencrypt } from '../../domain/master-key/rotate.ts';
import { recordOrders } from '../../domain/orders/record.ts';
import { readConfiguration } from '../../server/configuration.ts';
import { sealWhatIsDue } from '../../server/jobs/ledger-sealing-job.ts';
import { waitUntil } from '../cli/running-service.ts';
import { gate } from '../db/gate.ts';
import { disableIntegrityChecks } from '../support/disable-integrity-checks.ts';
import { type Engine, forEachEngine } from '../support/engines.ts';
import { masterKey } from '../support/service.ts';
import { changedPayout } from './payouts.ts';
import { day, order } from './samples.ts';
import { findings, openSealedShop, sealed, sealingKey, useSealingKey } from './sealed-shop.ts';
import { Shop } from './shop.ts';

const configuration = readConfiguration({ ENVIRONMENT: 'local', MASTER_KEY: masterKey });

const tables = [
  ...['ledger', 'ledger_digests', 'ledger_seals', 'orders', 'order_shares', 'payouts', 'payout_details', 'payout_days', 'coupons'],
  ...['stored_keys', 'events', 'webhooks'],
];

const bothRowsOf = (orderId: number): string =>
  `movement = (select min(movement) from ledger where order_id = ${orderId} and coupon_id = 1)`;
const balanceFollows = `update coupons set unpaid_minor = (select sum(amount_minor) from ledger where coupon_id = coupons.id and pool = 'unpaid')`;
const copyOf = (table: string, columns: string, change: string, where: string): string =>
  `insert into ${table} (${columns}) select ${change} from ${table} where ${where}`;
const ledgerColumns = 'movement, coupon_id, pool, amount_minor, reason, order_id, payout_id, user_id, note, created_at';
const lastDigest = (kind: string, id: number): string =>
  `id = (select max(id) from ledger_digests where kind = '${kind}' and object_id = ${id})`;
const firstDigest = (kind: string, id: number): string =>
  `id = (select min(id) from ledger_digests where kind = '${kind}' and object_id = ${id})`;
const sealOfBeginning = /^Seal 1 of .*: what it covers was changed, or the seal itself \(rows 1 to \d+ of the ledger/;
const second = /^Seal 2 of .*: what it covers was changed/;
const changedOrder = (id: number): RegExp => new RegExp(`^Order ${id} is not what the service wrote last`);

const attacks: { what: string; statements: string[]; found: RegExp[] }[] = [
  {
    what: 'another amount of a movement from before the key, with its second row and the balance',
    statements: [`update ledger set amount_minor = amount_minor * 2 where ${bothRowsOf(1)}`, balanceFollows],
    found: [sealOfBeginning, /^Order 1 .* says 1000 in unpaid/],
  },
  {
    what: 'the same, with the order and its rates',
    statements: [
      `update ledger set amount_minor = amount_minor * 2 where ${bothRowsOf(1)}`,
      'update orders set commission_minor = 2000, percent_thousandths = 20000 where order_id = 1',
      balanceFollows,
    ],
    found: [sealOfBeginning, changedOrder(1)],
  },
  {
    what: 'another amount of a movement, with its second row, the order and the balance',
    statements: [
      `update ledger set amount_minor = amount_minor * 2 where ${bothRowsOf(4)}`,
      'update orders set commission_minor = 2000, percent_thousandths = 20000 where order_id = 4',
      'update coupons set pending_order_minor = 2000 where id = 1',
    ],
    found: [second, changedOrder(4), /^Movement \S+ \(row \d+ of the ledger, 2000 of coupon 1\) was changed/],
  },
  {
    what: 'the note of a movement',
    statements: [`update ledger set note = 'nothing' where ${bothRowsOf(4)}`],
    found: [second, /^Movement \S+ .* was changed/],
  },
  {
    what: 'a back-dated movement from before the key',
    statements: [`update ledger set created_at = created_at - 86400000 where ${bothRowsOf(1)}`],
    found: [sealOfBeginning],
  },
  {
    what: 'a back-dated movement',
    statements: [`update ledger set created_at = created_at - 86400000 where ${bothRowsOf(4)}`],
    found: [second, /^Movement \S+ .* was changed/],
  },
  {
    what: 'a deleted movement with its order, shares and digests',
    statements: [
      'delete from ledger where order_id = 4',
      'delete from orders where order_id = 4',
      "delete from ledger_digests where object_id = 4 and kind = 'order'",
      'update coupons set pending_order_minor = 0',
    ],
    found: [/^Seal 2 of .* covers \d+ rows, of which 3 were deleted/],
  },
  {
    what: 'a movement that was inserted into a sealed range',
    statements: [`update ledger set id = -id where ${bothRowsOf(7)}`],
    found: [/^Seal 1 of .* covers \d+ rows, and 2 were inserted among them/],
  },
  {
    what: 'two rows of the ledger that swap their places',
    statements: [
      'create table swapped as select id as one, id + 2 as other from ledger where id = (select min(id) + 1 from ledger where order_id = 4)',
      'update ledger set id = -1 where id = (select one from swapped)',
      'update ledger set id = (select one from swapped) where id = (select other from swapped)',
      'update ledger set id = (select other from swapped) where id = -1',
      'drop table swapped',
    ],
    found: [/^Seal 2 of .*/],
  },
  {
    what: 'the coupon of a movement, on both rows',
    statements: [`update ledger set coupon_id = 2 where ${bothRowsOf(5)}`],
    found: [second, /^Movement \S+ .* of coupon 2\) was changed/],
  },
  {
    what: 'an invented movement at the end, with the balance',
    statements: [
      copyOf('ledger', ledgerColumns, ledgerColumns.replace('movement', "'invented.0.AAAAAAAAAAAAAAAAAAAAAA'"), bothRowsOf(7)),
      balanceFollows,
    ],
    found: [/^Movement invented\.0\.\S+ .* was not written by the service/],
  },
  {
    what: 'a movement copied to the end under a name without a mark',
    statements: [
      copyOf(
        'ledger',
        ledgerColumns,
        ledgerColumns.replace('movement', "'invented'").replace('order_id', 'null').replace('reason', "'transfer'"),
        bothRowsOf(7),
      ),
      balanceFollows,
    ],
    found: [/^Movement invented .* was not written by the service/],
  },
  {
    what: 'an invented movement under ids that no page reads, with the balance',
    statements: [
      copyOf(
        'ledger',
        ledgerColumns,
        ledgerColumns.replace('movement', "'invented'").replace('order_id', 'null').replace('reason', "'transfer'"),
        bothRowsOf(7),
      ),
      "update ledger set id = -9007199254740990 - id where movement = 'invented'",
      balanceFollows,
    ],
    found: [/^2 rows of the table ledger cannot be of the service/],
  },
  {
    what: 'the total of an order',
    statements: ['update orders set total_minor = total_minor + 1 where order_id = 3'],
    found: [changedOrder(3)],
  },
  {
    what: 'the rate of an order',
    statements: ['update orders set percent_thousandths = 11000 where order_id = 3'],
    found: [changedOrder(3), /^Order 3 \(coupon 1\) has a commission of 950, but its amounts and rates give 1045\.$/],
  },
  {
    what: 'the total and the rate of an order that give the same commission',
    statements: ['update orders set total_minor = total_minor * 2, percent_thousandths = 5000 where order_id = 1'],
    found: [changedOrder(1)],
  },
  {
    what: 'an order credited to another coupon, with its movements and balances',
    statements: [
      'update orders set coupon_id = 2 where order_id = 4',
      'update ledger set coupon_id = 2 where order_id = 4',
      `update coupons set pending_order_minor = (select coalesce(sum(amount_minor), 0) from ledger where coupon_id = coupons.id and pool = 'pending_order')`,
    ],
    found: [second, changedOrder(4), /^Movement \S+ .* of coupon 2\) was changed/],
  },
  {
    what: 'an order with the digest of another',
    statements: [
      'update orders set total_minor = total_minor + 1 where order_id = 7',
      `update ledger_digests set digest = (select digest from ledger_digests where ${lastDigest('order', 3)}) where ${lastDigest('order', 7)}`,
    ],
    found: [changedOrder(7)],
  },
  {
    what: 'an order with a further digest that was made up',
    statements: [
      'update orders set total_minor = total_minor + 1 where order_id = 3',
      "insert into ledger_digests (kind, object_id, digest) values ('order', 3, 'AAAAAAAABBBBBBBBBBBBBBBBBBBBBB')",
    ],
    found: [changedOrder(3)],
  },
  {
    what: 'an order that is set back, with its earlier digest written again',
    statements: [
      'update orders set total_minor = 5000, commission_minor = 500 where order_id = 5',
      copyOf('ledger_digests', 'kind, object_id, digest', 'kind, object_id, digest', firstDigest('order', 5)),
    ],
    found: [/^Order 5 was set back to an earlier state/],
  },
  {
    what: 'an order that is set back, with its later digests deleted',
    statements: [
      'update orders set total_minor = 5000, commission_minor = 500 where order_id = 5',
      `delete from ledger_digests where ${lastDigest('order', 5)}`,
    ],
    found: [/^Seal 2 of .* covers \d+ rows, of which 1 were deleted/],
  },
  {
    what: 'an inserted order',
    statements: [
      `insert into orders select order_id + 100, coupon_id, used_coupon_id, day, placed_at, 'cancelled', total_minor, discount_minor, shipping_minor,
        tax_minor, quantity, refunded_minor, percent_thousandths, fixed_per_order_minor, fixed_per_product_minor, 0, 'reversed', null,
        due_at, credited_via, campaign, visitor_hash, handovers from orders where order_id = 3`,
    ],
    found: [/^Order 103 was inserted past the service/],
  },
  {
    what: 'a deleted order',
    statements: ['delete from orders where order_id = 3'],
    found: [/^Order 3 was deleted: its digest is still there\.$/],
  },
  {
    what: 'a share of the parent, with its rate',
    statements: ['update order_shares set amount_minor = amount_minor + 1, rate_thousandths = 9000 where order_id = 3'],
    found: [/^The shares of order 3 is not what the service wrote last/],
  },
  {
    what: 'the amount of a paid payout, with its movements, pools and counts',
    statements: [
      'update payouts set amount_minor = amount_minor + 100 where id = 1',
      'update ledger set amount_minor = amount_minor + 100 where payout_id = 1 and amount_minor > 0',
      'update ledger set amount_minor = amount_minor - 100 where payout_id = 1 and amount_minor < 0',
      'update coupons set paid_minor = paid_minor + 100 where id = 1',
      balanceFollows,
    ],
    found: [second, /^Payout 1 is not what the service wrote last/, /^Movement \S+ .* was changed/],
  },
  {
    what: 'the payee of a payout',
    statements: ['update payouts set user_id = 1 where id = 2'],
    found: [/^Payout 2 is not what the service wrote last/],
  },
  {
    what: 'the day of payment of a payout',
    statements: ["update payouts set paid_at = paid_at - 86400000, paid_day = '2026-11-01' where id = 1"],
    found: [/^Payout 1 is not what the service wrote last/],
  },
  {
    what: 'the status of a payout',
    statements: ["update payouts set status = 'created' where id = 2"],
    found: [/^Payout 2 is not what the service wrote last/],
  },
  {
    what: 'payout details of two affiliates that swap their places',
    statements: [
      'update payout_details set user_id = -1 where user_id = 1',
      'update payout_details set user_id = 1 where user_id = 2',
      'update payout_details set user_id = 2 where user_id = -1',
    ],
    found: [/^The payout details of user 1 is not what the service wrote last/, /^The payout details of user 2 is not/],
  },
  {
    what: 'the destination of an affiliate, replaced by that of another',
    statements: [
      'update payout_details set encrypted_details = (select encrypted_details from payout_details where user_id = 1) where user_id = 2',
    ],
    found: [/^The payout details of user 2 is not what the service wrote last/],
  },
  {
    what: 'deleted payout details',
    statements: ['delete from payout_details where user_id = 2'],
    found: [/^The payout details of user 2 was deleted/],
  },
  {
    what: 'the owner of a coupon',
    statements: ['update coupons set user_id = 1 where id = 1'],
    found: [/^The owner and rates of coupon 1 is not what the service wrote last/],
  },
  {
    what: 'the rate of a coupon',
    statements: ['update coupons set percent_thousandths = 90000 where id = 1'],
    found: [/^The owner and rates of coupon 1 is not what the service wrote last/],
  },
  {
    what: 'the deleted last seal',
    statements: ['delete from ledger_seals where number = 2'],
    found: [/^Seal 2 was deleted: event \d+ carries 2\./],
  },
  {
    what: 'the deleted first seal',
    statements: ['delete from ledger_seals where number = 1'],
    found: [/^Seal 1 is missing\.$/],
  },
  {
    what: 'secrets of two webhooks that swap their places',
    statements: [
      'create table swapped as select id, encrypted_secret from webhooks',
      'update webhooks set encrypted_secret = (select encrypted_secret from swapped where swapped.id = 3 - webhooks.id) where id < 3',
      'drop table swapped',
    ],
    found: [
      /^The stored secret webhook_secret of 1 was changed, or belongs to another owner or key\.$/,
      /^The stored secret webhook_secret of 2 /,
    ],
  },
  {
    what: 'a secret of the version that was not bound to its owner',
    statements: ["update webhooks set encrypted_secret = 'v1:' || substr(encrypted_secret, 4) where id = 1"],
    found: [/^The stored secret webhook_secret of 1 was changed/],
  },
  {
    what: 'many secrets that were inserted',
    statements: [
      `with recursive numbers as (select 1 as number union all select number + 1 from numbers where number < 120)
       insert into payout_details select 100 + number, 'PayPal', 'paypal', 'v2:AAAA', 1 from numbers`,
    ],
    found: [/^The stored secret payout_details of 101 was changed[^]*\nAnd 70 more like these\.$/],
  },
  {
    what: 'another sealing key',
    statements: ["update stored_keys set sealed = 'v2:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' where name = 'sealing_key'"],
    found: [/^The stored secret sealing_key of sealing_key was changed/],
  },
  { what: 'all seals deleted', statements: ['delete from ledger_seals'], found: [/^Seals 1 to 2 were deleted/] },
  {
    what: 'a back-dated seal',
    statements: ['update ledger_seals set created_at = created_at - 86400000 where number = 2'],
    found: [second],
  },
  {
    what: 'the hash of a seal',
    statements: [`update ledger_seals set hash = '${'0'.repeat(64)}' where number = 1`],
    found: [sealOfBeginning, /^Seal 1 of .* has a signature that is not of its key/],
  },
  {
    what: 'a higher end of unmarked rows, with an unmarked movement',
    statements: ['update ledger_seals set unmarked_to = 100000 where number = 1'],
    found: [sealOfBeginning],
  },
  {
    what: 'a deleted tail: the last seal, everything after it, and half of what it covers',
    statements: [
      'delete from ledger_seals where number = 2',
      'delete from ledger_digests where id > (select digest_id + 5 from ledger_seals where number = 1)',
      'delete from ledger where id > (select ledger_id + 4 from ledger_seals where number = 1)',
    ],
    found: [/^Seal 2 was deleted/, /^Payout 1 was inserted past the service/],
  },
];

forEachEngine((engine) => {
  describe('a sealed ledger', () => {
    let shop: Shop;
    let head: Seal;
    let template: string;

    before(async () => {
      template = await engine.freshUrl();
      const filled = await openSealedShop(engine, template);
      await filled.close();
      shop = await Shop.open(engine, {}, await engine.copyUrl(template));
      await useSealingKey(shop);
      head = (await shop.database.query(({ seals }) => seals.last())) ?? expect.fail();
      await disableIntegrityChecks(engine, shop.observer);
      for (const table of tables) await shop.observer.query(`create table saved_${table} as select * from ${table}`);
      if (engine.name === 'postgres')
        for (const table of ['ledger', 'ledger_digests'])
          await shop.observer.query(`alter table ${table} alter column id set generated by default`);
    });
    const restore = async (): Promise<void> => {
      for (const table of tables) {
        await shop.observer.query(`delete from ${table}`);
        const overriding = engine.name === 'postgres' ? 'overriding system value' : '';
        await shop.observer.query(`insert into ${table} ${overriding} select * from saved_${table}`);
      }
    };

    it('is sound as the service has written it', async () => {
      expect(await findings(shop)).to.deep.equal([]);
      expect(await findings(shop, head)).to.deep.equal([]);
    });

    for (const { what, statements, found } of attacks)
      it(`shows ${what}`, async () => {
        for (const sql of statements) await shop.observer.query(sql);
        const sentences = await findings(shop);
        await restore();
        for (const pattern of found) expect(sentences.join('\n')).to.match(new RegExp(pattern.source, 'm'));
      });

    it('is sound again after the attacks were undone', async () => {
      expect(await findings(shop)).to.deep.equal([]);
    });

    it('shows that key, seals and digests were replaced together', async () => {
      const other = createSealingKey(Buffer.alloc(32, 6));
      for (const table of ['ledger_seals', 'ledger_digests', "events where kind = 'ledger_sealed'"])
        await shop.observer.query(`delete from ${table}`);
      shop.database.setSealingKey(() => other);
      await sealLedger({ storage: shop.database, key: other, now: shop.now });
      const { verifyLedger, listSentences } = await import('../../domain/ledger/verify.ts');
      const found = listSentences(await shop.database.read((stores) => verifyLedger(stores, String, { key: other })));
      await restore();
      await useSealingKey(shop);
      expect(found.join('\n')).to.match(/^Movements from .* were written with another sealing key, and there is no seal of it/m);
    });

    it('shows seals of another key, also if all of them were signed again', async () => {
      const foreign = createSealingKey(Buffer.alloc(32, 8));
      await shop.observer.query('delete from ledger_seals');
      await shop.observer.query("delete from events where kind = 'ledger_sealed'");
      await sealLedger({ storage: shop.database, key: foreign, now: shop.now });
      const sentences = await findings(shop);
      await expectRejection(sealLedger({ storage: shop.database, key: sealingKey, now: shop.now }), ForeignSealError);
      await restore();
      expect(sentences.join('\n')).to.match(/^Seal 1 was signed by another sealing key than the stored one: one of them was replaced\.$/m);
    });

    it('that was set back as a whole shows only against a head from outside', async () => {
      const later = await Shop.open(engine, {}, await engine.copyUrl(template));
      await useSealingKey(later);
      await later.record(order({ orderId: 10, couponId: 1 }));
      const newest = (await sealed(later)) ?? expect.fail();
      expect(parseHead(formatHead(newest))).to.deep.equal({ number: 3, hash: newest.hash, signature: newest.signature });
      expect(await findings(later, newest)).to.deep.equal([]);
      expect(await findings(shop)).to.deep.equal([]);
      expect(await findings(shop, newest)).to.deep.equal([
        'The given head is seal 3, and this database ends with seal 2: it was set back to an earlier state.',
      ]);
      await shop.record(order({ orderId: 9, couponId: 1 }));
      await sealed(shop);
      expect(await findings(shop, newest)).to.deep.equal([`Seal 3 is not the one of the given head ${formatHead(newest).slice(0, 20)}….`]);
    });

    it('is sealed once a day, and after 10,000 rows', async () => {
      const store = await Shop.open(engine);
      const due = (now: number) => sealWhatIsDue({ storage: store.database, masterKey, clock: { now: () => now } });
      expect(await due(store.now)).to.equal(null);
      await useSealingKey(store);
      expect(await due(store.now)).to.equal(null);
      const { couponId } = await store.affiliate('TRAIL10');
      expect((await due(store.now))?.number).to.equal(1);
      expect(await due(store.now + day - 1)).to.equal(null);
      expect((await due(store.now + day))?.number).to.equal(2);
      for (let first = 1; first <= 3501; first += 500)
        await store.record(...Array.from({ length: 500 }, (_, index) => order({ orderId: first + index, couponId })));
      expect((await due(store.now + day + 1))?.number).to.equal(4);
      const seals = await store.database.query(({ seals: chain }) => chain.after(0, 10));
      expect(seals.map(({ rows }) => rows)).to.deep.equal([1, 0, 10_000, 2000]);
      expect(await findings(store)).to.deep.equal([]);
      const [event] = (await store.events('ledger_sealed')).slice(-1);
      expect(event?.info).to.equal(`The ledger was sealed: ${formatHead(seals[3] ?? expect.fail())}`);
      expect((await sealDay({ storage: store.database, key: sealingKey, now: store.now + 3 * day }))?.rows).to.equal(0);
    });

    it('shows that it was not sealed for days, also if a new chain was begun', async () => {
      const store = await Shop.open(engine, {}, await engine.copyUrl(template));
      await useSealingKey(store);
      await disableIntegrityChecks(engine, store.observer);
      const inTime = () => findings(store, null, store.now);
      const doctor = async () => (await checkSeals(store.database, configuration, store.now)).map(({ message }) => message).join();
      await store.record(order({ orderId: 20, couponId: 1 }));
      store.now += 2 * day;
      expect(await inTime()).to.deep.equal([]);
      store.now += day;
      await store.record(order({ orderId: 21, couponId: 1 }));
      expect((await inTime()).join()).to.match(/^Movements from 2026-11-02T\S+ to 2026-11-05T\S+ are not sealed: seals were deleted, or/);
      expect(await doctor()).to.match(/^The ledger was not sealed for \d+ days/);
      await sealed(store);
      expect(await inTime()).to.deep.equal([]);
      for (const table of ['ledger_seals', 'ledger_digests', "events where kind = 'ledger_sealed'"])
        await store.observer.query(`delete from ${table}`);
      expect((await inTime()).join()).to.match(/^There is no seal, and there are movements that were written with the sealing key from 20/);
      expect(await doctor()).to.match(/^There is no seal, and the ledger begins on 2026-11-02T/);
      expect((await sealWhatIsDue({ storage: store.database, masterKey, clock: { now: () => store.now } }))?.number).to.equal(1);
      expect((await inTime()).join()).to.match(/^The first seal is later than movements that were written with the sealing key from 20/);
    });

    it('shows a seal of the future, after which it is sealed as ever', async () => {
      const store = await Shop.open(engine, {}, await engine.copyUrl(template));
      await useSealingKey(store);
      const due = () => sealWhatIsDue({ storage: store.database, masterKey, clock: { now: () => store.now } });
      await sealed(store, store.now + 30 * day);
      const doctor = async () => (await checkSeals(store.database, configuration, store.now)).map(({ message }) => message).join();
      expect(await doctor()).to.match(/^Seal 3 is dated 2026-12-02T\S+, which is in the future\. Check the clock/);
      expect(await findings(store, null, store.now)).to.deep.equal(['Seal 3 is dated 2026-12-02T07:00:00.000Z, which is in the future.']);
      expect((await due())?.number).to.equal(4);
      expect(await due()).to.equal(null);
    });

    it('stays sound with another master key, and begins again when the key is lost', async () => {
      const store = await Shop.open(engine, {}, await engine.copyUrl(template));
      await useSealingKey(store);
      const newKey = 'another master key of 32 characters';
      await store.database.write((transaction) => reencrypt(transaction, [masterKey, newKey]));
      await sealed(store);
      const ofMasterKey = (sentence: string): boolean => !sentence.startsWith('The stored secret');
      expect((await findings(store)).filter(ofMasterKey)).to.deep.equal([]);
      const lost = 'a third master key, as the others are lost';
      const seed = Buffer.alloc(32, 9);
      store.database.setSealingKey(() => createSealingKey(seed));
      const { isSealingKeyNew } = await store.database.write((transaction) => renewSecrets(transaction, lost, seed, store.now));
      expect(isSealingKeyNew).to.equal(true);
      await store.observer.query("update stored_keys set sealed = sealed where name = 'sealing_key'");
      expect((await findings(store)).length).to.be.above(0);
      const payout = (await store.database.read(({ payouts }) => payouts.byId(2))) ?? expect.fail();
      expect(payout).to.include({ status: 'pending', hasDetails: false });
      const begin = () => beginAgain({ storage: store.database, key: createSealingKey(seed), now: store.now });
      expect((await begin())?.number).to.equal((await begin())?.number);
      await changedPayout(store, payout, 'paid');
      const { verifyLedger, listSentences } = await import('../../domain/ledger/verify.ts');
      const check = () => store.database.read((stores) => verifyLedger(stores, String, { key: createSealingKey(seed) }));
      expect(listSentences(await check())).to.deep.equal([]);
    });

    it('refuses changes of digests and seals by the database itself', async () => {
      const observer = await engine.observe(await engine.copyUrl(template));
      for (const sql of ['update ledger_digests set object_id = 1', 'delete from ledger_seals'])
        await expectRejection(observer.query(sql), Error);
    });

    concurrentSealing(engine);
    concurrentCreation(engine);
  });
});

/** A transaction may have an id that is lower than one which is committed already. */
function concurrentSealing(engine: Engine): void {
  if (engine.name === 'sqlite') return;
  it('waits for ids that an open transaction can still fill', async () => {
    const store = await Shop.open(engine);
    await useSealingKey(store);
    const { couponId } = await store.affiliate('TRAIL10');
    await sealed(store);
    // Read committed, so that it is not run again.
    const slow = await engine.observe(store.databaseUrl);
    await slow.query('begin');
    await slow.query(
      `insert into ledger (${ledgerColumns}) values ('slow', ${couponId}, 'unpaid', 1, 'transfer', null, null, 0, 'slow', 1)`,
    );
    await store.record(order({ orderId: 1, couponId }));
    const sealing = sealed(store, store.now + 1);
    await store.database.read(({ seals }) => seals.horizon());
    await slow.query('commit');
    expect((await sealing)?.rows).to.equal(4);
    expect((await findings(store)).filter((sentence) => sentence.startsWith('Seal'))).to.deep.equal([]);
  });
}

/** A transaction that began before the key was created does not see it. Payouts are requested at the isolation level read committed. */
function concurrentCreation(engine: Engine): void {
  if (engine.name === 'sqlite') return;
  const isBlocked = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

  it('has every change of a transaction that was open while the key was created', async () => {
    const store = await Shop.open(engine);
    const { couponId } = await store.affiliate('TRAIL10');
    store.database.setSealingKey((stored) => openSealingKey(stored, masterKey));
    const other = await Shop.open(engine, {}, store.databaseUrl);
    const written = gate();
    const end = gate();
    const writing = store.database.write(async (transaction) => {
      await recordOrders(transaction, [order({ orderId: 1, couponId })], contextOf(store));
      written.open();
      await end.opened;
    }, 'read-committed');
    await written.opened;
    const creating = useSealingKey(other).then(() => sealed(other));
    await Promise.race([creating, waitUntil(10_000, async () => (await other.observer.query(isBlocked)).length > 0)]);
    end.open();
    await Promise.all([writing, creating]);
    expect(await findings(store)).to.deep.equal([]);
  });

  it('has every change of a transaction that had read before the key was created, and writes after the first seal', async () => {
    const store = await Shop.open(engine);
    const { couponId } = await store.affiliate('TRAIL10');
    store.database.setSealingKey((stored) => openSealingKey(stored, masterKey));
    const other = await Shop.open(engine, {}, store.databaseUrl);
    let attempts = 0;
    await store.database.write(async (transaction) => {
      attempts += 1;
      await transaction.couponTerms.byIds([couponId]);
      if (attempts === 1) {
        await useSealingKey(other);
        await sealed(other);
      }
      await recordOrders(transaction, [order({ orderId: 1, couponId })], contextOf(store));
    });
    expect(attempts).to.equal(2);
    expect(await findings(store)).to.deep.equal([]);
  });
}

const contextOf = ({ program, now }: Shop) => ({ program, now, userId: 0, hashVisitor: String });

async function expectRejection(promise: Promise<unknown>, type: new (...args: never[]) => Error): Promise<void> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).to.be.instanceOf(type);
}
