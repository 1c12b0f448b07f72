import { expect } from 'chai';
import type { ApiError } from '../../domain/errors.ts';
import { changePayout, findChange } from '../../domain/payouts/change.ts';
import { transitions } from '../../generated/transitions.ts';
import { buildProgram } from '../../site/program.ts';
import type { ContractClient } from '../support/contract-client.ts';
import { mainlyOn } from '../support/engines.ts';
import { createEarner, earn, failPayout } from '../support/payouts.ts';
import { payoutDetails } from '../support/program.ts';
import { seededRandom } from '../support/random.ts';
import { TestClock, TestService } from '../support/service.ts';
import { deploymentsOn, RaceFixture, requestCounts } from './race-fixture.ts';

type PostResponse = Awaited<ReturnType<ContractClient['post']>>;

/** `201`, `200 existing` or `409 svc_api_conflict`. */
const summarize = ({ status, headers, body }: PostResponse): string => {
  if (status >= 400) return `${status} ${(body as { code: string }).code}`;
  return `${status}${headers.get('X-Svc-Existing') === '1' ? ' existing' : ''}`;
};

const countSummaries = (responses: readonly PostResponse[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const summary of responses.map(summarize)) counts[summary] = (counts[summary] ?? 0) + 1;
  return counts;
};

const { most, mixed, fewer } = requestCounts;

const statuses = ['pending', 'created', 'paid', 'cancel'] as const;

