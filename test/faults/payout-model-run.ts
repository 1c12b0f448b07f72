import { expect } from 'chai';
import { ApiError } from '../../domain/errors.ts';
import { resolvePayout } from '../../domain/payouts/change.ts';
import { buildProgram } from '../../site/program.ts';
import type { ContractClient } from '../support/contract-client.ts';
import { coupon, newOrderId, orders, payoutDetails } from '../support/program.ts';
import { expectResponse, type Reply } from './expect-response.ts';
import { whileFailing } from './failing-writes.ts';
import { type Action, firstOrders, numberOfOrders } from './payout-actions.ts';
import { type PayoutFixture, settingPaths } from './payout-fixture.ts';
import {
  type ModelPayout,
  type ModelSettings,
  owners,
  PayoutModel,
  type PredictedResponse,
  type Prediction,
  type Resolution,
  type UserName,
} from './payout-model.ts';
import { countRows, eventsAfter, expectSameAsModel, type Ids, type RowCounts } from './payout-rows.ts';

type Headers = Record<UserName, Record<string, string>>;

let runCount = 0;

/** One run: users and coupons of its own, and the model that predicts every response. */
export class ModelRun {
  readonly #fixture: PayoutFixture;
  readonly #model = new PayoutModel();
  readonly #headers: Headers;
  readonly #ids: Ids;
  readonly #orderIds = Array.from({ length: numberOfOrders }, newOrderId);
  readonly #placedAt: string;
  readonly #storedResponses = new Map<string, Reply>();
  steps = 0;

  private constructor(fixture: PayoutFixture, headers: Headers, ids: Ids) {
    this.#fixture = fixture;
    this.#headers = headers;
    this.#ids = ids;
    this.#placedAt = new Date(fixture.clock.now()).toISOString();
  }

  static async start(fixture: PayoutFixture): Promise<ModelRun> {
    runCount += 1;
    const { service } = fixture;
    const headers = {} as Headers;
    const people = {} as Record<UserName, number>;
    for (const person of ['admin', 'ann', 'bob'] as const) {
      const user = await service.user(`${person}${runCount}`, person === 'admin' ? 'administrator' : 'affiliate');
      people[person] = user.id;
      headers[person] = (await service.key(user, ['read', 'write', 'manage'])).headers;
    }
    await payoutDetails(service, { userId: people.ann, method: 'PayPal', methodType: 'paypal', details: { email: 'ann@bank.example' } });
    const coupons: number[] = [];
    for (const [index, owner] of owners.entries())
      coupons.push(await coupon(service, `C${index}-${runCount}`, { userId: owner && people[owner] }));
    const run = new ModelRun(fixture, headers, { users: people, coupons });
    await run.#set(run.#model.settings);
    for (const order of firstOrders) await run.#importOrder(order, await run.#countRows());
    return run;
  }

  async runAction(action: Action): Promise<void> {
    this.steps += 1;
    const before = await this.#countRows();
    await this.#apply(action, before);
    await expectSameAsModel(this.#fixture, this.#ids, this.#model);
  }

  get #now(): number {
    return this.#fixture.clock.now();
  }

  #countRows(): Promise<RowCounts> {
    return countRows(this.#fixture.observer);
  }

