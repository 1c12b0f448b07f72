import { expect } from 'chai';
import type { Database } from '../../db/database.ts';
import { EventBus } from '../../db/engine/event-bus.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { Transaction } from '../../domain/unit-of-work.ts';
import { forEachEngine } from '../support/engines.ts';
import { failureOf, meetingOf } from './gate.ts';
import { newEvent, newUser } from './samples.ts';

const event = (objectId: number) => newEvent({ objectId });
/** Resolves after all pending promise callbacks. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the event bus', () => {
  it('publishes events in slot order, and waits for the slot of a commit that is acknowledged late', async () => {
    const published: number[] = [];
    const bus = new EventBus(() => {});
    bus.subscribe((events) => void published.push(...events.map(({ objectId }) => objectId)));
    const [first, second, third] = [bus.createSlot(), bus.createSlot(), bus.createSlot()];
    first.reserve();
    second.reserve();
    third.reserve();
    third.release([event(3)]);
    second.release([]);
    await settled();
    expect(published).to.deep.equal([]);
    first.release([event(1)]);
    await settled();
    expect(published).to.deep.equal([1, 3]);
  });

  it('publishes a retried write in the slot of its last attempt', async () => {
    const published: number[] = [];
    const bus = new EventBus(() => {});
    bus.subscribe((events) => void published.push(...events.map(({ objectId }) => objectId)));
    const [retried, other] = [bus.createSlot(), bus.createSlot()];
    retried.reserve();
    other.reserve();
    retried.reserve();
    retried.release([event(1)]);
    other.release([event(2)]);
    await settled();
    expect(published).to.deep.equal([2, 1]);
  });

  forEachEngine((engine) => {
    let database: Database;
    let complaints: unknown[];
    let published: number[];
    beforeEach(async () => {
      complaints = [];
      published = [];
      database = await engine.open({ onListenerError: (error) => complaints.push(error) });
    });
    const listen = () => database.onEvents((events) => void published.push(...events.map(({ objectId }) => objectId)));
    const record =
      (...ids: number[]) =>
      async ({ events }: Transaction<Repositories>): Promise<void> => {
        for (const id of ids) await events.record(event(id));
      };
    const feed = async () => {
      const { items } = await database.read(({ events }) => events.after(0, { kinds: [], userId: null }, 10_000));
      return items.map(({ objectId }) => objectId);
    };

    it('publishes exactly the events of the feed, in feed order, while 8 writers run, roll back and retry', async () => {
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
      expect(published).to.have.length(2 * 96);
      expect(published).to.deep.equal(await feed());
    });

    it('publishes to every subscribed listener; a listener that throws affects neither the write nor other listeners', async () => {
      database.onEvents(() => {
        throw new Error('a bad ear');
      });
      const end = listen();
      await database.write(record(1));
      await settled();
      end();
      await database.write(record(2));
      await settled();
      expect(published).to.deep.equal([1]);
      expect(complaints.map(String)).to.deep.equal(['Error: a bad ear', 'Error: a bad ear']);
      expect(await feed()).to.deep.equal([1, 2]);
    });

    it('allows a listener to write', async () => {
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

    it('publishes the events of a retried write once', async () => {
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
      expect(published.toSorted()).to.deep.equal([1, 2]);
    });
  });
});
