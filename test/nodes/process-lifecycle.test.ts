import { once } from 'node:events';
import { expect } from 'chai';
import { Machine } from '../cli/machine.ts';
import { isPortClosed, sendPartialRequest } from '../cli/partial-request.ts';
import { type RunningService, startService, waitUntil } from '../cli/running-service.ts';
import { dropPostgres, makePostgres } from '../support/postgres.ts';
import { masterKey } from '../support/service.ts';
import { countValues, sendRequest, workerPids } from './node-cluster.ts';

describe('several processes on one PostgreSQL', function living() {
  let databaseUrl: string;
  beforeEach(async () => {
    databaseUrl = await makePostgres();
  });
  afterEach(() => dropPostgres(databaseUrl));

  const terminate = async (...commands: RunningService[]): Promise<(number | null)[]> => {
    for (const { child } of commands) child.kill('SIGTERM');
    return Promise.all(commands.map(async ({ ended }) => (await ended).code));
  };

  describe('as workers of one command', () => {
    let command: RunningService;
    let token: string;
    beforeEach(async () => {
      const machine = new Machine({ DATABASE_URL: databaseUrl, MASTER_KEY: masterKey });
      await machine.addUser('ada', 'administrator');
      ({ token } = await machine.json<{ token: string }>('key', 'create', '--user', 'ada', '--scopes', 'read,write,manage'));
      command = await startService(machine, { WORKERS: '3', LOG_LEVEL: 'error' });
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

    it('are replaced when they are killed, while the others respond, and the log says so', async () => {
      const before = workerPids(command);
      const headers = { Authorization: `Bearer ${token}` };
      process.kill(before[0] ?? 0, 'SIGKILL');
      await waitUntil(30_000, async () => !workerPids(command).includes(before[0] ?? 0));
      for (let time = 0; time < 10; time += 1) expect((await sendRequest(command.url, { path: '/me', headers })).status).to.equal(200);
      await waitUntil(30_000, async () => workerPids(command).length === 3);
      for (let time = 0; time < 10; time += 1) expect((await sendRequest(command.url, { path: '/me', headers })).status).to.equal(200);
      expect(await terminate(command)).to.deep.equal([0]);
      const ends = (await command.ended).err.split('\n').filter((line) => line.includes('a worker ended by itself'));
      expect(ends.map((line) => JSON.parse(line)))
        .to.have.length(1)
        .and.to.have.nested.property('[0].pid', before[0]);
    });
  });
});
