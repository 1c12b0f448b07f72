import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import type { Database } from '../../db/database.ts';
import type { NewMail } from '../../domain/mail/mail.ts';
import { postMail } from '../../domain/mail/post.ts';
import { createLog } from '../../server/log.ts';
import { MailFiles } from '../../server/mail-files.ts';
import { parseEml } from '../support/eml.ts';
import { forEachEngine, type Observer } from '../support/engines.ts';
import { temporaryFolder } from '../support/postgres.ts';
import { TestClock } from '../support/service.ts';

const root = temporaryFolder('mail-');

const newMail = (subject: string, address = 'hello@trailnotes.example'): NewMail => ({
  from: { name: 'Fjell', address: 'no-reply@fjell.example' },
  to: { name: 'Trail Notes', address },
  subject,
  text: 'Hello.',
  html: '<p>Hello.</p>',
  createdAt: 1_793_602_800_000,
});

forEachEngine((engine) => {
  describe('mails as files', () => {
    let database: Database;
    let observer: Observer;
    let dataDir: string;
    let log: string[];
    let files: MailFiles;
    beforeEach(async () => {
      const url = await engine.freshUrl();
      database = await engine.open({ url });
      observer = await engine.observe(url);
      dataDir = mkdtempSync(path.join(root, 'data-'));
      log = [];
      const stream = new Writable({ write: (chunk: Buffer, _encoding, done) => done(void log.push(chunk.toString())) });
      files = new MailFiles({ dataDir, storage: database, clock: new TestClock(), log: createLog('debug', stream) });
    });

    const folder = (): string => path.join(dataDir, 'mail');
    const post = (subject: string, address?: string): Promise<void> =>
      database.write((transaction) => postMail(transaction, newMail(subject, address), files.send));
    const sentAt = async (): Promise<(number | null)[]> => {
      const rows = await observer.query<{ sent_at: unknown }>('select sent_at from mails order by id');
      return rows.map(({ sent_at }) => (sent_at === null ? null : Number(sent_at)));
    };
    const subjectOf = (id: number): string | undefined =>
      parseEml(readFileSync(path.join(folder(), `${id}.eml`), 'utf8')).headers.get('subject');

    it('are there when the transaction is over, whole, for the owner alone, and count as sent', async () => {
      await post('First');
      await post('Second');
      expect(readdirSync(folder()).toSorted()).to.deep.equal(['1.eml', '2.eml']);
      expect([subjectOf(1), subjectOf(2)]).to.deep.equal(['First', 'Second']);
      expect(statSync(path.join(folder(), '1.eml')).mode & 0o777).to.equal(0o600);
      expect(statSync(folder()).mode & 0o777).to.equal(0o700);
      expect(await sentAt()).to.deep.equal([Date.parse('2026-11-02T07:00:00Z'), Date.parse('2026-11-02T07:00:00Z')]);
    });

    it('about something that was rolled back are neither kept nor sent', async () => {
      const failing = database.write(async (transaction) => {
        await postMail(transaction, newMail('Never'), files.send);
        throw new Error('It did not happen.');
      });
      await failing.then(expect.fail, () => {});
      expect([await sentAt(), existsSync(folder())]).to.deep.equal([[], false]);
    });

    it('that a crash kept from being sent are sent by the next start, each once', async () => {
      for (let made = 1; made <= 250; made += 1) await database.write(({ mails }) => mails.insert(newMail(`Mail ${made}`)));
      await Promise.all([files.sendUnsent(), files.sendUnsent()]);
      expect(readdirSync(folder())).to.have.length(250);
      expect([subjectOf(1), subjectOf(250)]).to.deep.equal(['Mail 1', 'Mail 250']);
      expect((await sentAt()).includes(null)).to.equal(false);
      rmSync(folder(), { recursive: true });
      await files.sendUnsent();
      expect(existsSync(folder())).to.equal(false);
    });

    it('that cannot be written hold nobody up, are told in the log without the address, and wait for the next start', async () => {
      writeFileSync(folder(), 'a file where the folder should be');
      await post('Waits');
      expect(await sentAt()).to.deep.equal([null]);
      expect(log.join('')).to.include('a mail was not sent').and.not.include('trailnotes');
      rmSync(folder());
      await files.sendUnsent();
      expect([await sentAt(), subjectOf(1)]).to.deep.equal([[Date.parse('2026-11-02T07:00:00Z')], 'Waits']);
    });

    it('leave no unfinished file behind, and one that cannot be sent at all does not hold up the others', async () => {
      mkdirSync(path.join(folder(), '1.eml'), { recursive: true });
      chmodSync(folder(), 0o700);
      await post('A folder has its name');
      await post('Nobody', 'a@b.example>\r\nBcc: c@d.example');
      await post('Third');
      await files.sendUnsent();
      expect(readdirSync(folder()).toSorted()).to.deep.equal(['1.eml', '3.eml']);
      expect((await sentAt()).map((at) => at !== null)).to.deep.equal([false, false, true]);
    });
  });
});
