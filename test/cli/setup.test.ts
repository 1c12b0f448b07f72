import { expect } from 'chai';
import { workerPids } from '../nodes/node-cluster.ts';
import { mainlyOn } from '../support/engines.ts';
import { Machine } from './machine.ts';
import { type RunningService, startService, waitUntil } from './running-service.ts';

const createAdministrator = ['user', 'create', '--login', 'ada', '--email', 'ada@example.com', '--role', 'administrator'];
const linkPattern = /^Create the first administrator: (\S+\/setup\?token=[\w-]{43})$/m;

async function stop({ child, ended }: RunningService): Promise<{ out: string; err: string }> {
  child.kill('SIGTERM');
  const { code, ...written } = await ended;
  expect(code).to.equal(0);
  return written;
}

const linkIn = (text: string): string => linkPattern.exec(text)?.[1] ?? '';
const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;

mainlyOn('postgres', (engine) => {
  describe('the link of `affiliate serve` for the first administrator', () => {
    let machine: Machine;
    beforeEach(async () => {
      machine = new Machine({ DATABASE_URL: await engine.emptyUrl() });
    });

    it('follows the address on standard output, is in no log line beside one about the migrations, and another start replaces it', async () => {
      const first = await startService(machine, { LOG_LEVEL: 'trace' });
      const link = linkIn(first.line);
      expect(first.line).to.equal(`affiliate-api listening on ${first.url}\nCreate the first administrator: ${link}\n`);
      expect(link.startsWith(`${first.url}/setup?`)).to.equal(true);
      expect(await statusOf(link)).to.equal(200);
      const { err } = await stop(first);
      expect(err)
        .to.include('"path":"/setup"')
        .and.not.include(link.slice(link.indexOf('=') + 1));
      const lines = err.split('\n').filter((line) => /migrat/.test(line));
      expect(lines).to.have.lengthOf(1);
      expect(JSON.parse(lines[0] ?? '')).to.have.keys('level', 'time', 'migrations', 'msg');
      expect(lines[0]).to.include('the database was brought up to date');
      const second = await startService(machine, { PORT: new URL(first.url).port });
      expect(linkIn(second.line)).to.match(/^http/).and.not.equal(link);
      expect([await statusOf(link), await statusOf(linkIn(second.line))]).to.deep.equal([404, 200]);
      await stop(second);
    });

    it('is a property of the JSON document with --json, and gone once there is an administrator, who voids it at once', async () => {
      const service = await startService(machine, {}, '--json');
      const { url, setup, ...others } = JSON.parse(service.line) as { url: string; setup: string };
      expect([service.url, others]).to.deep.equal([url, {}]);
      expect(await statusOf(setup)).to.equal(200);
      await machine.json(...createAdministrator);
      expect(await statusOf(setup)).to.equal(404);
      expect((await stop(service)).out).to.equal(service.line);
      const next = await startService(machine);
      expect((await stop(next)).out).to.equal(`affiliate-api listening on ${next.url}\n`);
    });

    it('begins with service.url, or with localhost where the service listens on all addresses', async () => {
      const open = await startService(machine, { HOST: '0.0.0.0' });
      expect(linkIn(open.line).startsWith(`http://localhost:${new URL(open.url).port}/setup?`)).to.equal(true);
      await stop(open);
      await machine.store('service.url', 'https://program.example/');
      const known = await startService(machine);
      expect(linkIn(known.line)).to.match(/^https:\/\/program\.example\/setup\?/);
      await stop(known);
    });

    const onPostgres = engine.name === 'postgres' ? it : () => {};

    onPostgres('is printed once for several workers, all of which accept it, also after one of them was replaced', async () => {
      const service = await startService(machine, { WORKERS: '2', LOG_LEVEL: 'info' });
      const link = linkIn(service.line);
      const statuses = async () => Promise.all(Array.from({ length: 8 }, () => fetch(link, { headers: { Connection: 'close' } })));
      for (const { status } of await statuses()) expect(status).to.equal(200);
      const [first = 0] = workerPids(service);
      process.kill(first, 'SIGKILL');
      await waitUntil(60_000, async () => workerPids(service).length === 2 && !workerPids(service).includes(first));
      await waitUntil(60_000, async () => (await statuses()).every(({ status }) => status === 200));
      expect((await stop(service)).out).to.equal(service.line);
    });
  });
});
