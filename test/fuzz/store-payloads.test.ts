import { isUtf8 } from 'node:buffer';
import { createHmac } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { systemRandom } from '../../domain/random.ts';
import { connectStore } from '../../domain/store/manage-connections.ts';
import { wholeDatabase } from '../attacks/whole-database.ts';
import { customer, shopifyOrder, wooOrder } from '../connectors/payloads.ts';
import { onAnyEngine } from '../support/engines.ts';
import { coupon } from '../support/program.ts';
import { seededRandom } from '../support/random.ts';
import { masterKey, TestService } from '../support/service.ts';
import { mutatePayload, mutateSignature, mutateText, placeEverywhere } from './payload-mutations.ts';

// PROVE_PAYLOADS: number of payloads of each platform on each engine.
const numberOfPayloads = Number(process.env['PROVE_PAYLOADS'] ?? 50);
const seed = process.env['PROVE_PAYLOADS'] === undefined ? 20_261_116 : Date.now() % 1_000_000;
const secret = 'a secret of the shop';

const address = { ...customer, address_1: 'Hidden Lane 17', city: 'Nowheretown', phone: '+4915100000000' };
const canaries = ['Jane', 'Secretname', 'customer.example', '4915100000000', 'Hidden Lane', 'Nowheretown', 'visitor-1', secret];

interface Shape {
  topics: readonly string[];
  topicHeader: string;
  signatureHeader: string;
  payload(id: number): object;
  /** The price of the goods in cents, added in another way than the service does. */
  total(payload: Record<string, unknown>): number;
}

const numberOf = (value: unknown): number => Number(value ?? 0);

/** Platforms that send orders; payment-payloads.test.ts mutates payments. */
type Platform = 'woocommerce' | 'shopify';
const platforms: readonly Platform[] = ['woocommerce', 'shopify'];

const shapes: Record<Platform, Shape> = {
  woocommerce: {
    topics: ['order.created', 'order.updated', 'order.updated', 'order.restored', 'order.deleted'],
    topicHeader: 'X-WC-Webhook-Topic',
    signatureHeader: 'X-WC-Webhook-Signature',
    payload: (id) =>
      wooOrder({ id, billing: address, shipping: address, customer_note: 'Jane', refunds: [{ id: 801, reason: 'Jane', total: '-98.74' }] }),
    total: (payload) =>
      100 * ((payload['line_items'] as { subtotal: unknown }[] | null) ?? []).reduce((sum, { subtotal }) => sum + numberOf(subtotal), 0),
  },
  shopify: {
    topics: ['orders/create', 'orders/paid', 'orders/updated', 'orders/updated', 'refunds/create'],
    topicHeader: 'X-Shopify-Topic',
    signatureHeader: 'X-Shopify-Hmac-Sha256',
    payload: (id) => ({
      ...shopifyOrder({ id, customer: address, billing_address: address, contact_email: customer.email }),
      order_id: id,
      refunds: [{ id: 9, note: 'Jane', refund_line_items: [{ subtotal: 10, total_tax: 1 }] }],
    }),
    total: (payload) => {
      if (payload['taxes_included'] !== true) return 100 * numberOf(payload['total_line_items_price']);
      const lines = (payload['line_items'] as { tax_lines?: { price: unknown }[] | null }[] | null) ?? [];
      const tax = lines.flatMap((line) => line.tax_lines ?? []).reduce((sum, { price }) => sum + numberOf(price), 0);
      return 100 * (numberOf(payload['total_line_items_price']) - tax);
    },
  },
};

