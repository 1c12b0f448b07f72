import { expect } from 'chai';
import { Machine } from '../cli/machine.ts';
import { type RunningService, startService } from '../cli/running-service.ts';
import { newEvent } from '../db/samples.ts';
import { forEngineOrAll } from '../support/engines.ts';
import { masterKey, TestService } from '../support/service.ts';
import { StreamFollower } from '../support/stream-follower.ts';

// The service is killed by SIGKILL while it streams what another process commits. PROVE_KILLS: number of kills on each engine.
const numberOfKills = Number(process.env['PROVE_KILLS'] ?? 1);

forEngineOrAll('sqlite', process.env['PROVE_KILLS'] !== undefined, (engine) => {
  describe('a stream of a service that is killed', function () {
    this.timeout(60_000 + numberOfKills * 10_000);
    let store: TestService;
    let machine: Machine;
    let running: RunningService;
    let follower: StreamFollower | undefined;
    before(async () => {
      const databaseUrl = await engine.freshUrl();
      store = await (await TestService.start({ databaseUrl })).withoutLimits();
      await store.settings.set('addons.agents', true);
      machine = new Machine({ DATABASE_URL: databaseUrl, MASTER_KEY: masterKey });
    });
    after(async () => {
      await follower?.stop();
      running?.child.kill('SIGKILL');
      await store.stop();
    });

    it('is continued by the next one: the reader sees every event once and in order', async () => {
      running = await startService(machine);
      const { headers } = await store.key(await store.user('boss', 'administrator'), ['read']);
      follower = new StreamFollower({ origin: () => running.url, headers });
      const state = { isOver: false };
      const writing = (async () => {
        while (!state.isOver) await store.storage.write(({ events }) => events.record(newEvent()));
      })();
      for (let kill = 0; kill < numberOfKills; kill += 1) {
        await follower.reached((follower.ids.at(-1) ?? 0) + 50, 60_000);
        running.child.kill('SIGKILL');
        await running.ended;
        running = await startService(machine);
      }
      await follower.reached((follower.ids.at(-1) ?? 0) + 50, 60_000);
      state.isOver = true;
      await writing;
      const last = await store.storage.query(({ events }) => events.lastId());
      await follower.reached(last, 60_000);
      expect(follower.ids).to.deep.equal(Array.from({ length: last }, (_, at) => at + 1));
      expect(follower.opened).to.be.above(numberOfKills);
    });
  });
});
