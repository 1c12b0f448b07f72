import type { Logger } from 'pino';
import type { Clock } from '../../domain/clock.ts';
import type { ClaimedMail, MailOutcome, SendMail } from '../../domain/mail/mail.ts';
import { settleMail } from '../../domain/mail/settle.ts';
import type { UnitOfWork } from '../../domain/ports.ts';
import type { Freight } from './lane.ts';

interface Parts {
  storage: UnitOfWork;
  clock: Clock;
  log: Logger;
  sendMail: SendMail;
  leaseMilliseconds: number;
}

/** Mail servers count connections, and few mails are urgent. */
const mailsAtOnce = 5;

export const mailFreight = ({ storage, clock, log, sendMail, leaseMilliseconds }: Parts): Freight<ClaimedMail, MailOutcome> => ({
  name: 'mails',
  atOnce: mailsAtOnce,
  anyDue: () => storage.read(({ mails }) => mails.anyDue(clock.now())),
  async send(mail, signal) {
    const outcome = await sendMail(mail, signal);
    if (outcome.kind === 'failed') log.warn({ mail: mail.id, attempt: mail.attempt, reason: outcome.message }, 'a mail was not sent');
    return outcome;
  },
  exchange: (ended, limit) =>
    storage.write(async (transaction) => {
      const now = clock.now();
      for (const { job, outcome } of ended) await settleMail(transaction, job, outcome, now);
      return limit === 0 ? [] : transaction.mails.claim({ now, leasedUntil: now + leaseMilliseconds, limit });
    }),
  release: (claimed) =>
    storage.write(async ({ mails }) => {
      for (const mail of claimed) await mails.release(mail);
    }),
});
