import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { systemRandom } from '../../domain/random.ts';
import type { StorePlatform } from '../../domain/store/connection.ts';
import { connectStore } from '../../domain/store/manage-connections.ts';
import { normalizeMailbox } from '../../domain/users/mailbox.ts';
import { newInvoice, paddleEvent, session, signPaddle, signStripe, stripeEvent, transaction } from '../connectors/billing-payloads.ts';
import { shopifyOrder, wooOrder } from '../connectors/payloads.ts';
import { type Engine, onAnyEngine } from '../support/engines.ts';
import { coupon } from '../support/program.ts';
import { masterKey, testService } from '../support/service.ts';
import { scanService } from './risk-service.ts';

const secret = 'a secret of the shop';
const base64 = (body: string): string => createHmac('sha256', secret).update(body).digest('base64');

/** The affiliate's mailbox, and another one. These words occur in nothing else. */
const own = 'Owner+shopcanary@SHOP.example';
const stranger = 'strangercanary@shop.example';

/** Sends an order of this customer. */
type Send = (email: string, post: (body: string, headers: Record<string, string>) => Promise<void>, seconds: number) => Promise<void>;

let serial = 800;
const nextId = (): number => (serial += 1);

const platforms: Record<string, Send> = {
  woocommerce: async (email, post) => {
    const body = JSON.stringify(wooOrder({ id: nextId(), coupon_lines: [{ code: 'FIRST10' }], billing: { email } }));
    await post(body, { 'X-WC-Webhook-Signature': base64(body), 'X-WC-Webhook-Topic': 'order.created' });
  },
  shopify: async (email, post) => {
    const body = JSON.stringify(shopifyOrder({ id: nextId(), email, customer: { email } }));
    await post(body, { 'X-Shopify-Hmac-Sha256': base64(body), 'X-Shopify-Topic': 'orders/create' });
  },
  stripe: async (email, post, seconds) => {
    const [subscription, customer] = [`sub_${nextId()}`, `cus_${serial}`];
    const metadata = { affiliate_coupon: 'FIRST10' };
    // The invoice arrives first: the checkout says who referred it.
    for (const event of [
      stripeEvent('invoice.paid', newInvoice({ id: `in_${serial}`, subscription, customer })),
      stripeEvent('checkout.session.completed', {
        ...session({ id: `cs_${serial}`, subscription, customer, invoice: `in_${serial}` }),
        metadata,
        client_reference_id: null,
        customer_details: { email },
      }),
    ]) {
      const body = JSON.stringify(event);
      await post(body, { 'Stripe-Signature': signStripe(body, secret, seconds) });
    }
  },
  paddle: async (email, post, seconds) => {
    const sold = { ...transaction({ id: `txn_${nextId()}` }), custom_data: { affiliate_coupon: 'FIRST10', customer_email: email } };
    const body = JSON.stringify(paddleEvent('transaction.completed', sold));
    await post(body, { 'Paddle-Signature': signPaddle(body, secret, seconds) });
  },
};

/** Every column of every table. */
async function readTables(engine: Engine, url: string): Promise<string> {
  const observer = await engine.observe(url);
  const sql =
    engine.name === 'sqlite'
      ? "select name from sqlite_master where type = 'table'"
      : "select tablename as name from pg_tables where schemaname = 'public'";
  const rows = [];
  for (const { name } of await observer.query<{ name: string }>(sql)) rows.push(await observer.query(`select * from "${name}"`));
  return JSON.stringify(rows);
}

describe('the mailbox of an email address', () => {
  for (const [one, other, isSame] of [
    ['Ada@Shop.example', 'ada@shop.example', true],
    ['ada+x@shop.example', 'ada+y+z@shop.example', true],
    ['a.d.a+x@gmail.com', 'ada@googlemail.com', true],
    ['a.da@shop.example', 'ada@shop.example', false],
    ['ada@shop.example', 'ada@shop.example.org', false],
  ] as const)
    it(`of ${one} is ${isSame ? '' : 'not '}that of ${other}`, () => {
      expect(normalizeMailbox(one) === normalizeMailbox(other)).to.equal(isSame);
    });
});

