import type { EntityManager } from 'typeorm';
import type { ClaimedMail, NewMail } from '../../domain/mail/mail.ts';
import type { MailClaim, MailState, MailStore } from '../../domain/mail/store.ts';
import { toSafeInteger } from '../entities/columns.ts';
import { returnedRows } from '../sql/returned-rows.ts';

interface MailRow {
  id: unknown;
  sender_name: string;
  sender: string;
  recipient_name: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  created_at: unknown;
  attempts: unknown;
  leased_until: unknown;
}

/** `onOutgoing` is told of every mail that waits to be sent once this transaction is committed. */
export const mailStore = (manager: EntityManager, onOutgoing: () => void): MailStore => ({
  insert: (mail) => insert(manager, mail, onOutgoing),
  claim: (claim) => claimDue(manager, claim),
  settle: (mail, state) => settle(manager, mail, state),
  clampSchedule: (now, { lease, waits }) => bringForward(manager, now, lease, waits),
  release: ({ id, leasedUntil, attempt }) => manager.query(giveBack, [id, leasedUntil, attempt]).then(onOutgoing),
  lastGivenUp: () => lastGivenUp(manager),
  anyDue: async (now) => (await manager.query(`select id from mails where ${isDue('$1')} limit 1`, [now])).length > 0,
});

// In lower case, because of what TypeORM's sqlite driver does with "INSERT " and "UPDATE ".
const insertMail = `
  insert into mails (sender_name, sender, recipient_name, recipient, subject, text, html, created_at, next_at, attempts, last_error)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $8, 0, '')
  returning id`;

async function insert(
  manager: EntityManager,
  { from, to, subject, text, html, createdAt }: NewMail,
  onOutgoing: () => void,
): Promise<number> {
  const values = [from.name, from.address, to.name, to.address, subject, text, html, createdAt];
  const [inserted]: { id: unknown }[] = await manager.query(insertMail, values);
  onOutgoing();
  return toSafeInteger(inserted?.id);
}

const isDue = (now: string): string => `next_at <= ${now} and (leased_until is null or leased_until <= ${now})`;

/** Of several who claim at once each gets others: on PostgreSQL by passing over what somebody has locked, on SQLite one after the other. */
const claimMails = (manager: EntityManager): string => `
  update mails set leased_until = $1, attempts = attempts + 1
  where id in (
    select id from mails where ${isDue('$2')} order by next_at, id limit $3
    ${manager.connection.options.type === 'postgres' ? 'for update skip locked' : ''}
  )
  returning id, sender_name, sender, recipient_name, recipient, subject, text, html, created_at, attempts, leased_until`;

async function claimDue(manager: EntityManager, { now, leasedUntil, limit }: MailClaim): Promise<ClaimedMail[]> {
  const answer: MailRow[] | [MailRow[], number] = await manager.query(claimMails(manager), [leasedUntil, now, limit]);
  return returnedRows(answer)
    .map(toClaimed)
    .sort((one, other) => one.id - other.id);
}

async function bringForward(manager: EntityManager, now: number, lease: number, waits: readonly number[]): Promise<void> {
  await manager.query('update mails set leased_until = $1 where next_at is not null and leased_until > $1', [now + lease]);
  for (const [attempts, wait] of waits.entries())
    await manager.query('update mails set next_at = $1 where next_at > $1 and attempts = $2', [now + wait, attempts]);
}

// A lease that was brought forward is still the same.
const isOurs = (leasedUntil: string, attempt: string): string =>
  `(leased_until = ${leasedUntil} or (leased_until < ${leasedUntil} and attempts = ${attempt}))`;

async function settle(
  manager: EntityManager,
  { id, leasedUntil, attempt }: ClaimedMail,
  { sentAt, nextAt, error }: MailState,
): Promise<void> {
  await manager.query(
    `update mails set sent_at = $1, next_at = $2, last_error = $3, leased_until = null
     where id = $4 and ${isOurs('$5', '$6')}`,
    [sentAt, nextAt, error, id, leasedUntil, attempt],
  );
}

async function lastGivenUp(manager: EntityManager): Promise<{ id: number; error: string } | null> {
  const [row]: { id: unknown; last_error: string }[] = await manager.query(
    'select id, last_error from mails where next_at is null and sent_at is null order by id desc limit 1',
  );
  return row ? { id: toSafeInteger(row.id), error: row.last_error } : null;
}

const giveBack = `update mails set leased_until = null, attempts = attempts - 1 where id = $1 and ${isOurs('$2', '$3')}`;

const toClaimed = (row: MailRow): ClaimedMail => ({
  id: toSafeInteger(row.id),
  from: { name: row.sender_name, address: row.sender },
  to: { name: row.recipient_name, address: row.recipient },
  subject: row.subject,
  text: row.text,
  html: row.html,
  createdAt: toSafeInteger(row.created_at),
  attempt: toSafeInteger(row.attempts),
  leasedUntil: toSafeInteger(row.leased_until),
});
