import { expect } from 'chai';
import { forEachEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { failureOf } from './gate.ts';

describe('the settings store', () => {
  forEachEngine((engine) => {
    const database = testFixture(() => engine.open());

    const all = () => database.read(({ settings }) => settings.all());
    const set = (path: string, value: unknown) => database.write(({ settings }) => settings.set(path, value));

    it('stores any JSON value by path', async () => {
      expect((await all()).values).to.deep.equal({});
      const values = { name: 'Größe "A"', on: false, zero: 0, rates: [5, 2.5], template: { percent: null }, __proto__: 'odd' };
      for (const [path, value] of Object.entries(values)) await set(path, value);
      expect((await all()).values).to.deep.equal(values);
    });

    it('overwrites a value, and resets it with null', async () => {
      await set('edition', 'free');
      await set('edition', 'pro');
      expect((await all()).values).to.deep.equal({ edition: 'pro' });
      await set('edition', null);
      expect((await all()).values).to.deep.equal({});
    });

    it('increases the version with every change, also when a value is reset', async () => {
      const versions = [(await all()).version];
      for (const value of ['free', 'pro', null]) {
        await set('edition', value);
        versions.push(await database.read(({ settings }) => settings.version()));
      }
      expect(versions).to.deep.equal([...new Set(versions)].toSorted((one, other) => one - other));
      expect((await all()).version).to.equal(versions.at(-1));
    });

    it('restores version and values when a change is rolled back', async () => {
      await set('edition', 'free');
      const before = await all();
      const writing = database.write(async ({ settings }) => {
        await settings.set('edition', 'pro');
        throw new Error('changed my mind');
      });
      await failureOf(writing);
      expect(await all()).to.deep.equal(before);
    });
  });
});
