import { once } from 'node:events';
import { expect } from 'chai';
import { Machine } from '../cli/machine.ts';
import { isPortClosed, sendPartialRequest } from '../cli/partial-request.ts';
import { type RunningService, startService, waitForOutput, waitUntil } from '../cli/running-service.ts';
import { freePort } from '../support/free-port.ts';
import { dropPostgres, makePostgres } from '../support/postgres.ts';
import { masterKey } from '../support/service.ts';
import { countValues, sendRequest, workerPids } from './node-cluster.ts';

describe('several processes on one PostgreSQL', () => {
  let databaseUrl: string;
  before(async () => {
    databaseUrl = await makePostgres();
  });
  after(() => dropPostgres(databaseUrl));

  // In the order of a life: one command serves all of these tests.
  describe('as workers of one command', () => {
    let command: RunningService;
    let token: string;
    before(async () => {
      const machine = new Machine({ DATABASE_URL: databaseUrl, MASTER_KEY: masterKey });
      await machine.addUser('ada', 'administrator');
      ({ token } = await machine.json<{ token: string }>('key', 'create', '--user', 'ada', '--scopes', 'read,write,manage'));
      command = await startService(machine, { WORKERS: '2', LOG_LEVEL: 'error', PORT: String(await freePort()) });
    });

    const statusOfMe = async (): Promise<number> =>
      (await sendRequest(command.url, { path: '/me', headers: { Authorization: `Bearer ${token}` } })).status;

    it('are replaced when they are killed, while the others respond, and the log says so', async () => {
      const [first = 0] = workerPids(command);
      process.kill(first, 'SIGKILL');
      await waitUntil(30_000, async () => !workerPids(command).includes(first));
      for (let time = 0; time < 10; time += 1) expect(await statusOfMe()).to.equal(200);
      await waitUntil(30_000, async () => workerPids(command).length === 2);
      for (let time = 0; time < 10; time += 1) expect(await statusOfMe()).to.equal(200);
      const ends = command
        .log()
        .split('\n')
        .filter((line) => line.includes('a worker ended by itself'));
      expect(ends.map((line) => JSON.parse(line)))
        .to.have.length(1)
        .and.to.have.nested.property('[0].pid', first);
    });

    it('are replaced when all of them are killed at once', async () => {
      const before = workerPids(command);
      for (const pid of before) process.kill(pid, 'SIGKILL');
      await waitUntil(30_000, async () => workerPids(command).filter((pid) => !before.includes(pid)).length === 2);
      await waitUntil(30_000, async () => (await statusOfMe().catch(() => 0)) === 200);
    });

    it('finish their open requests after SIGTERM, and the command exits with 0', async () => {
      const openRequests = await Promise.all(Array.from({ length: 6 }, () => sendPartialRequest(new URL(command.url), token)));
      command.child.kill('SIGTERM');
      await waitUntil(30_000, () => isPortClosed(new URL(command.url)));
      for (const { finish } of openRequests) finish();
      await Promise.all(openRequests.map(({ socket }) => once(socket, 'close')));
      expect(countValues(openRequests.map(({ answer }) => /HTTP\/1\.1 (?!100)(\d+)/.exec(answer())?.[1] ?? 'none'))).to.deep.equal({
        201: 6,
      });
      expect((await command.ended).code).to.equal(0);
    });
  });

  it('start all the same where one is killed before it is ready, and while metrics are read meanwhile', async () => {
    const machine = new Machine({ DATABASE_URL: databaseUrl, MASTER_KEY: masterKey });
    const metricsPort = await freePort();
    const child = machine.start(['serve'], { PORT: '0', WORKERS: '2', LOG_LEVEL: 'error', METRICS_PORT: String(metricsPort) });
    let isListening = false;
    const scraping = waitUntil(100_000, async () => {
      await fetch(`http://127.0.0.1:${metricsPort}/metrics`).catch(() => {});
      return isListening;
    });
    // The first one starts alone, so with the second it is ready.
    const killing = waitUntil(100_000, async () => {
      const [, second] = workerPids({ child });
      return second !== undefined && process.kill(second, 'SIGKILL');
    });
    const { said, ended } = await waitForOutput(child, (output) => output.includes('\n'));
    isListening = true;
    await Promise.all([killing, scraping]);
    expect(said()).to.match(/^affiliate-api listening on http:\/\/\S+:\d+\n/);
    await waitUntil(30_000, async () => workerPids({ child }).length === 2);
    child.kill('SIGTERM');
    expect((await ended).code).to.equal(0);
  });
});
