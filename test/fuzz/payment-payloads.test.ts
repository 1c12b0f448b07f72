import { isUtf8 } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { systemRandom } from '../../domain/random.ts';
import { connectStore } from '../../domain/store/manage-connections.ts';
import { orderNumberOf } from '../../domain/store/payment.ts';
import { wholeDatabase } from '../attacks/whole-database.ts';
import {
  adjustment,
  charge,
  dispute,
  failedRefund,
  invoicePayment,
  newInvoice,
  oldInvoice,
  paddleEvent,
  paymentSession,
  signPaddle,
  signStripe,
  stripeEvent,
  transaction,
} from '../connectors/billing-payloads.ts';
import { customer } from '../connectors/payloads.ts';
import { mainlyOn } from '../support/engines.ts';
import { coupon } from '../support/program.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { masterKey, TestService } from '../support/service.ts';
import { mutatePayload, mutateText, placeEverywhere } from './payload-mutations.ts';

// PROVE_PAYLOADS: number of payloads of each platform on each engine.
const numberOfPayloads = Number(process.env['PROVE_PAYLOADS'] ?? 60);
const seed = process.env['PROVE_PAYLOADS'] === undefined ? 20_261_118 : Date.now() % 1_000_000;
const secret = 'a secret of the platform';

const address = { ...customer, line1: 'Hidden Lane 17', city: 'Nowheretown' };
const canaries = [
  'Jane',
  'Secretname',
  'customer.example',
  '4915100000000',
  'Hidden Lane',
  'Nowheretown',
  'visitor-1',
  'cus_',
  'ctm_',
  secret,
];
const personal = ['Jane Secretname', customer.email, address];

type Fields = Record<string, unknown>;

interface Shape {
  signatureHeader: string;
  sign(body: string | Buffer, secret: string, time: number): string;
  /** Events of payments, by a number that their ids have. */
  payments: readonly ((serial: number) => object)[];
  /** Events about a payment. */
  others: readonly ((serial: number) => object)[];
  /** Events whose texts are stored as they are: codes of the shop. */
  codes: readonly (() => object)[];
  objectOf(event: Fields): Fields;
  /** Null where the event is not that of a payment with all its amounts. */
  net(event: Fields): number | null;
}

const numberOf = (value: unknown): number => Number(value ?? 0);
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const sumOf = (list: unknown): number =>
  ((list as { amount: unknown }[] | null | undefined) ?? []).reduce((sum, { amount }) => sum + numberOf(amount), 0);

/** What was paid for the goods in cents, added in another way than the service does. */
function netOfInvoice(invoice: Fields): number {
  const taxes = sumOf(invoice['total_taxes']) + sumOf(invoice['total_tax_amounts']);
  const isListed = [invoice['total_taxes'], invoice['total_tax_amounts']].some((list) => Array.isArray(list) && list.length > 0);
  const cost = fieldsOf(invoice['shipping_cost']);
  const shipping =
    typeof cost['amount_total'] === 'number' ? cost['amount_total'] - numberOf(cost['amount_tax']) : numberOf(invoice['amount_shipping']);
  const net = numberOf(invoice['total']) - (isListed ? taxes : numberOf(invoice['tax'])) - shipping;
  return net * Math.min(1, numberOf(invoice['amount_paid']) / numberOf(invoice['total']));
}

function netOfTransaction({ details }: Fields): number {
  const totals = fieldsOf(fieldsOf(details)['totals']);
  const paid = typeof totals['grand_total'] === 'string' ? totals['grand_total'] : totals['total'];
  return (Number(totals['subtotal']) - Number(totals['discount'])) * Math.min(1, Number(paid) / Number(totals['total']));
}

const referral = { affiliate_coupon: 'FIRST10', affiliate_visitor: 'visitor-1' };
const idsOf = (serial: number) => ({
  id: `in_${serial}f`,
  subscription: `sub_${serial}f`,
  customer: `cus_${serial}f`,
  intent: `pi_${serial}f`,
});
const invoiceFields = (serial: number) => ({ ...idsOf(serial), metadata: referral, customer_address: address, customer_shipping: address });
const intentOf = (serial: number): string => idsOf(serial).intent;

