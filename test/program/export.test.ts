import { expect } from 'chai';
import { recordKinds } from '../../cli/import-export/record-reader.ts';
import { readIncoming } from '../../domain/records/incoming.ts';
import { onAnyEngine } from '../support/engines.ts';
import { exportText, importObjects, importText, now } from './import-support.ts';
import { at, day, order } from './samples.ts';
import { contentOf, Shop } from './shop.ts';

/** Everything that a round trip could lose: optional fields, special characters, the repeated hour, sparse ids. */
const source = [
  { kind: 'user', id: 900, login: 'kid', email: 'kid@example.com', display_name: 'Kid "K" Ünï', parent: 'ada', role: 'manager' },
  {
    kind: 'user',
    id: 42,
    login: 'ada',
    email: 'Ada@Example.com',
    display_name: 'Ada',
    date_registered: '2026-10-25T02:30:00+01:00',
    profile: { phone: '+49', website: 'https://ada.example' },
    groups: ['a', 'b'],
    custom_fields: { readers: 4200, tags: ['x'] },
  },
  {
    kind: 'coupon',
    id: 301,
    code: 'Ada10',
    user: 'ada',
    percent: 12.375,
    fixed_per_order: 0.5,
    discount_type: 'percent',
    discount_amount: 7.5,
  },
  { kind: 'coupon', id: 17, code: 'KID', user: 'kid', fixed_per_product: 1.25, discount_type: 'fixed_product', discount_amount: 3.99 },
  { kind: 'coupon', id: 18, code: 'ada10', status: 'private', date_created: '2026-02-01' },
  { kind: 'click', coupon_id: 17, date: '2026-10-25T02:30:00', visitor: 'v1', campaign: 'a b', referrer: 'https://x.example/?q=1' },
  { kind: 'click', coupon_id: 17, date: '2026-10-25T02:30:00+01:00', visitor: 'v1', landing_page: '/tents' },
  { kind: 'order', order_id: 88, coupon_id: 301, date: '2026-10-25T02:45:00+01:00', status: 'completed', total: 179.8, visitor: 'v1' },
  { kind: 'order', order_id: 7, coupon_id: 18, date: '2026-10-25T02:45:00', status: 'on-hold', total: 0.01, quantity: 0, campaign: 'own' },
  {
    kind: 'order',
    order_id: 4_999_999_999_999_999,
    coupon_id: 17,
    date: '2026-09-01',
    status: 'completed',
    total: 90,
    refunded_amount: 1.5,
  },
  { kind: 'order', order_id: 89, date: '2026-10-26', status: 'processing', total: 20, shipping: 4.9, tax: 3.8, visitor: 'v1' },
  { kind: 'order', order_id: 90, coupon_id: 301, date: '2026-10-26', status: 'completed', total: 20, subscription: 'plan 7' },
  { kind: 'order', order_id: 91, date: '2026-10-27', status: 'completed', total: 20, subscription: 'plan 7' },
  { kind: 'registration', id: 5, login: 'new', email: 'new@example.com', display_name: 'New', date: '2026-10-01T10:00:00.250' },
  { kind: 'payout_details', user: 'ada', method: 'PayPal', method_type: 'paypal', details: { email: 'secret@example.com' } },
];

const moved = ['user', 'coupon', 'registration', 'click', 'order'] as const;

/** Columns that differ: generated ids, versions, and the order of inserts. Payout details are not imported. */
const apart = {
  ledger: ['id', 'movement'],
  clicks: ['id'],
  coupon_totals: ['version'],
  events: ['id', 'ordinal'],
};

const withoutDetails = ({ payout_details: _details, events = [], ...content }: Record<string, string[]>): Record<string, string[]> => ({
  ...content,
  events: events.filter((event) => !event.includes('"payout_details"')),
});

