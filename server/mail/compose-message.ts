import type { Mail, Mailbox } from '../../domain/mail/mail.ts';
import { isEmailAddress } from '../../domain/users/user.ts';

/** The mail itself is the reason, so no later attempt can succeed. */
export class UnsendableMail extends Error {}

/** The mail as an RFC 5322 message; the same bytes every time. @throws UnsendableMail for a recipient that is no e-mail address. */
export async function composeMessage(mail: Mail): Promise<Buffer> {
  // The address is not part of the sentence, which is logged.
  if (!isEmailAddress(mail.to.address)) throw new UnsendableMail('A mail has an address that cannot stand in a header.');
  const [{ default: MailComposer }, { encodeWord }] = await Promise.all([
    import('nodemailer/lib/mail-composer'),
    import('nodemailer/lib/mime-funcs'),
  ]);
  const subject = toOneLine(mail.subject);
  // nodemailer leaves it as it is, and the mail program would decode what was never encoded.
  const looksEncoded = subject.includes('=?');
  const composer = new MailComposer({
    from: toHeader(mail.from),
    to: toHeader(mail.to),
    subject: looksEncoded ? '' : subject,
    text: toUnixLines(mail.text),
    html: toUnixLines(mail.html),
    date: new Date(mail.createdAt),
    messageId: `<mail-${mail.id}-${mail.createdAt}${mail.from.address.slice(mail.from.address.lastIndexOf('@'))}>`,
    // RFC 3834: keeps holiday replies and other robots from answering.
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(looksEncoded && { Subject: { prepared: true, foldLines: true, value: encodeWord(subject, 'B', 52) } }),
    },
    encoding: 'quoted-printable',
    newline: 'windows',
    // In quoted-printable "=_" cannot occur, so no text can contain the boundary.
    boundaryPrefix: '=_part',
    baseBoundary: String(mail.id),
  });
  return composer.compile().build();
}

const toHeader = ({ name, address }: Mailbox): Mailbox => ({ name: toOneLine(name), address });

/** Control characters become spaces. */
const toOneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** nodemailer turns LF into CRLF, and would leave a CR alone. */
const toUnixLines = (text: string): string => text.replaceAll(/\r\n?/g, '\n');
