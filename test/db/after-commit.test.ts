import { expect } from 'chai';
import type { Database } from '../../db/database.ts';
import { forEachEngine } from '../support/engines.ts';
import { failureOf } from './gate.ts';
import { isSaved, newUser, savedUser } from './samples.ts';

describe('work after the commit', () => {
  forEachEngine((engine) => {
    let database: Database;
    let complaints: unknown[];
    beforeEach(async () => {
      complaints = [];
      database = await engine.open({ onAfterCommitError: (error) => complaints.push(error) });
    });

    it('runs when the write can be seen, in its order, and before the write is acknowledged', async () => {
      const seen: string[] = [];
      await database.write(async ({ users, afterCommit }) => {
        afterCommit(async () => void seen.push(`first: ${await isSaved(database, 'ann')}`));
        afterCommit(() => void seen.push('second'));
        await users.insert(newUser({ login: 'ann' }));
        seen.push('inside');
      });
      expect(seen).to.deep.equal(['inside', 'first: true', 'second']);
    });

    it('may write itself', async () => {
      await database.write(async ({ afterCommit }) => afterCommit(async () => void (await savedUser(database, { login: 'bob' }))));
      expect(await isSaved(database, 'bob')).to.equal(true);
    });

    it('does not run after a rollback', async () => {
      let ran = false;
      const writing = database.write(async ({ afterCommit }) => {
        afterCommit(() => {
          ran = true;
        });
        throw new Error('changed my mind');
      });
      expect((await failureOf(writing)).message).to.equal('changed my mind');
      expect(ran).to.equal(false);
    });

    it('that fails is reported, and fails neither the write nor the work behind it', async () => {
      let ran = false;
      const result = await database.write(async ({ users, afterCommit }) => {
        afterCommit(async () => {
          throw new Error('the mail server is down');
        });
        afterCommit(() => {
          ran = true;
        });
        return users.insert(newUser({ login: 'ann' }));
      });
      expect(result).to.be.a('number');
      expect(ran).to.equal(true);
      expect(complaints.map(String)).to.deep.equal(['Error: the mail server is down']);
    });
  });
});
