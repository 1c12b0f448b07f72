import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { Clock } from '../../domain/clock.ts';
import type { User } from '../../domain/users/user.ts';
import type { SiteModule } from '../../site/extension.ts';
import { Machine } from '../cli/machine.ts';
import { startService } from '../cli/running-service.ts';
import { theContract } from '../support/contract.ts';
import { type ContractClient, contractClient } from '../support/contract-client.ts';
import type { Engine, Observer } from '../support/engines.ts';
import { createEarner } from '../support/payouts.ts';
import { newOrderId, orders } from '../support/program.ts';
import { masterKey, TestClock, TestService } from '../support/service.ts';

/** Where the API runs: in this process once or twice, or in two child processes. */
const deployments = ['one server', 'two servers', 'two processes'] as const;
const isThorough = process.env['PROVE_RACES'] === 'all';

/** Numbers of concurrent requests. */
export const requestCounts = isThorough ? { most: 200, mixed: 150, fewer: 50 } : { most: 40, mixed: 45, fewer: 12 };

export type Deployment = (typeof deployments)[number];

/**
 * SQLite supports one serving process, beside which the command line and a second one may still write. By default the last and strictest
 * deployment is tested, with some dozens of concurrent requests; PROVE_RACES=all tests each, with hundreds.
 */
export const deploymentsOn = ({ name }: Engine): readonly Deployment[] => {
  const possible = name === 'postgres' ? deployments : deployments.slice(0, 2);
  return isThorough ? possible : possible.slice(-1);
};

type Role = 'admin' | 'affiliate';

/** Servers on one database, and clients that send concurrent requests to them in turn. */
export class RaceFixture {
  readonly service: TestService;
  readonly #observer: Observer;
  readonly #origins: readonly string[];
  readonly #clients: Record<Role, ContractClient[]> = { admin: [], affiliate: [] };
  readonly #stopServers: () => Promise<void>;
  #order = { id: 0, total: 0 };
  #recipient = '';
  couponId = 0;

  private constructor(service: TestService, observer: Observer, { origins, stop }: Awaited<ReturnType<typeof startServers>>) {
    this.service = service;
    this.#observer = observer;
    this.#origins = origins;
    this.#stopServers = stop;
  }

  static async open(
    engine: Engine,
    deployment: Deployment,
    siteModule: SiteModule = {},
    clock: Clock = new TestClock(),
  ): Promise<RaceFixture> {
    const service = await TestService.start({ databaseUrl: await engine.freshUrl(), siteModule, clock });
    await service.withoutLimits();
    const observer = await engine.observe(service.databaseUrl);
    const fixture = new RaceFixture(service, observer, await startServers(service, deployment, siteModule));
    await fixture.#signIn('admin', await service.user('boss', 'administrator'));
    return fixture;
  }

  /** Warms up each server, so that concurrent requests reach the handler at about the same time. */
  async #signIn(role: Role, user: User): Promise<void> {
    const contract = await theContract();
    const { headers } = await this.service.key(user, ['read', 'write']);
    this.#clients[role] = this.#origins.map((origin) => contractClient(contract, origin, headers));
    await Promise.all(this.#clients[role].map((client) => client.get('/me')));
  }

  /** Creates an affiliate and a coupon with a balance of 100.00. */
  async createCoupon(): Promise<void> {
    const id = newOrderId();
    const { user, couponId } = await createEarner(this.service, `trail${id}`, 0);
    this.couponId = couponId;
    this.#recipient = user.email;
    this.#order = { id, total: 0 };
    await this.#signIn('affiliate', user);
    await this.importOrder({ total: 1000 });
  }

  async sendConcurrently<Result>(count: number, call: (client: ContractClient, index: number) => Promise<Result>, role: Role = 'admin') {
    const clients = this.#clients[role];
    return Promise.all(
      Array.from({ length: count }, (_, index) => {
        const client = clients[index % clients.length];
        if (!client) throw new Error('No server is running.');
        return retryWhileOverloaded(() => call(client, index));
      }),
    );
  }

  /** Imports the coupon's only order, or a change of it. Its commission is 10 percent. */
  async importOrder(change: { total?: number; refunded?: number }): Promise<void> {
    this.#order = { ...this.#order, ...change };
    await orders(this.service, [{ ...this.#order, coupon: this.couponId, at: '2026-11-01T12:00:00Z' }]);
  }

  /** The coupon's payouts, oldest first. */
  async payouts(): Promise<{ id: number; status: string }[]> {
    const sql = `select id, status from payouts where coupon_id = ${this.couponId} order by id`;
    const rows = await this.#observer.query<{ id: unknown; status: string }>(sql);
    return rows.map(({ id, status }) => ({ id: Number(id), status }));
  }

  /** The events of these payouts, oldest first. */
  async payoutEvents(): Promise<{ kind: string; status: string }[]> {
    const sql = `select kind, data from events where object_type = 'payout'
      and object_id in (select id from payouts where coupon_id = ${this.couponId}) order by id`;
    const rows = await this.#observer.query<{ kind: string; data: string }>(sql);
    return rows.map(({ kind, data }) => ({ kind, status: JSON.parse(data).status }));
  }

  async orderCommission(): Promise<number> {
    const [row] = await this.#observer.query<{ commission: unknown }>(
      `select commission_minor as commission from orders where order_id = ${this.#order.id}`,
    );
    return Number(row?.commission);
  }

  /** The coupon's balances in cents: unpaid, pending, paid. */
  async pools(): Promise<number[]> {
    const [row] = await this.#observer.query<Record<string, unknown>>(`select * from coupons where id = ${this.couponId}`);
    return ['unpaid_minor', 'pending_payout_minor', 'paid_minor'].map((pool) => Number(row?.[pool]));
  }

  /** The ledger verifies, and every change has one event and one mail. */
  async expectConsistent(): Promise<void> {
    expect(await this.service.differences()).to.deep.equal([]);
    const mails = await this.#observer.query(`select 1 from mails where recipient = '${this.#recipient}'`);
    expect(mails).to.have.length((await this.payoutEvents()).length);
  }

  async close(): Promise<void> {
    await this.#stopServers();
    await this.service.stop();
  }
}

async function startServers(service: TestService, deployment: Deployment, siteModule: SiteModule) {
  const { databaseUrl } = service;
  if (deployment === 'one server') return { origins: [service.origin], stop: async () => {} };
  if (deployment === 'two servers') {
    const other = await TestService.start({ databaseUrl, siteModule });
    return { origins: [service.origin, other.origin], stop: () => other.stop() };
  }
  const processes = await Promise.all([1, 2].map(() => startService(new Machine({ DATABASE_URL: databaseUrl, MASTER_KEY: masterKey }))));
  const stop = async (): Promise<void> => {
    for (const { child } of processes) child.kill('SIGTERM');
    await Promise.all(processes.map(({ ended }) => ended));
  };
  return { origins: processes.map(({ url }) => url), stop };
}

/** On a busy machine some requests are shed before they have any effect. */
async function retryWhileOverloaded<Result>(call: () => Promise<Result>): Promise<Result> {
  for (;;) {
    const response = await call();
    if ((response as { status?: unknown } | null)?.status !== 503) return response;
    await pause(100);
  }
}
