import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { components } from '../../generated/api.d.ts';
import { Machine } from '../cli/machine.ts';
import type { ContractClient } from '../support/contract-client.ts';
import { onAnyEngine } from '../support/engines.ts';
import { suiteFixture } from '../support/fixture.ts';
import { suiteService } from '../support/service.ts';
import { parseYaml } from '../support/yaml.ts';

type Schemas = components['schemas'];
type Candidate = Schemas['AttributionCandidate'];
type Rate = Schemas['ExplanationRate'];
type Step = Schemas['ExplanationStep'];

const exampleOf = (name: string): unknown =>
  (parseYaml(readFileSync(`openapi/components/examples/explanation-${name}.yaml`, 'utf8')) as { value: unknown }).value;

onAnyEngine((engine) => {
  describe('GET /coupons/{id}/orders/{order_id}/explanation', () => {
    const { service, admin, clock } = suiteService(engine, {
      now: '2026-10-01T00:00:00Z',
      settings: {
        'addons.store': true,
        'addons.insights': true,
        'multi_level.rates': [5],
        'store.currency': 'EUR',
        'store.timezone': 'Europe/Berlin',
        'store.url': 'https://fjell.example',
      },
    });

    const send = async (kind: string, ...records: object[]): Promise<void> => {
      const { body } = await admin.post(`/store/${kind}`, { json: records });
      for (const { outcome, reason } of body) expect(outcome, reason).to.be.oneOf(['recorded', 'created', 'updated']);
    };
    const at = (moment: string): void => clock.advance((Date.parse(moment) - clock.now()) / 1000);
    const explain = (client: ContractClient, coupon: number, order: number) => client.get(`/coupons/${coupon}/orders/${order}/explanation`);
    const clientOf = async (id: number): Promise<ContractClient> => {
      const user = await service.storage.query(({ users }) => users.byId(id));
      if (!user) throw new Error(`There is no user ${id}.`);
      return service.clientOf(user, ['read']);
    };

    before(async () => {
      const person = (id: number, login: string, display_name: string, more = {}) => ({
        id,
        login,
        email: `${login}@people.example`,
        display_name,
        role: 'affiliate',
        ...more,
      });
      await send(
        'affiliates',
        person(17, 'summitweekly', 'Summit Weekly'),
        person(42, 'trailnotes', 'Trail Notes', { parent: 'summitweekly' }),
        person(43, 'peakpost', 'Peak Post'),
      );
      await send(
        'coupons',
        { id: 288, code: 'SUMMIT10', user: 'summitweekly' },
        { id: 301, code: 'TRAIL10', user: 'trailnotes' },
        { id: 302, code: 'PEAK10', user: 'peakpost' },
      );
      await tellStory();
    });
    const owner = suiteFixture(() => clientOf(42));
    const upline = suiteFixture(() => clientOf(17));
    const other = suiteFixture(() => clientOf(43));

    /** The orders of the contract's examples, as they came about. */
    async function tellStory(): Promise<void> {
      const [first, second] = [
        { order_id: 58213, coupon_id: 301, date: '2026-10-05T14:31:07', total: 179.8, discount: 17.98, visitor: 'reader' },
        { order_id: 58340, coupon_id: 301, date: '2026-10-12T20:03:55', total: 240, discount: 24 },
      ];
      await send('clicks', { coupon_id: 301, date: '2026-10-05T14:20:00', visitor: 'reader', campaign: 'autumn' });
      at('2026-10-05T12:31:07Z');
      await send('orders', { ...first, status: 'processing' });
      at('2026-10-08T09:02:40Z');
      await send('orders', { ...first, status: 'completed' });
      at('2026-10-12T18:03:55Z');
      await send('orders', { ...second, status: 'processing' });
      at('2026-10-15T07:00:00Z');
      await send('orders', { ...second, status: 'completed' });
      at('2026-10-18T13:20:00Z');
      await send('orders', { ...second, status: 'completed', refunded_amount: 54 });
      at('2026-10-21T07:12:00Z');
      await send('orders', {
        order_id: 58412,
        coupon_id: 301,
        date: '2026-10-21T09:12:00',
        status: 'processing',
        total: 99.9,
        discount: 9.99,
      });
    }

    it('answers as the examples of the contract, to an admin and to the affiliate', async () => {
      for (const [client, order, example] of [
        [admin, 58213, 'by-link'],
        [owner, 58412, 'pending'],
        [owner, 58340, 'refunded'],
      ] as const) {
        const { status, body } = await explain(client, 301, order);
        expect(status).to.equal(200);
        expect(body, example).to.deep.equal(exampleOf(example));
      }
    });

    /** An order that used the coupon of another affiliate, after clicks through the coupons of three. */
    async function recordContested(): Promise<void> {
      const click = { visitor: 'rover', campaign: 'peaks' };
      await send(
        'clicks',
        { ...click, coupon_id: 302, date: '2026-10-20T10:00:00' },
        { ...click, coupon_id: 288, date: '2026-10-20T11:00:00' },
        { ...click, coupon_id: 301, date: '2026-10-20T12:00:00' },
      );
      const order = { order_id: 60001, coupon_id: 302, date: '2026-10-20T13:00:00', status: 'completed', total: 333.33, visitor: 'rover' };
      await send('orders', order);
      await send('clicks', { ...click, coupon_id: 302, date: '2026-10-20T12:30:00' });
    }

    it('lists what lost and why, and shows other affiliates to admins alone', async () => {
      await recordContested();
      const { body } = await explain(admin, 301, 60001);
      expect(body).to.include({ commission: 33.33, recomputed: 33.33, agrees: true });
      expect(body.attribution.via).to.equal('referral_link');
      const late =
        'when the order was recorded it did not count: it arrived later, its coupon was not published, or the attribution window was another';
      expect(body.attribution.candidates.map(({ coupon_id, won, text }: Candidate) => [coupon_id, won, text])).to.deep.equal([
        [302, false, `The click of 20 Oct 2026, 12:30 through PEAK10 lost: ${late}.`],
        [301, true, 'The click of 20 Oct 2026, 12:00 through TRAIL10 won: it was the latest click before the order.'],
        [288, false, 'The click of 20 Oct 2026, 11:00 through SUMMIT10 lost: a later click counts before it.'],
        [302, false, 'The click of 20 Oct 2026, 10:00 through PEAK10 lost: a later click counts before it.'],
        [302, false, 'The use of PEAK10 lost: a referral link counts before a coupon.'],
      ]);
      expect(body.shares[0]).to.include({ coupon: 'SUMMIT10', percent: 5, amount: 1.67 });
      expect(body.movements.map(({ coupon_id }: Candidate) => coupon_id)).to.deep.equal([301, 288]);

      const own = (await explain(owner, 301, 60001)).body;
      expect(JSON.stringify(own)).not.to.match(/PEAK|Peak|SUMMIT|Summit|peakpost|302|288|1\.67|1\.6665/);
      expect(own.attribution.candidates.map(({ coupon_id, campaign }: Candidate) => [coupon_id, campaign])).to.deep.equal([
        [null, null],
        [301, 'peaks'],
        [null, null],
        [null, null],
        [null, null],
      ]);
      expect(own.attribution.candidates[0].text).to.equal(`The click of 20 Oct 2026, 12:30 through another coupon lost: ${late}.`);
      const hidden = { coupon_id: null, coupon: null, user: null, percent: null, amount: null };
      expect(own.shares).to.deep.equal([{ tier: 1, ...hidden, agrees: true, text: 'Tier 1: a share of another affiliate.' }]);
      expect(own.movements.map(({ coupon_id }: Candidate) => coupon_id)).to.deep.equal([301]);

      const above = (await explain(upline, 301, 60001)).body;
      expect(JSON.stringify(above)).not.to.match(/PEAK|Peak|302/);
      expect([above.shares, above.movements]).to.deep.equal([body.shares, body.movements]);
      expect(above.attribution.candidates[2]).to.deep.equal(body.attribution.candidates[2]);
    });

    it('is the same 404 for a foreign coupon, a missing one, an order of another coupon and a missing one', async () => {
      const answers = [
        await explain(other, 301, 58213),
        await explain(other, 999_999, 58213),
        await explain(other, 302, 58213),
        await explain(other, 302, 999_999),
        await explain(upline, 302, 60001),
        await explain(admin, 288, 58213),
      ];
      for (const { status, body } of answers) {
        expect(status).to.equal(404);
        expect(body).to.deep.equal(answers[0]?.body);
      }
      expect(answers[0]?.body.code).to.equal('svc_api_not_found');
    });

    it('names a lifetime link and what it took precedence of', async () => {
      await service.settings.set('attribution.lifetime', true);
      const order = { order_id: 60002, coupon_id: 301, date: '2026-10-20T13:00:00', status: 'completed', total: 10, visitor: 'regular' };
      await send('orders', order);
      await send('clicks', { coupon_id: 302, date: '2026-10-20T14:00:00', visitor: 'regular' });
      await send('orders', { ...order, order_id: 60003, coupon_id: 302, date: '2026-10-20T15:00:00' });
      await service.settings.set('attribution.lifetime', false);
      const { via, text, candidates } = (await explain(admin, 301, 60003)).body.attribution;
      expect([via, text]).to.deep.equal(['lifetime', "The visitor's lifetime link to TRAIL10 was credited."]);
      expect(candidates.map((candidate: Candidate) => candidate.text)).to.deep.equal([
        'The lifetime link of 20 Oct 2026, 13:00 to TRAIL10 won: a lifetime link counts before clicks and coupons.',
        'The click of 20 Oct 2026, 14:00 through PEAK10 lost: a lifetime link counts before clicks.',
        'The use of PEAK10 lost: a lifetime link counts before a coupon.',
      ]);
      // The order that made the link did not come through it.
      expect((await explain(admin, 301, 60002)).body.attribution.candidates).to.have.length(1);
    });

    it('shows fixed rates, a reversal, and a rate that no longer applies', async () => {
      await service.settings.set('commission.fixed_per_product', 0.25);
      await send('coupons', { id: 302, code: 'PEAK10', user: 'peakpost', percent: 12.5, fixed_per_order: 1 });
      const order = { order_id: 60004, coupon_id: 302, date: '2026-10-20T13:00:00', status: 'completed', total: 20.2, quantity: 3 };
      await send('orders', order);
      await send('orders', { ...order, refunded_amount: 7 });
      await service.settings.set('commission.fixed_per_product', 0.5);
      const refunded = (await explain(other, 302, 60004)).body;
      expect(refunded.inputs.rates.map(({ value, source, text }: Rate) => [value, source, text])).to.deep.equal([
        [12.5, 'coupon', "Percentage: 12.5 %, the coupon's own rate."],
        [1, 'coupon', "Fixed amount for each order: 1.00 EUR, the coupon's own rate."],
        [0.25, 'order', 'Fixed amount for each item: 0.25 EUR, as the order was recorded; now 0.50 EUR applies.'],
      ]);
      expect(refunded.steps.map(({ step, amount, text }: Step) => [step, amount, text])).to.deep.equal([
        ['net', 20.2, '20.20 EUR less a discount of 0.00 EUR is 20.20 EUR.'],
        ['percent', 2.53, '12.5 % of 20.20 EUR is 2.525 EUR, rounded half up to 2.53 EUR.'],
        ['fixed_per_order', 1, '1.00 EUR for each order.'],
        ['fixed_per_product', 0.75, '0.25 EUR for each of 3 items is 0.75 EUR.'],
        ['sum', 4.28, '2.53 EUR + 1.00 EUR + 0.75 EUR is 4.28 EUR.'],
        ['refund', 2.8, '7.00 EUR of 20.20 EUR was refunded: 4.28 EUR × 13.20 EUR / 20.20 EUR is 2.80 EUR, rounded half up.'],
      ]);
      await send('orders', { ...order, status: 'cancelled' });
      const { body } = await explain(other, 302, 60004);
      expect(body).to.include({ commission: 0, recomputed: 0, agrees: true });
      expect(body.steps.at(-1)).to.deep.equal({
        step: 'reversal',
        amount: 0,
        text: 'The order was cancelled, so the commission is 0.00 EUR.',
      });
      await service.settings.set('commission.fixed_per_product', 0);
    });

    /** Changes the stored commission and the share of an order. */
    const falsify = (by: number): Promise<void> =>
      service.storage.write(async ({ orders }) => {
        const [order] = await orders.byIds([60001]);
        if (order) await orders.save([{ ...order, commission: order.commission + by }]);
        const [share] = await orders.sharesOf([60001]);
        if (share) await orders.saveShares([{ ...share, amount: share.amount - by }]);
      });

    it('says when a stored figure is not the recomputed one', async () => {
      await falsify(1000);
      const { body } = await explain(admin, 301, 60001);
      await falsify(-1000);
      expect(body).to.include({ commission: 43.33, recomputed: 33.33, agrees: false });
      expect(body.shares[0].agrees).to.equal(false);
      expect(body.shares[0].text).to.match(/rounded half up to 2\.17 EUR\. The stored share is -8\.33 EUR\.$/);
    });

    it('is printed by affiliate explain, for a coupon by code or id', async () => {
      const errors: [args: string[], sentence: string][] = [
        [['NONE', '58213'], 'There is no coupon "NONE". Give its id or its code.'],
        [['TRAIL10', '999999'], 'There is no order 999999 that a coupon referred.'],
        [['PEAK10', '58213'], 'Order 58213 was credited to coupon 301. Run affiliate explain 301 58213.'],
        [['TRAIL10', 'x'], 'The order is "x". It must be a whole number from 1 to 9007199254740991.'],
      ];
      const commands = [['301', '58213', '--json'], ['trail10', '58213'], ['TRAIL10', '60001'], ...errors.map(([args]) => args)];
      await falsify(1000);
      const machine = new Machine({ DATABASE_URL: service.databaseUrl });
      const [json, text, wrong, ...refused] = await machine.runSeries(commands.map((args) => ({ args: ['explain', ...args] })));
      await falsify(-1000);
      const { body } = await explain(admin, 301, 58213);
      expect(JSON.parse(json?.out ?? '')).to.deep.equal(body);
      const out = text?.out ?? '';
      expect(out).to.match(/^Order 58213 of 2026-10-05 14:31:07, Europe\/Berlin: completed, commission granted\.\n/);
      const texts = [
        ...body.inputs.rates,
        ...body.steps,
        body.attribution,
        ...body.attribution.candidates,
        ...body.shares,
        ...body.movements,
      ];
      for (const part of texts) expect(out).to.include(part.text);
      expect([wrong?.code, wrong?.err]).to.deep.equal([1, 'The stored commission is 43.33 EUR, not 33.33 EUR.\n']);
      for (const [index, [, sentence]] of errors.entries())
        expect(refused[index]).to.deep.equal({ code: 1, out: '', err: `${sentence}\n` });
    });

    it('exists with the add-on alone, in both editions', async () => {
      const idsInDocument = async () => JSON.stringify((await admin.get('/openapi')).body.paths).includes('explanation');
      await service.settings.set('edition', 'free');
      expect([(await explain(owner, 301, 58213)).status, await idsInDocument()]).to.deep.equal([200, true]);
      await service.settings.set('edition', 'pro');
      await service.settings.set('addons.insights', false);
      const { status, body } = await explain(admin, 301, 58213);
      expect([status, body.code, await idsInDocument()]).to.deep.equal([404, 'rest_no_route', false]);
      await service.settings.set('addons.insights', true);
    });
  });
});
