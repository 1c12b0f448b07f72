import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import type { Mailbox } from '../../domain/mail/mail.ts';
import { queueMail } from '../../domain/mail/mail-queue.ts';
import { openMasterKey } from '../../server/auth/master-key.ts';
import { onAnyEngine } from '../support/engines.ts';
import { recordReferrals, webhooksTo } from '../support/load.ts';
import { masterKey } from '../support/service.ts';
import { receiver } from '../support/webhooks.ts';
import { expectCommandError, Machine, mapConcurrently, waitForExit } from './machine.ts';
import { startService, waitUntil } from './running-service.ts';

const variables = { ENVIRONMENT: 'local', MASTER_KEY: masterKey, LOG_LEVEL: 'silent' };

/** Queues three events and a mail, as another process would, and waits until they are delivered. */
async function queueAndAwaitDelivery(machine: Machine): Promise<void> {
  const books = await receiver();
  try {
    await machine.inside(async (database) => {
      await webhooksTo(database, [books.url]);
      await recordReferrals(database, [1, 2, 3]);
      const [from, to] = [mailboxAt('no-reply@fjell.example'), mailboxAt('ann@fjell.example')];
      const mail = { from, to, subject: 'Hello', text: '', html: '', createdAt: Date.now() };
      await database.write((transaction) => queueMail(transaction, mail));
    });
    const mails = path.join(machine.dataDir, 'mail');
    await waitUntil(20_000, async () => books.received.length === 3 && existsSync(mails) && readdirSync(mails).includes('1.eml'));
  } finally {
    await books.close();
  }
}

const mailboxAt = (address: string): Mailbox => ({ name: '', address });

onAnyEngine((engine) => {
  describe('affiliate worker', () => {
    it('prints one line when it is ready, sends queued mails and deliveries, and exits with 0 on SIGTERM', async () => {
      const machine = new Machine({ DATABASE_URL: await engine.emptyUrl() });
      const child = machine.start(['worker'], variables);
      const ended = waitForExit(child);
      try {
        await once(child.stdout, 'data');
        await queueAndAwaitDelivery(machine);
      } finally {
        child.kill('SIGTERM');
      }
      expect(await ended).to.deep.equal({ code: 0, out: 'affiliate-api worker is ready\n', err: '' });
    });
  });

  describe('affiliate serve', () => {
    it('sends mails and webhooks itself', async () => {
      const machine = new Machine({ DATABASE_URL: await engine.emptyUrl() });
      const { child, ended } = await startService(machine, variables);
      try {
        await queueAndAwaitDelivery(machine);
      } finally {
        child.kill('SIGTERM');
      }
      expect((await ended).code).to.equal(0);
    });
  });
});

describe('affiliate worker', () => {
  it('reports an invalid SMTP_URL at the start, without printing it', async () => {
    const refused = await new Machine().run(['worker'], { ...variables, SMTP_URL: 'http://shop:hush@mail.example' });
    expectCommandError(refused, /^SMTP_URL makes no sense\. (?!.*hush)/);
  });

  it('does not start with a master key that cannot decrypt the stored secrets, like the service', async () => {
    const machine = new Machine();
    await machine.text('migrate');
    await machine.inside((database) => openMasterKey(database, { dataDir: '', masterKey }, () => {}));
    const other = { ...variables, PORT: '0', MASTER_KEY: 'another master key, as long as it must be' };
    for (const refusal of (await mapConcurrently(['worker', 'serve'], (command) => machine.run([command], other))).values())
      expectCommandError(refusal, /^This database belongs to another master key than MASTER_KEY: .*\.$/m);
    expect((await machine.run(['worker', '--help'])).out).to.include('ENVIRONMENT');
  });

  it('prints that it is ready as JSON with --json', async () => {
    const child = new Machine().start(['worker', '--json'], variables);
    const ended = waitForExit(child);
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await ended).to.deep.equal({ code: 0, out: '{"ready":true}\n', err: '' });
  });
});
