import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { describeLockHolder } from '../../db/engine/sqlite/lock-holder.ts';
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

    if (engine.name === 'sqlite')
      it('learn which of them writes', async () => {
        const database = await engine.open();
        const file = database.url.replace('sqlite:', '');
        const holder = await database.write(async () => describeLockHolder(file));
        expect([holder, describeLockHolder(file)]).to.deep.equal([
          existsSync('/proc/locks') ? `process ${process.pid}` : 'another process',
          'another process',
        ]);
      });
  });
});
