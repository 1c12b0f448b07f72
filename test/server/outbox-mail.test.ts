import { expect } from 'chai';
import type { Database } from '../../db/database.ts';
import type { Mail, NewMail, SendMail } from '../../domain/mail/mail.ts';
import { queueMail } from '../../domain/mail/mail-queue.ts';
import { createLogger } from '../../server/http/request-log.ts';
import { JobRunner } from '../../server/jobs/job-runner.ts';
import { createMailJobs } from '../../server/jobs/mail-jobs.ts';
import { createSmtpSender } from '../../server/mail/smtp-sender.ts';
import { parseSmtpUrl } from '../../server/mail/smtp-url.ts';
import { gate } from '../db/gate.ts';
import { forEachEngine } from '../support/engines.ts';
import { MailServer, type MailServerBehaviour } from '../support/mail-server.ts';
import { outboxOn } from '../support/outbox.ts';
import { TestClock } from '../support/service.ts';

const newMail = (name: string, createdAt: number): NewMail => ({
  from: { name: 'Fjell', address: 'no-reply@fjell.example' },
  to: { name, address: `${name}@trailnotes.example` },
  subject: `To ${name}`,
  text: 'Hello.',
  html: '<p>Hello.</p>',
  createdAt,
});

interface Row {
  attempts: number;
  sent: boolean;
  waits: boolean;
  error: string;
}

