import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { EventKind } from '../../generated/events.ts';
import { newEvent } from '../db/samples.ts';
import { type Engine, forEachEngine } from '../support/engines.ts';
import { inProof } from '../support/in-proof.ts';
import { TestService, testService } from '../support/service.ts';
import { StreamFollower } from '../support/stream-follower.ts';

// PROVE_STREAMS=all: also two minutes of 10,000 events a minute.
const { itInProof } = inProof('PROVE_STREAMS');

const kinds: EventKind[] = ['referral', 'commission_added', 'payout_paid'];

function followingFixture(engine: Engine) {
  const { service, administrator } = testService(engine, { settings: { 'addons.agents': true } });
  const followers: StreamFollower[] = [];
  afterEach(async () => {
    for (const follower of followers.splice(0)) await follower.stop();
  });
  const follow = async (query = ''): Promise<StreamFollower> => {
    const { headers } = await service.key(administrator, ['read']);
    const follower = new StreamFollower({ origin: () => service.origin, headers, query });
    followers.push(follower);
    return follower;
  };
  /** By another process as far as the streams can tell: only the database is shared. */
  const writers = async (): Promise<TestService[]> => {
    const other = await TestService.start({ databaseUrl: service.databaseUrl });
    return [service, engine.keep(other, () => other.stop())];
  };
  const expectComplete = async (follower: StreamFollower, condition = 'true'): Promise<void> => {
    const observer = await engine.observe(service.databaseUrl);
    const rows = await observer.query<{ id: unknown }>(`select id from events where ${condition} order by id`);
    const ids = rows.map(({ id }) => Number(id));
    await follower.reached(ids.at(-1) ?? 0);
    expect(follower.ids).to.deep.equal(ids);
  };
  return { service, follow, writers, expectComplete };
}

const record = (service: TestService, count: number, isGivenUp = false): Promise<void> =>
  service.storage.write(async ({ events }) => {
    for (let at = 0; at < count; at += 1) await events.record(newEvent({ kind: kinds[at % 3] ?? 'referral' }));
    if (isGivenUp) throw new Error('given up');
  });

forEachEngine((engine) => {
  describe('readers of the stream', () => {
    const { follow, writers, expectComplete } = followingFixture(engine);

    it('see every event once and in order, over lost connections, while two processes commit and roll back', async () => {
      const [all, some, steady] = [await follow(), await follow('&event=payout_paid,commission_added'), await follow()];
      const services = await writers();
      let next = 0;
      const state = { isWriting: true };
      const write = async (service: TestService): Promise<void> => {
        for (let number = next++; number < 120; number = next++) await record(service, 1 + (number % 25), number % 6 === 0).catch(() => {});
      };
      const breaking = (async () => {
        for (; state.isWriting; await pause(15)) for (const follower of [all, some]) follower.disconnect();
      })();
      await Promise.all([...services, ...services, ...services].map(write));
      state.isWriting = false;
      await breaking;
      await expectComplete(all);
      await expectComplete(some, "kind in ('payout_paid', 'commission_added')");
      await expectComplete(steady);
      expect(all.opened, 'connections were lost').to.be.above(3);
      expect(steady.opened, 'and others were not').to.equal(1);
    });

    itInProof('see every event once and in order, two minutes long at 10,000 a minute', async function (this: Mocha.Context) {
      this.timeout(240_000);
      const followers = [await follow(), await follow(), await follow('&event=referral')];
      const services = await writers();
      const [lossy] = followers;
      const began = performance.now();
      for (let second = 0; second < 120; second += 1) {
        await Promise.all(services.flatMap((service) => Array.from({ length: 14 }, () => record(service, 6))));
        if (second % 5 === 0) lossy?.disconnect();
        await pause(Math.max(0, began + (second + 1) * 1000 - performance.now()));
      }
      for (const [at, follower] of followers.entries()) await expectComplete(follower, at === 2 ? "kind = 'referral'" : 'true');
    });
  });
});