onAnyEngine((engine) => {
  describe('affiliate export', () => {
    let from: Shop;
    const file = async (shop: Shop) => {
      let text = '';
      for (const kind of moved) text += await exportText(shop.database, kind);
      return text;
    };

    before(async () => {
      from = await Shop.open(engine);
      expect((await importObjects(from.database, source)).errors).to.deep.equal([]);
    });

    it('writes a file that creates the same program in an empty database', async () => {
      const to = await Shop.open(engine);
      expect(await importText(to.database, await file(from))).to.deep.include({ imported: 14, unchanged: 0, errors: [] });
      const [copy, original] = [await contentOf(to.observer, apart), await contentOf(from.observer, apart)].map(withoutDetails);
      for (const table of Object.keys(original ?? {})) expect(copy?.[table], table).to.deep.equal(original?.[table]);
      expect(await file(to)).to.equal(await file(from));
    });

    it('keeps who is disabled; an import disables and enables nobody who exists, and the API does not know the field', async () => {
      const [shop, copy] = [await Shop.open(engine), await Shop.open(engine)];
      const ada = { kind: 'user', login: 'ada', email: 'ada@example.com', display_name: 'Ada', status: 'disabled' };
      const disabled = async ({ observer }: Shop) =>
        (await observer.query<{ login: string }>('select login from users where disabled_at is not null')).map(({ login }) => login);
      await importObjects(shop.database, [ada, { ...ada, login: 'eve', email: 'eve@example.com', status: 'active' }]);
      await importText(copy.database, await exportText(shop.database, 'user'));
      await importObjects(copy.database, [
        { ...ada, status: 'active' },
        { ...ada, login: 'eve', email: 'eve@example.com', status: 'disabled' },
      ]);
      for (const each of [shop, copy]) expect(await disabled(each)).to.deep.equal(['ada']);
      const { kind: _kind, ...record } = ada;
      const locale = { zone: 'UTC', currency: 'USD' };
      expect(() => readIncoming('user', record, { locale, origin: 'api' })).to.throw(/status/);
    });

    it('keeps the status of commission, also of orders that were completed late, granted and set back, or taken up again', async () => {
      const shop = await Shop.open(engine, { clearingDays: 14 });
      const { couponId } = await shop.affiliate('TRAIL10');
      const send = (orderId: number, fields: object) =>
        shop.record(order({ orderId, couponId, placedAt: at('2026-10-20T12:00:00Z'), ...fields }));
      shop.now = at('2026-10-20T12:00:00Z');
      for (const orderId of [1, 2, 3, 4, 5]) await send(orderId, { status: orderId === 1 ? 'completed' : 'processing' });
      shop.now = now - 13 * day;
      await send(2, {});
      await send(5, {});
      await send(5, { status: 'on-hold' });
      shop.now = now - 20 * day;
      await send(3, {});
      await send(4, {});
      shop.now = now - 6 * day;
      await shop.grant();
      await send(3, { status: 'processing' });
      await send(4, { refunded: 10_000 });
      await send(4, {});
      const columns = 'order_id, status, commission_status, granted_at, has_completed, case when has_completed = 1 then due_at end as due';
      const states = ({ observer }: Shop) => observer.query(`select ${columns} from orders order by order_id`);
      const granted = (await states(shop)) as { commission_status: string }[];
      expect(granted.map(({ commission_status }) => commission_status)).to.deep.equal([
        'pending',
        'pending',
        'granted',
        'pending',
        'pending',
      ]);
      const to = await Shop.open(engine);
      expect(await importText(to.database, await file(shop))).to.deep.include({ errors: [] });
      expect(await states(to)).to.deep.equal(granted);
    });

    it('writes of which subscription an order is a payment', async () => {
      const lines = (await exportText(from.database, 'order')).split('\n').filter((line) => line.includes('"subscription":"plan 7"'));
      expect(lines.map((line) => JSON.parse(line).order_id)).to.deep.equal([90, 91]);
    });

    it('writes a file that changes nothing when it is imported into the same database', async () => {
      const before = await contentOf(from.observer);
      expect(await importText(from.database, await file(from))).to.deep.include({ imported: 0, unchanged: 14, errors: [] });
      expect(await contentOf(from.observer)).to.deep.equal(before);
    });

    it('writes no secrets: no visitor ids, no payout destinations', async () => {
      let text = '';
      for (const kind of recordKinds) text += await exportText(from.database, kind);
      expect(text).not.to.match(/secret@example|"v1"|details":/);
      expect(text).to.include('{"kind":"payout_details","user":"ada","method":"PayPal","method_type":"paypal"}');
    });

    it('writes payout details that an import rejects, so that they cannot overwrite stored ones', async () => {
      const { errors } = await importText(from.database, await exportText(from.database, 'payout_details'));
      expect(errors).to.deep.equal([{ line: 1, reason: 'details is missing.' }]);
    });

    it('reads page by page in the order of the key, and skips nothing', async () => {
      const shop = await Shop.open(engine);
      const orders = Array.from({ length: 2001 }, (_, at) => {
        const order = { kind: 'order', order_id: 10_000 - 3 * at, coupon_id: 1, date: '2026-10-01', status: 'completed', total: 1 };
        return order;
      });
      await importObjects(shop.database, [{ kind: 'coupon', id: 1, code: 'A' }, ...orders]);
      const lines = (await exportText(shop.database, 'order')).trimEnd().split('\n');
      const ids = lines.map((line) => (JSON.parse(line) as { order_id: number }).order_id);
      expect(ids).to.deep.equal(orders.map(({ order_id }) => order_id).toReversed());
    });

    it('omits applications that are decided: an import would open them again', async () => {
      const shop = await Shop.open(engine);
      await importObjects(shop.database, source);
      await shop.observer.query(`update registrations set status = 'declined'`);
      expect(await exportText(shop.database, 'registration')).to.equal('');
    });
  });
});
