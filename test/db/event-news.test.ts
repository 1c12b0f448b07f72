import { expect } from 'chai';
import type { Database } from '../../db/database.ts';
import { EventNews } from '../../db/engine/event-bus.ts';
import type { Transaction } from '../../domain/ports.ts';
import { forEachEngine } from '../support/engines.ts';
import { failureOf, meetingOf } from './gate.ts';
import { newEvent, newUser } from './samples.ts';

const event = (objectId: number) => newEvent({ objectId });
/** Whatever was promised before has happened. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('news of events', () => {
  it('of a writer who hears of its commit late come before those of writers behind it, and are waited for', async () => {
    const told: number[] = [];
    const news = new EventNews(() => {});
    news.listen((events) => void told.push(...events.map(({ objectId }) => objectId)));
    const [first, second, third] = [news.place(), news.place(), news.place()];
    first.take();
    second.take();
    third.take();
    third.leave([event(3)]);
    second.leave([]);
    await settled();
    expect(told).to.deep.equal([]);
    first.leave([event(1)]);
    await settled();
    expect(told).to.deep.equal([1, 3]);
  });

  it('of a write that is tried again take the place of its last attempt', async () => {
    const told: number[] = [];
    const news = new EventNews(() => {});
    news.listen((events) => void told.push(...events.map(({ objectId }) => objectId)));
    const [retried, other] = [news.place(), news.place()];
    retried.take();
    other.take();
    retried.take();
    retried.leave([event(1)]);
    other.leave([event(2)]);
    await settled();
    expect(told).to.deep.equal([2, 1]);
  });

  forEachEngine((engine) => {
    let database: Database;
    let complaints: unknown[];
    let told: number[];
    beforeEach(async () => {
      complaints = [];
      told = [];
      database = await engine.open({ onAfterCommitError: (error) => complaints.push(error) });
    });
    const listen = () => database.onEvents((events) => void told.push(...events.map(({ objectId }) => objectId)));
    const record =
      (...ids: number[]) =>
      async ({ events }: Transaction): Promise<void> => {
        for (const id of ids) await events.record(event(id));
      };
    const feed = async () => {
      const { items } = await database.read(({ events }) => events.after(0, { kinds: [], userId: null }, 10_000));
      return items.map(({ objectId }) => objectId);
    };

    it('are what the feed has, once each and in its order, while 8 write, some give up and some are tried again', async () => {
      listen();
      let next = 0;
      const write = async (): Promise<void> => {
        for (let unit = next++; unit < 120; unit = next++) {
          const writing = database.write(async (transaction) => {
            await record(unit, unit)(transaction);
            // On PostgreSQL no two of these can run beside each other: some fail as late as at their commit.
            if (unit % 7 < 2) await transaction.users.countByRole('affiliate');
            if (unit % 7 < 2) await transaction.users.insert(newUser());
            if (unit % 5 === 0) throw new Error('changed my mind');
          });
          await (unit % 5 === 0 ? failureOf(writing) : writing);
        }
      };
      await Promise.all(Array.from({ length: 8 }, write));
      await settled();
      expect(told).to.have.length(2 * 96);
      expect(told).to.deep.equal(await feed());
    });

    it('are told to several listeners, until each is ended, and one that throws harms neither the write nor the others', async () => {
      database.onEvents(() => {
        throw new Error('a bad ear');
      });
      const end = listen();
      await database.write(record(1));
      await settled();
      end();
      await database.write(record(2));
      await settled();
      expect(told).to.deep.equal([1]);
      expect(complaints.map(String)).to.deep.equal(['Error: a bad ear', 'Error: a bad ear']);
      expect(await feed()).to.deep.equal([1, 2]);
    });

    it('may be followed by a write of the listener', async () => {
      const written = new Promise<void>((resolve, reject) => {
        const end = database.onEvents(() => {
          end();
          database.write(record(2)).then(resolve, reject);
        });
      });
      await database.write(record(1));
      await written;
      expect(await feed()).to.deep.equal([1, 2]);
    });

    if (engine.name === 'sqlite') return;

    it('are told once of a write that was tried again', async () => {
      listen();
      const bothHaveRead = meetingOf(2);
      let attempts = 0;
      const write = (id: number) =>
        database.write(async (transaction) => {
          attempts += 1;
          const before = await transaction.settings.version();
          await record(id)(transaction);
          await bothHaveRead();
          await transaction.settings.set('seen', before);
        });
      await Promise.all([write(1), write(2)]);
      await settled();
      expect(attempts).to.equal(3);
      expect(told.toSorted()).to.deep.equal([1, 2]);
    });
  });
});
