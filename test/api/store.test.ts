import { expect } from 'chai';
import fc from 'fast-check';
import { mailsOf } from '../support/applications.ts';
import { onAnyEngine } from '../support/engines.ts';
import { coupon } from '../support/program.ts';
import { suiteService } from '../support/service.ts';

interface OrderOutcome {
  outcome: string;
  id: number | null;
  reason: string | null;
  coupon_id: number | null;
  commission: number | null;
}

const order = (order_id: number, fields: object = {}) => ({
  order_id,
  date: '2026-10-21T09:12:00',
  status: 'processing',
  total: 100,
  ...fields,
});

onAnyEngine((engine) => {
  describe('POST /store/…', () => {
    const { service, admin } = suiteService(engine, { settings: { 'store.currency': 'EUR' } });
    let first: number;
    let second: number;
    const send = async (path: string, records: unknown) => (await admin.post(`/store/${path}`, { json: records })).body;

    before(async () => {
      for (const kind of ['orders', 'clicks', 'registrations', 'affiliates', 'coupons', 'payout-details'])
        expect((await admin.post(`/store/${kind}`, { json: [{}] })).body.code).to.equal('rest_no_route');
      await service.settings.set('addons.store', true);
      const owner = await service.user('owner', 'affiliate');
      first = await coupon(service, 'FIRST10', { userId: owner.id });
      second = await coupon(service, 'SECOND10', { userId: owner.id });
    });

    it('answers unchanged to all versions of an order that were sent before', async () => {
      const versions = [order(7001, { coupon_id: first }), order(7001, { coupon_id: first, status: 'completed' })];
      const outcomes = async () => (await send('orders', versions)).map(({ outcome }: OrderOutcome) => outcome);
      expect(await outcomes()).to.deep.equal(['created', 'updated']);
      expect(await outcomes()).to.deep.equal(['unchanged', 'unchanged']);
    });

    it('accepts the examples of the contract in their order, and changes nothing when they are sent again', async () => {
      const { examples } = (await admin.get('/openapi')).body.components;
      const parent = [{ login: 'summitweekly', email: 'summit@weekly.example', display_name: 'Summit Weekly' }];
      const [{ id: parentId }] = await send('affiliates', parent);
      for (const kind of ['affiliates', 'coupons', 'payout-details', 'registrations', 'clicks', 'orders']) {
        const sent = examples[`store-${kind}`].value;
        expect(await send(kind, sent), kind).to.deep.equal(examples[`store-${kind}-outcomes`].value);
        const outcomes: string[] = (await send(kind, sent)).map(({ outcome }: OrderOutcome) => outcome);
        expect(outcomes, kind).to.have.members(kind === 'orders' ? ['unchanged', 'ignored'] : ['unchanged']);
      }
      expect((await admin.get('/coupons/301/orders')).body[0]).to.include({ order_id: 58412, commission: 8.99, credited_via: 'coupon' });
      expect((await admin.get('/affiliates/42')).body).to.deep.include({
        mla_parents: { T1: { id: parentId, display_name: 'Summit Weekly' } },
      });
    });

    it('refuses a record with all its problems, and records the others', async () => {
      const outcomes = await send('orders', [
        order(1, { coupon: 'FIRST10', total: -1 }),
        order(2, { coupon_id: first, discount: 10 }),
        order(3, { coupon_code: 'NOWHERE' }),
        order(4, { coupon_id: first, percent: 50 }),
        order(5, { coupon_id: first, visitor: `hashed:${'x'.repeat(43)}` }),
        order(6, { coupon_id: first, discount: 101 }),
        order(7, { kind: 'order', coupon_id: first }),
      ]);
      expect(outcomes.map(({ outcome, reason }: OrderOutcome) => reason ?? outcome)).to.deep.equal([
        'total must be an amount in EUR, zero or more, as a number with at most 2 decimals. order has no field coupon. Did you mean coupon_code?',
        'created',
        'There is no published coupon with the code NOWHERE.',
        'percent is for affiliate import only.',
        'visitor must not begin with hashed: which marks the hash of a visitor in an export.',
        'The discount is larger than the total.',
        'order has no field kind. Its fields are order_id, coupon_id, coupon_code, date, status, total, discount, shipping, tax, quantity, refunded_amount, campaign, visitor, subscription, customer_email.',
      ]);
      expect(outcomes[1]).to.deep.equal({ outcome: 'created', id: 2, reason: null, coupon_id: first, commission: 9 });
    });

    it('answers 400 for a body that is not a list of 1 to 100 objects, 415 for a form, and 400 for invalid JSON', async () => {
      const many = Array.from({ length: 101 }, (_, at) => order(at + 1));
      const bodies: [unknown, string][] = [
        [{}, 'body must be a list.'],
        [[], 'body must have between 1 and 100 entries.'],
        [many, 'body must have between 1 and 100 entries.'],
        [[order(1), 7], 'body[1] must be an object.'],
        [['\0'], 'body[0] must be an object.'],
        [null, 'body must be a list.'],
      ];
      for (const [json, sentence] of bodies) {
        const { status, body } = await admin.post('/store/orders', { json });
        expect([status, body.code, body.data.params.body]).to.deep.equal([400, 'rest_invalid_param', sentence]);
      }
      const form = await admin.post('/store/orders', { form: 'order_id=1' });
      expect([form.status, form.body.message]).to.deep.equal([415, 'Send the body as application/json.']);
      const broken = await admin.post('/store/orders', { raw: '[{', headers: { 'Content-Type': 'application/json' } });
      expect(broken.body.code).to.equal('rest_invalid_json');
    });

    it('credits an order to the click of its visitor, also where it names an unknown code', async () => {
      const click = { coupon_code: 'SECOND10', date: '2026-10-20T10:00:00', visitor: 'v1', campaign: 'mail' };
      const clicks = await send('clicks', [click, click, { ...click, coupon_code: 'NOWHERE' }, { ...click, landing: '/x' }]);
      expect(clicks).to.deep.equal([
        { outcome: 'created', id: null, reason: null },
        { outcome: 'unchanged', id: null, reason: null },
        { outcome: 'refused', id: null, reason: 'There is no published coupon with the code NOWHERE.' },
        { outcome: 'refused', id: null, reason: 'click has no field landing. Did you mean landing_page?' },
      ]);
      const sent = [order(20, { coupon_code: 'SUMMER', visitor: 'v1' })];
      expect(await send('orders', sent)).to.deep.equal([{ outcome: 'created', id: 20, reason: null, coupon_id: second, commission: 10 }]);
      expect(await send('orders', sent)).to.have.nested.property('[0].outcome', 'unchanged');
      const listed = (await admin.get(`/coupons/${second}/orders`)).body[0];
      expect(listed).to.include({ order_id: 20, credited_via: 'referral_link', campaign: 'mail' });
    });

    it('takes the own rates of a coupon away with null, and keeps those that are left out', async () => {
      const id = await coupon(service, 'OWNRATE', {});
      const ratesOf = async () => (await admin.get(`/coupons/${id}`)).body.commission;
      const standard = await ratesOf();
      await send('coupons', [{ id, code: 'OWNRATE', percent: 15, fixed_per_order: 2, fixed_per_product: 1 }]);
      expect(await ratesOf()).to.include({ percent: 15, percent_override: 15, fixed_per_order: 2, fixed_per_product: 1 });
      expect((await send('coupons', [{ id, code: 'OWNRATE' }]))[0]).to.include({ outcome: 'unchanged' });
      const none = { id, code: 'OWNRATE', percent: null, fixed_per_order: null, fixed_per_product: null };
      expect((await send('coupons', [none]))[0]).to.include({ outcome: 'updated' });
      expect(await ratesOf()).to.deep.equal(standard);
      expect((await send('coupons', [none]))[0]).to.include({ outcome: 'unchanged' });
    });

    it('tells the former address of a changed email without naming the new one, and the feed which fields were changed', async () => {
      const mover = { login: 'mover', email: 'old@mover.example', display_name: 'Mover' };
      await send('affiliates', [mover]);
      await send('affiliates', [{ ...mover, email: 'OLD@mover.example' }]);
      expect(await mailsOf(service)).to.deep.equal([]);
      const [{ id }] = await send('affiliates', [{ ...mover, email: 'new@mover.example', display_name: 'Moved' }]);
      expect((await send('affiliates', [{ ...mover, email: 'new@mover.example', display_name: 'Moved' }]))[0].outcome).to.equal(
        'unchanged',
      );
      const [mail, ...others] = await mailsOf(service);
      expect(others).to.deep.equal([]);
      expect([mail?.headers.get('to'), mail?.headers.get('subject')]).to.deep.equal([
        'Mover <OLD@mover.example>',
        'My store: the email address of your account was changed',
      ]);
      const text = JSON.stringify(mail?.parts);
      expect(text)
        .to.include('2026-11-02 07:00:00 (UTC)')
        .and.include('write to My store')
        .and.not.include('new@mover')
        .and.not.include('forgot');
      const events = (await admin.get('/events?event=affiliate_updated')).body;
      expect(events.map(({ info }: { info: string }) => info)).to.deep.equal([
        `The record of user ${id} was changed: email, display_name.`,
        `The record of user ${id} was changed: email.`,
      ]);
      expect(JSON.stringify(events)).not.to.include('mover.example');
    });

    it('never creates or changes an administrator or a manager, nor what they have', async () => {
      const boss = { login: 'administrator', email: 'taken-over@example.com', display_name: 'Boss' };
      const reason = 'administrator has the role administrator: the store cannot change what such users have.';
      const refused = [{ outcome: 'refused', id: null, reason }];
      expect(await send('affiliates', [boss])).to.deep.equal(refused);
      expect(await send('coupons', [{ code: 'BOSS10', user: 'administrator' }])).to.deep.equal(refused);
      const id = await coupon(service, 'CHIEF10', { userId: (await admin.get('/me')).body.user.id });
      expect(await send('coupons', [{ code: 'CHIEF10', percent: 99 }])).to.deep.equal(refused);
      expect(await send('coupons', [{ id, code: 'CHIEF10', user: 'owner' }])).to.deep.equal(refused);
      const details = { user: 'administrator', method: 'PayPal', method_type: 'paypal', details: { email: 'x@example.com' } };
      expect(await send('payout-details', [details])).to.deep.equal(refused);
      const [promoted] = await send('affiliates', [{ login: 'new', email: 'new@example.com', display_name: 'New', role: 'manager' }]);
      expect(promoted).to.include({ outcome: 'refused', reason: 'role must be one of affiliate, customer.' });
      expect((await admin.get('/me')).body.user).to.include({ email: 'administrator@shop.example' });
    });

    it('refuses payout details that do not have the fields of their method, and says which', async () => {
      const bank = { user: 'owner', method: 'Bank', method_type: 'banktransfer' };
      const details = { holder: 'Owner', iban: 'DE89 3704 0044 0532 0130 01', town: 'Berlin', country: 'DE' };
      expect(await send('payout-details', [{ ...bank, details }])).to.deep.equal([
        { outcome: 'refused', id: null, reason: 'details.iban has wrong check digits: a character is mistyped.' },
      ]);
      const [unknown] = await send('payout-details', [{ ...bank, user: 'nowhere', details }]);
      expect(unknown?.reason, 'all problems of a record').to.match(/^There is no user nowhere\. details\.iban has wrong check digits/);
      const corrected = { ...bank, details: { ...details, iban: 'DE89 3704 0044 0532 0130 00' } };
      expect((await send('payout-details', [corrected]))[0]).to.include({ outcome: 'created' });
      expect((await send('payout-details', [corrected]))[0]).to.include({ outcome: 'unchanged' });
    });

    it('leaves nothing of a refused record behind', async () => {
      const kid = { login: 'kid', email: 'kid@example.com', display_name: 'Kid', parent: 'nowhere' };
      expect(await send('affiliates', [kid, { ...kid, parent: 'kid' }])).to.deep.equal([
        { outcome: 'refused', id: null, reason: 'There is no user nowhere.' },
        { outcome: 'refused', id: null, reason: 'There is no user kid.' },
      ]);
      const { parent: _parent, ...orphan } = kid;
      expect(await send('affiliates', [orphan])).to.have.nested.property('[0].outcome', 'created');
      const circle = await send('affiliates', [{ ...kid, display_name: 'Other', parent: 'kid' }]);
      expect(circle[0]).to.include({ outcome: 'refused', reason: 'Other would be their own multi-level parent.' });
      expect(await send('affiliates', [orphan])).to.have.nested.property('[0].outcome', 'unchanged');
    });

    it('refuses an order with a known number that was placed more than a day apart', async () => {
      const known = order(32, { coupon_id: first });
      expect((await send('orders', [known]))[0].outcome).to.equal('created');
      const [other] = await send('orders', [{ ...known, date: '2026-01-01T10:00:00', total: 9999 }]);
      expect(other).to.include({ outcome: 'refused', id: null });
      expect(other.reason).to.match(/of another shop/);
    });

    it('refuses a website that is not of http or https, of an affiliate as of an applicant', async () => {
      const person = { login: 'link', email: 'link@example.com', display_name: 'Link' };
      for (const website of ['javascript:alert(1)', 'JavaScript:alert(1)', 'java\tscript:alert(1)', ' data:text/html,x', 'https://a\nb']) {
        const reason = 'website must be an http or https address.';
        expect((await send('affiliates', [{ ...person, profile: { website } }]))[0]).to.include({ reason: `profile.${reason}` });
        expect((await send('registrations', [{ ...person, website }]))[0]).to.include({ outcome: 'refused', reason });
      }
      expect((await send('affiliates', [{ ...person, profile: { website: 'https://link.example' } }]))[0].outcome).to.equal('created');
    });

    it('stores campaigns without control characters', async () => {
      const sent = [order(31, { coupon_id: first, campaign: '\u0007autumn\r\n=1' })];
      expect([(await send('orders', sent))[0].outcome, (await send('orders', sent))[0].outcome]).to.deep.equal(['created', 'unchanged']);
      const orders = (await admin.get<{ order_id: number }[]>(`/coupons/${first}/orders?per_page=100`)).body;
      expect(orders.find(({ order_id }) => order_id === 31)).to.include({ campaign: 'autumn=1' });
      const click = { coupon_id: first, date: '2026-10-20T10:00:00', visitor: 'v9', campaign: '\u001bmail' };
      expect((await send('clicks', [click]))[0].outcome).to.equal('created');
      expect((await admin.get(`/clicks/stats?coupon_id=${first}&campaign=mail`)).body.clicks).to.equal(1);
    });

    it('stores texts with any character that JSON can have, or refuses them', async () => {
      for (const text of ['\0', '\ud800', '𝕏'.repeat(100), '\u2028', '"\\']) {
        const user = { login: 'odd', email: 'odd@example.com', display_name: 'Odd', custom_fields: { [text]: text }, groups: [text] };
        const [outcome] = await send('affiliates', [user]);
        expect(outcome.outcome, JSON.stringify(text)).to.be.oneOf(['created', 'updated', 'refused']);
        expect((await send('orders', [order(30, { coupon_id: first, campaign: text })]))[0].outcome).to.be.a('string');
      }
    });

    // Amounts in cents; the coupon earns ten percent of the goods.
    interface Sent {
      order_id: number;
      coupon_id: number;
      status: string;
      total: number;
      refunded_amount: number;
    }
    const sentOrder = (from: number, ids: number) =>
      fc.record({
        order_id: fc.integer({ min: from, max: from + ids - 1 }),
        coupon_id: fc.boolean().map((isFirst) => (isFirst ? first : second)),
        status: fc.constantFrom('pending', 'processing', 'completed', 'cancelled'),
        total: fc.constantFrom(10, 50.05, 99.9),
        refunded_amount: fc.constantFrom(0, 0, 10, 200),
      });

    const cents = (amount: number): number => Math.round(amount * 100);

    function commissionOf({ status, total, refunded_amount: refunded }: Sent): number {
      const net = cents(total);
      if (status === 'cancelled' || cents(refunded) === net) return 0;
      const full = Math.floor((2 * net + 10) / 20);
      return Math.floor((2 * full * (net - cents(refunded)) + net) / (2 * net)) / 100;
    }

    /** What one order becomes, by the order stored before. */
    function expected(sent: Sent, stored: Sent | undefined): Pick<OrderOutcome, 'outcome' | 'coupon_id' | 'commission'> {
      const isSame =
        stored && stored.status === sent.status && stored.total === sent.total && stored.refunded_amount === sent.refunded_amount;
      if (sent.refunded_amount > sent.total || (stored && stored.coupon_id !== sent.coupon_id))
        return { outcome: 'refused', coupon_id: null, commission: null };
      const outcome = stored ? (isSame ? 'unchanged' : 'updated') : 'created';
      return { outcome, coupon_id: sent.coupon_id, commission: commissionOf(sent) };
    }

    const outcomeOnly = ({ outcome, coupon_id, commission }: OrderOutcome) => ({ outcome, coupon_id, commission });

    it('gives every order of every request the outcome that a sequential model gives', async () => {
      const stored = new Map<number, Sent>();
      const requests = fc.array(fc.array(sentOrder(1000, 6), { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 5 });
      await fc.assert(
        fc.asyncProperty(requests, async (sequence) => {
          for (const sent of sequence) {
            const model = sent.map((one) => {
              const before = stored.get(one.order_id);
              const outcome = expected(one, before);
              // The versions of an order that end in the stored one were applied before.
              const last = sent.findLast(({ order_id }) => order_id === one.order_id) as Sent;
              if (before && outcome.outcome === 'updated' && expected(last, before).outcome === 'unchanged')
                return { ...outcome, outcome: 'unchanged', commission: commissionOf(before) };
              if (outcome.outcome !== 'refused') stored.set(one.order_id, one);
              return outcome;
            });
            const outcomes = await send(
              'orders',
              sent.map((one) => order(one.order_id, one)),
            );
            expect(outcomes.map(outcomeOnly)).to.deep.equal(model);
          }
        }),
        { numRuns: 12, endOnFailure: true },
      );
    });

    /** Whether the outcomes of one order can be those of the same requests in some sequence. */
    function isSerializable(sent: readonly (readonly [Sent, OrderOutcome])[], stored?: Sent): boolean {
      return (
        sent.length === 0 ||
        sent.some(([one, outcome], at) => {
          const model = expected(one, stored);
          const fits = JSON.stringify(outcomeOnly(outcome)) === JSON.stringify(model);
          return fits && isSerializable(sent.toSpliced(at, 1), model.outcome === 'refused' ? stored : one);
        })
      );
    }

    it('gives concurrent requests outcomes that some sequence of them has', async () => {
      let from = 2000;
      const requests = fc.array(sentOrder(0, 3), { minLength: 2, maxLength: 10 });
      await fc.assert(
        fc.asyncProperty(requests, async (concurrent) => {
          from += 10;
          const sent = concurrent.map((one) => ({ ...one, order_id: from + one.order_id, refunded_amount: one.refunded_amount % 200 }));
          const outcomes = await Promise.all(
            sent.map(async (one) => (await send('orders', [order(one.order_id, one)]))[0] as OrderOutcome),
          );
          for (const id of new Set(sent.map(({ order_id }) => order_id))) {
            const ofOrder = sent.flatMap((one, at) => (one.order_id === id ? [[one, outcomes[at] as OrderOutcome] as const] : []));
            expect(isSerializable(ofOrder), JSON.stringify(ofOrder)).to.equal(true);
          }
        }),
        { numRuns: 15, endOnFailure: true },
      );
    });

    it('commits the orders of a request together', async () => {
      const before = service.storage.commits;
      await send(
        'orders',
        Array.from({ length: 100 }, (_, at) => order(5000 + at, { coupon_id: first })),
      );
      expect(service.storage.commits - before).to.be.at.most(4);
    });
  });
});
