import { expect } from 'chai';
import { ApiError } from '../../domain/errors.ts';
import { resolvePayout } from '../../domain/payouts/resolve.ts';
import { buildProgram } from '../../site/program.ts';
import type { ContractClient } from '../support/contract-client.ts';
import { coupon, newOrderId, orders, payoutDetails } from '../support/program.ts';
import { whileFailing } from './failing-writes.ts';
import { type Action, beginning, numberOfOrders } from './payout-actions.ts';
import { expectAnswer, type Reply } from './payout-answers.ts';
import { type Books, booksOf, expectAgreement, type Ids, toldAfter } from './payout-books.ts';
import { type Answer, type ModelPayout, type ModelSettings, owners, PayoutModel, type Person, type Prediction } from './payout-model.ts';
import { pathsOf, type Site } from './payout-site.ts';

type Headers = Record<Person, Record<string, string>>;

let trials = 0;

/** People and coupons of their own, and the model of what they are owed. */
export class Trial {
  readonly #site: Site;
  readonly #model = new PayoutModel();
  readonly #headers: Headers;
  readonly #ids: Ids;
  readonly #orderIds = Array.from({ length: numberOfOrders }, newOrderId);
  readonly #placedAt: string;
  readonly #answers = new Map<string, Reply>();
  steps = 0;

  private constructor(site: Site, headers: Headers, ids: Ids) {
    this.#site = site;
    this.#headers = headers;
    this.#ids = ids;
    this.#placedAt = new Date(site.clock.now()).toISOString();
  }

  static async begin(site: Site): Promise<Trial> {
    trials += 1;
    const { service } = site;
    const headers = {} as Headers;
    const people = {} as Record<Person, number>;
    for (const person of ['admin', 'ann', 'bob'] as const) {
      const user = await service.user(`${person}${trials}`, person === 'admin' ? 'administrator' : 'affiliate');
      people[person] = user.id;
      headers[person] = (await service.key(user, ['read', 'write', 'manage'])).headers;
    }
    await payoutDetails(service, { userId: people.ann, method: 'PayPal', methodType: 'paypal', details: { email: 'ann@bank.example' } });
    const coupons: number[] = [];
    for (const [index, owner] of owners.entries())
      coupons.push(await coupon(service, `C${index}-${trials}`, { userId: owner && people[owner] }));
    const trial = new Trial(site, headers, { people, coupons });
    await trial.#set(trial.#model.settings);
    for (const order of beginning) await trial.#tellOrder(order, await trial.#books());
    return trial;
  }

  async take(action: Action): Promise<void> {
    this.steps += 1;
    const before = await this.#books();
    await this.#try(action, before);
    await expectAgreement(this.#site, this.#ids, this.#model);
  }

  get #now(): number {
    return this.#site.clock.now();
  }

  #books(): Promise<Books> {
    return booksOf(this.#site.observer);
  }

