import { expect } from 'chai';
import { until } from '../cli/served.ts';
import { newOrderId, orders } from '../support/program.ts';
import { receiver, subscribed } from '../support/webhooks.ts';
import { type Answered, type Nodes, tally } from './nodes.ts';

const statusesOf = (answers: Answered[]) => tally(answers.map(({ status }) => status));

/** What is to be done once is done once, and told in one order, however many do it at the same moment. */
export function doOnce(nodes: () => Nodes): void {
  let headers: Record<string, string>;
  before(async () => {
    await nodes().store.withoutLimits();
    ({ headers } = await nodes().store.key(await nodes().store.user('chief', 'administrator'), ['read', 'write', 'manage']));
    await nodes().withinASecond({ path: '/me', headers }, ({ headers: answered }) =>
      String(answered['ratelimit-policy']).includes('q=1000000'),
    );
  });

  const request = (couponId: number, more: Record<string, string> = {}) => ({
    method: 'POST',
    path: '/payouts',
    headers: { ...headers, ...more },
    json: { coupon_id: couponId },
  });

  it('make one payout of 40 requests for the same coupon, and tell the others of it', async () => {
    const { couponId } = await nodes().affiliate();
    const answers = await nodes().atOnce(40, () => request(couponId));
    const { 201: made, ...others } = statusesOf(answers);
    expect(made).to.equal(1);
    expect(
      Object.keys(others).every((status) => ['200', '409'].includes(status)),
      JSON.stringify(others),
    ).to.equal(true);
    expect((await nodes().ask({ path: `/payouts?coupon_id=${couponId}`, headers })).headers['x-svc-total']).to.equal('1');
  });

  it('let one of 40 status changes of a payout through', async () => {
    const { couponId } = await nodes().affiliate();
    const { id } = (await nodes().ask(request(couponId))).body;
    const answers = await nodes().atOnce(40, () => ({ method: 'POST', path: `/payouts/${id}/status`, headers, json: { status: 'paid' } }));
    const { 200: changed, ...others } = statusesOf(answers);
    expect(changed).to.equal(1);
    expect(
      Object.keys(others).every((status) => ['400', '409'].includes(status)),
      JSON.stringify(others),
    ).to.equal(true);
  });

  it('give one answer to all who send one Idempotency-Key', async () => {
    const { couponId } = await nodes().affiliate();
    const answers = await nodes().atOnce(30, () => request(couponId, { 'Idempotency-Key': 'the-same' }));
    const told = answers.filter(({ status }) => status === 201).map(({ body }) => JSON.stringify(body));
    expect(new Set(told).size).to.equal(1);
    expect(
      answers.every(({ status }) => status === 201 || status === 409),
      JSON.stringify(statusesOf(answers)),
    ).to.equal(true);
    for (const answer of await nodes().everywhere(request(couponId, { 'Idempotency-Key': 'the-same' })))
      expect([answer.status, JSON.stringify(answer.body)]).to.deep.equal([201, told[0]]);
  });

  it('rebuild the figures of a coupon once a minute', async () => {
    const { couponId } = await nodes().affiliate();
    const answers = await nodes().atOnce(30, () => ({ path: `/coupons/${couponId}/stats?refresh=true`, headers }));
    expect(tally(answers.map(({ body }) => body.source))).to.deep.equal({ live: 1, throttled: 29 });
  });

  it('give no figure that is older than the last commit of any of them', async () => {
    const { couponId } = await nodes().affiliate();
    const paths = ['', '/stats', '/stats?from=2026-10-01&to=2026-11-30', '/orders'].map((rest) => `/coupons/${couponId}${rest}`);
    const all = async () => Promise.all(paths.map(async (path) => (await nodes().everywhere({ path, headers })).map(({ body }) => body)));
    await all();
    await orders(nodes().store, [{ id: newOrderId(), coupon: couponId, at: '2026-11-02T12:00:00Z', total: 500 }]);
    const [records = [], totals = [], ranges = [], lists = []] = await all();
    expect(new Set(records.map(({ unpaid_commission }) => unpaid_commission)), 'balance').to.deep.equal(new Set([150]));
    for (const figures of [totals, ranges])
      expect(new Set(figures.map(({ total_commission }) => total_commission)), 'figures').to.deep.equal(new Set([150]));
    expect(new Set(lists.map(({ length }) => length)), 'orders').to.deep.equal(new Set([2]));
  });

  it('tell a follower of the feed everything, once and in order, while all of them write', async () => {
    const coupons = await Promise.all(Array.from({ length: 6 }, () => nodes().affiliate()));
    const first = (await eventsAfter(0)).at(-1) ?? 0;
    const state = { isOver: false };
    const writing = Promise.all(coupons.map(({ couponId }) => payAndCancel(couponId, 3))).finally(() => {
      state.isOver = true;
    });
    const seen: number[] = [];
    const poll = async (): Promise<number> => {
      const { body } = await nodes().ask({ path: `/events?after=${seen.at(-1) ?? first}&per_page=100`, headers });
      for (const { id } of body as { id: number }[]) seen.push(id);
      return body.length;
    };
    while (!state.isOver) await poll();
    await writing;
    while ((await poll()) > 0);
    expect(seen).to.deep.equal(await eventsAfter(first));
    expect(seen.length).to.be.at.least(6 * 3 * 2);
  });

  const eventsAfter = async (first: number): Promise<number[]> =>
    (await nodes().rows<{ id: unknown }>(`select id from events where id > ${first} order by id`)).map(({ id }) => Number(id));

  const payAndCancel = async (couponId: number, times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) {
      const { status, body } = await nodes().ask(request(couponId));
      expect(status).to.equal(201);
      await nodes().ask({ method: 'POST', path: `/payouts/${body.id}/status`, headers, json: { status: 'cancel' } });
    }
  };

  it('deliver every event to a webhook once, whoever made it', async () => {
    const books = await receiver();
    try {
      await subscribed(await nodes().store.client(headers), books.url, ['payout.requested']);
      const coupons = await Promise.all(Array.from({ length: 10 }, () => nodes().affiliate()));
      const made = await nodes().atOnce(10, (index) => request(coupons[index]?.couponId ?? 0));
      expect(statusesOf(made)).to.deep.equal({ 201: 10 });
      // Kept as delivered, nobody takes it again.
      const left = "select 1 from webhook_deliveries where status <> 'delivered'";
      await until(20_000, async () => books.received.length >= 10 && (await nodes().rows(left)).length === 0);
      expect(new Set(books.received.map(({ headers: sent }) => sent['webhook-id'])).size).to.equal(10);
      expect(books.received).to.have.length(10);
    } finally {
      await books.close();
    }
  });
}
