import { expect } from 'chai';
import { firstAssignedNumber } from '../../domain/order-recording/incoming.ts';
import type { Signal } from '../../domain/risk/signal.ts';
import type { StoreConnection } from '../../domain/store/connection.ts';
import { recordPayments } from '../../domain/store/record-payments.ts';
import { buildProgram } from '../../site/program.ts';
import type { ContractClient } from '../support/contract-client.ts';
import type { Engine } from '../support/engines.ts';
import { TestClock, TestService } from '../support/service.ts';
import { type Receiver, receiver } from '../support/webhooks.ts';

const order = (order_id: number, fields: object = {}) => ({
  order_id,
  coupon_id: 301,
  date: '2026-10-05T14:31:07',
  status: 'completed',
  total: 179.8,
  discount: 17.98,
  shipping: 4.9,
  quantity: 2,
  ...fields,
});

const profile = { phone: '+49 30 1234567', website: 'https://trailnotes.example', promote: 'Gear reviews', referrer: 'Summit Weekly' };
const application = {
  promote: 'Gear reviews',
  referrer: 'Summit Weekly',
  website: 'https://trailnotes.example',
  custom_fields: { readers: 42 },
};

const payPal = (user: string, email: string) => ({ user, method: 'PayPal', method_type: 'paypal', details: { email } });

/** What the store sends first, under the ids of the contract's examples. */
const records: Record<string, object[]> = {
  affiliates: [
    { id: 17, login: 'summitweekly', email: 'desk@summitweekly.example', display_name: 'Summit Weekly', role: 'affiliate' },
    {
      id: 42,
      login: 'trailnotes',
      email: 'hello@trailnotes.example',
      display_name: 'Trail Notes',
      role: 'affiliate',
      parent: 'summitweekly',
      profile,
      groups: ['bloggers'],
      custom_fields: { readers: 42 },
    },
  ],
  coupons: [
    { id: 288, code: 'SUMMIT10', user: 'summitweekly' },
    { id: 289, code: 'NOTES10', user: 'trailnotes' },
    {
      id: 301,
      code: 'TRAIL10',
      user: 'trailnotes',
      percent: 10,
      fixed_per_order: 1,
      fixed_per_product: 0.5,
      discount_type: 'percent',
      discount_amount: 10,
    },
    { id: 311, code: 'BATCHED', user: 'trailnotes' },
    { id: 312, code: 'BATCHABLE', user: 'trailnotes' },
    { id: 313, code: 'LEFTOUT', user: 'summitweekly' },
    { id: 314, code: 'OWNERLESS' },
  ],
  'payout-details': ['trailnotes', 'summitweekly'].map((user) => payPal(user, `pay@${user}.example`)),
  clicks: [{ coupon_id: 301, date: '2026-10-05T14:20:00', visitor: 'reader', campaign: 'autumn', referrer: 'https://trailnotes.example/' }],
  orders: [
    order(58_213, { visitor: 'reader', refunded_amount: 20 }),
    order(2, { refunded_amount: 54 }),
    order(3, { status: 'processing' }),
    order(4, { status: 'pending' }),
    order(5, { coupon_id: 289 }),
    ...[311, 312, 313, 314].map((coupon) => order(coupon, { coupon_id: coupon })),
  ],
  registrations: [
    { id: 6, login: 'bargainbin', email: 'deals@bargainbin.example', display_name: 'Bargain Bin', coupon_code: 'BARGAIN', ...application },
    { id: 7, login: 'trailnotes', email: 'hello@trailnotes.example', display_name: 'Trail Notes', coupon_code: 'TRAIL15', ...application },
  ],
};

/** That of the contract's examples. */
export const connection: StoreConnection = {
  id: '3f0c9a51d27e4b8896c1f0a45e7d2b63',
  platform: 'woocommerce',
  name: 'Fjell',
  encryptedSecret: null,
  createdAt: 1,
  disconnectedAt: null,
  apiUrl: 'https://fjell.example',
  apiKey: null,
  encryptedApiSecret: null,
  pulledTo: null,
  trashPulledTo: null,
  pulledAt: 1,
};

/** Under the id of the contract's examples. */
const signal: Omit<Signal, 'id'> = {
  kind: 'self_referral',
  severity: 'medium',
  userId: 17,
  couponId: 288,
  status: 'confirmed',
  openedAt: 1,
  lastSeenAt: 1,
  count: 1,
  text: 'A sentence.',
  evidence: [{ key: 'order 1', text: 'An order.', orderId: 1, payoutId: 1, at: 1 }],
  note: 'A note.',
  decidedBy: 1,
  decidedAt: 1,
  decidedCount: 1,
};

/** A service with a small program in which every field of every response has a value, before or after `change`. */
export class FilledProgram {
  readonly service: TestService;
  readonly admin: ContractClient;
  readonly affiliate: ContractClient;
  readonly #receiver: Receiver;
  readonly #ids: Record<string, number>;

