import { expect } from 'chai';
import type { ImportResult } from '../../cli/import-export/import-result.ts';
import { onAnyEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { importCsv, importObjects, importObjectsStrictly, importText, ndjson } from './import-support.ts';
import { expectConsistent } from './invariants.ts';
import { contentOf, Shop } from './shop.ts';

const user = (login: string, rest: object = {}) => ({ kind: 'user', login, email: `${login}@example.com`, display_name: login, ...rest });
const coupon = (code: string, rest: object = {}) => ({ kind: 'coupon', code, ...rest });
const order = (order_id: number, rest: object = {}) => ({
  kind: 'order',
  order_id,
  date: '2026-10-01T12:00:00',
  status: 'completed',
  total: 179.8,
  discount: 17.98,
  ...rest,
});
const click = (coupon_code: string, visitor: string, date: string) => ({ kind: 'click', coupon_code, visitor, date, campaign: 'letter' });

/** One of every kind; the parents follow their recruits. */
const program = [
  user('kid', { parent: 'Ada', groups: ['a'], profile: { website: 'https://kid.example' } }),
  user('grandkid', { parent: 'kid' }),
  user('ada', { id: 42, date_registered: '2026-01-12T10:00:00' }),
  coupon('ADA10', { id: 301, user: 'ada', percent: 12.5, discount_type: 'fixed_cart', discount_amount: 5 }),
  coupon('KID10', { user: 'kid' }),
  coupon('GRAND10', { user: 'grandkid', fixed_per_order: 1.5 }),
  coupon('UNOWNED'),
  click('kid10', 'v1', '2026-09-20T10:00:00'),
  order(1, { coupon_id: 301 }),
  order(2, { coupon_code: 'ada10', visitor: 'v1' }),
  order(3, { coupon_code: 'GRAND10', refunded_amount: 20 }),
  order(4, { coupon_code: 'unowned', status: 'refunded' }),
  order(5, { coupon_id: 301, date: '2026-11-01T12:00:00' }),
  { kind: 'registration', login: 'new', email: 'new@example.com', display_name: 'New', coupon_code: 'NEW10' },
  { kind: 'payout_details', user: 'ada', method: 'PayPal', method_type: 'paypal', details: { email: 'pay@example.com' } },
];

const counts = ({ imported, unchanged, errors }: ImportResult) => ({ imported, unchanged, errors });

onAnyEngine((engine) => {
  describe('affiliate import', () => {
    const shop = testFixture(() => Shop.open(engine));
    const importing = (...records: object[]) => importObjects(shop.database, records);
    const reasons = async (...records: object[]) => (await importing(...records)).errors.map(({ line, reason }) => `${line}: ${reason}`);
    const users = () => shop.observer.query<Record<string, unknown>>('select * from users order by id');

    it('records everything through the domain: commission, shares, conversions, figures and events are right', async () => {
      expect(counts(await importing(...program))).to.deep.equal({ imported: 15, unchanged: 0, errors: [] });
      await expectConsistent(shop);
      expect(await shop.order(2)).to.include({ creditedVia: 'referral_link', campaign: 'letter', commission: 1618, usedCouponId: 301 });
      expect(await shop.order(1)).to.include({ commission: 2023, commissionStatus: 'granted' });
      expect(await shop.order(5)).to.include({ commissionStatus: 'pending' });
      expect(await shop.observer.query('select order_id from order_shares')).to.have.length(3);
    });

    it('changes nothing when a file with several versions of an order is imported again', async () => {
      const order = { kind: 'order', order_id: 9, coupon_id: 1, date: '2026-10-20', total: 10 };
      const file = [{ kind: 'coupon', id: 1, code: 'A' }, ...['processing', 'completed'].map((status) => ({ ...order, status }))];
      await importing(...file);
      expect(counts(await importing(...file))).to.deep.equal({ imported: 0, unchanged: 3, errors: [] });
    });

    it('tells the former address of a changed email if the person has a password here', async () => {
      await importing(user('ada'), user('eve'));
      await shop.database.write(async ({ users: all }) => all.setPasswordHash((await all.byLoginOrEmail('ada'))?.id ?? 0, 'a hash'));
      const [ada] = await users();
      await importing(user('ada', { id: Number(ada?.['id']), email: 'ada@new.example' }), user('eve', { email: 'eve@new.example' }));
      expect(await shop.observer.query('select recipient from mails')).to.deep.equal([{ recipient: 'ada@example.com' }]);
      expect(await shop.events('affiliate_updated')).to.have.length(2);
    });

    it('changes nothing when the same file is imported again', async () => {
      await importing(...program);
      const before = await contentOf(shop.observer);
      expect(counts(await importing(...program))).to.deep.equal({ imported: 0, unchanged: 15, errors: [] });
      expect(await contentOf(shop.observer)).to.deep.equal(before);
    });

    it('creates, promotes, changes and demotes administrators and managers only where that is allowed', async () => {
      const staff = [user('ada'), user('boss', { role: 'administrator' }), user('aide', { role: 'manager' })];
      const run = async (records: readonly object[], allowPrivileged: boolean) =>
        counts(await importObjects(shop.database, records, {}, { allowPrivileged }));
      const refused = (line: number, login: string, role: string) => ({
        line,
        reason: `${login} has the role ${role}: an import creates and changes such users only with --allow-privileged.`,
      });
      const errors = [refused(2, 'boss', 'administrator'), refused(3, 'aide', 'manager')];
      expect(await run(staff, false)).to.deep.equal({ imported: 1, unchanged: 0, errors });
      expect(await run(staff, true)).to.deep.equal({ imported: 2, unchanged: 1, errors: [] });
      expect(await run(staff, false)).to.deep.equal({ imported: 0, unchanged: 3, errors: [] });
      const before = await users();
      const takeover = [user('ada', { role: 'manager' }), user('boss', { email: 'eve@example.com' }), user('aide', { role: 'customer' })];
      expect((await run(takeover, false)).errors).to.deep.equal([refused(1, 'ada', 'manager'), ...errors]);
      expect(await users()).to.deep.equal(before);
    });

    it('hands a coupon with a balance over only where the balance is transferred, and changes nothing of a refused line', async () => {
      await importing(...program);
      const before = await contentOf(shop.observer);
      const handover = coupon('ADA10', { id: 301, user: 'kid', status: 'private' });
      expect((await reasons(handover)).join()).to.match(/^1: Coupon 301 \(ADA10\) holds commission of its owner: /);
      expect(await contentOf(shop.observer)).to.deep.equal(before);
      const transferred = await importObjects(shop.database, [handover], {}, { transferBalance: true });
      expect(counts(transferred)).to.deep.equal({ imported: 1, unchanged: 0, errors: [] });
      expect(counts(await importing(handover))).to.deep.equal({ imported: 0, unchanged: 1, errors: [] });
      expect((await shop.events('coupon_transferred'))[0]?.info).to.match(
        /^Coupon ADA10 was transferred from ada \(user 42\) to kid \(user \d+\), with /,
      );
    });

    it('updates the record of a changed line, and keeps the fields that the line does not have', async () => {
      await importing(...program);
      const changed = [
        user('ada', { display_name: 'Ada Again', role: 'customer' }),
        coupon('ADA10', { id: 301, status: 'private' }),
        order(1, { coupon_id: 301, refunded_amount: 161.82 }),
      ];
      expect(counts(await importing(...changed))).to.deep.equal({ imported: 3, unchanged: 0, errors: [] });
      const [, , ada] = await users();
      expect(ada).to.include({ display_name: 'Ada Again', display_name_folded: 'ada again', role: 'affiliate' });
      const [row] = await shop.observer.query<Record<string, unknown>>('select * from coupons where id = 301');
      expect(row).to.include({ status: 'private', discount_type: 'fixed_cart' });
      expect([row?.['percent_thousandths'], row?.['discount_amount']].map(Number)).to.deep.equal([12_500, 500]);
      expect(await shop.order(1)).to.include({ commission: 0, commissionStatus: 'reversed' });
      await expectConsistent(shop);
    });

    it('keeps an id that is free, and assigns another when it is taken', async () => {
      await importing(user('one', { id: 7 }), user('two', { id: 7 }), user('three'));
      expect((await users()).map(({ id, login }) => [Number(id), login])).to.deep.equal([
        [7, 'one'],
        [8, 'two'],
        [9, 'three'],
      ]);
      expect(counts(await importing(user('two', { id: 7 })))).to.deep.equal({ imported: 0, unchanged: 1, errors: [] });
    });

    it('assigns parents that follow in the file, also in a later batch, and reports the users whose parent is missing', async () => {
      const many = Array.from({ length: 1000 }, (_, at) => user(`u${at}`));
      const errors = await reasons(
        user('early', { parent: 'late' }),
        coupon('EARLY', { user: 'early' }),
        ...many,
        user('late'),
        user('lost', { parent: 'gone' }),
      );
      expect(errors).to.deep.equal(['1004: There is no user gone: the user was imported without a parent.']);
      const [early] = await users();
      const late = (await users()).find(({ login }) => login === 'late');
      expect(early?.['parent_id']).to.equal(late?.['id']);
    });

    it('rejects the line that would close a cycle of parents', async () => {
      const errors = await reasons(user('a', { parent: 'c' }), user('b', { parent: 'a' }), user('c', { parent: 'b' }));
      expect(errors).to.deep.equal(['3: c would be their own multi-level parent.']);
    });

    it('reports each invalid line with its number and imports all others', async () => {
      await importing(...program, coupon('unowned', { id: 999 }));
      const errors = await reasons(
        user('ada', { email: 'KID@example.com' }),
        coupon('OTHER', { id: 301 }),
        coupon('ADA10', { user: 'kid' }),
        coupon('KID20', { user: 'stranger' }),
        coupon('unowned'),
        click('unknown', 'v', '2026-10-01'),
        order(10, { coupon_code: 'UNOWNED' }),
        order(11, { coupon_code: 'unknown' }),
        order(12, { coupon_id: 301 }),
        order(1, { coupon_code: 'KID10' }),
        order(13, { coupon_id: 301, discount: 200 }),
        order(14, { coupon_id: 301, total: 10.001 }),
        { kind: 'registration', login: 'x', email: 'x@example.com', display_name: 'X', website: 'javascript:alert(1)' },
        { kind: 'payout_details', user: 'stranger', method: 'x', method_type: 'paypal', details: {} },
      );
      expect(errors).to.deep.equal([
        '1: A user with the login or email KID@example.com exists already.',
        '2: Coupon 301 exists already, with the code ADA10.',
        "3: A coupon with the code ADA10 exists already and is another's. Name one by its id.",
        '4: There is no user stranger.',
        '5: More than one coupon has the code unowned. Name one by its id.',
        '6: There is no published coupon with the code unknown.',
        '7: More than one published coupon answers to the code UNOWNED. Name one by its id.',
        '8: There is no published coupon with the code unknown.',
        '10: The order was recorded with coupon 301, and its coupon cannot change.',
        '11: The discount is larger than the total.',
        '12: total must be an amount in EUR, zero or more, as a number with at most 2 decimals.',
        '13: website must be an http or https address.',
        '14: There is no user stranger.',
      ]);
      expect(await shop.order(12)).to.include({ orderId: 12 });
      await expectConsistent(shop);
    });

    it('counts an order that names no coupon and that no click credits as not referred, and does not store it', async () => {
      const tally = await importing(order(1));
      expect(tally).to.deep.include({ imported: 0, unchanged: 0, notReferred: 1, errors: [] });
      expect(await shop.observer.query('select * from orders')).to.deep.equal([]);
    });

    it('refuses an order that names an unknown code, unless a click credits it, and then changes nothing when it is imported again', async () => {
      const lines = [
        click('KID10', 'v', '2026-09-30T10:00:00'),
        order(20, { coupon_code: 'SUMMER', visitor: 'v' }),
        order(21, { coupon_code: 'SUMMER', visitor: 'other' }),
      ];
      await importing(...program);
      const refusal = { line: 3, reason: 'There is no published coupon with the code SUMMER.' };
      expect(await importing(...lines)).to.deep.include({ imported: 2, unchanged: 0, notReferred: 0, errors: [refusal] });
      expect(await shop.order(20)).to.include({ creditedVia: 'referral_link', usedCouponId: null });
      expect(await importing(...lines)).to.deep.include({ imported: 0, unchanged: 2, errors: [refusal] });
      await importing(coupon('SUMMER', { id: 77 }));
      expect(await reasons(order(20, { coupon_code: 'SUMMER' }))).to.deep.equal([
        '1: The order was recorded without a coupon, and its coupon cannot change.',
      ]);
    });

    it('rejects only the lines that violate a constraint when the database fails a whole batch', async () => {
      await importing(user('ada'), coupon('ANY', { id: 1, user: 'ada' }));
      const guard = { sqlite: guardOfSqlite, postgres: guardOfPostgres }[engine.name];
      for (const statement of guard) await shop.observer.query(statement);
      const tally = await importing(...Array.from({ length: 40 }, (_, at) => order(at + 1, { coupon_id: 1 })));
      expect(tally.errors.map(({ line }) => line)).to.deep.equal([13, 26, 39]);
      expect(tally.errors[0]?.reason).to.match(/^The database refused it: .*number 13/);
      expect(tally.imported).to.equal(37);
      await expectConsistent(shop);
    });

    it('finds the click of an order when clicks and orders alternate', async () => {
      const turns = Array.from({ length: 40 }, (_, at) => [
        click('KID10', `v${at}`, '2026-09-30T10:00:00'),
        order(100 + at, { coupon_id: 301, visitor: `v${at}` }),
      ]);
      await importing(...program, ...turns.flat());
      const rows = await shop.observer.query(`select order_id from orders where order_id >= 100 and credited_via = 'referral_link'`);
      expect(rows).to.have.length(40);
    });
  });

  describe('affiliate import --strict', () => {
    const shop = testFixture(() => Shop.open(engine));

    it('imports a file without errors', async () => {
      expect(counts(await importObjectsStrictly(shop.database, program))).to.deep.equal({ imported: 15, unchanged: 0, errors: [] });
      await expectConsistent(shop);
    });

    const bad: [title: string, records: object[], line: number][] = [
      ['a line that the domain rejects', [...program, order(9, { coupon_id: 9999 })], 16],
      ['the first of several invalid lines in one batch', [...program, order(9, { coupon_id: 9999 }), order(10, { total: -1 })], 16],
      [
        'the first of several invalid lines, when that one cannot be read',
        [...program, order(10, { total: -1 }), order(9, { coupon_id: 9999 })],
        16,
      ],
      ['a line that cannot be read', [user('a'), { kind: 'order' }, ...program], 2],
      ['a parent that is missing', [...program, user('lost', { parent: 'gone' })], 16],
    ];
    for (const [title, records, line] of bad)
      it(`imports nothing and reports ${title}`, async () => {
        const before = await contentOf(shop.observer);
        const stopped = await importObjectsStrictly(shop.database, records).catch(
          (thrown: { cause: { line: number } }) => thrown.cause.line,
        );
        expect(stopped).to.equal(line);
        expect(await contentOf(shop.observer)).to.deep.equal(before);
      });
  });
});

// Constraints that the domain does not know, as an operator could add them.
const guardOfSqlite = [
  `create trigger guard before insert on orders when new.order_id % 13 = 0 begin select raise(abort, 'number 13'); end`,
];
const guardOfPostgres = [
  `create function guard() returns trigger language plpgsql as
   $$ begin if new.order_id % 13 = 0 then raise exception 'number 13' using errcode = '23514'; end if; return new; end $$`,
  'create trigger guard before insert on orders for each row execute function guard()',
];

describe('affiliate import of CSV', () => {
  onAnyEngine((engine) => {
    it('stores the same rows as for NDJSON', async () => {
      const [one, other] = [await Shop.open(engine), await Shop.open(engine)];
      await importText(one.database, ndjson([coupon('ADA10', { id: 301 }), order(1, { coupon_id: 301 })]));
      await importText(other.database, ndjson([coupon('ADA10', { id: 301 })]));
      await importCsv(
        other.database,
        'orders.csv',
        'order_id,coupon_id,date,status,total,discount\n1,301,2026-10-01 12:00,completed,179.80,17.98\n',
      );
      const volatile = { ledger: ['movement'] };
      expect(await contentOf(other.observer, volatile)).to.deep.equal(await contentOf(one.observer, volatile));
    });
  });
});