onAnyEngine((engine) => {
  describe("the customer's email", () => {
    const settings = { 'store.currency': 'EUR', 'addons.store': true, 'addons.risk': true };
    const { service, admin, clock } = testService(engine, { settings });
    let userId: number;

    beforeEach(async () => {
      userId = (await service.user('owner', 'affiliate')).id;
      await coupon(service, 'FIRST10', { userId });
    });

    async function connect(platform: string): Promise<string> {
      const context = { now: clock.now(), random: systemRandom, secrets: createSecrets('store_secret', masterKey, systemRandom) };
      const { id } = await service.storage.write((all) =>
        connectStore(all, { platform: platform as StorePlatform, name: '', secret }, context),
      );
      return id;
    }

    const selfReferrals = async (): Promise<number> => {
      await scanService(service);
      const { body } = await admin.get('/risk/signals?kind=self_referral');
      return body[0]?.count ?? 0;
    };

    async function expectNowhere(): Promise<void> {
      await service.work();
      const feed = (await admin.get('/events?per_page=100')).body;
      const signals = (await admin.get('/risk/signals')).body;
      const everything = [await readTables(engine, service.databaseUrl), service.log.join('\n'), JSON.stringify([feed, signals])];
      for (const text of everything) expect(text.toLowerCase()).not.to.match(/shopcanary|strangercanary/);
    }

    for (const [platform, send] of Object.entries(platforms)) {
      it(`of an order of ${platform} is compared with that of the affiliate, and is stored and logged nowhere`, async () => {
        const id = await connect(platform);
        const post = async (body: string, headers: Record<string, string>): Promise<void> => {
          const sent = { method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } };
          expect((await fetch(`${service.origin}/connect/${id}`, sent)).status).to.equal(200);
        };
        const seconds = Math.floor(clock.now() / 1000);
        await send(stranger, post, seconds);
        expect(await selfReferrals()).to.equal(0);
        await send(own, post, seconds);
        expect(await selfReferrals()).to.equal(1);
        await expectNowhere();
      });
    }

    it('of POST /store/orders is compared, and is in no response, table, log, mail or export', async () => {
      const order = (order_id: number, customer_email: unknown) => ({
        order_id,
        coupon_code: 'FIRST10',
        date: '2026-10-21T09:12:00',
        status: 'completed',
        total: 99.9,
        customer_email,
      });
      const long = `${'x'.repeat(300)}strangercanary@shop.example`;
      const { body } = await admin.post('/store/orders', { json: [order(1, stranger), order(2, own), order(3, long), order(4, { own })] });
      expect(body.map(({ outcome }: { outcome: string }) => outcome)).to.deep.equal(['created', 'created', 'refused', 'refused']);
      expect(JSON.stringify(body).toLowerCase()).not.to.match(/shopcanary|strangercanary/);
      expect(await selfReferrals()).to.equal(1);
      // An update that brings the email is compared as well.
      await admin.post('/store/orders', { json: [{ ...order(1, own), total: 100 }] });
      expect(await selfReferrals()).to.equal(2);
      // So is an order that is sent again, which the next scan of everything finds.
      await admin.post('/store/orders', { json: [order(5, stranger)] });
      const again = await admin.post('/store/orders', { json: [order(5, own)] });
      expect(again.body[0].outcome).to.equal('unchanged');
      await scanService(service, true);
      expect(await selfReferrals()).to.equal(3);
      await expectNowhere();
      const pages = await service.storage.read(({ exports }) => exports.orders(0, 100));
      expect(JSON.stringify(pages).toLowerCase()).not.to.match(/canary/);
    });

    it('is not compared while the add-on is inactive', async () => {
      await service.settings.set('addons.risk', false);
      const order = {
        order_id: 1,
        coupon_code: 'FIRST10',
        date: '2026-10-21T09:12:00',
        status: 'completed',
        total: 10,
        customer_email: own,
      };
      expect((await admin.post('/store/orders', { json: [order] })).body[0].outcome).to.equal('created');
      await service.settings.set('addons.risk', true);
      expect(await selfReferrals()).to.equal(0);
    });
  });
});
