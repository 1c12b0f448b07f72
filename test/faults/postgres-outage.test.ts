import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { Client } from 'pg';
import { until } from '../cli/served.ts';
import type { Observer } from '../support/engines.ts';
import { TestService } from '../support/service.ts';
import { OwnPostgres } from './own-postgres.ts';
import { expectKept, expectWhole, makeScene, type Scene } from './scene.ts';

// PostgreSQL is stopped as if the power went out, its connections are cut, all of them are taken, locked tables keep everybody waiting, and
// it hangs: each while the service is under load, which goes on without a restart. PROVE_OUTAGES: how many restarts, and five cuts for each.
const numberOfRestarts = Number(process.env['PROVE_OUTAGES'] ?? 2);
const timeoutMs = 1500;
/** What a request may take: its settings, its caller, its counter and its own work may each have to wait. */
const inTimeMs = 6 * timeoutMs + 5000;

describe('a service whose PostgreSQL fails under load', function () {
  this.timeout(120_000 + numberOfRestarts * 30_000);
  const postgres = new OwnPostgres();
  const observer: Observer = { query: async <Row>(sql: string) => (await postgres.query(sql)) as Row[] };
  let scene: Scene;
  /** The one that is called. */
  let service: TestService;
  let load = new AbortController();
  let working: Promise<unknown> | undefined;

  before(async () => {
    await postgres.start();
    scene = await makeScene(postgres.url, 4);
    service = await TestService.start({ databaseUrl: postgres.url, timeoutMs });
  });
  afterEach(() => endLoad());
  after(async () => {
    await service?.stop();
    await scene?.service.stop();
    await postgres.stop();
  });

  const beginLoad = (): void => {
    load = new AbortController();
    const { signal } = load;
    const work = async (client: (typeof scene.clients)[number]): Promise<void> => {
      while (!signal.aborted) if (!(await client.call(service.origin))) await pause(20);
    };
    working = Promise.all(scene.clients.map(work));
  };
  const endLoad = async (): Promise<void> => {
    load.abort();
    await working;
  };
  const ready = async (): Promise<number> => (await fetch(`${service.origin}/readyz`)).status;
  const count = (status: number): number => scene.clients.reduce((sum, { answers }) => sum + (answers.get(status) ?? 0), 0);
  const promises = (): number => scene.clients.reduce((sum, client) => sum + client.promises, 0);
  const more = async (number: () => number, by = 5): Promise<void> => {
    const before = number();
    await until(60_000, async () => number() >= before + by);
  };
  /** What holds after every failure, with the same process. */
  const expectRecovered = async (): Promise<void> => {
    await until(60_000, async () => (await ready()) === 200);
    await more(promises);
    await endLoad();
    await expectKept(
      observer,
      scene.clients.flatMap(({ proofs }) => proofs),
    );
    await expectWhole(observer, scene);
    expect(scene.clients.flatMap(({ surprises }) => surprises)).to.deep.equal([]);
    expect(Math.max(...scene.clients.map(({ slowestMs }) => slowestMs))).to.be.lessThan(inTimeMs);
    expect((await fetch(`${service.origin}/healthz`)).status).to.equal(200);
  };

  it('answers 503 while it is stopped, says that it is not ready, and goes on by itself with everything it acknowledged', async () => {
    for (let restart = 0; restart < numberOfRestarts; restart += 1) {
      beginLoad();
      await more(promises);
      await postgres.crash();
      await more(() => count(503));
      expect(await ready()).to.equal(503);
      await postgres.start();
      await expectRecovered();
    }
    console.log(
      `        ${numberOfRestarts} restarts, ${promises()} promises kept, ${count(503)} answered 503, ${count(500)} answered 500`,
    );
  });

  it('goes on when its connections are cut, again and again', async () => {
    beginLoad();
    let cut = 0;
    for (let cuts = 0; cuts < 5 * numberOfRestarts; cuts += 1) {
      await more(promises, 2);
      cut += await postgres.cutConnections();
    }
    await expectRecovered();
    console.log(`        ${cut} connections cut, ${promises()} promises kept`);
  });

  it('answers 503 in time while others have taken every connection', async () => {
    await postgres.cutConnections();
    const taken: Client[] = [];
    for (;;) {
      const client = await postgres.connect().catch(() => null);
      if (!client) break;
      taken.push(client);
    }
    beginLoad();
    await more(() => count(503));
    expect(await ready()).to.equal(503);
    await Promise.all(taken.map((client) => client.end()));
    await expectRecovered();
  });

  it('answers 503 in time while another session has locked the tables', async () => {
    const session = await postgres.connect();
    await session.query('begin; lock table api_keys, payouts, webhooks, registrations in access exclusive mode');
    beginLoad();
    await more(() => count(503));
    await session.query('rollback');
    await session.end();
    await expectRecovered();
  });

  it('answers 503 in time while the server hangs, and says that it is not ready', async () => {
    beginLoad();
    await more(promises);
    const resume = await postgres.hang();
    try {
      await more(() => count(503));
      expect(await ready()).to.equal(503);
    } finally {
      resume();
    }
    await expectRecovered();
    console.log(`        ${scene.clients.reduce((sum, { calls }) => sum + calls, 0)} calls in all, the slowest took ${slowest()} ms`);
  });

  const slowest = (): number => Math.round(Math.max(...scene.clients.map(({ slowestMs }) => slowestMs)));
});