onAnyEngine((engine) => {
  describe(`mutated webhooks of a shop (seed ${seed})`, function () {
    this.timeout(180_000 + numberOfPayloads * 100);
    let service: TestService;
    before(async () => {
      service = await (await TestService.start({ databaseUrl: await engine.freshUrl() })).withoutLimits();
      await service.settings.set('store.currency', 'EUR');
      await service.settings.set('addons.store', true);
      await coupon(service, 'FIRST10', { userId: (await service.user('owner', 'affiliate')).id });
    });
    after(() => service.stop());

    const connect = (platform: Platform): Promise<string> => {
      const context = { now: service.clock.now(), random: systemRandom, secrets: createSecrets('store_secret', masterKey, systemRandom) };
      return service.storage.write(async (transaction) => {
        for (const { id } of await transaction.connections.all()) await transaction.connections.disconnect(id, 1);
        return (await connectStore(transaction, { platform, name: '', secret }, context)).id;
      });
    };
    const countOfLog = async (id: string): Promise<number> =>
      (await service.storage.read(({ connections }) => connections.deliveries(id, { page: 1, perPage: 1 }))).total;

    for (const [at, platform] of platforms.entries())
      it(`of ${platform} are answered with 200, 400 or 413, accepted only as they are signed, and leave sound orders`, async () => {
        const random = seededRandom(seed);
        const { topics, topicHeader, signatureHeader, payload, total } = shapes[platform];
        const id = await connect(platform);
        const outcomes: Record<string, number> = {};
        let signed = 0;
        const firstId = 1 + at * 1_000_000;
        const known = placeEverywhere(payload(firstId), 'Jane Secretname');
        for (let number = 1; number <= known.length + numberOfPayloads; number += 1) {
          const isRandom = number > known.length;
          const mutated = (): object =>
            mutatePayload(payload(firstId + Math.floor(number / 2)), ['Jane Secretname', customer.email, address], random);
          const text = JSON.stringify(isRandom ? mutated() : known[number - 1]);
          const body = isRandom && random.chance(0.3) ? mutateText(text, random) : Buffer.from(text);
          const signature = createHmac('sha256', secret).update(body).digest('base64');
          const isSigned = !isRandom || random.chance(0.8);
          const headers = {
            [topicHeader]: isRandom ? random.pick(topics) : (topics[1] ?? ''),
            [signatureHeader]: isSigned ? signature : mutateSignature(signature, random),
          };
          const response = await fetch(`${service.origin}/connect/${id}`, { method: 'POST', body, headers });
          const answer = (await response.json()) as { outcome?: string; message?: string };
          const shown = `${number}: ${headers[topicHeader]} ${body.toString('latin1').slice(0, 2000)}`;
          const parsed = isUtf8(body) ? parse(body) : undefined;
          const isNested = body.toString().startsWith('[[');
          expect(response.status, shown).to.equal(!isSigned ? 401 : isNested ? 413 : parsed === undefined ? 400 : 200);
          expect(JSON.stringify(answer), shown).to.not.match(new RegExp(canaries.join('|')));
          if (!isSigned) continue;
          signed += 1;
          const outcome = answer.outcome ?? 'malformed';
          outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
          if (outcome !== 'created') continue;
          const accepted = parsed as Record<string, unknown>;
          const [order] = await service.storage.read(({ orders }) => orders.byIds([Number(accepted['id'])]));
          expect(accepted['currency'], shown).to.equal('EUR');
          expect(order?.total, shown).to.be.closeTo(total(accepted), 1);
        }
        // And one row for those that were not signed, all within a minute of the clock.
        expect(await countOfLog(id)).to.equal(signed + 1);
        expect(outcomes).to.include.all.keys('created', 'ignored', 'refused', 'malformed');
      });

    it('leave no customer data in the database, its files or the log, and no order with impossible amounts', async () => {
      const observer = await engine.observe(service.databaseUrl);
      const impossible = await observer.query(
        `select * from orders where order_id < 1 or total_minor < 0 or discount_minor < 0 or discount_minor > total_minor or refunded_minor < 0
         or refunded_minor > total_minor - discount_minor or commission_minor < 0 or quantity < 0`,
      );
      expect(impossible).to.deep.equal([]);
      const files = engine.name === 'sqlite' ? ['', '-wal'].map((suffix) => service.databaseUrl.slice('sqlite:'.length) + suffix) : [];
      const bytes = files.filter((file) => existsSync(file)).map((file) => readFileSync(file, 'latin1'));
      const everything = [JSON.stringify(await wholeDatabase(engine, service.databaseUrl)), service.log.join(''), ...bytes];
      for (const word of canaries)
        expect(
          everything.filter((text) => text.includes(word)).map((text) => text.slice(0, 50)),
          word,
        ).to.deep.equal([]);
    });
  });
});

/** Undefined if it is not JSON. */
function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
