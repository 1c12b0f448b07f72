import type { Program } from '../program.ts';
import type { Mailbox } from './mail.ts';

export interface MailBody {
  text: string;
  html: string;
}

/** The same paragraphs for both kinds of reader. What people wrote stays text in both: nothing of it becomes markup. */
export function renderMailBody(title: string, written: readonly string[]): MailBody {
  const paragraphs = written.map((paragraph) => paragraph.replaceAll(/\r\n?/g, '\n'));
  const body = paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll('\n', '<br>\n')}</p>`).join('\n');
  const head = `<head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>`;
  return {
    text: `${paragraphs.join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="en">\n${head}\n<body>\n${body}\n</body>\n</html>\n`,
  };
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

/** In whose name mails are sent. */
export type Sender = Pick<Program, 'storeName' | 'shopUrl'>;

/** Not configurable: replies are not read, and the address says so. */
export const noReplyMailbox = ({ storeName, shopUrl }: Sender): Mailbox => ({
  name: storeName,
  address: `no-reply@${new URL(shopUrl).hostname}`,
});

/** How every letter ends. */
export const formatSignature = ({ storeName, shopUrl }: Sender): string => `${storeName}\n${shopUrl}`;
