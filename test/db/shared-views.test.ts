import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { Database } from '../../db/database.ts';
import { SharedViews } from '../../db/engine/shared-snapshot.ts';
import type { User } from '../../domain/users/user.ts';
import { forEachEngine } from '../support/engines.ts';
import { failureOf, gate } from './gate.ts';
import { isSaved, savedUser } from './samples.ts';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('brief reads', () => {
  forEachEngine((engine) => {
    let database: Database;
    let url: string;
    const statements: string[] = [];
    const asked = (pattern: RegExp): number => statements.filter((sql) => pattern.test(sql)).length;

    beforeEach(async () => {
      url = await engine.freshUrl();
      database = await engine.open({ url, onStatement: (sql) => void statements.push(sql) });
    });

    const user = (id: number): Promise<User | null> => database.read(({ users }) => users.byId(id), 'brief');

    it('that come together share one view and one statement, and each gets its own answer', async () => {
      const ids: number[] = [];
      for (const _ of upTo(20)) ids.push(await savedUser(database));
      statements.length = 0;
      const found = await Promise.all([...ids, ids[3] as number, 4711].map(user));
      expect(found.map((one) => one?.id)).to.deep.equal([...ids, ids[3], undefined]);
      expect([asked(/^(BEGIN|START)/), asked(/from users/)]).to.deep.equal([1, 1]);
    });

    it('see everything that was committed before they began, also while an older view is open', async () => {
      const [looked, goOn] = [gate(), gate()];
      const older = database.read(async ({ users }) => {
        await users.countByRole('affiliate');
        looked.open();
        await goOn.opened;
        return users.countByRole('affiliate');
      }, 'brief');
      await looked.opened;
      for (const count of [1, 2, 3]) {
        await savedUser(database);
        expect(await database.read(({ users }) => users.countByRole('affiliate'), 'brief')).to.equal(count);
      }
      goOn.open();
      expect(await older).to.equal(0);
    });

    it('never see less than what was committed before, however many write and read', async () => {
      const seen = await Promise.all(
        upTo(40).map(async () => {
          const id = await savedUser(database);
          return (await user(id))?.id === id;
        }),
      );
      expect(seen).to.deep.equal(upTo(40).map(() => true));
    });

    it('of which one fails leave the others their answers', async () => {
      const id = await savedUser(database);
      await (await engine.observe(url)).query('drop table payout_details');
      const details = (): Promise<unknown> => database.read(({ payoutDetails }) => payoutDetails.ofUser(id), 'brief');
      const twice = (): Promise<unknown> => database.read(async ({ users }) => [await users.byId(id), await users.byId(id)], 'brief');
      const outcomes = await Promise.allSettled([twice(), details(), twice(), details(), twice()]);
      expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled']);
      expect((await user(id))?.id).to.equal(id);
    });

    it('are units of their own: what one may not do, none of those beside it may', async () => {
      const [refusal, , inner] = await Promise.all([
        database.read(() => failureOf(savedUser(database)), 'brief'),
        user(1),
        database.read(() => isSaved(database, 'nobody'), 'brief'),
      ]);
      expect(refusal.message).to.match(/write inside a read/);
      expect(inner).to.equal(false);
      expect(await savedUser(database)).to.be.above(0);
    });

    it('inside writes, as many as there can be, wait for nobody who waits for them', async () => {
      const id = await savedUser(database);
      const found = await Promise.all(upTo(20).map(() => database.write(async () => (await user(id))?.id)));
      expect(found).to.deep.equal(upTo(20).map(() => id));
    });

    it('are waited for by closing, and refused after it', async () => {
      const id = await savedUser(database);
      const reading = [user(id), user(id)];
      await database.close();
      expect((await Promise.all(reading)).map((one) => one?.id)).to.deep.equal([id, id]);
      expect((await failureOf(user(id))).message).to.match(/closed/);
    });
  });

  it('wait for no view that may never begin', async () => {
    let begun = 0;
    const views = new SharedViews(async (look) => {
      begun += 1;
      return begun === 1 ? new Promise<never>(() => {}) : look({} as never);
    });
    void views.join(async () => 'never');
    await pause(100);
    expect(await views.join(async () => 'seen')).to.equal('seen');
  });

  it('for which no view can be begun are all told why, and those who come later find their way', async () => {
    let isAway = true;
    const views = new SharedViews(async (look) => {
      if (isAway) throw new Error('nobody there');
      return look({} as never);
    });
    const failures = await Promise.all(upTo(3).map(() => failureOf(views.join(async () => 'seen'))));
    expect(failures.map(({ message }) => message)).to.deep.equal(upTo(3).map(() => 'nobody there'));
    isAway = false;
    expect(await views.join(async () => 'seen')).to.equal('seen');
  });
});
