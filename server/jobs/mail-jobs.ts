import type { Logger } from 'pino';
import type { Clock } from '../../domain/clock.ts';
import type { AttemptedMail, ClaimedMail, MailOutcome, MailRepository, SendMail } from '../../domain/mail/mail.ts';
import { attemptedMail, maxRetryDelays } from '../../domain/mail/mail-queue.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { Transaction, UnitOfWork } from '../../domain/unit-of-work.ts';
import { ClockRollback, type CompletedJob, type JobSource } from './job-runner.ts';

interface MailJobOptions {
  storage: UnitOfWork<Repositories>;
  clock: Clock;
  log: Logger;
  sendMail: SendMail;
  leaseMilliseconds: number;
}

/** Mail servers count connections, and few mails are urgent. */
const mailsAtOnce = 5;

/** Interrupted by a shutdown. It may have been sent: a retry uses the same Message-ID. */
type Unfinished = { kind: 'unfinished' };

export const createMailJobs = ({
  storage,
  clock,
  log,
  sendMail,
  leaseMilliseconds,
  rollback = new ClockRollback(),
}: MailJobOptions & { rollback?: ClockRollback }): JobSource<ClaimedMail, MailOutcome | Unfinished> => ({
  name: 'mails',
  concurrency: mailsAtOnce,
  gatherMs: 200,
  async hasDue() {
    const now = clock.now();
    const longest = { lease: leaseMilliseconds, waits: maxRetryDelays };
    await rollback.check(now, () => storage.write(({ mails }) => mails.clampSchedule(now, longest), 'read-committed'));
    return storage.query(({ mails }) => mails.anyDue(now));
  },
  async send(mail, signal) {
    const outcome = await sendMail(mail, signal);
    // Aborted by the shutdown: the attempt does not count, unless the mail server has refused for good.
    if (signal.aborted && outcome.kind === 'failed' && !outcome.permanent) return { kind: 'unfinished' };
    if (outcome.kind === 'failed') log.warn({ mail: mail.id, attempt: mail.attempt, reason: outcome.message }, 'a mail was not sent');
    return outcome;
  },
  settleAndClaim: (ended, limit) =>
    storage.write(async (transaction) => {
      const now = clock.now();
      await settle(transaction, ended, now);
      return limit === 0 ? [] : transaction.mails.claim({ now, leasedUntil: now + leaseMilliseconds, limit });
    }, 'read-committed'),
  release: (claimed) =>
    storage.write(async ({ mails }) => {
      for (const mail of claimed) await mails.release(mail);
    }, 'read-committed'),
});

async function settle(
  { mails }: Transaction<{ mails: MailRepository }>,
  ended: readonly CompletedJob<ClaimedMail, MailOutcome | Unfinished>[],
  now: number,
): Promise<void> {
  const attempted: AttemptedMail[] = [];
  for (const { job, outcome } of ended)
    if (outcome.kind === 'unfinished') await mails.release(job);
    else attempted.push(attemptedMail(job, outcome, now));
  if (attempted.length > 0) await mails.settle(attempted);
}
