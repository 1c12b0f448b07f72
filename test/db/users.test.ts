import { expect } from 'chai';
import { forEachEngine } from '../support/engines.ts';
import { testFixture } from '../support/fixture.ts';
import { newUser, savedUser } from './samples.ts';

const invalidIds = [0, -1, 1.5, Number.NaN, 2 ** 53, 1e30, Number.POSITIVE_INFINITY];

describe('the user store', () => {
  forEachEngine((engine) => {
    const database = testFixture(() => engine.open());

    it('returns a user as inserted, without the password hash', async () => {
      const user = newUser({ login: 'Ann', email: 'Ann@Example.com' });
      const id = await savedUser(database, user);
      const { passwordHash, ...visible } = user;
      expect(await database.read(({ users }) => users.byId(id))).to.deep.equal({ ...visible, id, parentId: null });
      expect(await database.read(({ users }) => users.passwordHashOf(id))).to.equal(passwordHash);
    });

    it('inserts no second user with the same login or email, ignoring case beyond ASCII too', async () => {
      await savedUser(database, { login: 'Jörg', email: 'JÖRG@example.com' });
      const insert = (user: { login: string; email: string }) => database.write(({ users }) => users.insert(newUser(user)));
      expect(await insert({ login: 'JÖRG', email: 'another@example.com' })).to.equal(null);
      expect(await insert({ login: 'another', email: 'jörg@EXAMPLE.com' })).to.equal(null);
      expect(await insert({ login: 'another', email: 'another@example.com' })).to.be.a('number');
    });

    it('leaves the transaction usable after a duplicate login', async () => {
      await savedUser(database, { login: 'ann' });
      const ids = await database.write(async ({ users }) => [
        await users.insert(newUser({ login: 'ANN' })),
        await users.insert(newUser({ login: 'bob' })),
      ]);
      expect(ids[0]).to.equal(null);
      expect(await database.read(({ users }) => users.byLoginOrEmail('bob'))).to.include({ id: ids[1] });
    });

    it('inserts one user when 12 concurrent writes use the same login', async () => {
      const tries = Array.from({ length: 12 }, (_, index) =>
        newUser({ login: index % 2 === 0 ? 'ann' : 'ANN', email: `${index}@example.com` }),
      );
      const ids = await Promise.all(tries.map((user) => database.write(({ users }) => users.insert(user))));
      expect(ids.filter((id) => id !== null).length).to.equal(1);
    });

    it('finds a user by login or email, ignoring case', async () => {
      const id = await savedUser(database, { login: 'Ann', email: 'ann@example.com' });
      for (const name of ['ann', 'ANN', 'Ann@Example.COM'])
        expect((await database.read(({ users }) => users.byLoginOrEmail(name)))?.id, name).to.equal(id);
      for (const name of ['an', '', 'ann\0', 'ann@example.com\0'])
        expect(await database.read(({ users }) => users.byLoginOrEmail(name)), name).to.equal(null);
    });

    it('finds users by several ids, each once', async () => {
      const [first, second] = [await savedUser(database), await savedUser(database)];
      const found = await database.read(({ users }) => users.byIds([second, first, second, 999, ...invalidIds]));
      expect(found.map(({ id }) => id)).to.deep.equal([first, second]);
      expect(await database.read(({ users }) => users.byIds([]))).to.deep.equal([]);
    });

    it('finds no user for a number that cannot be an id', async () => {
      await savedUser(database);
      for (const id of invalidIds) {
        expect(await database.read(({ users }) => users.byId(id)), String(id)).to.equal(null);
        expect(await database.read(({ users }) => users.passwordHashOf(id)), String(id)).to.equal(null);
      }
    });

    it('counts users by role', async () => {
      await savedUser(database, { role: 'administrator' });
      await savedUser(database, { role: 'customer' });
      expect(await database.read(({ users }) => users.countByRole('administrator'))).to.equal(1);
      expect(await database.read(({ users }) => users.countByRole('manager'))).to.equal(0);
    });
  });
});
