import { expect } from 'chai';
import { waitUntil } from '../cli/running-service.ts';
import { newOrderId, orders } from '../support/program.ts';
import { StreamFollower } from '../support/stream-follower.ts';
import { receiver, subscribed } from '../support/webhooks.ts';
import { countValues, type NodeCluster, type NodeResponse } from './node-cluster.ts';

const countStatuses = (responses: NodeResponse[]) => countValues(responses.map(({ status }) => status));

/** Concurrent requests to several processes have one effect, in one order. Payouts: test/faults/payouts-race.test.ts. */
export function exactlyOnceTests(cluster: () => NodeCluster): void {
  let headers: Record<string, string>;
  before(async () => {
    await cluster().store.withoutLimits();
    ({ headers } = await cluster().store.key(await cluster().store.user('chief', 'administrator'), ['read', 'write', 'manage']));
    await cluster().withinASecond({ path: '/me', headers }, ({ headers: received }) =>
      String(received['ratelimit-policy']).includes('q=1000000'),
    );
  });

  const request = (couponId: number) => ({ method: 'POST', path: '/payouts', headers, json: { coupon_id: couponId } });

  it('return no figures that are older than the last commit of any of them', async () => {
    const { couponId } = await cluster().createAffiliate();
    const paths = ['', '/stats', '/stats?from=2026-10-01&to=2026-11-30', '/orders'].map((rest) => `/coupons/${couponId}${rest}`);
    const all = async () => Promise.all(paths.map(async (path) => (await cluster().sendToEach({ path, headers })).map(({ body }) => body)));
    await all();
    await orders(cluster().store, [{ id: newOrderId(), coupon: couponId, at: '2026-11-02T12:00:00Z', total: 500 }]);
    const [records = [], totals = [], ranges = [], lists = []] = await all();
    expect(new Set(records.map(({ unpaid_commission }) => unpaid_commission)), 'balance').to.deep.equal(new Set([150]));
    for (const figures of [totals, ranges])
      expect(new Set(figures.map(({ total_commission }) => total_commission)), 'figures').to.deep.equal(new Set([150]));
    expect(new Set(lists.map(({ length }) => length)), 'orders').to.deep.equal(new Set([2]));
  });

  it('return every event to a client that follows the feed, once and in order, while all of them write', async () => {
    const coupons = await Promise.all(Array.from({ length: 6 }, () => cluster().createAffiliate()));
    const first = (await eventsAfter(0)).at(-1) ?? 0;
    const state = { isOver: false };
    const writing = Promise.all(coupons.map(({ couponId }) => payAndCancel(couponId, 3))).finally(() => {
      state.isOver = true;
    });
    const seen: number[] = [];
    const poll = async (): Promise<number> => {
      const { body } = await cluster().send({ path: `/events?after=${seen.at(-1) ?? first}&per_page=100`, headers });
      for (const { id } of body as { id: number }[]) seen.push(id);
      return body.length;
    };
    while (!state.isOver) await poll();
    await writing;
    while ((await poll()) > 0);
    expect(seen).to.deep.equal(await eventsAfter(first));
    expect(seen.length).to.be.at.least(6 * 3 * 2);
  });

  it('stream every event once and in order to a reader that goes to another process after each lost connection', async () => {
    await cluster().store.settings.set('addons.agents', true);
    await cluster().withinASecond({ method: 'HEAD', path: '/events/stream', headers }, ({ status }) => status === 200);
    const coupons = await Promise.all(Array.from({ length: 6 }, () => cluster().createAffiliate()));
    const first = (await eventsAfter(0)).at(-1) ?? 0;
    const reader = new StreamFollower({ origin: () => cluster().nextUrl(), headers, after: first });
    const steady = new StreamFollower({ origin: () => cluster().nextUrl(), headers, after: first });
    const losing = setInterval(() => reader.disconnect(), 40);
    try {
      await Promise.all(coupons.map(({ couponId }) => payAndCancel(couponId, 3)));
      clearInterval(losing);
      const events = await eventsAfter(first);
      for (const follower of [reader, steady]) {
        await follower.reached(events.at(-1) ?? 0);
        expect(follower.ids).to.deep.equal(events);
      }
      expect(reader.opened).to.be.above(1);
    } finally {
      clearInterval(losing);
      await reader.stop();
      await steady.stop();
    }
  });

  const eventsAfter = async (first: number): Promise<number[]> =>
    (await cluster().query<{ id: unknown }>(`select id from events where id > ${first} order by id`)).map(({ id }) => Number(id));

  const payAndCancel = async (couponId: number, times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) {
      const { status, body } = await cluster().send(request(couponId));
      expect(status).to.equal(201);
      await cluster().send({ method: 'POST', path: `/payouts/${body.id}/status`, headers, json: { status: 'cancel' } });
    }
  };

  it('deliver every event to a webhook once, whichever process recorded it', async () => {
    const webhook = await receiver();
    try {
      await subscribed(await cluster().store.client(headers), webhook.url, ['payout.requested']);
      const coupons = await Promise.all(Array.from({ length: 10 }, () => cluster().createAffiliate()));
      const created = await cluster().sendConcurrently(10, (index) => request(coupons[index]?.couponId ?? 0));
      expect(countStatuses(created)).to.deep.equal({ 201: 10 });
      // Once it is stored as delivered, no process sends it again.
      const undelivered = "select 1 from webhook_deliveries where status <> 'delivered'";
      await waitUntil(20_000, async () => webhook.received.length >= 10 && (await cluster().query(undelivered)).length === 0);
      expect(new Set(webhook.received.map(({ headers: sent }) => sent['webhook-id'])).size).to.equal(10);
      expect(webhook.received).to.have.length(10);
    } finally {
      await webhook.close();
    }
  });
}