const shapes: Record<'stripe' | 'paddle', Shape> = {
  stripe: {
    signatureHeader: 'Stripe-Signature',
    sign: signStripe,
    payments: [
      (serial) => stripeEvent('invoice.paid', oldInvoice(invoiceFields(serial))),
      (serial) => stripeEvent('invoice.paid', newInvoice(invoiceFields(serial)), { version: '2025-03-31.basil' }),
    ],
    others: [
      (serial) =>
        stripeEvent(
          'checkout.session.completed',
          paymentSession({ id: `cs_${serial}f`, payment_intent: intentOf(serial), client_reference_id: 'visitor-1', metadata: referral }),
        ),
      (serial) => stripeEvent('invoice_payment.paid', invoicePayment(idsOf(serial).id, intentOf(serial))),
      (serial) => stripeEvent('charge.refunded', charge(2499, intentOf(serial), { billing_details: address })),
      (serial) => stripeEvent('charge.refund.updated', failedRefund(`re_${serial}f`, 1000, intentOf(serial))),
      (serial) => stripeEvent('charge.dispute.funds_withdrawn', { ...dispute(`dp_${serial}f`, 500, intentOf(serial)), evidence: address }),
    ],
    codes: [() => stripeEvent('promotion_code.created', { id: 'promo_1f', code: 'FIRST10', coupon: {} })],
    objectOf: ({ data }) => fieldsOf(fieldsOf(data)['object']),
    net: (event) => (event['type'] === 'invoice.paid' ? netOfInvoice(shapes.stripe.objectOf(event)) : null),
  },
  paddle: {
    signatureHeader: 'Paddle-Signature',
    sign: signPaddle,
    payments: [
      (serial) =>
        paddleEvent(
          'transaction.completed',
          transaction({ id: `txn_${serial}f`, subscription_id: `sub_p${serial}f`, custom_data: referral, address }),
        ),
    ],
    others: ['refund', 'chargeback', 'chargeback_reverse'].map(
      (action) => (serial) =>
        paddleEvent('adjustment.created', {
          ...adjustment(`adj_${serial}f_${action}`, action, 'approved', 1000, `txn_${serial}f`),
          reason: 'Jane Secretname',
        }),
    ),
    codes: [() => paddleEvent('discount.created', { id: 'dsc_1f', code: 'FIRST10' })],
    objectOf: ({ data }) => fieldsOf(data),
    net: (event) => (event['event_type'] === 'transaction.completed' ? netOfTransaction(shapes.paddle.objectOf(event)) : null),
  },
};

/** Headers that do not sign the body now. */
const signWrongly = (body: Buffer, time: number, { sign }: Shape, random: Random): string => {
  const right = sign(body, secret, time);
  return random.pick([
    sign(body, 'another secret', time),
    sign(body, secret, time - 301),
    sign(body, secret, time + 301),
    sign(`${body.toString('latin1')} `, secret, time),
    right.replace(String(time), String(time - 1)),
    right.replace(/^\w+=\d+/, ''),
    right.slice(0, -1),
    right.slice(0, random.below(right.length)),
    `${right}0`,
    '\u00FF'.repeat(44),
    '',
  ]);
};

