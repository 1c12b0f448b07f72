import { expect } from 'chai';
import { forEachEngine } from '../support/engines.ts';
import { isSaved, newUser, savedUser } from './samples.ts';

describe('two processes on one database', () => {
  forEachEngine((engine) => {
    it('both complete their writes while each has a queue of 40', async () => {
      const url = await engine.freshUrl();
      const [service, commandLine] = [await engine.open({ url }), await engine.open({ url })];
      const writes = (database: typeof service, name: string) =>
        Array.from({ length: 40 }, (_, index) =>
          database.write(async ({ users }) => {
            await users.countByRole('affiliate');
            return users.insert(newUser({ login: `${name}-${index}` }));
          }),
        );
      const ids = await Promise.all([...writes(service, 'service'), ...writes(commandLine, 'command-line')]);
      expect(new Set(ids.filter((id) => id !== null)).size).to.equal(80);
      expect(await service.read(({ users }) => users.countByRole('affiliate'))).to.equal(80);
    });

    it('find after a restart what was acknowledged before', async () => {
      const url = await engine.freshUrl();
      const before = await engine.open({ url });
      await savedUser(before, { login: 'ann' });
      await before.close();
      expect(await isSaved(await engine.open({ url }), 'ann')).to.equal(true);
    });
  });
});
