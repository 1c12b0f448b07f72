import { Agent } from 'node:http';
import { expect } from 'chai';
import { newOrderId } from '../support/program.ts';
import { countValues, NodeCluster, type NodeRequest, type NodeResponse, sendRequest } from './node-cluster.ts';

// PROVE_WRITES: how many, 150 by default.

const count = Number(process.env['PROVE_WRITES'] ?? 150);
const clients = 24;

/** What the response says beyond its status: an order may be refused in a 200. */
const summarize = ({ status, body }: NodeResponse): string =>
  [status, body?.code ?? body?.[0]?.outcome ?? body?.status].filter(Boolean).join(' ');

describe('two processes on one PostgreSQL', function () {
  this.timeout(60_000 + count * 300);
  let cluster: NodeCluster;
  before(async () => {
    cluster = await NodeCluster.start({ commands: 1, workers: 2 });
  });
  after(() => cluster.stop());

  it(`refuse none of ${count} concurrent writes: orders, clicks, payout requests and changes of their status`, async () => {
    const { store } = cluster;
    await store.withoutLimits();
    await store.settings.set('addons.store', true);
    const { headers } = await store.key(await store.user('chief', 'administrator'), ['read', 'write', 'manage']);
    await cluster.withinASecond({ method: 'POST', path: '/store/orders', headers, json: [] }, ({ status }) => status === 400);
    const hot = await cluster.createAffiliate();
    const outcomes: string[] = [];
    const started = performance.now();

    /** Orders and clicks of one coupon, which conflict as often as writes can, and payouts of a coupon of its own. */
    const runClient = async (client: number): Promise<void> => {
      const { couponId } = await cluster.createAffiliate();
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const post = async (path: string, json: unknown): Promise<NodeResponse> => {
        const request: NodeRequest = { method: 'POST', path, headers, json, agent };
        const response = await sendRequest(cluster.nextUrl(), request);
        outcomes.push(summarize(response));
        return response;
      };
      const order = () =>
        post('/store/orders', [{ order_id: newOrderId(), coupon_id: hot.couponId, date: '2026-11-02', status: 'completed', total: 100 }]);
      try {
        while (outcomes.length < count) {
          const payout = await post('/payouts', { coupon_id: couponId });
          await order();
          await post('/store/clicks', [{ coupon_id: hot.couponId, date: '2026-11-02', visitor: `visitor ${client} ${outcomes.length}` }]);
          await order();
          await post(`/payouts/${payout.body.id}/status`, { status: 'cancel' });
        }
      } finally {
        agent.destroy();
      }
    };
    await Promise.all(Array.from({ length: clients }, (_, client) => runClient(client)));
    if (count > 1000)
      console.log(`${outcomes.length} writes, ${Math.round(outcomes.length / ((performance.now() - started) / 1000))} per second`);
    const { '200 created': recorded = 0, '201 pending': requested = 0, '200 cancel': cancelled = 0, ...refused } = countValues(outcomes);
    expect(refused).to.deep.equal({});
    expect([requested, cancelled]).to.deep.equal([recorded / 3, recorded / 3]);
  });
});
