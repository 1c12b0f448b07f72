import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { checkStoreConnection } from '../../cli/doctor/store.ts';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { visitorIsUnknown } from '../../domain/order-recording/incoming.ts';
import { systemRandom } from '../../domain/random.ts';
import type { StoreDelivery } from '../../domain/store/connection.ts';
import { connectStore, deleteOldStoreDeliveries } from '../../domain/store/manage-connections.ts';
import { shopifyOrder, wooOrder } from '../connectors/payloads.ts';
import { abortBody } from '../support/aborted-body.ts';
import { clicks } from '../support/clicks.ts';
import { onAnyEngine } from '../support/engines.ts';
import { coupon } from '../support/program.ts';
import { masterKey, suiteService } from '../support/service.ts';

const secret = 'a secret of the shop';
const names = {
  woocommerce: { signature: 'X-WC-Webhook-Signature', topic: 'X-WC-Webhook-Topic' },
  shopify: { signature: 'X-Shopify-Hmac-Sha256', topic: 'X-Shopify-Topic' },
};
const sign = (body: string | Buffer): string => createHmac('sha256', secret).update(body).digest('base64');

onAnyEngine((engine) => {
  describe('POST /connect/<id>', () => {
    const { service, admin, clock } = suiteService(engine, { settings: { 'store.currency': 'EUR' } });
    let first: number;
    let [id, platform]: [string, keyof typeof names] = ['', 'woocommerce'];

    async function connect(to: keyof typeof names, withSecret: string | null = secret): Promise<void> {
      const secrets = createSecrets('store_secret', masterKey, systemRandom);
      const context = { now: service.clock.now(), random: systemRandom, secrets };
      platform = to;
      id = await service.storage.write(async (transaction) => {
        for (const { id: former } of await transaction.connections.all()) await transaction.connections.disconnect(former, 1);
        return (await connectStore(transaction, { platform: to, name: '', secret: withSecret }, context)).id;
      });
    }

    interface Sent {
      signature?: string | null;
      to?: string;
      type?: string;
    }
    const sendText = async (
      topic: string,
      body: string | Buffer,
      { signature = sign(body), to = id, type = 'application/json' }: Sent = {},
    ) => {
      const headers = { [names[platform].topic]: topic, ...(signature !== null && { [names[platform].signature]: signature }) };
      const response = await fetch(`${service.origin}/connect/${to}`, {
        method: 'POST',
        body,
        headers: { 'Content-Type': type, ...headers },
      });
      return { status: response.status, body: (await response.json()) as { outcome?: string; code?: string } };
    };
    const send = async (topic: string, payload: unknown): Promise<string | undefined> =>
      (await sendText(topic, JSON.stringify(payload))).body.outcome;
    const deliveries = async (): Promise<StoreDelivery[]> =>
      (await service.storage.read(({ connections }) => connections.deliveries(id, { page: 1, perPage: 1000 }))).items;
    const stored = async (orderId: number) => (await service.storage.read(({ orders }) => orders.byIds([orderId])))[0];

    before(async () => {
      const owner = await service.user('owner', 'affiliate');
      first = await coupon(service, 'FIRST10', { userId: owner.id });
      for (const code of ['TWICE', 'twice']) await coupon(service, code, { userId: owner.id });
      await coupon(service, 'UNOWNED');
      await connect('woocommerce');
      expect((await sendText('order.created', '{}')).status).to.equal(404);
      await service.settings.set('addons.store', true);
    });

    it('answers 404 for an unknown id, 401 for a wrong signature, 413, and 400 for invalid JSON; a wrong signature is logged once a minute', async () => {
      const body = JSON.stringify(wooOrder());
      expect((await sendText('order.created', body, { to: '0'.repeat(32) })).status).to.equal(404);
      expect((await sendText('order.created', body, { to: 'x' })).status).to.equal(404);
      for (const signature of [null, '', 'AAAA', sign(`${body} `), sign(body).toLowerCase()])
        expect((await sendText('order.created', body, { signature })).status).to.equal(401);
      expect((await sendText('order.created', 'x'.repeat(2 * 2 ** 20 + 1))).status).to.equal(413);
      expect(await abortBody(service, `/connect/${id}`)).to.deep.equal({ status: 400, level: 40 });
      const reason = 'The signature is missing or wrong: the shop may sign with another secret.';
      const [refused, ...more] = await deliveries();
      expect(refused).to.include({ topic: '', orderId: null, outcome: 'refused', reason });
      expect(more).to.deep.equal([]);
      clock.advance(60);
      expect((await sendText('order.created', body, { signature: 'AAAA' })).status).to.equal(401);
      expect(await deliveries()).to.have.length(2);
      expect(await sendText('order.created', '{')).to.deep.include({ status: 400 });
      expect(await deliveries()).to.have.length(3);
      const latin1 = Buffer.from(JSON.stringify(wooOrder({ id: 727, customer_note: 'Grüße' })), 'latin1');
      expect((await sendText('order.created', latin1)).body.code).to.equal('rest_invalid_json');
      expect(await stored(727)).to.equal(undefined);
    });

    it('refuses a signed delivery of more values or levels than orders have, before it is parsed, and says so in the log', async () => {
      const many = `[${'1,'.repeat(30_000)}`;
      for (const body of ['['.repeat(2 * 2 ** 20), many, `${'{"a":'.repeat(65)}`]) {
        const answer = await sendText('order.created', body);
        // None of them is JSON: parsing would answer 400.
        expect([answer.status, answer.body.code], body.slice(0, 9)).to.deep.equal([413, 'rest_body_too_large']);
        expect((await deliveries())[0]).to.include({ outcome: 'refused', reason: 'The body has more than 30,000 values or 64 levels.' });
      }
      const line_items = Array.from({ length: 2001 }, () => ({ quantity: 1, subtotal: '1.00' }));
      expect(await send('order.created', wooOrder({ line_items }))).to.equal('refused');
      expect((await deliveries())[0]?.reason).to.equal('line_items has more than 2000 entries.');
      expect(await stored(727)).to.equal(undefined);
    });

    it('accepts the unsigned ping of WooCommerce, and refuses everything for a connection without a secret', async () => {
      const form = { signature: null, type: 'application/x-www-form-urlencoded' };
      expect(await sendText('', 'webhook_id=7', form)).to.deep.equal({ status: 200, body: { outcome: 'ignored' } });
      expect((await sendText('', 'webhook_id=7&a=b', form)).status).to.equal(401);
      await connect('shopify', null);
      expect((await sendText('orders/create', '{}')).status).to.equal(401);
      expect((await sendText('', 'webhook_id=7', form)).status).to.equal(401);
      await connect('woocommerce');
    });

    it('follows an order of WooCommerce through payment, refunds, deletion and restoring', async () => {
      const at = (minute: number) => ({ date_modified_gmt: `2026-10-05T15:${String(minute).padStart(2, '0')}:00` });
      const refunds = [{ id: 801, total: '-98.74' }];
      expect(await send('order.created', wooOrder())).to.equal('created');
      expect(await send('order.created', wooOrder())).to.equal('unchanged');
      expect(await send('order.updated', wooOrder({ ...at(1), status: 'completed' }))).to.equal('updated');
      expect(await stored(727)).to.include({ couponId: first, status: 'completed', commission: 1618 });
      expect(await send('order.updated', wooOrder({ ...at(3), status: 'completed', refunds }))).to.equal('updated');
      // 98.74 of 197.47 are half of the order, so half of the goods.
      expect(await stored(727)).to.include({ refunded: 8091, commission: 809 });
      expect(await send('order.updated', wooOrder({ ...at(2), status: 'completed' }))).to.equal('unchanged');
      expect(await stored(727)).to.include({ refunded: 8091 });
      expect(
        await send('order.updated', wooOrder({ ...at(4), status: 'completed', coupon_lines: [], refunds: [{ id: 0, total: '-98.74' }] })),
      ).to.equal('updated');
      expect(await stored(727)).to.include({ refunded: 0, commission: 1618, usedCouponId: first });
      expect(await send('order.deleted', { id: 727 })).to.equal('updated');
      expect(await send('order.updated', wooOrder({ ...at(4), status: 'completed' })), 'the last update again').to.equal('unchanged');
      expect(await stored(727)).to.include({ status: 'cancelled', commission: 0 });
      expect(await send('order.restored', wooOrder({ ...at(2), status: 'completed' }))).to.equal('updated');
      expect(await stored(727)).to.include({ status: 'completed', commission: 1618 });
      expect((await admin.get(`/coupons/${first}/orders`)).body[0]).to.include({ order_id: 727, commission: 16.18 });
    });

    it('neither undoes a refund nor cancels an order when a webhook of WooCommerce is sent again under another topic', async () => {
      const at = (minute: number) => ({ id: 728, status: 'completed', date_modified_gmt: `2026-10-05T15:0${minute}:00` });
      const refunds = [{ id: 802, total: '-98.74' }];
      const paid = wooOrder(at(1));
      const refunded = wooOrder({ ...at(2), refunds });
      for (const payload of [paid, refunded]) await send('order.updated', payload);
      expect(await send('order.restored', paid)).to.equal('unchanged');
      expect(await send('order.deleted', refunded)).to.equal('refused');
      expect(await stored(728)).to.include({ status: 'completed', refunded: 8091 });
      // Cancelled by the shop, not deleted: there is nothing to restore.
      await send('order.updated', wooOrder({ ...at(3), status: 'cancelled', refunds }));
      expect(await send('order.restored', paid)).to.equal('unchanged');
      expect(await stored(728)).to.include({ status: 'cancelled', commission: 0 });
      // An order that was in the trash comes back, but its refund stays.
      await send('order.updated', wooOrder({ ...at(4), status: 'trash', refunds }));
      expect(await send('order.restored', paid)).to.equal('updated');
      expect(await stored(728)).to.include({ status: 'completed', refunded: 8091 });
      expect(await send('order.restored', wooOrder({ ...at(1), status: 'processing' }))).to.equal('unchanged');
    });

    it('neither undoes a refund nor takes an order a step back by a payload of the same second', async () => {
      await connect('woocommerce');
      const woo = (changed: object = {}) =>
        wooOrder({ id: 730, date_modified_gmt: '2026-10-05T15:01:00', status: 'completed', ...changed });
      const refunds = [{ id: 803, total: '-98.74' }];
      for (const payload of [woo(), woo({ refunds }), woo(), woo({ status: 'processing' })]) await send('order.updated', payload);
      expect(await stored(730)).to.include({ status: 'completed', refunded: 8091, commission: 809 });
      // The list of a later second is complete: the refund was deleted.
      await send('order.updated', woo({ date_modified_gmt: '2026-10-05T15:01:01' }));
      expect(await stored(730)).to.include({ refunded: 0, commission: 1618 });
      await connect('shopify');
      const shopify = (financial_status: string) => shopifyOrder({ id: 731, financial_status });
      await send('orders/paid', shopify('paid'));
      await send('orders/create', shopify('pending'));
      expect(await stored(731)).to.include({ status: 'completed', commissionStatus: 'granted' });
      await send('orders/updated', shopify('refunded'));
      await send('orders/updated', shopify('paid'));
      expect(await stored(731)).to.include({ status: 'refunded', commission: 0 });
      const refunding = (status: string) => {
        const transactions = [{ kind: 'refund', status, amount: '20.00', currency: 'EUR' }];
        return shopifyOrder({ id: 732, refunds: [{ id: 804, refund_line_items: [{ subtotal: 20, total_tax: 0 }], transactions }] });
      };
      for (const status of ['success', 'pending']) {
        await send('orders/updated', refunding(status));
        expect(await stored(732), status).to.include({ refunded: 2000 });
      }
      // A later second says that the money was not given back after all.
      await send('orders/updated', { ...refunding('failure'), updated_at: '2026-10-05T10:31:08-04:00' });
      expect(await stored(732)).to.include({ refunded: 0 });
    });

    it('answers 200 for orders that it refuses or ignores, and logs why', async () => {
      await connect('woocommerce');
      expect(await send('order.created', wooOrder({ id: 1, currency: 'USD' }))).to.equal('refused');
      expect(await send('order.created', wooOrder({ id: 2, coupon_lines: [{ code: 'TWICE' }] }))).to.equal('refused');
      expect(await send('order.created', wooOrder({ id: 3, line_items: [{ quantity: -1, subtotal: '20.00' }] }))).to.equal('refused');
      expect(await send('order.created', wooOrder({ id: 4, coupon_lines: [{ code: 'UNOWNED' }, { code: 'other' }] }))).to.equal('ignored');
      expect(await send('order.created', wooOrder({ id: 7, coupon_lines: [], meta_data: [] }))).to.equal('ignored');
      expect(await send('order.deleted', { id: 5 })).to.equal('ignored');
      expect(await send('coupon.created', { id: 6 })).to.equal('ignored');
      expect((await deliveries()).map(({ topic, orderId, outcome, reason }) => [topic, orderId, outcome, reason])).to.deep.equal([
        ['coupon.created', 6, 'ignored', 'This topic or order does not concern the program.'],
        ['order.deleted', 5, 'ignored', 'The order is not in the program.'],
        ['order.created', 7, 'ignored', 'No affiliate referred the order.'],
        ['order.created', 4, 'ignored', visitorIsUnknown],
        ['order.created', 3, 'refused', 'The quantity must be a whole number from 0 to 1000000.'],
        ['order.created', 2, 'refused', 'More than one published coupon answers to the code TWICE.'],
        ['order.created', 1, 'refused', 'The currency of the order is not EUR.'],
      ]);
      const checks = await checkStoreConnection(service.storage, await service.settings.current(), service.clock.now());
      expect(JSON.stringify(checks)).to.include('orders without commission, whose visitor has no known click: 1.');
      await service.withSetting('addons.management', true, async () => {
        const path = `/store/connections/${id}/deliveries?unknown_visitor=true`;
        const { body, headers } = await admin.get<{ order_id: number }[]>(path);
        expect([body.map(({ order_id }) => order_id), headers.get('X-Svc-Total')]).to.deep.equal([[4], '1']);
      });
    });

    it('ends in the newest state of a Shopify order, in whatever order its webhooks arrive, and counts each refund once', async () => {
      await connect('shopify');
      let orderId = 9000;
      const refund = (number: number) => ({ id: number, refund_line_items: [{ subtotal: 10 * number, total_tax: 0 }] });
      const versionsOf = (of: number): [string, object][] => [
        ['orders/create', shopifyOrder({ id: of, financial_status: 'pending', updated_at: '2026-10-05T10:31:07Z' })],
        ['orders/paid', shopifyOrder({ id: of, updated_at: '2026-10-05T10:32:00Z' })],
        ['orders/updated', shopifyOrder({ id: of, updated_at: '2026-10-05T10:33:00Z', refunds: [refund(1)] })],
        ['orders/updated', shopifyOrder({ id: of, updated_at: '2026-10-05T10:34:00Z', refunds: [refund(1), refund(2)] })],
      ];
      const orders = fc.shuffledSubarray([0, 1, 2, 3, 3, 2, 1], { minLength: 7, maxLength: 7 });
      await fc.assert(
        fc.asyncProperty(orders, fc.boolean(), async (sequence, isConcurrent) => {
          orderId += 1;
          const versions = versionsOf(orderId);
          const all = sequence.map((at) => versions[at] as [string, object]);
          if (isConcurrent) await Promise.all(all.map(([topic, payload]) => send(topic, payload)));
          else for (const [topic, payload] of all) await send(topic, payload);
          expect(await stored(orderId)).to.include({ status: 'completed', refunded: 3000, couponId: first });
        }),
        { numRuns: 12 },
      );
      // With tax included, a refund without its order is the same one as in the order, in whichever order they arrive.
      const refunded = { id: 77, refund_line_items: [{ subtotal: '59.50', total_tax: '9.50' }] };
      const taxed = {
        taxes_included: true,
        total_line_items_price: '119.00',
        total_discounts: '0.00',
      };
      const lines = { line_items: [{ quantity: 1, tax_lines: [{ price: '19.00' }] }] };
      for (const topics of [
        ['orders/create', 'refunds/create', 'orders/updated'],
        ['orders/create', 'orders/updated', 'refunds/create'],
      ]) {
        orderId += 1;
        for (const [at, topic] of topics.entries()) {
          const refunds = topic === 'orders/updated' ? [refunded] : [];
          const order = shopifyOrder({ ...taxed, ...lines, id: orderId, refunds, updated_at: `2026-10-05T10:3${at}:00Z` });
          await send(topic, topic === 'refunds/create' ? { ...refunded, order_id: orderId } : order);
          if (at > 0) expect(await stored(orderId), topics.slice(0, at + 1).join()).to.include({ refunded: 5000, total: 10_000 });
        }
      }
      orderId -= 2;
      const again = { ...refund(2), order_id: orderId };
      expect(await send('refunds/create', again)).to.equal('unchanged');
      expect(await send('refunds/create', { ...refund(3), order_id: orderId })).to.equal('updated');
      expect(await stored(orderId)).to.include({ refunded: 6000 });
    });

    it('stores the campaign of a Shopify order without control characters', async () => {
      await connect('shopify');
      const note_attributes = [{ name: 'affiliate_campaign', value: 'autumn\u0007\n=1' }];
      await send('orders/create', shopifyOrder({ id: 20_000, note_attributes }));
      expect(await stored(20_000)).to.include({ campaign: 'autumn=1' });
    });

    it('counts a refund of an amount of Shopify in proportion, whichever of its two webhooks arrives first', async () => {
      await connect('shopify');
      let id = 20_000;
      // A refund that arrives alone does not say what dollars are worth.
      for (const topics of [
        ['refunds/create', 'orders/updated'],
        ['orders/updated', 'refunds/create'],
      ])
        for (const currency of ['EUR', 'USD']) {
          id += 1;
          const total_price_set = { shop_money: { amount: '166.72' }, presentment_money: { amount: '166.72' } };
          const refund = { id, order_id: id, transactions: [{ kind: 'refund', status: 'success', amount: '83.36', currency }] };
          await send('orders/create', shopifyOrder({ id }));
          const order = shopifyOrder({ id, total_price_set, refunds: [refund], updated_at: '2026-10-05T10:40:00-04:00' });
          for (const topic of topics) await send(topic, topic === 'orders/updated' ? order : refund);
          // 83.36 are half of what was paid, so half of the goods.
          expect(await stored(id), `${topics} ${currency}`).to.include({ refunded: 8091, commission: 809 });
        }
    });

    it('is watched by affiliate doctor: a missing secret, silence in spite of clicks, many refusals, and a clock that is wrong', async () => {
      const doctor = async (later = 0) => {
        const checks = await checkStoreConnection(service.storage, await service.settings.current(), service.clock.now() + later);
        return checks.map(({ state, message }) => `${state}: ${message}`);
      };
      await connect('shopify', null);
      expect((await doctor())[0]).to.match(/^problem: Everything is refused until the secret is set/);
      await connect('shopify');
      expect(await doctor()).to.deep.equal(['ok: 0 deliveries within a day.']);
      await send('orders/create', shopifyOrder({ id: 30_000, updated_at: '2026-11-02T08:00:00Z' }));
      await send('orders/create', shopifyOrder({ currency: 'USD' }));
      const [refusals, clock] = await doctor();
      expect(refusals).to.match(
        /^warning: 1 of the last 2 deliveries were refused, .*: The currency of the order is not EUR\. affiliate store/,
      );
      expect(clock).to.match(/^warning: The shop sends orders that were changed in the future/);
      await clicks(service, [{ coupon: first, at: '2026-11-05T07:00:00Z', visitor: 'v' }]);
      expect((await doctor(3 * 86_400_000))[0]).to.match(/^warning: The shop has sent nothing for a day, but 1 clicks were recorded/);
    });

    it('names statuses that store.statuses does not have, in the log and by affiliate doctor, because they keep granted commission', async () => {
      await connect('woocommerce');
      await service.settings.set('store.statuses', { packed: 'on-hold' });
      const at = (minute: number) => ({ id: 729, date_modified_gmt: `2026-10-05T15:0${minute}:00` });
      const statuses = ['completed', 'packed', 'chargeback', 'chargeback', 'return-approved', '<b>'];
      for (const [minute, status] of statuses.entries()) await send('order.updated', wooOrder({ ...at(minute), status }));
      expect(await stored(729)).to.include({ status: 'processing', commissionStatus: 'granted' });
      const notice = 'The status chargeback is not in store.statuses: it counts as processing, and granted commission stays.';
      expect((await deliveries()).map(({ reason }) => reason).slice(2)).to.deep.equal([notice, notice, null, null]);
      const doctor = async () => {
        const checks = await checkStoreConnection(service.storage, await service.settings.current(), service.clock.now());
        return checks.map(({ state, message }) => `${state}: ${message}`).find((message) => message.includes('store.statuses'));
      };
      expect(await doctor()).to.match(/^warning: .* does not name: \?, chargeback, return-approved\. They count as processing/);
      await service.settings.set('store.statuses', { chargeback: 'refunded', 'return-approved': 'cancelled' });
      expect(await doctor()).to.match(/does not name: \?\./);
    });

    it('records an order whose date was edited in the shop that sent it, under the day on which it was recorded', async () => {
      for (const [platform, id, make, edited] of [
        ['woocommerce', 100_003, wooOrder, { date_created_gmt: '2026-09-01T10:00:00', date_modified_gmt: '2026-10-06T10:00:00' }],
        ['shopify', 100_004, shopifyOrder, { created_at: '2026-09-01T10:00:00Z', updated_at: '2026-10-06T10:00:00Z' }],
      ] as const) {
        await connect(platform);
        const topic = platform === 'woocommerce' ? 'order.updated' : 'orders/updated';
        await send(topic, make({ id }));
        const { placedAt, day } = (await stored(id)) ?? {};
        const cancelled = platform === 'woocommerce' ? { status: 'cancelled' } : { financial_status: 'voided' };
        expect(await send(topic, make({ id, ...edited, ...cancelled }))).to.equal('updated');
        expect(await stored(id)).to.include({ placedAt, day, status: 'cancelled', commission: 0 });
      }
    });

    it('refuses an order of another shop with a known number, of any age, which affiliate doctor counts', async () => {
      await connect('woocommerce');
      expect(await send('order.created', wooOrder({ id: 100_002, status: 'completed' }))).to.equal('created');
      const before = await stored(100_002);
      await connect('woocommerce');
      for (const date of ['2026-10-07T10:00:00', '2024-02-01T10:00:00']) {
        const other = wooOrder({
          id: 100_002,
          date_created_gmt: date,
          date_modified_gmt: date,
          discount_total: '0.00',
          status: 'completed',
        });
        expect(await send('order.created', { ...other, line_items: [{ quantity: 1, subtotal: '9999.00' }] })).to.equal('refused');
        expect((await deliveries())[0]?.reason).to.match(/this one is of another shop\.$/);
      }
      expect(await stored(100_002)).to.deep.equal(before);
      const checks = await checkStoreConnection(service.storage, await service.settings.current(), service.clock.now());
      const warnings = checks.filter(({ state }) => state === 'warning').map(({ message }) => message);
      expect(warnings.join('\n')).to.match(/because another shop had orders with their numbers before: 2\. affiliate store deliveries/);
    });

    it('deletes the log of deliveries after 30 days', async () => {
      expect(await deliveries()).to.not.deep.equal([]);
      const later = service.clock.now() + 31 * 86_400_000;
      await service.storage.write((transaction) => deleteOldStoreDeliveries(transaction, later, 1_000_000));
      expect(await deliveries()).to.deep.equal([]);
    });

    it('locks an address out after many wrong signatures, and still accepts what is signed', async () => {
      await service.settings.set('lockout.max_failures', 3);
      const statuses: number[] = [];
      for (let tried = 0; tried < 5; tried += 1) statuses.push((await sendText('orders/create', '{}', { signature: 'x' })).status);
      expect(statuses).to.deep.equal([401, 401, 401, 429, 429]);
      expect(await send('shop/redact', {})).to.equal('ignored');
      await service.settings.set('lockout.max_failures', 0);
    });
  });
});