  async #try(action: Action, before: Books): Promise<void> {
    const { payouts } = this.#model;
    if (action.do === 'restart') return this.#site.restart();
    if (action.do === 'wait') return this.#site.clock.advance(action.seconds);
    if (action.do === 'set') return this.#set(action.settings);
    if (action.do === 'order') return this.#tellOrder(action, before);
    if (action.do === 'request') return this.#request(action, before);
    const payout = payouts[action.payout % Math.max(1, payouts.length)];
    if (!payout) return;
    if (action.do === 'change') await this.#change(payout, action, before);
    else if (action.do === 'resolve') await this.#resolve(payout, action.to, before);
    else await this.#cancelAndOpenAgain(payout, before);
  }

  async #set(settings: Partial<ModelSettings>): Promise<void> {
    for (const [path, value] of pathsOf(settings)) await this.#site.service.settings.set(`payouts.${path}`, value);
    this.#model.settings = { ...this.#model.settings, ...settings };
  }

  /** Where a write fails, nothing of it may stay; whether it writes there at all is not the matter here. */
  async #tellOrder(action: Action & { do: 'order' }, before: Books): Promise<void> {
    const { order, status, total, refundedPart, fault } = action;
    const index = order % owners.length;
    const refunded = Math.floor(total * refundedPart);
    const told = {
      id: this.#orderIds[order] ?? 0,
      coupon: this.#ids.coupons[index] ?? 0,
      at: this.#placedAt,
      status: status as 'completed',
    };
    const sample = { ...told, total: total / 100, refunded: refunded / 100 };
    const isTaken = await whileFailing(this.#site.observer, fault, () =>
      orders(this.#site.service, [sample]).then(
        () => true,
        (error: unknown) => {
          if (fault === null) throw error;
          return false;
        },
      ),
    );
    if (isTaken) this.#model.tellOrder(told.id, index, { status, total, refunded });
    else expect(await this.#books()).to.deep.equal(before);
    const news = await toldAfter(this.#site.observer, before);
    expect(news.filter(({ kind }) => kind.startsWith('payout_'))).to.deep.equal([]);
  }

  async #client(person: Person): Promise<ContractClient> {
    return this.#site.service.client(this.#headers[person]);
  }

  async #request(action: Action & { do: 'request' }, before: Books): Promise<void> {
    const { by, coupon: index, key, fault } = action;
    const prediction = this.#model.request(action, this.#now);
    const headers = key === null ? {} : { 'Idempotency-Key': key };
    const client = await this.#client(by);
    const reply = await whileFailing(this.#site.observer, fault, () =>
      client.post('/payouts', { json: { coupon_id: this.#ids.coupons[index] }, headers }),
    );
    await this.#compare(reply, prediction, before);
  }

  async #change(payout: ModelPayout, { to, fault }: Pick<Action & { do: 'change' }, 'to' | 'fault'>, before: Books): Promise<Reply> {
    const prediction = this.#model.change(payout, to, fault, this.#now);
    const admin = await this.#client('admin');
    const reply = await whileFailing(this.#site.observer, fault, () =>
      admin.post(`/payouts/${payout.id}/status`, { json: { status: to } }),
    );
    await this.#compare(reply, prediction, before);
    return reply;
  }

  async #cancelAndOpenAgain(payout: ModelPayout, before: Books): Promise<void> {
    const { status } = payout;
    if (status !== 'pending' && status !== 'created') return;
    const admin = await this.#client('admin');
    const there = async () => (await admin.get(`/payouts/${payout.id}`)).body;
    const [view, pools] = [await there(), this.#model.pools(payout.coupon)];
    await this.#change(payout, { to: 'cancel', fault: null }, before);
    const reopened = await this.#change(payout, { to: status, fault: null }, await this.#books());
    // Where the coupon owes something, what came back is used up by that.
    if (pools.unpaid < 0) return;
    expect(reopened.status).to.equal(200);
    expect(await there()).to.deep.equal(view);
    expect(this.#model.pools(payout.coupon)).to.deep.equal(pools);
  }

  /** As `affiliate payout resolve` does it. */
  async #resolve(payout: ModelPayout, to: 'pending' | 'created' | 'paid', before: Books): Promise<void> {
    const { storage, settings } = this.#site.service;
    const prediction = this.#model.resolve(payout, to, this.#now);
    const surroundings = { now: this.#now, userId: 0, program: buildProgram(await settings.current()) };
    const code = await storage
      .write((transaction) => resolvePayout(transaction, payout.id, { to, atOnce: true }, surroundings))
      .then(
        () => null,
        (error: unknown) => (error instanceof ApiError ? error.code : error),
      );
    expect(code).to.equal(prediction.answer.is === 'refusal' ? prediction.answer.code : null);
    await this.#expectBooks(prediction, before);
  }

  async #compare(reply: Reply, prediction: Prediction, before: Books): Promise<void> {
    const { answer, keeps } = prediction;
    expectAnswer(reply, answer, keeps === null ? undefined : this.#answers.get(keeps), this.#ids);
    if (answer.is === 'created') {
      expect(this.#model.payouts.map(({ id }) => id)).to.not.include(reply.body.id);
      answer.payout.id = reply.body.id;
    }
    if (keeps !== null && answer.is !== 'replay') this.#answers.set(keeps, kept(reply, answer));
    await this.#expectBooks(prediction, before);
  }

  /** One event and one mail for each thing that happened, two rows for each movement, and nothing at all for a refusal. */
  async #expectBooks({ told, movements }: Prediction, before: Books): Promise<void> {
    const { people } = this.#ids;
    const expected = told.map(({ kind, payout, by }) => ({ kind, payout: payout.id, by: by === 'nobody' ? 0 : people[by] }));
    expect(await toldAfter(this.#site.observer, before)).to.deep.equal(expected);
    expect(await this.#books()).to.deep.equal({
      ledgerRows: before.ledgerRows + 2 * movements,
      lastEvent: before.lastEvent + told.length,
      mails: before.mails + told.length,
    });
  }
}

/** What could not be written is not in the kept answer either: why it could not. */
function kept(reply: Reply, answer: Answer): Reply {
  if (answer.is !== 'created' || answer.payout.status !== 'processing') return reply;
  const { gateway_notice: _notice, ...body } = reply.body;
  return { ...reply, body };
}
