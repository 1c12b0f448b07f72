import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { forEachEngine } from '../support/engines.ts';

const count = (number: number, secondsLeft: number) => ({ count: number, secondsLeft });

describe('counters', () => {
  forEachEngine((engine) => {
    const start = 1_760_000_000_500;
    let now: number;
    const clock = { now: () => now };
    beforeEach(() => {
      now = start;
    });

    it('count in a window of the requested length that starts with its first hit', async () => {
      const { counters } = await engine.open({ clock });
      expect(await counters.hit('key:1', 60)).to.deep.equal(count(1, 60));
      now = start + 20_000;
      expect(await counters.hit('key:1', 60)).to.deep.equal(count(2, 40));
      now = start + 59_001;
      expect(await counters.hit('key:1', 60)).to.deep.equal(count(3, 1));
    });

    it('start at zero again when the window is over, and not a moment earlier', async () => {
      const { counters } = await engine.open({ clock });
      await counters.hit('key:1', 30);
      now = start + 29_999;
      expect(await counters.hit('key:1', 30)).to.deep.equal(count(2, 1));
      now = start + 30_000;
      expect(await counters.peek('key:1', 30)).to.deep.equal(count(0, 0));
      expect(await counters.hit('key:1', 30)).to.deep.equal(count(1, 30));
    });

    it('undo a hit of the current window only, and never go below zero', async () => {
      const { counters } = await engine.open({ clock });
      await counters.undoHit('key:1', 60);
      await counters.hit('key:1', 60);
      await counters.hit('key:1', 60);
      await counters.undoHit('key:1', 60);
      expect(await counters.peek('key:1', 60)).to.deep.equal(count(1, 60));
      for (let time = 0; time < 3; time += 1) await counters.undoHit('key:1', 60);
      expect(await counters.peek('key:1', 60)).to.deep.equal(count(0, 60));
    });

    it('can be read without counting', async () => {
      const { counters } = await engine.open({ clock });
      expect(await counters.peek('key:1', 60)).to.deep.equal(count(0, 0));
      await counters.hit('key:1', 60);
      now = start + 10_000;
      for (let look = 0; look < 2; look += 1) expect(await counters.peek('key:1', 60)).to.deep.equal(count(1, 50));
      now = start + 60_000;
      expect(await counters.peek('key:1', 60)).to.deep.equal(count(0, 0));
    });

    it('follow a change of the length at once', async () => {
      const { counters } = await engine.open({ clock });
      await counters.hit('address', 900);
      now = start + 61_000;
      expect(await counters.peek('address', 900)).to.deep.equal(count(1, 839));
      expect(await counters.hit('address', 60)).to.deep.equal(count(1, 60));
    });

    it('of different names are independent', async () => {
      const { counters } = await engine.open({ clock });
      await counters.hit('key:1', 60);
      expect(await counters.hit('key:2', 60)).to.deep.equal(count(1, 60));
    });

    it('count every one of many concurrent hits, each with its own number', async () => {
      const { counters } = await engine.open({ clock });
      const hits = await Promise.all(Array.from({ length: 50 }, () => counters.hit('key:1', 60)));
      expect(new Set(hits.map((hit) => hit.count)).size).to.equal(50);
      expect((await counters.peek('key:1', 60)).count).to.equal(50);
    });

    it('of several names that are hit concurrently number each name without a gap', async () => {
      const { counters } = await engine.open({ clock });
      await counters.hit('key:2', 60);
      const names = Array.from({ length: 60 }, (_, index) => `key:${index % 3}`);
      const hits = await Promise.all(names.map((name) => counters.hit(name, 60)));
      const numbersOf = (wanted: string): number[] =>
        hits.flatMap((hit, index) => (names[index] === wanted ? [hit.count] : [])).toSorted((one, other) => one - other);
      const from = (first: number): number[] => Array.from({ length: 20 }, (_, index) => first + index);
      expect(['key:0', 'key:1', 'key:2'].map(numbersOf)).to.deep.equal([from(1), from(1), from(2)]);
    });

    if (engine.name === 'postgres')
      it('do not block later hits when they cannot be counted for a moment', async () => {
        const url = await engine.freshUrl();
        const { counters } = await engine.open({ url, clock });
        await counters.hit('locked', 60);
        const observer = await engine.observe(url);
        await observer.query('begin');
        await observer.query("update window_counters set count = count where name = 'locked'");
        const locked = counters.hit('locked', 60);
        await pause(100);
        expect(await counters.hit('another', 60)).to.deep.equal(count(1, 60));
        await observer.query('rollback');
        expect(await locked).to.deep.equal(count(2, 60));
        expect(await counters.hit('another', 60)).to.deep.equal(count(2, 60));
      });

    it('can be used inside a write and a read, even while all connections are in use', async () => {
      const database = await engine.open({ clock });
      const insideOf = (unit: 'read' | 'write') =>
        Array.from({ length: 12 }, () => database[unit](async () => database.counters.hit(unit, 60)));
      await Promise.all([...insideOf('read'), ...insideOf('write')]);
      expect((await database.counters.peek('read', 60)).count).to.equal(12);
      expect((await database.counters.peek('write', 60)).count).to.equal(12);
    });

    it('use the system clock by default', async () => {
      const { counters } = await engine.open();
      expect(await counters.hit('key:1', 60)).to.deep.equal(count(1, 60));
      expect((await counters.peek('key:1', 60)).count).to.equal(1);
    });

    if (engine.name === 'sqlite') return;

    it('are shared by all processes on one database', async () => {
      const url = await engine.freshUrl();
      const [first, second] = [await engine.open({ url, clock }), await engine.open({ url, clock })];
      await first.counters.hit('key:1', 60);
      expect(await second.counters.hit('key:1', 60)).to.deep.equal(count(2, 60));
      expect(await first.counters.peek('key:1', 60)).to.deep.equal(count(2, 60));
    });

    it('leave no rows behind for callers that never return', async () => {
      const url = await engine.freshUrl();
      const { counters } = await engine.open({ url, clock });
      await counters.hit('gone', 60);
      await counters.hit('locked out', 900);
      now = start + 120_000;
      await counters.hit('new', 60);
      const rows = await (await engine.observe(url)).query<{ name: string }>('select name from window_counters order by name');
      expect(rows.map(({ name }) => name)).to.deep.equal(['locked out', 'new']);
    });
  });
});