  private constructor(parts: {
    service: TestService;
    admin: ContractClient;
    affiliate: ContractClient;
    receiver: Receiver;
    ids: Record<string, number>;
  }) {
    this.service = parts.service;
    this.admin = parts.admin;
    this.affiliate = parts.affiliate;
    this.#receiver = parts.receiver;
    this.#ids = parts.ids;
  }

  static async open(engine: Engine): Promise<FilledProgram> {
    let paid = 0;
    const bank = async () => {
      paid += 1;
      return { status: paid === 1 ? ('created' as const) : ('paid' as const), transactionId: `tx-${paid}`, notice: 'In the next batch.' };
    };
    const service = await TestService.start({
      databaseUrl: await engine.freshUrl(),
      clock: new TestClock(Date.parse('2026-11-15T09:00:00Z')),
      siteModule: { gateways: { bank } },
    });
    await service.withoutLimits();
    const settings = {
      'addons.store': true,
      'addons.insights': true,
      'addons.management': true,
      'addons.agents': true,
      'addons.risk': true,
      // Would hold the payouts back that are accepted automatically.
      'risk.details_changed.enabled': false,
      'multi_level.rates': [10],
      'payouts.threshold': 1,
      'service.url': 'https://affiliates.fjell.example',
      'payouts.auto_accept.gateway': 'bank',
    };
    for (const [path, value] of Object.entries(settings)) await service.settings.set(path, value);
    const { headers } = await service.key(await service.user('boss', 'administrator'), ['read', 'write', 'manage']);
    const admin = await service.client(headers);
    for (const [kind, sent] of Object.entries(records)) await send(admin, 'POST', `/store/${kind}`, sent);

    const batch = await createBatches(service, admin);
    await send(admin, 'POST', '/adjustments', { coupon_id: 288, amount: 25, note: 'Thank you.' });
    await service.storage.write(({ riskSignals }) => riskSignals.insert(signal));
    await service.settings.set('payouts.auto_accept.enabled', true);

    const user = await service.storage.query(({ users }) => users.byId(42));
    if (!user) throw new Error('There is no user 42.');
    const invoice = { userId: 42, couponId: 301, type: 'application/pdf', size: 1, sha256: 'x', createdAt: 1 } as const;
    await service.storage.write(({ invoices }) => invoices.insert(invoice));
    await service.storage.write(async ({ connections }) => {
      await connections.insert(connection);
      const delivery = { connectionId: connection.id, receivedAt: 1, topic: 'order.created', orderId: 1, outcome: 'refused' } as const;
      await connections.addDeliveries([{ ...delivery, reason: 'Another currency.' }]);
    });
    const affiliate = await service.client((await service.key(user, ['read', 'write'])).headers);
    const hook = await receiver();
    const webhook = await send(admin, 'POST', '/webhooks', { name: 'Books', url: hook.url, events: ['*'] });
    const payout = await send(affiliate, 'POST', '/payouts', { coupon_id: 301 });
    await send(admin, 'POST', '/registrations/6/status', { status: 'declined', message: 'No coupon lists.' });
    const ids = { webhooks: webhook.id, payouts: payout.id, 'payout-batches': batch.id, keys: (await service.key(user, ['read'])).id };
    return new FilledProgram({ service, admin, affiliate, receiver: hook, ids });
  }

  /** The example's path, with the ids that this program gave to what the store does not send. */
  own(path: string): string {
    const own = path.replace(/^\/(payouts|payout-batches|keys|webhooks)\/\d+/, (_, kind: string) => `/${kind}/${this.#ids[kind]}`);
    return own.replace('dlv_88', 'dlv_1');
  }

