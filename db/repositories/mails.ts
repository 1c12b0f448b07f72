import { type EntityManager, IsNull, LessThan, MoreThan, Not } from 'typeorm';
import type { ClaimedMail, MailClaim, MailRepository, NewMail } from '../../domain/mail/mail.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { mails } from '../entities/mails.ts';
import { insertRows } from '../sql/insert.ts';
import { isPostgres, projectionOf, queryReturning } from '../sql/projection.ts';

/** `onOutgoing` is called for every mail that waits to be sent once this transaction is committed. */
export const mailRepository = (manager: EntityManager, onOutgoing: () => void): MailRepository => ({
  insert: async (mail) => {
    const id = await insert(manager, mail);
    onOutgoing();
    return id;
  },
  claim: (claim) => claimDue(manager, claim),
  settle: async (mail, { sentAt, nextAt, error }) =>
    void (await manager.update(mails, leaseOf(mail), { sentAt, nextAt, lastError: error, leasedUntil: null })),
  clampSchedule: (now, { lease, waits }) => clampSchedule(manager, now, lease, waits),
  release: async (mail) => {
    await manager.update(mails, leaseOf(mail), { leasedUntil: null, attempts: () => 'attempts - 1' });
    onOutgoing();
  },
  lastGivenUp: async () => {
    const mail = await manager.findOne(mails, { where: { nextAt: IsNull(), sentAt: IsNull() }, order: { id: 'DESC' } });
    return mail && { id: mail.id, error: mail.lastError };
  },
  anyDue: async (now) => (await manager.query(`select id from mails where ${isDue('$1')} limit 1`, [now])).length > 0,
});

/** By hand, because every payout request queues mails (benchmark row `request-payout`). */
async function insert(manager: EntityManager, mail: NewMail): Promise<number> {
  const [inserted] = await insertRows(manager, mails, [{ ...mail, nextAt: mail.createdAt }], 'returning id');
  return toSafeInteger(inserted?.['id']);
}

const isDue = (now: string): string => `next_at <= ${now} and (leased_until is null or leased_until <= ${now})`;

const claimedProjection = projectionOf(mails, ['id', 'from', 'to', 'subject', 'text', 'html', 'createdAt', 'attempts', 'leasedUntil']);

/** Concurrent claims get different mails: on PostgreSQL they skip locked rows, on SQLite they run one after the other. */
const claimMails = (manager: EntityManager): string => `
  update mails set leased_until = $1, attempts = attempts + 1
  where id in (
    select id from mails where ${isDue('$2')} order by next_at, id limit $3 ${isPostgres(manager) ? 'for update skip locked' : ''}
  )
  returning ${claimedProjection.list()}`;

async function claimDue(manager: EntityManager, { now, leasedUntil, limit }: MailClaim): Promise<ClaimedMail[]> {
  const rows = await queryReturning(manager, claimMails(manager), [leasedUntil, now, limit]);
  return rows
    .map(claimedProjection.toObject)
    .map(({ attempts, ...mail }) => ({ ...mail, attempt: attempts, leasedUntil }))
    .sort((one, other) => one.id - other.id);
}

async function clampSchedule(manager: EntityManager, now: number, lease: number, waits: readonly number[]): Promise<void> {
  await manager.update(mails, { nextAt: Not(IsNull()), leasedUntil: MoreThan(now + lease) }, { leasedUntil: now + lease });
  for (const [attempts, wait] of waits.entries())
    await manager.update(mails, { attempts, nextAt: MoreThan(now + wait) }, { nextAt: now + wait });
}

/** The mail while its lease is this one. A lease that was clamped ends earlier and is still the same. */
const leaseOf = ({ id, leasedUntil, attempt }: ClaimedMail) => [
  { id, leasedUntil },
  { id, leasedUntil: LessThan(leasedUntil), attempts: attempt },
];