  async #apply(action: Action, before: RowCounts): Promise<void> {
    const { payouts } = this.#model;
    if (action.do === 'restart') return this.#fixture.restart();
    if (action.do === 'wait') return this.#fixture.clock.advance(action.seconds);
    if (action.do === 'set') return this.#set(action.settings);
    if (action.do === 'order') return this.#importOrder(action, before);
    if (action.do === 'request') return this.#request(action, before);
    const payout = payouts[action.payout % Math.max(1, payouts.length)];
    if (!payout) return;
    if (action.do === 'change') await this.#change(payout, action, before);
    else if (action.do === 'resolve') await this.#resolve(payout, action.to, before);
    else await this.#cancelAndReopen(payout, before);
  }

  async #set(settings: Partial<ModelSettings>): Promise<void> {
    for (const [path, value] of settingPaths(settings)) await this.#fixture.service.settings.set(`payouts.${path}`, value);
    this.#model.settings = { ...this.#model.settings, ...settings };
  }

  /** Where a write fails, nothing of the import is stored. */
  async #importOrder(action: Action & { do: 'order' }, before: RowCounts): Promise<void> {
    const { order, status, total, refundedPart, fault } = action;
    const index = order % owners.length;
    const refunded = Math.floor(total * refundedPart);
    const stored = {
      id: this.#orderIds[order] ?? 0,
      coupon: this.#ids.coupons[index] ?? 0,
      at: this.#placedAt,
      status: status as 'completed',
    };
    const sample = { ...stored, total: total / 100, refunded: refunded / 100 };
    const isImported = await whileFailing(this.#fixture.observer, fault, () =>
      orders(this.#fixture.service, [sample]).then(
        () => true,
        (error: unknown) => {
          if (fault === null) throw error;
          return false;
        },
      ),
    );
    if (isImported) this.#model.applyOrder(stored.id, index, { status, total, refunded });
    else expect(await this.#countRows()).to.deep.equal(before);
    const events = await eventsAfter(this.#fixture.observer, before);
    expect(events.filter(({ kind }) => kind.startsWith('payout_'))).to.deep.equal([]);
  }

  async #client(person: UserName): Promise<ContractClient> {
    return this.#fixture.service.client(this.#headers[person]);
  }

  async #request(action: Action & { do: 'request' }, before: RowCounts): Promise<void> {
    const { by, coupon: index, key, fault } = action;
    const prediction = this.#model.request(action, this.#now);
    const headers = key === null ? {} : { 'Idempotency-Key': key };
    const client = await this.#client(by);
    const reply = await whileFailing(this.#fixture.observer, fault, () =>
      client.post('/payouts', { json: { coupon_id: this.#ids.coupons[index] }, headers }),
    );
    await this.#compare(reply, prediction, before);
  }

  async #change(payout: ModelPayout, { to, fault }: Pick<Action & { do: 'change' }, 'to' | 'fault'>, before: RowCounts): Promise<Reply> {
    const prediction = this.#model.change(payout, to, fault, this.#now);
    const admin = await this.#client('admin');
    const reply = await whileFailing(this.#fixture.observer, fault, () =>
      admin.post(`/payouts/${payout.id}/status`, { json: { status: to } }),
    );
    await this.#compare(reply, prediction, before);
    return reply;
  }

  async #cancelAndReopen(payout: ModelPayout, before: RowCounts): Promise<void> {
    const { status } = payout;
    if (status !== 'pending' && status !== 'created') return;
    const admin = await this.#client('admin');
    const read = async () => (await admin.get(`/payouts/${payout.id}`)).body;
    const [view, pools] = [await read(), this.#model.pools(payout.coupon)];
    await this.#change(payout, { to: 'cancel', fault: null }, before);
    const reopened = await this.#change(payout, { to: status, fault: null }, await this.#countRows());
    // A negative balance uses up the cancelled amount.
    if (pools.unpaid < 0) return;
    expect(reopened.status).to.equal(200);
    expect(await read()).to.deep.equal(view);
    expect(this.#model.pools(payout.coupon)).to.deep.equal(pools);
  }

  /** Like `affiliate payout resolve`. */
  async #resolve(payout: ModelPayout, to: Resolution, before: RowCounts): Promise<void> {
    const { storage, settings } = this.#fixture.service;
    const prediction = this.#model.resolve(payout, to, this.#now);
    const context = { now: this.#now, userId: 0, program: buildProgram(await settings.current()) };
    const code = await storage
      .write((transaction) => resolvePayout(transaction, payout.id, { to, atOnce: true }, context))
      .then(
        () => null,
        (error: unknown) => (error instanceof ApiError ? error.code : error),
      );
    expect(code).to.equal(prediction.response.is === 'refusal' ? prediction.response.code : null);
    await this.#expectRows(prediction, before);
  }

  async #compare(reply: Reply, prediction: Prediction, before: RowCounts): Promise<void> {
    const { response: predicted, keyUse } = prediction;
    expectResponse(reply, predicted, keyUse === null ? undefined : this.#storedResponses.get(keyUse), this.#ids);
    if (predicted.is === 'created') {
      expect(this.#model.payouts.map(({ id }) => id)).to.not.include(reply.body.id);
      predicted.payout.id = reply.body.id;
    }
    if (keyUse !== null && predicted.is !== 'replay') this.#storedResponses.set(keyUse, storedResponse(reply, predicted));
    await this.#expectRows(prediction, before);
  }

  /** One event and one mail for each change, two ledger rows for each movement, and no row for an error. */
  async #expectRows({ events, movements }: Prediction, before: RowCounts): Promise<void> {
    const { users } = this.#ids;
    const expected = events.map(({ kind, payout, by }) => ({ kind, payout: payout.id, by: by === 'system' ? 0 : users[by] }));
    expect(await eventsAfter(this.#fixture.observer, before)).to.deep.equal(expected);
    expect(await this.#countRows()).to.deep.equal({
      ledgerRows: before.ledgerRows + 2 * movements,
      lastEvent: before.lastEvent + events.length,
      mails: before.mails + events.length,
    });
  }
}

/** The stored response lacks the notice about a failed write. */
function storedResponse(reply: Reply, predicted: PredictedResponse): Reply {
  if (predicted.is !== 'created' || predicted.payout.status !== 'processing') return reply;
  const { gateway_notice: _notice, ...body } = reply.body;
  return { ...reply, body };
}
