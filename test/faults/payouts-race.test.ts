import { expect } from 'chai';
import { changePayout, findChange } from '../../domain/payouts/change.ts';
import { transitions } from '../../generated/transitions.ts';
import { buildProgram } from '../../site/program.ts';
import type { ContractClient } from '../support/contract-client.ts';
import { forEachEngine } from '../support/engines.ts';
import { seededRandom } from '../support/random.ts';
import { TestClock } from '../support/service.ts';
import { Arena, arrangementsOn } from './arena.ts';

type Answer = Awaited<ReturnType<ContractClient['post']>>;

/** `201`, `200 existing` or `409 svc_api_conflict`. */
const inShort = ({ status, headers, body }: Answer): string => {
  if (status >= 400) return `${status} ${(body as { code: string }).code}`;
  return `${status}${headers.get('X-Svc-Existing') === '1' ? ' existing' : ''}`;
};

const tally = (answers: readonly Answer[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const answer of answers.map(inShort)) counts[answer] = (counts[answer] ?? 0) + 1;
  return counts;
};

const statuses = ['pending', 'created', 'paid', 'cancel'] as const;

forEachEngine((engine) => {
  for (const arrangement of arrangementsOn(engine))
    describe(`many who want the same payout, on ${arrangement}`, function () {
      this.timeout(120_000);
      let arena: Arena;
      before(async () => {
        arena = await Arena.open(engine, arrangement);
      });
      beforeEach(() => arena.begin());
      afterEach(() => arena.expectInOrder());
      after(() => arena?.close());

      const request = (client: ContractClient, key?: string): Promise<Answer> =>
        client.post('/payouts', { json: { coupon_id: arena.couponId }, ...(key !== undefined && { headers: { 'Idempotency-Key': key } }) });
      const requested = async (): Promise<number> => {
        const [answer] = await arena.atOnce(1, (client) => client.post('/payouts', { json: { coupon_id: arena.couponId } }));
        return answer?.body.id;
      };
      const change = (client: ContractClient, id: number, status: string): Promise<Answer> =>
        client.post(`/payouts/${id}/status`, { json: { status } });
      const kinds = async (): Promise<string[]> => (await arena.told()).map(({ kind }) => kind);

      it('200 requests make one payout: one 201, and the others learn of it or that it is being made', async () => {
        const answers = await arena.atOnce(200, (client) => request(client), 'affiliate');
        const { 201: made, '200 existing': existing = 0, '409 svc_api_in_progress': late = 0, ...others } = tally(answers);
        expect([made, existing + late, others]).to.deep.equal([1, 199, {}]);
        const ids = answers.filter(({ status }) => status < 300).map(({ body }) => (body as { id: number }).id);
        expect(new Set(ids).size).to.equal(1);
        expect([(await arena.payouts()).length, await kinds()]).to.deep.equal([1, ['payout_request']]);
        expect(await arena.pools()).to.deep.equal([0, 10_000, 0]);
      });

      it('of those who take the same step one wins, and only that one moves money', async () => {
        const id = await requested();
        const steps = ['paid', 'cancel', 'created', 'pending', 'cancel'] as const;
        for (const [at, status] of steps.entries()) {
          const {
            200: won,
            '409 svc_api_conflict': lost = 0,
            '400 svc_api_no_change': late = 0,
            ...others
          } = tally(await arena.atOnce(at === 0 ? 200 : 50, (client) => change(client, id, status)));
          expect([won, lost + late, others], status).to.deep.equal([1, at === 0 ? 199 : 49, {}]);
        }
        const told = ['payout_request', 'payout_paid', 'payout_cancelled', 'payout_reopened', 'payout_pending', 'payout_cancelled'];
        expect(await kinds()).to.deep.equal(told);
        expect(await arena.pools()).to.deep.equal([10_000, 0, 0]);
      });

      it('of 200 who take it different ways, the winners are one walk through the table', async () => {
        const id = await requested();
        const random = seededRandom(200);
        const targets = Array.from({ length: 200 }, () => random.pick(statuses));
        const answers = await arena.atOnce(200, (client, index) => change(client, id, targets[index] ?? 'paid'));
        const losers = ['409 svc_api_conflict', '400 svc_api_no_change', '400 svc_api_invalid_transition'];
        for (const answer of answers.filter(({ status }) => status !== 200)) expect(losers).to.include(inShort(answer));
        const walk = (await arena.told()).map(({ status }) => status);
        expect(walk)
          .to.have.length(1 + answers.filter(({ status }) => status === 200).length)
          .and.length.above(1);
        const rows = transitions.PayoutStatus.rows.map(({ from, to }) => `${from} ${to}`);
        for (const [at, to] of walk.entries()) if (at > 0) expect(rows).to.include(`${walk[at - 1]} ${to}`);
        expect((await arena.payouts()).map(({ status }) => status)).to.deep.equal([walk.at(-1)]);
      });

      it('requests, cancellations, re-openings and refunds at once lose nothing and pay nothing twice', async () => {
        const first = await requested();
        const random = seededRandom(7);
        let refunds = 0;
        const answers = await arena.atOnce(150, async (client, index) => {
          if (index % 15 === 14) {
            refunds += 1;
            await arena.tellOrder({ refunded: refunds * 10 });
            return null;
          }
          if (index % 3 === 0) return request(client);
          const newest = index % 2 === 0 ? (await client.get(`/payouts?coupon_id=${arena.couponId}&per_page=1`)).body[0] : { id: first };
          return change(client, newest.id, random.pick(statuses));
        });
        const won = answers.filter((answer) => answer !== null && inShort(answer).match(/^20[01]$/)).length;
        expect(await arena.told()).to.have.length(1 + won);
        expect(answers.filter((answer) => answer !== null && answer.status >= 500)).to.deep.equal([]);
        const [unpaid = 0, pending = 0, paid = 0] = await arena.pools();
        expect(unpaid + pending + paid).to.equal(await arena.earned());
        expect((await arena.payouts()).filter(({ status }) => status === 'pending' || status === 'created')).to.have.length.lessThan(2);
      });

      it('50 with the same Idempotency-Key make one payout, and whoever is answered gets the same answer', async () => {
        const answers = await arena.atOnce(50, (client) => request(client, 'the same'), 'affiliate');
        const { 201: made = 0, '409 svc_api_in_progress': late = 0, ...others } = tally(answers);
        expect([made + late, others]).to.deep.equal([50, {}]);
        expect(made).to.be.greaterThan(0);
        const again = await arena.atOnce(2, (client) => request(client, 'the same'), 'affiliate');
        const bodies = [...answers, ...again].filter(({ status }) => status === 201).map(({ body }) => JSON.stringify(body));
        expect([again.map(inShort), new Set(bodies).size]).to.deep.equal([['201', '201'], 1]);
        expect([(await arena.payouts()).length, await kinds()]).to.deep.equal([1, ['payout_request']]);
      });
    });

  describe('whoever asks again while the gateway is being asked', () => {
    let arena: Arena;
    let release: () => void;
    const sent: string[] = [];
    beforeEach(async () => {
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      sent.length = 0;
      const slow = async ({ idempotencyKey }: { idempotencyKey: string }) => {
        sent.push(idempotencyKey);
        await released;
        return { status: 'paid' as const, transactionId: 'T-1' };
      };
      arena = await Arena.open(engine, 'two servers', { gateways: { slow } });
      await arena.begin();
      for (const [path, value] of Object.entries({ gateway: 'slow', enabled: true, max_amount: 1000 }))
        await arena.service.settings.set(`payouts.auto_accept.${path}`, value);
    });
    afterEach(async () => {
      await arena.expectInOrder();
      await arena.close();
    });

    for (const key of [undefined, 'the same'])
      it(`${key === undefined ? 'without' : 'with the same'} Idempotency-Key learns of the payout; it is sent once, and settled`, async () => {
        const request = (client: ContractClient): Promise<Answer> =>
          client.post('/payouts', {
            json: { coupon_id: arena.couponId },
            ...(key !== undefined && { headers: { 'Idempotency-Key': key } }),
          });
        const first = arena.atOnce(1, request, 'affiliate');
        while (sent.length === 0) await arena.payouts();
        const retries = await arena.atOnce(20, request, 'affiliate');
        expect(tally(retries)).to.deep.equal({ [key === undefined ? '200 existing' : '201']: 20 });
        expect(new Set(retries.map(({ body }) => (body as { status: string }).status))).to.deep.equal(new Set(['created']));
        release();
        const [made] = await first;
        expect(made && [inShort(made), (made.body as { status: string }).status]).to.deep.equal(['201', 'paid']);
        if (key !== undefined) expect((await arena.atOnce(1, request, 'affiliate'))[0]?.body).to.deep.equal(made?.body);
        expect(sent).to.have.length(1);
        expect(await arena.pools()).to.deep.equal([0, 0, 10_000]);
        expect((await arena.told()).map(({ kind }) => kind)).to.deep.equal(['payout_request', 'payout_paid']);
      });
  });

  describe('whoever looked at a payout before others took it all the way round', () => {
    it('has lost, although it has the same status again: it was paid on another day since', async () => {
      const clock = new TestClock();
      const arena = await Arena.open(engine, 'one server', {}, clock);
      await arena.begin();
      const change = async (status: string): Promise<void> => {
        const [{ id } = { id: 0 }] = await arena.payouts();
        await arena.atOnce(1, (client) => client.post(`/payouts/${id}/status`, { json: { status } }));
      };
      await arena.atOnce(1, (client) => client.post('/payouts', { json: { coupon_id: arena.couponId } }));
      await change('paid');
      const [{ id } = { id: 0 }] = await arena.payouts();
      const { storage, settings } = arena.service;
      const seen = await storage.read((stores) => findChange(stores, id, 'cancel'));
      clock.advance(86_400);
      await change('pending');
      await change('paid');
      const surroundings = { now: clock.now(), userId: 0, program: buildProgram(await settings.current()) };
      const failure = await storage.write((transaction) => changePayout(transaction, seen, surroundings)).catch((error: unknown) => error);
      expect(failure).to.include({ code: 'svc_api_conflict' });
      await arena.expectInOrder();
      await arena.close();
    });
  });
});