mainlyOn('postgres', (engine) => {
  for (const deployment of deploymentsOn(engine))
    describe(`concurrent requests for the same payout to ${deployment}`, function () {
      let fixture: RaceFixture;
      before(async () => {
        fixture = await RaceFixture.open(engine, deployment);
      });
      beforeEach(() => fixture.createCoupon());
      afterEach(() => fixture.expectConsistent());
      after(() => fixture?.close());

      const request = (client: ContractClient, key?: string): Promise<PostResponse> =>
        client.post('/payouts', {
          json: { coupon_id: fixture.couponId },
          ...(key !== undefined && { headers: { 'Idempotency-Key': key } }),
        });
      const createPayout = async (): Promise<number> => {
        const [response] = await fixture.sendConcurrently(1, (client) =>
          client.post('/payouts', { json: { coupon_id: fixture.couponId } }),
        );
        return response?.body.id;
      };
      const change = (client: ContractClient, id: number, status: string): Promise<PostResponse> =>
        client.post(`/payouts/${id}/status`, { json: { status } });
      const eventKinds = async (): Promise<string[]> => (await fixture.payoutEvents()).map(({ kind }) => kind);

      it(`create one payout of ${most} requests, with and without keys of their own: one 201, and 200 or 409 for the others`, async () => {
        const keyOf = (index: number): string | undefined => (index % 2 === 0 ? `try-${index}` : undefined);
        const responses = await fixture.sendConcurrently(most, (client, index) => request(client, keyOf(index)), 'affiliate');
        const { 201: created, '200 existing': existing = 0, '409 svc_api_in_progress': late = 0, ...others } = countSummaries(responses);
        expect([created, existing + late, others]).to.deep.equal([1, most - 1, {}]);
        const ids = responses.filter(({ status }) => status < 300).map(({ body }) => (body as { id: number }).id);
        expect(new Set(ids).size).to.equal(1);
        expect([(await fixture.payouts()).length, await eventKinds()]).to.deep.equal([1, ['payout_request']]);
        expect(await fixture.pools()).to.deep.equal([0, 10_000, 0]);
      });

      it('let one of many equal status changes succeed, and only that one moves money', async () => {
        const id = await createPayout();
        const steps = ['paid', 'cancel', 'created', 'pending', 'cancel'] as const;
        for (const [index, status] of steps.entries()) {
          const count = index === 0 ? most : fewer;
          const {
            200: won,
            '409 svc_api_conflict': lost = 0,
            '400 svc_api_no_change': late = 0,
            ...others
          } = countSummaries(await fixture.sendConcurrently(count, (client) => change(client, id, status)));
          expect([won, lost + late, others], status).to.deep.equal([1, count - 1, {}]);
        }
        const expected = ['payout_request', 'payout_paid', 'payout_cancelled', 'payout_reopened', 'payout_pending', 'payout_cancelled'];
        expect(await eventKinds()).to.deep.equal(expected);
        expect(await fixture.pools()).to.deep.equal([10_000, 0, 0]);
      });

      it('let one of many failures and cancellations succeed, and return the amount once', async () => {
        const id = await createPayout();
        await fixture.sendConcurrently(1, (client) => change(client, id, 'paid'));
        const fail = (): Promise<string> =>
          failPayout(fixture.service, id).then(
            () => '200',
            (error: unknown) => (error as ApiError).code,
          );
        const outcomes = await fixture.sendConcurrently(fewer, async (client, index) =>
          index % 2 === 0 ? fail() : summarize(await change(client, id, 'cancel')),
        );
        expect(outcomes.filter((outcome) => outcome === '200')).to.have.length(1);
        expect(outcomes.filter((outcome) => !/^200$|svc_api_(conflict|no_change|invalid_transition)$/.test(outcome))).to.deep.equal([]);
        expect((await eventKinds()).slice(2)).to.have.length(1);
        expect(await fixture.pools()).to.deep.equal([10_000, 0, 0]);
      });

      it(`let ${most} different status changes succeed only as one path through the transition table`, async () => {
        const id = await createPayout();
        const random = seededRandom(most);
        const targets = Array.from({ length: most }, () => random.pick(statuses));
        const responses = await fixture.sendConcurrently(most, (client, index) => change(client, id, targets[index] ?? 'paid'));
        const losers = ['409 svc_api_conflict', '400 svc_api_no_change', '400 svc_api_invalid_transition'];
        for (const response of responses.filter(({ status }) => status !== 200)) expect(losers).to.include(summarize(response));
        const path = (await fixture.payoutEvents()).map(({ status }) => status);
        expect(path)
          .to.have.length(1 + responses.filter(({ status }) => status === 200).length)
          .and.length.above(1);
        const rows = transitions.PayoutStatus.rows.map(({ from, to }) => `${from} ${to}`);
        for (const [index, to] of path.entries()) if (index > 0) expect(rows).to.include(`${path[index - 1]} ${to}`);
        expect((await fixture.payouts()).map(({ status }) => status)).to.deep.equal([path.at(-1)]);
      });

      it('lose no money and pay nothing twice among requests, cancellations, re-openings and refunds', async () => {
        const first = await createPayout();
        const random = seededRandom(7);
        let refunds = 0;
        const responses = await fixture.sendConcurrently(mixed, async (client, index) => {
          if (index % 15 === 14) {
            refunds += 1;
            await fixture.importOrder({ refunded: refunds * 10 });
            return null;
          }
          if (index % 3 === 0) return request(client);
          const newest = index % 2 === 0 ? (await client.get(`/payouts?coupon_id=${fixture.couponId}&per_page=1`)).body[0] : { id: first };
          return change(client, newest.id, random.pick(statuses));
        });
        const won = responses.filter((response) => response !== null && summarize(response).match(/^20[01]$/)).length;
        expect(await fixture.payoutEvents()).to.have.length(1 + won);
        expect(responses.filter((response) => response !== null && response.status >= 500)).to.deep.equal([]);
        const [unpaid = 0, pending = 0, paid = 0] = await fixture.pools();
        expect(unpaid + pending + paid).to.equal(await fixture.orderCommission());
        expect((await fixture.payouts()).filter(({ status }) => status === 'pending' || status === 'created')).to.have.length.lessThan(2);
      });

      it(`create one payout of ${fewer} requests with the same Idempotency-Key, and repeat the same response`, async () => {
        const responses = await fixture.sendConcurrently(fewer, (client) => request(client, 'the same'), 'affiliate');
        const { 201: created = 0, '409 svc_api_in_progress': late = 0, ...others } = countSummaries(responses);
        expect([created + late, others]).to.deep.equal([fewer, {}]);
        expect(created).to.be.greaterThan(0);
        const again = await fixture.sendConcurrently(2, (client) => request(client, 'the same'), 'affiliate');
        const bodies = [...responses, ...again].filter(({ status }) => status === 201).map(({ body }) => JSON.stringify(body));
        expect([again.map(summarize), new Set(bodies).size]).to.deep.equal([['201', '201'], 1]);
        expect([(await fixture.payouts()).length, await eventKinds()]).to.deep.equal([1, ['payout_request']]);
      });
    });

  describe('a payout request that is repeated while the gateway is called', () => {
    let fixture: RaceFixture;
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
      fixture = await RaceFixture.open(engine, 'two servers', { gateways: { slow } });
      await fixture.createCoupon();
      for (const [path, value] of Object.entries({ gateway: 'slow', enabled: true, max_amount: 1000 }))
        await fixture.service.settings.set(`payouts.auto_accept.${path}`, value);
    });
    afterEach(async () => {
      await fixture.expectConsistent();
      await fixture.close();
    });

    for (const key of [undefined, 'the same'])
      it(`${key === undefined ? 'without' : 'with the same'} Idempotency-Key returns the existing payout, which is sent once and settled`, async () => {
        const request = (client: ContractClient): Promise<PostResponse> =>
          client.post('/payouts', {
            json: { coupon_id: fixture.couponId },
            ...(key !== undefined && { headers: { 'Idempotency-Key': key } }),
          });
        const first = fixture.sendConcurrently(1, request, 'affiliate');
        while (sent.length === 0) await fixture.payouts();
        const retries = await fixture.sendConcurrently(20, request, 'affiliate');
        expect(countSummaries(retries)).to.deep.equal({ [key === undefined ? '200 existing' : '201']: 20 });
        expect(new Set(retries.map(({ body }) => (body as { status: string }).status))).to.deep.equal(new Set(['created']));
        release();
        const [created] = await first;
        expect(created && [summarize(created), (created.body as { status: string }).status]).to.deep.equal(['201', 'paid']);
        if (key !== undefined) expect((await fixture.sendConcurrently(1, request, 'affiliate'))[0]?.body).to.deep.equal(created?.body);
        expect(sent).to.have.length(1);
        expect(await fixture.pools()).to.deep.equal([0, 0, 10_000]);
        expect((await fixture.payoutEvents()).map(({ kind }) => kind)).to.deep.equal(['payout_request', 'payout_paid']);
      });
  });

  describe('payout requests on two servers', () => {
    let one: TestService;
    let two: TestService;
    let clients: [ContractClient, ContractClient];
    before(async () => {
      one = await (await TestService.start({ databaseUrl: await engine.freshUrl() })).withoutLimits();
      two = await TestService.start({ databaseUrl: one.databaseUrl });
      const { headers } = await one.key(await one.user('boss', 'administrator'), ['read', 'write']);
      clients = [await one.client(headers), await two.client(headers)];
      await Promise.all(clients.map((client) => client.get('/me')));
    });
    after(() => Promise.all([one, two].map((service) => service?.stop())));

    const request = async (index: number, couponId: number): Promise<number> =>
      (await clients[index % 2 === 0 ? 0 : 1].post('/payouts', { json: { coupon_id: couponId } })).status;
    const repeats = (): number => one.storage.load().retries + two.storage.load().retries;

    it('for different coupons are decided at their first attempt', async () => {
      const coupons: number[] = [];
      for (let index = 0; index < 16; index += 1) coupons.push((await createEarner(one, `own${index}`, 100)).couponId);
      const before = repeats();
      const statuses = await Promise.all(coupons.map((id, index) => request(index, id)));
      expect(new Set(statuses)).to.deep.equal(new Set([201]));
      expect(repeats() - before).to.equal(0);
    });

    it('take the details that are saved meanwhile, and the whole balance of orders that arrive meanwhile', async () => {
      for (let round = 0; round < 8; round += 1) {
        const { user, couponId: id } = await createEarner(one, `round${round}`, 100);
        const details = { userId: user.id, method: 'custom', methodType: 'custom', details: { email: `${id}@bank.example` } } as const;
        const writes = [payoutDetails(one, details), earn(one, id, 7), request(round, id)];
        await Promise.all(round % 2 === 0 ? writes : writes.toReversed());
        const { body } = await clients[0].get<{ amount: number; method_type: string }[]>(`/payouts?coupon_id=${id}`);
        const { body: owned } = await clients[1].get<{ unpaid_commission: number }>(`/coupons/${id}`);
        expect(body.map(({ method_type: type }) => type)).to.deep.equal(['custom']);
        expect((body[0]?.amount ?? 0) + owned.unpaid_commission).to.equal(107);
      }
      expect(await one.differences()).to.deep.equal([]);
    });
  });

  describe('a status change that was validated before other changes led back to the same status', () => {
    it('fails with svc_api_conflict, because the payout was paid on another day since', async () => {
      const clock = new TestClock();
      const fixture = await RaceFixture.open(engine, 'one server', {}, clock);
      await fixture.createCoupon();
      const change = async (status: string): Promise<void> => {
        const [{ id } = { id: 0 }] = await fixture.payouts();
        await fixture.sendConcurrently(1, (client) => client.post(`/payouts/${id}/status`, { json: { status } }));
      };
      await fixture.sendConcurrently(1, (client) => client.post('/payouts', { json: { coupon_id: fixture.couponId } }));
      await change('paid');
      const [{ id } = { id: 0 }] = await fixture.payouts();
      const { storage, settings } = fixture.service;
      const validated = await storage.read((db) => findChange(db, id, 'cancel'));
      clock.advance(86_400);
      await change('pending');
      await change('paid');
      const context = { now: clock.now(), userId: 0, program: buildProgram(await settings.current()) };
      const failure = await storage.write((transaction) => changePayout(transaction, validated, context)).catch((error: unknown) => error);
      expect(failure).to.include({ code: 'svc_api_conflict' });
      await fixture.expectConsistent();
      await fixture.close();
    });
  });
});
