import { readFileSync } from 'node:fs';
import { type Agent, request } from 'node:http';
import { Client } from 'pg';
import { systemClock } from '../../domain/clock.ts';
import type { User } from '../../domain/users/user.ts';
import { Machine } from '../cli/machine.ts';
import { type RunningService, startService, waitUntil } from '../cli/running-service.ts';
import { createEarner } from '../support/payouts.ts';
import { dropPostgres, makePostgres } from '../support/postgres.ts';
import { newOrderId, orders } from '../support/program.ts';
import { masterKey, TestService } from '../support/service.ts';

/** Number of `affiliate serve` commands, and WORKERS of each. */
export interface ClusterSize {
  commands: number;
  workers: number;
}

export interface NodeRequest {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  json?: unknown;
  /** By default each request has a connection of its own. */
  agent?: Agent;
}

export interface NodeResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

/** Several processes of the compiled command on one PostgreSQL. */
export class NodeCluster {
  /** A service in this process that creates records; no test sends requests to it. */
  readonly store: TestService;
  readonly databaseUrl: string;
  readonly commands: readonly RunningService[];
  readonly processes: number;
  #sent = 0;

  private constructor(store: TestService, databaseUrl: string, commands: readonly RunningService[], { workers }: ClusterSize) {
    this.store = store;
    this.databaseUrl = databaseUrl;
    this.commands = commands;
    this.processes = commands.length * workers;
  }

  static async start(size: ClusterSize): Promise<NodeCluster> {
    const databaseUrl = await makePostgres();
    const store = await TestService.start({ databaseUrl, clock: systemClock });
    const commands = await Promise.all(Array.from({ length: size.commands }, () => startCommand(databaseUrl, size.workers)));
    return new NodeCluster(store, databaseUrl, commands, size);
  }

  async stop(): Promise<void> {
    for (const { child } of this.commands) child.kill('SIGTERM');
    await Promise.all(this.commands.map(({ ended }) => ended));
    await this.store.stop();
    await dropPostgres(this.databaseUrl);
  }

  /** Uses a new connection, so that the next process in turn accepts it. */
  send(request: NodeRequest): Promise<NodeResponse> {
    return sendRequest(this.nextUrl(), request);
  }

  /** Of the commands in turn. */
  nextUrl(): string {
    this.#sent += 1;
    return this.commands[this.#sent % this.commands.length]?.url ?? '';
  }

  sendConcurrently(count: number, requestAt: (index: number) => NodeRequest): Promise<NodeResponse[]> {
    return Promise.all(Array.from({ length: count }, (_, index) => this.send(requestAt(index))));
  }

  /** Reaches every process, because connections are distributed in turn. */
  async sendToEach(request: NodeRequest): Promise<NodeResponse[]> {
    const responses: NodeResponse[] = [];
    for (let turn = 0; turn < this.processes + 2; turn += 1) responses.push(await this.send(request));
    return responses;
  }

  /** A change is visible in every process within a second. */
  withinASecond(request: NodeRequest, holds: (response: NodeResponse) => boolean): Promise<void> {
    return waitUntil(1000, async () => (await this.sendToEach(request)).every(holds));
  }

  /** Queries the database directly. */
  async query<Row extends object>(sql: string): Promise<Row[]> {
    const client = new Client(this.databaseUrl);
    await client.connect();
    const { rows } = await client.query<Row>(sql).finally(() => client.end());
    return rows;
  }

  /** An affiliate with payout details and a coupon with a balance of 100.00. */
  async createAffiliate(): Promise<{ user: User; couponId: number }> {
    const id = newOrderId();
    const { user, couponId } = await createEarner(this.store, `trail${id}`, 0);
    await orders(this.store, [{ id, coupon: couponId, at: '2026-11-01T12:00:00Z', total: 1000 }]);
    return { user, couponId };
  }
}

const startCommand = (databaseUrl: string, workers: number, variables: Record<string, string> = {}): Promise<RunningService> =>
  startService(new Machine({ DATABASE_URL: databaseUrl, MASTER_KEY: masterKey }), {
    WORKERS: String(workers),
    TRUSTED_PROXIES: '127.0.0.1',
    ...variables,
  });

export function sendRequest(origin: string, { method = 'GET', path, headers = {}, json, agent }: NodeRequest): Promise<NodeResponse> {
  const content = json === undefined ? undefined : JSON.stringify(json);
  const type = content === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(content)) };
  return new Promise((resolve, reject) => {
    const outgoing = request(`${origin}/api/v2${path}`, { method, headers: { ...headers, ...type }, agent: agent ?? false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text ? JSON.parse(text) : null }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(content);
  });
}

/** Process ids of the workers of a command. */
export const workerPids = ({ child }: Pick<RunningService, 'child'>): number[] =>
  readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

export function countValues(values: Iterable<string | number>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
