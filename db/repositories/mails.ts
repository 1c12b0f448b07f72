import type { EntityManager } from 'typeorm';
import type { Mail, NewMail } from '../../domain/mail/mail.ts';
import type { MailStore } from '../../domain/mail/store.ts';
import { wholeNumber } from '../columns.ts';

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
}

// In lower case, because of what TypeORM's sqlite driver does with "INSERT ".
const insertMail = `
  insert into mails (sender_name, sender, recipient_name, recipient, subject, text, html, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  returning id`;

const selectUnsent = `
  select id, sender_name, sender, recipient_name, recipient, subject, text, html, created_at
  from mails where sent_at is null and id > $1 order by id limit $2`;

export const mailStore = (manager: EntityManager): MailStore => ({
  insert: (mail) => insert(manager, mail),
  unsent: async (afterId, limit) => ((await manager.query(selectUnsent, [afterId, limit])) as MailRow[]).map(toMail),
  markSent: async (id, at) => void (await manager.query('update mails set sent_at = $1 where id = $2', [at, id])),
});

async function insert(manager: EntityManager, { from, to, subject, text, html, createdAt }: NewMail): Promise<number> {
  const values = [from.name, from.address, to.name, to.address, subject, text, html, createdAt];
  const [inserted]: { id: unknown }[] = await manager.query(insertMail, values);
  return wholeNumber(inserted?.id);
}

const toMail = (row: MailRow): Mail => ({
  id: wholeNumber(row.id),
  from: { name: row.sender_name, address: row.sender },
  to: { name: row.recipient_name, address: row.recipient },
  subject: row.subject,
  text: row.text,
  html: row.html,
  createdAt: wholeNumber(row.created_at),
});
