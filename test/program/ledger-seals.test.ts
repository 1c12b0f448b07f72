import { expect } from 'chai';
import { formatHead, type Head, parseHead, type Seal } from '../../domain/ledger/seal.ts';
import { SealingError, sealLedger } from '../../domain/ledger/seal-ledger.ts';
import { createSealingKey, generateSealingKey } from '../../domain/ledger/sealing-key.ts';
import { renewSecrets } from '../../domain/lost-key/renew-secrets.ts';
import { createStoredKeys, openSealingKey } from '../../domain/master-key/key-ownership.ts';
import { listSentences, verifyLedger } from '../../domain/verification/verify.ts';
import { sealWhatIsDue } from '../../server/jobs/ledger-sealing-job.ts';
import { failureOf } from '../db/gate.ts';
import { disableIntegrityChecks } from '../support/disable-integrity-checks.ts';
import { type Engine, onAnyEngine } from '../support/engines.ts';
import { masterKey } from '../support/service.ts';
import { changedPayout, requestedPayout } from './payouts.ts';
import { day, order } from './samples.ts';
import { Shop } from './shop.ts';

const sealingKey = createSealingKey(generateSealingKey());

const sealed = ({ database, now }: Shop, key = sealingKey): Promise<Seal | null> => sealLedger({ storage: database, key, now });

const findings = async ({ database }: Shop, against: Head | null = null, key = sealingKey): Promise<string[]> =>
  listSentences(await database.read((db) => verifyLedger(db, { written: String, key, against })));

/** Coupon 1 is TRAIL10. Seals 1 to 3 cover an order, a payout and another order; order 3 is not sealed. */
async function openSealedShop(engine: Engine, url: string): Promise<Shop> {
  const shop = await Shop.open(engine, {}, url);
  const trail = await shop.affiliate('TRAIL10');
  await shop.record(order({ orderId: 1, couponId: trail.couponId }));
  await sealed(shop);
  await changedPayout(shop, await requestedPayout(shop, trail), 'paid');
  await sealed(shop);
  await shop.record(order({ orderId: 2, couponId: trail.couponId, status: 'processing' }));
  await sealed(shop);
  await shop.record(order({ orderId: 3, couponId: trail.couponId }));
  return shop;
}

const ledgerColumns = 'movement, coupon_id, pool, amount_minor, reason, order_id, payout_id, user_id, note, created_at';
const bothRows = 'movement = (select movement from ledger where order_id = 1 limit 1)';
const changed = (number: number): RegExp => new RegExp(`^Seal ${number}: the rows that it covers, or the seal itself, were changed`, 'm');

/** Changes of the database, and the sentence that each must lead to. */
const changes: { what: string; statements: string[]; found: RegExp }[] = [
  ...Object.entries({
    movement: "'another.0'",
    amount_minor: 'amount_minor * 2',
    reason: "'order_changed'",
    order_id: '3',
    payout_id: '1',
    user_id: '1',
    note: "'another'",
    created_at: 'created_at - 86400000',
  }).map(([column, value]) => ({
    what: `another ${column} in both rows of a movement`,
    statements: [`update ledger set ${column} = ${value} where ${bothRows}`],
    found: changed(1),
  })),
  {
    what: 'the pools of a movement exchanged, with the amounts',
    statements: [
      `update ledger set pool = case pool when 'store' then 'unpaid' else 'store' end, amount_minor = -amount_minor where ${bothRows}`,
    ],
    found: changed(1),
  },
  {
    what: 'a deleted movement, with its order and balance',
    statements: [
      'delete from ledger where order_id = 2',
      'delete from orders where order_id = 2',
      'update coupons set pending_order_minor = 0',
    ],
    found: /^Seal 3 covers 2 rows, of which 2 were deleted \(rows 7 to 8 of the ledger\)\.$/m,
  },
  {
    what: 'a movement moved into a sealed range',
    statements: ['update ledger set id = -id where order_id = 3'],
    found: /^Seal 1 covers 2 rows, and 2 were inserted among them/m,
  },
  {
    what: 'two rows that exchange their places',
    statements: [
      'update ledger set id = 100 where id = 1',
      'update ledger set id = 1 where id = 2',
      'update ledger set id = 2 where id = 100',
    ],
    found: changed(1),
  },
  {
    what: 'a deleted seal',
    statements: ['delete from ledger_seals where number = 2'],
    found: /^Seal 2 is missing: seal 3 follows seal 1\.$/m,
  },
  {
    what: 'the last seal deleted',
    statements: ['delete from ledger_seals where number = 3'],
    found: /^Seal 3 was deleted: event \d+ of the feed/m,
  },
  ...['created_at = 1', 'row_count = row_count + 1', 'last_id = last_id + 1'].map((change) => ({
    what: `a seal with ${change}`,
    statements: [`update ledger_seals set ${change} where number = 3`],
    found: /^Seal 3[: ]/m,
  })),
  {
    what: 'a seal with the signature of another',
    statements: ['update ledger_seals set signature = (select signature from ledger_seals where number = 1) where number = 2'],
    found: /^Seal 2 has a signature that its key did not make\.$/m,
  },
];