mainlyOn('sqlite', (engine) => {
  describe(`mutated webhooks of a billing platform (seed ${seed})`, function () {
    this.timeout(180_000 + numberOfPayloads * 100);
    let service: TestService;
    before(async () => {
      service = await (await TestService.start({ databaseUrl: await engine.freshUrl() })).withoutLimits();
      await service.settings.set('store.currency', 'EUR');
      await service.settings.set('addons.store', true);
      await coupon(service, 'FIRST10', { userId: (await service.user('owner', 'affiliate')).id });
    });
    after(() => service.stop());

    const connect = (platform: 'stripe' | 'paddle'): Promise<string> => {
      const context = { now: service.clock.now(), random: systemRandom, secrets: createSecrets('store_secret', masterKey, systemRandom) };
      return service.storage.write(async (db) => {
        for (const { id } of await db.connections.all()) await db.connections.disconnect(id, 1);
        return (await connectStore(db, { platform, name: '', secret }, context)).id;
      });
    };
    const countOfLog = async (id: string): Promise<number> =>
      (await service.storage.read(({ connections }) => connections.deliveries(id, { page: 1, perPage: 1 }))).total;
    const findOrder = (platform: 'stripe' | 'paddle', externalId: string) =>
      service.storage.read(async ({ storePayments, orders }) => {
        const [found] = await storePayments.byExternalIds(platform, [externalId]);
        return found && (await orders.byIds([orderNumberOf(found.payment)]))[0];
      });

    for (const platform of ['stripe', 'paddle'] as const)
      it(`of ${platform} are answered with 200, 400, 413 or 503, accepted only as they are signed, and leave sound orders`, async () => {
        const random = seededRandom(seed);
        const shape = shapes[platform];
        const id = await connect(platform);
        const time = Math.floor(service.clock.now() / 1000);
        const outcomes: Record<string, number> = {};
        const seenIds = new Set<unknown>();
        /** Numbers of payments that are orders. */
        const recorded: number[] = [];
        let signed = 0;
        let compared = 0;
        const placed = [...shape.payments, ...shape.others].flatMap((make) =>
          placeEverywhere(make(0), 'Jane Secretname').map((_, at) => ({ make, at })),
        );
        const bodies = [
          ...placed.map(
            ({ make, at }, serial) =>
              () =>
                JSON.stringify(placeEverywhere(make(serial), 'Jane Secretname')[at]),
          ),
          ...Array.from({ length: numberOfPayloads }, (_, at) => () => {
            const serial = placed.length + at;
            if (random.chance(0.1)) return JSON.stringify(mutatePayload(random.pick(shape.codes)(), [null], random));
            const event = random.chance(0.5) ? random.pick(shape.payments)(serial) : random.pick(shape.others)(random.pick(recorded));
            return JSON.stringify(mutatePayload(event, personal, random));
          }),
        ];
        for (const [at, makeBody] of bodies.entries()) {
          const isRandom = at >= placed.length;
          const text = makeBody();
          const body = isRandom && random.chance(0.2) ? mutateText(text, random) : Buffer.from(text);
          const isSigned = !isRandom || random.chance(0.8);
          const headers = { [shape.signatureHeader]: isSigned ? shape.sign(body, secret, time) : signWrongly(body, time, shape, random) };
          const response = await fetch(`${service.origin}/connect/${id}`, { method: 'POST', body, headers });
          const answer = (await response.json()) as { outcome?: string };
          const shown = `${at}: ${body.toString('latin1').slice(0, 2500)}`;
          const parsed = isUtf8(body) ? parse(body) : undefined;
          const isNested = body.toString().startsWith('[[');
          const expected = !isSigned ? [401] : isNested ? [413] : parsed === undefined ? [400] : [200];
          // Only a refund names the time of a charge that should be known.
          const mayWait = expected[0] === 200 && fieldsOf(parsed)['type'] === 'charge.refunded';
          expect(mayWait ? [200, 503] : expected, shown).to.include(response.status);
          expect(JSON.stringify(answer), shown).to.not.match(new RegExp(canaries.join('|')));
          if (!isSigned) continue;
          signed += 1;
          const outcome = answer.outcome ?? 'malformed';
          outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
          const object = shape.objectOf(fieldsOf(parsed));
          const ids = [object['id'], object['payment_intent'], object['charge']].filter((one) => typeof one === 'string');
          const isFirst = !ids.some((one) => seenIds.has(one));
          for (const one of ids) seenIds.add(one);
          if (outcome === 'created') recorded.push(Number(/\d+(?=f$)/.exec(String(object['id']))?.[0] ?? 0));
          const net = outcome === 'created' && isFirst ? shape.net(fieldsOf(parsed)) : null;
          if (net === null) continue;
          const order = await findOrder(platform, String(object['id']));
          expect((order?.total ?? 0) - (order?.discount ?? 0), shown).to.be.closeTo(net, 1);
          compared += 1;
        }
        expect(compared).to.be.greaterThan(10);
        // And one row for those that were not signed, all within a minute of the clock.
        expect(await countOfLog(id)).to.equal(signed + 1);
        expect(outcomes).to.include.all.keys('created', 'updated', 'ignored', 'refused', 'malformed');
      });

    for (const platform of ['stripe', 'paddle'] as const)
      it(`of ${platform} of a type that is no name of an event are ignored, and the type is not stored`, async () => {
        const { sign, signatureHeader } = shapes[platform];
        const id = await connect(platform);
        for (const type of ['\0', '\uD800', 'Jane Secretname', 'x'.repeat(101), {}]) {
          const body = JSON.stringify({ type, event_type: type, data: {} });
          const headers = { [signatureHeader]: sign(body, secret, Math.floor(service.clock.now() / 1000)) };
          const response = await fetch(`${service.origin}/connect/${id}`, { method: 'POST', body, headers });
          expect([response.status, await response.json()], body).to.deep.equal([200, { outcome: 'ignored' }]);
        }
        const { items } = await service.storage.read(({ connections }) => connections.deliveries(id, { page: 1, perPage: 100 }));
        expect(items.map(({ topic }) => topic)).to.deep.equal(['', '', '', '', '']);
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
          everything
            .filter((text) => text.includes(word))
            .map((text) => text.slice(Math.max(0, text.indexOf(word) - 300), text.indexOf(word) + 50)),
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
