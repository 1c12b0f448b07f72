import { bigint, entity, generatedId, nullable, text, withDefault } from './columns.ts';

export const mails = entity(
  'mails',
  {
    id: generatedId,
    subject: text('subject'),
    text: text('text'),
    html: text('html'),
    createdAt: bigint('created_at'),
    sentAt: nullable(bigint('sent_at')),
    attempts: withDefault(bigint('attempts'), 0),
    /** Null once there is nothing left to do: sent, or given up. */
    nextAt: nullable(bigint('next_at')),
    leasedUntil: nullable(bigint('leased_until')),
    lastError: withDefault(text('last_error'), ''),
    topic: nullable(text('topic')),
  },
  {
    from: { name: text('sender_name'), address: text('sender') },
    to: { name: text('recipient_name'), address: text('recipient') },
  },
);