  /** A payment of a platform whose ids are texts. */
  async #recordPayment(): Promise<void> {
    const { storage, settings, clock, hashVisitor } = this.service;
    const now = clock.now();
    const context = { program: buildProgram(await settings.current()), now, userId: 0, hashVisitor };
    const { platform } = connection;
    const identity = { externalId: 'in_1', rank: 1, placedAt: now };
    const amounts = { ...identity, total: 1000, discount: 0, shipping: 0, tax: 0, quantity: 1, paid: 1000 };
    const referral = { coupons: ['301'], codes: [], codeIds: [] };
    const fact = { kind: 'payment', ids: ['in_1'], occurredAt: now, amounts, referral } as const;
    await storage.write((transaction) => recordPayments(transaction, [{ fact, platform, connectedAt: 0 }], context));
  }

  /** Fails a delivery, hands a coupon over, pays, earns and refuses. */
  async change(): Promise<void> {
    const { admin, affiliate } = this;
    for (const kind of Object.keys(records)) await send(admin, 'POST', `/store/${kind}`, [{}]);
    await send(admin, 'POST', '/store/orders', [order(5, { coupon_id: 289, status: 'cancelled' })]);
    await send(admin, 'POST', '/store/coupons', [
      { id: 289, code: 'NOTES10', user: 'summitweekly' },
      { id: 400, code: 'TRAIL10', user: 'summitweekly' },
    ]);
    await send(admin, 'POST', '/store/orders', [order(5, { coupon_id: 289 }), order(6)]);
    await send(affiliate, 'POST', '/payouts', { coupon_id: 301 });
    await send(admin, 'POST', '/store/orders', [order(7)]);
    await this.#recordPayment();
    for (const path of ['/orders', '/coupons/301/orders', `/coupons/301/orders/${firstAssignedNumber}/explanation`])
      await send(admin, 'GET', path);
    for (const _ of [1, 2]) await send(admin, 'GET', '/coupons/301/stats?refresh=true');
    for (const _ of [1, 2]) await send(admin, 'GET', '/reports/summary');
    await send(admin, 'GET', '/registrations/6');
    await send(affiliate, 'GET', '/adjustments');
    await send(admin, 'GET', '/reports/summary');
    await send(affiliate, 'GET', '/me/payout-details');
    const [{ payout_id: inBatch }] = (await send(admin, 'GET', `/payout-batches/${this.#ids['payout-batches']}`)).payouts;
    await send(admin, 'GET', `/payouts/${inBatch}/history`);
    await send(affiliate, 'PUT', '/me/payout-details', {
      method_type: 'paypal',
      method: 'PayPal',
      details: { email: 'new@trailnotes.example' },
    });
    await send(affiliate, 'PATCH', '/me/profile', { display_name: 'Trail Notes', phone: '030 1', website: 'https://trailnotes.example' });
    await send(admin, 'GET', '/settings?per_page=100');
    await send(admin, 'PATCH', '/settings', {
      'payouts.threshold': 2,
      'limits.connections_per_address': 300,
      'store.timezone': 'UTC',
      'store.completed_when': null,
    });
    const [{ id: connectionId }] = await send(admin, 'GET', '/store/connections');
    await send(admin, 'PUT', `/store/connections/${connectionId}/secret`, {});
    await send(admin, 'GET', '/affiliates/42/clicks?interval=month');
    await send(admin, 'POST', '/affiliates/42/status', { status: 'active' });
    this.#receiver.code = 500;
    const { id } = await send(admin, 'POST', '/webhooks', { url: this.#receiver.url, events: ['*'] });
    await send(admin, 'POST', '/store/orders', [order(8)]);
    await this.service.work();
    // The first one is deleted meanwhile.
    this.#ids['webhooks'] = id;
    const failed = { at: 1, code: null, failure: 'timeout', error: 'Too slow.', excerpt: 'Wait', milliseconds: 8000 } as const;
    const [{ id: delivery }] = await send(admin, 'GET', `/webhooks/${id}/deliveries`);
    const deliveryId = Number(delivery.slice(4));
    await this.service.storage.write(async ({ deliveries }) => {
      await deliveries.addAttempts([{ ...failed, deliveryId }]);
      await deliveries.settle([{ id: deliveryId, status: 'failed', attempts: 2, dueAt: null, finishedAt: 1 }]);
    });
    await send(admin, 'PATCH', `/webhooks/${id}`, { events: ['payout.paid'] });
    await send(admin, 'POST', '/store/orders', [order(9, { coupon_id: 311 })]);
    await send(admin, 'POST', '/payout-runs', { coupon_ids: [311, 314], after: 1, preview: false });
    await this.#failPayment();
  }

  /** A run that finds a failed payment and an affiliate who owes commission. */
  async #failPayment(): Promise<void> {
    const { admin } = this;
    const { id, payouts } = await send(admin, 'POST', '/payout-batches', { format: 'paypal', despite_changes: true });
    await send(admin, 'POST', `/payout-batches/${id}/status`, { status: 'paid', failed: [payouts[0].payout_id] });
    await send(admin, 'POST', '/adjustments', { coupon_id: 400, amount: -1000, note: 'Taken back.' });
    await send(admin, 'POST', '/payout-runs', { coupon_ids: [313], preview: true });
  }

  async close(): Promise<void> {
    await this.service.stop();
    await this.#receiver.close();
  }
}

/** An open batch, a payout that is in none, and one whose details were replaced since. */
async function createBatches(service: TestService, admin: ContractClient): Promise<{ id: number }> {
  await send(admin, 'POST', '/payouts', { coupon_id: 311 });
  const batch = await send(admin, 'POST', '/payout-batches', { format: 'paypal' });
  for (const coupon_id of [312, 313]) await send(admin, 'POST', '/payouts', { coupon_id });
  (service.clock as TestClock).advance(60);
  await send(admin, 'POST', '/store/payout-details', [payPal('summitweekly', 'new@summitweekly.example')]);
  return batch;
}

/** Calls, and throws unless it succeeds. */
export async function send(client: ContractClient, method: string, path: string, json?: unknown) {
  const { status, body } = await client.call(method, path, json === undefined ? {} : { json });
  expect(status, `${method} ${path}: ${JSON.stringify(body)}`).to.be.below(300);
  return body;
}