onAnyEngine((engine) => {
  describe('a sealed ledger', () => {
    let template: string;
    let head: Seal;
    before(async () => {
      template = await engine.freshUrl();
      const shop = await openSealedShop(engine, template);
      head = (await shop.database.query(({ seals }) => seals.last())) ?? expect.fail();
      await shop.close();
    });
    /** A copy whose rows can be changed by SQL. */
    const openCopy = async (): Promise<Shop> => {
      const shop = await Shop.open(engine, {}, await engine.copyUrl(template));
      await disableIntegrityChecks(engine, shop.observer);
      if (engine.name === 'postgres') await shop.observer.query('alter table ledger alter column id set generated by default');
      return shop;
    };

    it('verifies as the service has written it, also against its head', async () => {
      const shop = await openCopy();
      expect(await findings(shop, head)).to.deep.equal([]);
      expect(parseHead(formatHead(head))).to.deep.equal({ number: 3, hash: head.hash, signature: head.signature });
    });

    for (const { what, statements, found } of changes)
      it(`shows ${what}`, async () => {
        const shop = await openCopy();
        for (const sql of statements) await shop.observer.query(sql);
        expect((await findings(shop)).join('\n')).to.match(found);
      });

    if (engine.name === 'sqlite')
      it('shows a value of another type, which SQLite stores in any column', async () => {
        const shop = await openCopy();
        await shop.observer.query("update ledger set user_id = 'nobody' where id = 1");
        expect((await findings(shop)).join('\n')).to.match(changed(1));
      });

    it('shows a history that was sealed again with another key, and the service adds no seal to it', async () => {
      const shop = await openCopy();
      await shop.observer.query('update ledger set amount_minor = amount_minor * 2');
      for (const table of ['ledger_seals', "events where kind = 'ledger_sealed'"]) await shop.observer.query(`delete from ${table}`);
      await sealed(shop, createSealingKey(generateSealingKey()));
      expect((await findings(shop)).join('\n')).to.match(/^Seal 1 was signed by another sealing key than the stored one/m);
      await shop.record(order({ orderId: 4, couponId: 1 }));
      expect(await failureOf(sealed(shop))).to.be.instanceOf(SealingError);
    });

    it('that was set back as a whole shows only against a head from outside', async () => {
      const [shop, later] = [await openCopy(), await openCopy()];
      const newest = (await sealed(later)) ?? expect.fail();
      expect(await findings(later, newest)).to.deep.equal([]);
      expect(await findings(shop)).to.deep.equal([]);
      expect(await findings(shop, newest)).to.deep.equal([
        'The given head is seal 4, and this database ends with seal 3: it was set back to an earlier state.',
      ]);
      await shop.record(order({ orderId: 9, couponId: 1 }));
      await sealed(shop);
      expect(await findings(shop, newest)).to.deep.equal([`Seal 4 differs from the given head ${formatHead(newest).slice(0, 20)}….`]);
      const foreign = { ...newest, signature: head.signature };
      expect((await findings(later, foreign)).join()).to.match(/^The given head of seal 4 was not signed by the sealing key/);
    });

    it('is sealed once a day if there is something to seal, and after 10,000 rows', async () => {
      const shop = await Shop.open(engine);
      const due = (now: number) => sealWhatIsDue({ storage: shop.database, masterKey, clock: { now: () => now } });
      const { couponId } = await shop.affiliate('TRAIL10');
      await shop.record(order({ orderId: 1, couponId }));
      expect(await due(shop.now), 'without a key').to.equal(null);
      const stored = createStoredKeys(masterKey).sealing_key;
      await shop.database.write(({ masterKeys }) => masterKeys.leaveKey('sealing_key', stored));
      expect((await due(shop.now))?.number).to.equal(1);
      expect(await due(shop.now + day), 'nothing to seal').to.equal(null);
      await shop.record(order({ orderId: 2, couponId }));
      expect(await due(shop.now + day - 1)).to.equal(null);
      expect((await due(shop.now + day))?.number).to.equal(2);
      for (let first = 101; first <= 5601; first += 500)
        await shop.record(...Array.from({ length: 500 }, (_, index) => order({ orderId: first + index, couponId })));
      expect((await due(shop.now + day + 1))?.number).to.equal(4);
      const seals = await shop.database.query(({ seals: chain }) => chain.after(0, 10));
      expect(seals.map(({ rows }) => rows)).to.deep.equal([2, 2, 10_000, 2000]);
      expect(await findings(shop, null, openSealingKey(stored, masterKey))).to.deep.equal([]);
      const [event] = (await shop.events('ledger_sealed')).slice(-1);
      expect(event?.info).to.equal(`The ledger was sealed: ${formatHead(seals[3] ?? expect.fail())}`);
    });

    it('has one chain when several processes seal concurrently', async () => {
      const shop = await openCopy();
      const others = await Promise.all([1, 2, 3].map(() => Shop.open(engine, {}, shop.databaseUrl)));
      const made = await Promise.all(others.map((other) => sealed(other)));
      expect(made.some((seal) => seal?.number === 4)).to.equal(true);
      expect(await shop.database.query(({ seals }) => seals.after(0, 10))).to.have.length(4);
      expect(await findings(shop)).to.deep.equal([]);
    });

    it('continues with a new key after the master key was lost, and earlier rows stay proved', async () => {
      const shop = await openCopy();
      const stored = createStoredKeys('a lost master key of 32 characters').sealing_key;
      await shop.database.write(({ masterKeys }) => masterKeys.leaveKey('sealing_key', stored));
      const renewed = await shop.database.write((transaction) => renewSecrets(transaction, masterKey, shop.now));
      expect(renewed.isSealingKeyNew).to.equal(true);
      const key = openSealingKey((await shop.database.query(({ masterKeys }) => masterKeys.storedKey('sealing_key'))) ?? '', masterKey);
      const continued = () => sealLedger({ storage: shop.database, key, now: shop.now, isKeyNew: true });
      expect([(await continued())?.number, (await continued())?.number]).to.deep.equal([4, 4]);
      expect(await findings(shop, null, key)).to.deep.equal([]);
      await shop.observer.query(`update ledger set note = 'another' where ${bothRows}`);
      expect((await findings(shop, null, key)).join('\n')).to.match(changed(1));
    });

    it('and its seals are never changed or deleted: the database itself refuses', async () => {
      const observer = await engine.observe(await engine.copyUrl(template));
      const truncations = engine.name === 'postgres' ? ['truncate ledger'] : [];
      const changes = ['ledger', 'ledger_seals'].flatMap((table) => [`update ${table} set created_at = 1`, `delete from ${table}`]);
      const rows = () => observer.query('select * from ledger, ledger_seals');
      const before = await rows();
      for (const sql of [...changes, ...truncations])
        expect((await failureOf(observer.query(sql))).message).to.match(/only ever added to: .* neither changed nor deleted/);
      expect(await rows()).to.deep.equal(before);
    });

    if (engine.name === 'postgres')
      it('waits for ids that an open transaction can still fill', async () => {
        const shop = await openCopy();
        await sealed(shop);
        const slow = await engine.observe(shop.databaseUrl);
        await slow.query('begin');
        await slow.query(`insert into ledger (${ledgerColumns}) values ('slow', 1, 'unpaid', 1, 'transfer', null, null, 0, 'slow', 1)`);
        await shop.record(order({ orderId: 10, couponId: 1 }));
        const sealing = sealed(shop);
        await shop.database.read(({ seals }) => seals.horizon());
        await slow.query('commit');
        expect((await sealing)?.rows).to.equal(3);
        expect((await findings(shop)).filter((sentence) => sentence.startsWith('Seal'))).to.deep.equal([]);
      });
  });
});
