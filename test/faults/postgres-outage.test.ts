import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { Client } from 'pg';
import { waitUntil } from '../cli/running-service.ts';
import type { Observer } from '../support/engines.ts';
import { inProof } from '../support/in-proof.ts';
import { TestService } from '../support/service.ts';
import { createFaultFixture, expectConsistent, expectRowsExist, type FaultFixture } from './fault-fixture.ts';
import { StoppablePostgres } from './stoppable-postgres.ts';

// PostgreSQL crashes, its connections are terminated, all of them are in use, tables are locked, and it hangs: each while the service is
// under load, and the service recovers without a restart. PROVE_OUTAGES: number of crashes, with five terminations for each. Without it, only
// crashes and terminations.
const numberOfRestarts = Number(process.env['PROVE_OUTAGES'] ?? 1);
const { itInProof } = inProof('PROVE_OUTAGES');
const timeoutMs = 1500;
/** The longest response time: settings, identity, rate limit and handler may each wait for the database. */
const maxResponseMs = 6 * timeoutMs + 5000;

describe('a service whose PostgreSQL fails under load', function () {
  this.timeout(180_000 + numberOfRestarts * 30_000);
  const postgres = new StoppablePostgres();
  const observer: Observer = { query: async <Row>(sql: string) => (await postgres.query(sql)) as Row[] };
  let fixture: FaultFixture;
  /** The service under load. */
  let service: TestService;
  let load = new AbortController();
  let working: Promise<unknown> | undefined;

  before(async () => {
    await postgres.start();
    fixture = await createFaultFixture(postgres.url, 4);
    service = await TestService.start({ databaseUrl: postgres.url, timeoutMs });
  });
  afterEach(() => stopLoad());
  after(async () => {
    await service?.stop();
    await fixture?.service.stop();
    await postgres.stop();
  });

  const startLoad = (): void => {
    load = new AbortController();
    const { signal } = load;
    const work = async (client: (typeof fixture.clients)[number]): Promise<void> => {
      while (!signal.aborted) if (!(await client.call(service.origin))) await pause(20);
    };
    working = Promise.all(fixture.clients.map(work));
  };
  const stopLoad = async (): Promise<void> => {
    load.abort();
    await working;
  };
  const ready = async (): Promise<number> => (await fetch(`${service.origin}/readyz`)).status;
  const count = (status: number): number => fixture.clients.reduce((sum, { statusCounts }) => sum + (statusCounts.get(status) ?? 0), 0);
  const acknowledged = (): number => fixture.clients.reduce((sum, client) => sum + client.acknowledged, 0);
  const increase = async (number: () => number, by = 5): Promise<void> => {
    const before = number();
    await waitUntil(60_000, async () => number() >= before + by);
  };
  /** Holds after every failure, in the same process. */
  const expectRecovered = async (): Promise<void> => {
    await waitUntil(60_000, async () => (await ready()) === 200);
    await increase(acknowledged);
    await stopLoad();
    await expectRowsExist(
      observer,
      fixture.clients.flatMap(({ acknowledgedRows: proofs }) => proofs),
    );
    await expectConsistent(observer, fixture);
    expect(fixture.clients.flatMap(({ unexpectedResponses: surprises }) => surprises)).to.deep.equal([]);
    expect(Math.max(...fixture.clients.map(({ slowestMs }) => slowestMs))).to.be.lessThan(maxResponseMs);
    expect((await fetch(`${service.origin}/healthz`)).status).to.equal(200);
  };

  it('answers 503 while PostgreSQL is down, is not ready, and recovers with everything it acknowledged', async () => {
    for (let restart = 0; restart < numberOfRestarts; restart += 1) {
      startLoad();
      await increase(acknowledged);
      await postgres.crash();
      await increase(() => count(503));
      expect(await ready()).to.equal(503);
      await postgres.start();
      await expectRecovered();
    }
    console.log(
      `        ${numberOfRestarts} restarts, ${acknowledged()} acknowledged calls stored, ${count(503)} answered 503, ${count(500)} answered 500`,
    );
  });

  it('recovers from terminated connections', async () => {
    startLoad();
    let terminated = 0;
    for (let round = 0; round < 5 * numberOfRestarts; round += 1) {
      await increase(acknowledged, 2);
      terminated += await postgres.terminateConnections();
    }
    await expectRecovered();
    console.log(`        ${terminated} connections terminated, ${acknowledged()} acknowledged calls stored`);
  });

  itInProof('answers 503 in time while other clients use all connections', async () => {
    await postgres.terminateConnections();
    const others: Client[] = [];
    for (;;) {
      const client = await postgres.connect().catch(() => null);
      if (!client) break;
      others.push(client);
    }
    startLoad();
    await increase(() => count(503));
    expect(await ready()).to.equal(503);
    await Promise.all(others.map((client) => client.end()));
    await expectRecovered();
  });

  itInProof('answers 503 in time while another session locks the tables', async () => {
    const session = await postgres.connect();
    await session.query('begin; lock table api_keys, payouts, webhooks, registrations in access exclusive mode');
    startLoad();
    await increase(() => count(503));
    await session.query('rollback');
    await session.end();
    await expectRecovered();
  });

  itInProof('answers 503 in time while PostgreSQL hangs, and is not ready', async () => {
    startLoad();
    await increase(acknowledged);
    const resume = await postgres.hang();
    try {
      await increase(() => count(503));
      expect(await ready()).to.equal(503);
    } finally {
      resume();
    }
    await expectRecovered();
    console.log(`        ${fixture.clients.reduce((sum, { calls }) => sum + calls, 0)} calls, the slowest took ${slowest()} ms`);
  });

  const slowest = (): number => Math.round(Math.max(...fixture.clients.map(({ slowestMs }) => slowestMs)));
});