forEachEngine((engine) => {
  describe('queued mails', () => {
    let database: Database;
    let url: string;
    let clock: TestClock;
    const servers: MailServer[] = [];
    beforeEach(async () => {
      url = await engine.freshUrl();
      database = await engine.open({ url });
      clock = new TestClock();
    });
    afterEach(async () => {
      for (const server of servers.splice(0)) await server.stop();
    });

    const started = async (temper: MailServerBehaviour): Promise<MailServer> => {
      const server = await MailServer.start(temper);
      servers.push(server);
      return server;
    };
    const through = (port: number): SendMail => createSmtpSender(parseSmtpUrl(`smtp://127.0.0.1:${port}`), { timeoutMs: 5000 });
    const post = (...names: string[]): Promise<void> =>
      database.write(async (transaction) => {
        for (const name of names) await queueMail(transaction, newMail(name, clock.now()));
      });
    const rows = async (): Promise<Row[]> => {
      const all = await (await engine.observe(url)).query<Record<string, unknown>>('select * from mails order by id');
      return all.map(({ attempts, sent_at: sentAt, next_at: nextAt, last_error: error }) => ({
        attempts: Number(attempts),
        sent: sentAt !== null,
        waits: nextAt !== null,
        error: String(error),
      }));
    };

    it('are sent before a stop, and what was not is sent once after the next start', async () => {
      const server = await started({});
      const sendMail = through(server.port);
      const outbox = outboxOn(database, { clock, sendMail }).start();
      await post('ann', 'bob', 'eve', 'dan', 'fay', 'gil', 'hal');
      await outbox.stop();
      expect(server.received).to.have.length(7);
      await post('ivy');
      const next = outboxOn(database, { clock, sendMail }).start();
      await next.stop();
      expect(server.received.map(({ to }) => to[0]).slice(7)).to.deep.equal(['ivy@trailnotes.example']);
      expect((await rows()).every(({ attempts, sent }) => attempts === 1 && sent)).to.equal(true);
    });

    it('fail at once where the recipient is refused permanently, are stored with the reason, and delay no other', async () => {
      const server = await started({ recipient: (address) => (address.startsWith('bob') ? '550 no such user' : undefined) });
      const outbox = outboxOn(database, { clock, sendMail: through(server.port) });
      await post('ann', 'bob', 'eve');
      await outbox.sendAllDue();
      expect(server.received.map(({ to }) => to[0]).toSorted()).to.deep.equal(['ann@trailnotes.example', 'eve@trailnotes.example']);
      const [ann, bob] = await rows();
      expect(ann).to.deep.equal({ attempts: 1, sent: true, waits: false, error: '' });
      expect(bob).to.include({ attempts: 1, sent: false, waits: false });
      expect(bob?.error).to.include('no such user');
      clock.advance(86_400);
      await outbox.sendAllDue();
      expect((await rows()).map(({ attempts }) => attempts)).to.deep.equal([1, 1, 1]);
    });

    it('are sent by a later attempt after a 4xx, under the same Message-ID', async () => {
      const seen: (string | undefined)[] = [];
      const server = await started({ content: () => (seen.length === 1 ? '451 try later' : undefined) });
      const send = through(server.port);
      const outbox = outboxOn(database, {
        clock,
        sendMail: (mail, signal) => {
          seen.push(mail.subject);
          return send(mail, signal);
        },
      });
      await post('ann');
      await outbox.sendAllDue();
      expect((await rows())[0]).to.include({ attempts: 1, sent: false, waits: true });
      clock.advance(59);
      await outbox.sendAllDue();
      expect(server.received).to.have.length(0);
      clock.advance(1);
      await outbox.sendAllDue();
      expect(await rows()).to.deep.equal([{ attempts: 2, sent: true, waits: false, error: '' }]);
      const [{ eml } = {}] = server.received;
      expect(eml?.headers.get('message-id')).to.equal(`<mail-1-${clock.now() - 60_000}@fjell.example>`);
    });

    it('are tried after 1, 5, 15 minutes, 1, 3, 6 and 12 hours, and then no more', async () => {
      const attempts: number[] = [];
      const start = clock.now();
      const sendMail: SendMail = async () => {
        attempts.push((clock.now() - start) / 60_000);
        return { kind: 'failed', permanent: false, message: 'It did not work.' };
      };
      const outbox = outboxOn(database, { clock, sendMail });
      await post('ann');
      for (const minutes of [0, 1, 5, 15, 60, 180, 360, 720, 100_000]) {
        if (minutes > 0) clock.advance(minutes * 60 - 1);
        await outbox.sendAllDue();
        clock.advance(minutes > 0 ? 1 : 0);
        await outbox.sendAllDue();
      }
      expect(attempts).to.deep.equal([0, 1, 6, 21, 81, 261, 621, 1341]);
      expect(await rows()).to.deep.equal([{ attempts: 8, sent: false, waits: false, error: 'It did not work.' }]);
    });

    it('are shared by several workers, and none is sent twice while they run', async () => {
      const names = Array.from({ length: 120 }, (_, index) => `n${index}`);
      await post(...names);
      const sent: string[][] = [[], [], []];
      const workers = await Promise.all(
        sent.map(async (list) =>
          outboxOn(await engine.open({ url }), {
            clock,
            sendMail: async ({ to }) => {
              list.push(to.name);
              // Long enough for the others to come by.
              await new Promise((resolve) => setImmediate(resolve));
              return { kind: 'sent' };
            },
          }),
        ),
      );
      await Promise.all(workers.map((worker) => worker.sendAllDue()));
      expect(sent.flat().toSorted()).to.deep.equal(names.toSorted());
      expect((await rows()).every(({ sent: isSent }) => isSent)).to.equal(true);
    });

    it('of a dead worker are claimed by another when its lease is over, and not before, and a late outcome changes nothing', async () => {
      const [begun, released] = [gate(), gate()];
      const dying = outboxOn(database, {
        clock,
        leases: { mail: 60_000, delivery: 60_000 },
        sendMail: async () => {
          begun.open();
          await released.opened;
          return { kind: 'failed', permanent: true, message: 'Told too late.' };
        },
      });
      const sent: Mail[] = [];
      const other = outboxOn(await engine.open({ url }), {
        clock,
        leases: { mail: 60_000, delivery: 60_000 },
        sendMail: async (mail) => {
          sent.push(mail);
          return { kind: 'sent' };
        },
      });
      await post('ann');
      const working = dying.sendAllDue();
      await begun.opened;
      clock.advance(59);
      await other.sendAllDue();
      expect(sent).to.have.length(0);
      clock.advance(1);
      await other.sendAllDue();
      expect(sent).to.have.length(1);
      released.open();
      await working;
      expect(await rows()).to.deep.equal([{ attempts: 2, sent: true, waits: false, error: '' }]);
    });

    it('that are aborted by a shutdown are released without counting the attempt, unless the mail server had refused them permanently', async () => {
      const begun = gate();
      const sendMail: SendMail = async ({ to }, signal) => {
        begun.open();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return { kind: 'failed', permanent: to.name === 'bob', message: 'There was no time left.' };
      };
      await post('ann', 'bob');
      const log = createLogger('silent');
      const runner = new JobRunner(createMailJobs({ storage: database, clock, log, sendMail, leaseMilliseconds: 60_000 }), log);
      runner.wake();
      await begun.opened;
      runner.stop();
      runner.abort();
      await runner.idle();
      expect(await rows()).to.deep.equal([
        { attempts: 0, sent: false, waits: true, error: '' },
        { attempts: 1, sent: false, waits: false, error: 'There was no time left.' },
      ]);
      const sent: string[] = [];
      const sending: SendMail = async ({ to }) => {
        sent.push(to.name);
        return { kind: 'sent' };
      };
      await outboxOn(database, { clock, sendMail: sending }).sendAllDue();
      expect(sent).to.deep.equal(['ann']);
    });
  });
});
