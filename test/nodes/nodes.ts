import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { Client } from 'pg';
import { systemClock } from '../../domain/clock.ts';
import type { User } from '../../domain/users/user.ts';
import { Machine } from '../cli/command-line.ts';
import { type Served, serve, until } from '../cli/served.ts';
import { dropPostgres, makePostgres } from '../support/postgres.ts';
import { coupon, newOrderId, orders, payoutDetails } from '../support/program.ts';
import { masterKey, TestService } from '../support/service.ts';

/** So many times `affiliate serve`, each with so many WORKERS. */
export interface Arrangement {
  commands: number;
  workers: number;
}

export interface Asked {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  json?: unknown;
}

export interface Answered {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

/** Several processes that serve one store on one PostgreSQL: the compiled command, as an operator starts it. */
export class Nodes {
  /** Beside them, in this process: it makes what the tests need, and is never asked. */
  readonly store: TestService;
  readonly databaseUrl: string;
  readonly commands: readonly Served[];
  readonly processes: number;
  #asked = 0;

  private constructor(store: TestService, databaseUrl: string, commands: readonly Served[], { workers }: Arrangement) {
    this.store = store;
    this.databaseUrl = databaseUrl;
    this.commands = commands;
    this.processes = commands.length * workers;
  }

  static async start(arrangement: Arrangement): Promise<Nodes> {
    const databaseUrl = await makePostgres();
    const store = await TestService.start({ databaseUrl, clock: systemClock });
    const commands = await Promise.all(Array.from({ length: arrangement.commands }, () => serveOn(databaseUrl, arrangement.workers)));
    return new Nodes(store, databaseUrl, commands, arrangement);
  }

  async stop(): Promise<void> {
    for (const { child } of this.commands) child.kill('SIGTERM');
    await Promise.all(this.commands.map(({ ended }) => ended));
    await this.store.stop();
    await dropPostgres(this.databaseUrl);
  }

  /** On a connection of its own, which the next process in turn takes. */
  ask(asked: Asked): Promise<Answered> {
    this.#asked += 1;
    const { url } = this.commands[this.#asked % this.commands.length] ?? { url: '' };
    return ask(url, asked);
  }

  atOnce(count: number, asked: (index: number) => Asked): Promise<Answered[]> {
    return Promise.all(Array.from({ length: count }, (_, index) => this.ask(asked(index))));
  }

  /** Every process, and two once more. */
  async everywhere(asked: Asked): Promise<Answered[]> {
    const answers: Answered[] = [];
    for (let turn = 0; turn < this.processes + 2; turn += 1) answers.push(await this.ask(asked));
    return answers;
  }

  /** Decisions, "Settings" and 9: whoever asks a second later finds it so, whichever process answers. */
  withinASecond(asked: Asked, holds: (answer: Answered) => boolean): Promise<void> {
    return until(1000, async () => (await this.everywhere(asked)).every(holds));
  }

  /** Asks the database, past everything under test. */
  async rows<Row extends object>(sql: string): Promise<Row[]> {
    const client = new Client(this.databaseUrl);
    await client.connect();
    const { rows } = await client.query<Row>(sql).finally(() => client.end());
    return rows;
  }

  /** An affiliate with a coupon that has earned 100.00, and where to pay it to. */
  async affiliate(): Promise<{ user: User; couponId: number }> {
    const id = newOrderId();
    const user = await this.store.user(`trail${id}`, 'affiliate');
    const couponId = await coupon(this.store, `TRAIL${id}`, { userId: user.id });
    await payoutDetails(this.store, { userId: user.id, method: 'PayPal', methodType: 'paypal', details: { email: 'a@bank.example' } });
    await orders(this.store, [{ id, coupon: couponId, at: '2026-11-01T12:00:00Z', total: 1000 }]);
    return { user, couponId };
  }
}

/** With whatever else is told of how it runs. */
export const serveOn = (databaseUrl: string, workers: number, variables: Record<string, string> = {}): Promise<Served> =>
  serve(new Machine({ DATABASE_URL: databaseUrl, MASTER_KEY: masterKey }), {
    WORKERS: String(workers),
    TRUSTED_PROXIES: '127.0.0.1',
    ...variables,
  });

export function ask(origin: string, { method = 'GET', path, headers = {}, json }: Asked): Promise<Answered> {
  const content = json === undefined ? undefined : JSON.stringify(json);
  const type = content === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(content)) };
  return new Promise((resolve, reject) => {
    const asking = request(`${origin}/api/v2${path}`, { method, headers: { ...headers, ...type }, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text ? JSON.parse(text) : null }),
      );
    });
    asking.on('error', reject);
    asking.end(content);
  });
}

/** The ids of the processes that a command has started. */
export const workersOf = ({ child }: Pick<Served, 'child'>): number[] =>
  readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

/** How often each of them occurs. */
export function tally(words: Iterable<string | number>): Record<string, number> {
  const seen: Record<string, number> = {};
  for (const word of words) seen[word] = (seen[word] ?? 0) + 1;
  return seen;
}
