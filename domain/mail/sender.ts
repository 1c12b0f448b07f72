import type { Program } from '../program.ts';
import type { Mailbox } from './mail.ts';

/** In whose name mails are sent. */
export type Sender = Pick<Program, 'storeName' | 'shopUrl'>;

/** Not configurable: replies are not read, and the address says so. */
export const noReplyMailbox = ({ storeName, shopUrl }: Sender): Mailbox => ({
  name: storeName,
  address: `no-reply@${new URL(shopUrl).hostname}`,
});

/** How every letter ends. */
export const formatSignature = ({ storeName, shopUrl }: Sender): string => `${storeName}\n${shopUrl}`;
