import { type EntityManager, IsNull, LessThan, MoreThan, Not } from 'typeorm';
import type { AttemptedMail, ClaimedMail, MailClaim, MailRepository, NewMail } from '../../domain/mail/mail.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { mails } from '../entities/mails.ts';
import { toStorable } from '../sql/conditions.ts';
import { insertRows, joinsRow, jsonRows, jsonTable } from '../sql/insert.ts';
import { isPostgres, projectionOf, queryReturning } from '../sql/projection.ts';

// By hand, because every payout request queues mails and looks for due ones (benchmark row `request-payout`): one statement claims and returns
// mails, one settles any number.

/** `onOutgoing` is called for every mail that waits to be sent once this transaction is committed. */
export const mailRepository = (manager: EntityManager, onOutgoing: () => void): MailRepository => ({
  insert: async (mail) => {
    const id = await insert(manager, mail);
    onOutgoing();
    return id;
  },
  newestOf: async (topic) => {
    const [mail] = await manager.find(mails, { where: { topic }, order: { id: 'DESC' }, take: 1 });
    return mail ? { id: mail.id, createdAt: mail.createdAt, isWaiting: mail.nextAt !== null } : null;
  },
  rewrite: async (id, { to, subject, text, html }) => void (await manager.update(mails, { id }, { to, subject, text, html })),
  claim: (claim) => claimDue(manager, claim),
  settle: (attempted) => settle(manager, attempted),
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

async function insert(manager: EntityManager, mail: NewMail): Promise<number> {
  const [inserted] = await insertRows(manager, mails, [{ topic: null, ...mail, nextAt: mail.createdAt }], 'returning id');
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

const settledColumns = {
  settled_id: 'bigint',
  lease_end: 'bigint',
  attempt: 'bigint',
  new_sent_at: 'bigint',
  new_next_at: 'bigint',
  error: 'text',
} as const;

/** A lease that was clamped ends earlier and is still the same. */
async function settle(manager: EntityManager, attempted: readonly AttemptedMail[]): Promise<void> {
  const rows = attempted.map(({ mail, sentAt, nextAt, error }) => [
    mail.id,
    mail.leasedUntil,
    mail.attempt,
    sentAt,
    nextAt,
    toStorable(error),
  ]);
  await manager.query(
    `update mails set sent_at = new_sent_at, next_at = new_next_at, last_error = error, leased_until = null,
       text = case when new_next_at is null then '' else text end, html = case when new_next_at is null then '' else html end
     from ${jsonTable(manager, settledColumns)} as settled
     where ${joinsRow(manager, 'id', 'settled_id')} and (leased_until = lease_end or (leased_until < lease_end and attempts = attempt))`,
    jsonRows(rows),
  );
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
