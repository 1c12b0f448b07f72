import type { Program } from '../program.ts';
import type { Mailbox, NewMail } from './mail.ts';

/** In whose name mails are sent. */
export type Sender = Pick<Program, 'storeName' | 'shopUrl' | 'serviceUrl'>;

export interface MailContent {
  to: Mailbox;
  /** Follows the name of the store. */
  subject: string;
  /** Between the greeting and the signature. */
  paragraphs: readonly string[];
  /** The page of this service that the mail is about. Left out where the address of the service is unknown. */
  link?: { text: string; path: string };
}

/** From an address of the shop that says that replies are not read. */
export function composeMail({ to, subject, paragraphs, link }: MailContent, sender: Sender, now: number): NewMail {
  const { storeName, shopUrl, serviceUrl } = sender;
  const title = `${storeName}: ${subject}`;
  const linked = link && serviceUrl !== '' ? [{ text: link.text, url: serviceUrl + link.path }] : [];
  const written = [to.name === '' ? 'Hello,' : `Hello ${to.name},`, ...paragraphs, ...linked, `${storeName}\n${shopUrl}`];
  return {
    from: { name: storeName, address: `no-reply@${new URL(shopUrl).hostname}` },
    to,
    subject: title,
    ...renderMailBody(title, written),
    createdAt: now,
  };
}

interface Link {
  text: string;
  url: string;
}

/** The same paragraphs for both kinds of reader. What people wrote stays text in both: nothing of it becomes markup. */
export function renderMailBody(title: string, written: readonly (string | Link)[]): { text: string; html: string } {
  const head = `<head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>`;
  return {
    text: `${written.map(paragraphText).join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="en">\n${head}\n<body>\n${written.map(paragraphHtml).join('\n')}\n</body>\n</html>\n`,
  };
}

const unixLines = (text: string): string => text.replaceAll(/\r\n?/g, '\n');

const paragraphText = (paragraph: string | Link): string =>
  typeof paragraph === 'string' ? unixLines(paragraph) : `${paragraph.text}:\n${paragraph.url}`;

const paragraphHtml = (paragraph: string | Link): string =>
  typeof paragraph === 'string'
    ? `<p>${escapeHtml(unixLines(paragraph)).replaceAll('\n', '<br>\n')}</p>`
    : `<p><a href="${escapeHtml(paragraph.url)}">${escapeHtml(paragraph.text)}</a></p>`;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
