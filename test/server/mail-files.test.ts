import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import type { Database } from '../../db/database.ts';
import type { NewMail } from '../../domain/mail/mail.ts';
import { queueMail } from '../../domain/mail/mail-queue.ts';
import { createLogger } from '../../server/http/request-log.ts';
import type { Outbox } from '../../server/jobs/outbox.ts';
import { createMailFileSender } from '../../server/mail/mail-files.ts';
import { parseEml } from '../support/eml.ts';
import { type Observer, onAnyEngine } from '../support/engines.ts';
import { outboxOn } from '../support/outbox.ts';
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

onAnyEngine((engine) => {
  describe('createMailFileSender', () => {
    let database: Database;
    let observer: Observer;
    let dataDir: string;
    let log: string[];
    let clock: TestClock;
    let outbox: Outbox;
    beforeEach(async () => {
      const url = await engine.freshUrl();
      database = await engine.open({ url });
      observer = await engine.observe(url);
      dataDir = mkdtempSync(path.join(root, 'data-'));
      log = [];
      const stream = new Writable({ write: (chunk: Buffer, _encoding, done) => done(void log.push(chunk.toString())) });
      clock = new TestClock();
      outbox = outboxOn(database, { clock, log: createLogger('debug', stream), sendMail: createMailFileSender(dataDir) });
    });

    const folder = (): string => path.join(dataDir, 'mail');
    const post = (subject: string, address?: string): Promise<void> =>
      database.write((transaction) => queueMail(transaction, newMail(subject, address)));
    const sentAt = async (): Promise<(number | null)[]> => {
      const rows = await observer.query<{ sent_at: unknown }>('select sent_at from mails order by id');
      return rows.map(({ sent_at }) => (sent_at === null ? null : Number(sent_at)));
    };
    const subjectOf = (id: number): string | undefined =>
      parseEml(readFileSync(path.join(folder(), `${id}.eml`), 'utf8')).headers.get('subject');

    it('writes complete files that only the owner can read, and the mails count as sent', async () => {
      await post('First');
      await post('Second');
      await outbox.sendAllDue();
      expect(readdirSync(folder()).toSorted()).to.deep.equal(['1.eml', '2.eml']);
      expect([subjectOf(1), subjectOf(2)]).to.deep.equal(['First', 'Second']);
      expect(statSync(path.join(folder(), '1.eml')).mode & 0o777).to.equal(0o600);
      expect(statSync(folder()).mode & 0o777).to.equal(0o700);
      expect(await sentAt()).to.deep.equal([Date.parse('2026-11-02T07:00:00Z'), Date.parse('2026-11-02T07:00:00Z')]);
    });

    it('writes nothing for a mail of a transaction that was rolled back', async () => {
      const failing = database.write(async (transaction) => {
        await queueMail(transaction, newMail('Never'));
        throw new Error('It did not happen.');
      });
      await failing.then(expect.fail, () => {});
      await outbox.sendAllDue();
      expect([await sentAt(), existsSync(folder())]).to.deep.equal([[], false]);
    });

    it('writes each of 250 waiting mails once', async () => {
      for (let made = 1; made <= 250; made += 1) await database.write(({ mails }) => mails.insert(newMail(`Mail ${made}`)));
      await outbox.sendAllDue();
      expect(readdirSync(folder())).to.have.length(250);
      expect([subjectOf(1), subjectOf(250)]).to.deep.equal(['Mail 1', 'Mail 250']);
      expect((await sentAt()).includes(null)).to.equal(false);
      rmSync(folder(), { recursive: true });
      await outbox.sendAllDue();
      expect(existsSync(folder())).to.equal(false);
    });

    it('logs a mail that cannot be written without its address, and writes it with the next attempt', async () => {
      writeFileSync(folder(), 'a file where the folder should be');
      await post('Waits');
      await outbox.sendAllDue();
      expect(await sentAt()).to.deep.equal([null]);
      expect(log.join('')).to.include('a mail was not sent').and.not.include('trailnotes');
      rmSync(folder());
      await outbox.sendAllDue();
      expect(await sentAt()).to.deep.equal([null]);
      clock.advance(60);
      await outbox.sendAllDue();
      expect([await sentAt(), subjectOf(1)]).to.deep.equal([[Date.parse('2026-11-02T07:01:00Z')], 'Waits']);
    });

    it('leaves no unfinished file behind, and continues after a mail that cannot be sent at all', async () => {
      mkdirSync(path.join(folder(), '1.eml'), { recursive: true });
      chmodSync(folder(), 0o700);
      await post('A folder has its name');
      await post('Unsendable', 'a@b.example>\r\nBcc: c@d.example');
      await post('Third');
      await outbox.sendAllDue();
      expect(readdirSync(folder()).toSorted()).to.deep.equal(['1.eml', '3.eml']);
      expect((await sentAt()).map((at) => at !== null)).to.deep.equal([false, false, true]);
    });
  });
});
