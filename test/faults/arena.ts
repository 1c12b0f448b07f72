import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { Clock } from '../../domain/clock.ts';
import { listSentences, verifyLedger } from '../../domain/ledger/verify.ts';
import type { User } from '../../domain/users/user.ts';
import type { SiteModule } from '../../site/extension.ts';
import { Machine } from '../cli/command-line.ts';
import { serve } from '../cli/served.ts';
import { theContract } from '../support/contract.ts';
import { type ContractClient, contractClient } from '../support/contract-client.ts';
import type { Engine, Observer } from '../support/engines.ts';
import { coupon, newOrderId, orders, payoutDetails } from '../support/program.ts';
import { masterKey, TestClock, TestService } from '../support/service.ts';

/** Who serves: this process, this process twice, or two processes of their own. */
export const arrangements = ['one server', 'two servers', 'two processes'] as const;
export type Arrangement = (typeof arrangements)[number];

/** SQLite is for one serving process, beside which the command line and a second may still write. */
export const arrangementsOn = ({ name }: Engine): readonly Arrangement[] =>
  name === 'postgres' ? arrangements : ['one server', 'two servers'];

type Who = 'admin' | 'affiliate';

/** Servers of one store, and many who want a coupon paid at the same moment, each asking another server than the one before. */
export class Arena {
  readonly service: TestService;
  readonly #observer: Observer;
  readonly #origins: readonly string[];
  readonly #clients: Record<Who, ContractClient[]> = { admin: [], affiliate: [] };
  readonly #end: () => Promise<void>;
  #order = { id: 0, total: 0 };
  #payee = '';
  couponId = 0;

  private constructor(service: TestService, observer: Observer, { origins, end }: Awaited<ReturnType<typeof served>>) {
    this.service = service;
    this.#observer = observer;
    this.#origins = origins;
    this.#end = end;
  }

  static async open(engine: Engine, arrangement: Arrangement, siteModule: SiteModule = {}, clock: Clock = new TestClock()): Promise<Arena> {
    const service = await TestService.start({ databaseUrl: await engine.freshUrl(), siteModule, clock });
    await service.withoutLimits();
    const observer = await engine.observe(service.databaseUrl);
    const arena = new Arena(service, observer, await served(service, arrangement, siteModule));
    await arena.#signIn('admin', await service.user('boss', 'administrator'));
    return arena;
  }

  /** Known and warm, so that all get to the point at about the same time. */
  async #signIn(who: Who, user: User): Promise<void> {
    const contract = await theContract();
    const { headers } = await this.service.key(user, ['read', 'write']);
    this.#clients[who] = this.#origins.map((origin) => contractClient(contract, origin, headers));
    await Promise.all(this.#clients[who].map((client) => client.get('/me')));
  }

  /** Another affiliate, with a coupon that has earned 100.00. */
  async begin(): Promise<void> {
    const id = newOrderId();
    const user = await this.service.user(`trail${id}`, 'affiliate');
    this.couponId = await coupon(this.service, `TRAIL${id}`, { userId: user.id });
    this.#payee = user.email;
    this.#order = { id, total: 0 };
    await payoutDetails(this.service, { userId: user.id, method: 'PayPal', methodType: 'paypal', details: { email: 'a@bank.example' } });
    await this.#signIn('affiliate', user);
    await this.tellOrder({ total: 1000 });
  }

  /** Sends all of them at once. */
  async atOnce<Result>(count: number, call: (client: ContractClient, index: number) => Promise<Result>, who: Who = 'admin') {
    const clients = this.#clients[who];
    return Promise.all(
      Array.from({ length: count }, (_, index) => {
        const client = clients[index % clients.length];
        if (!client) throw new Error('Nobody serves.');
        return untilServed(() => call(client, index));
      }),
    );
  }

  /** The one order there is, or a change of it. Its commission is a tenth. */
  async tellOrder(given: { total?: number; refunded?: number }): Promise<void> {
    this.#order = { ...this.#order, ...given };
    await orders(this.service, [{ ...this.#order, coupon: this.couponId, at: '2026-11-01T12:00:00Z' }]);
  }

  /** The coupon's payouts, oldest first. */
  async payouts(): Promise<{ id: number; status: string }[]> {
    const sql = `select id, status from payouts where coupon_id = ${this.couponId} order by id`;
    const rows = await this.#observer.query<{ id: unknown; status: string }>(sql);
    return rows.map(({ id, status }) => ({ id: Number(id), status }));
  }

  /** What the feed has told of them, oldest first. */
  async told(): Promise<{ kind: string; status: string }[]> {
    const sql = `select kind, data from events where object_type = 'payout'
      and object_id in (select id from payouts where coupon_id = ${this.couponId}) order by id`;
    const rows = await this.#observer.query<{ kind: string; data: string }>(sql);
    return rows.map(({ kind, data }) => ({ kind, status: JSON.parse(data).status }));
  }

  /** The commission of the order, as the last one who told of it has left it. */
  async earned(): Promise<number> {
    const [row] = await this.#observer.query<{ commission: unknown }>(
      `select commission_minor as commission from orders where order_id = ${this.#order.id}`,
    );
    return Number(row?.commission);
  }

  /** In cents: unpaid, pending, paid. */
  async pools(): Promise<number[]> {
    const [row] = await this.#observer.query<Record<string, unknown>>(`select * from coupons where id = ${this.couponId}`);
    return ['unpaid_minor', 'pending_payout_minor', 'paid_minor'].map((pool) => Number(row?.[pool]));
  }

  /** Whoever won: the ledger is sound, and each thing that happened was told once and mailed once. */
  async expectInOrder(): Promise<void> {
    expect(listSentences(await this.service.storage.read((stores) => verifyLedger(stores, String)))).to.deep.equal([]);
    const mails = await this.#observer.query(`select 1 from mails where recipient = '${this.#payee}'`);
    expect(mails).to.have.length((await this.told()).length);
  }

  async close(): Promise<void> {
    await this.#end();
    await this.service.stop();
  }
}

async function served(service: TestService, arrangement: Arrangement, siteModule: SiteModule) {
  const { databaseUrl } = service;
  if (arrangement === 'one server') return { origins: [service.origin], end: async () => {} };
  if (arrangement === 'two servers') {
    const other = await TestService.start({ databaseUrl, siteModule });
    return { origins: [service.origin, other.origin], end: () => other.stop() };
  }
  const processes = await Promise.all([1, 2].map(() => serve(new Machine({ DATABASE_URL: databaseUrl, MASTER_KEY: masterKey }))));
  const end = async (): Promise<void> => {
    for (const { child } of processes) child.kill('SIGTERM');
    await Promise.all(processes.map(({ ended }) => ended));
  };
  return { origins: processes.map(({ url }) => url), end };
}

/** A busy machine turns some away before anything is done for them, and tells them to come back. */
async function untilServed<Result>(call: () => Promise<Result>): Promise<Result> {
  for (;;) {
    const answer = await call();
    if ((answer as { status?: unknown } | null)?.status !== 503) return answer;
    await pause(100);
  }
}
