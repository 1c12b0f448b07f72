import type { Mail, Mailbox } from '../../domain/mail/mail.ts';
import { headerName, headerText, quotedPrintable } from './encoding.ts';

/** No later attempt will be better: there is something about the mail itself. */
export class UnsendableMail extends Error {}

/** A mail as RFC 5322 has it, the same every time it is made. @throws UnsendableMail for an address that is none */
export function composeMessage(mail: Mail): string {
  // In quoted-printable "=_" cannot occur, so no text can end its own part.
  const boundary = `=_part_${mail.id}`;
  return [
    `Date: ${new Date(mail.createdAt).toUTCString().replace('GMT', '+0000')}`,
    `From: ${mailbox(mail.from)}`,
    `To: ${mailbox(mail.to)}`,
    `Message-ID: <mail-${mail.id}-${mail.createdAt}${domainOf(mail.from)}>`,
    `Subject: ${headerText(mail.subject)}`,
    // RFC 3834: keeps holiday replies and their like from answering.
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    '',
    // The last one that a reader can show is shown.
    ...part(boundary, 'text/plain', mail.text),
    ...part(boundary, 'text/html', mail.html),
    `--${boundary}--`,
    '',
  ].join('\r\n');
}

const part = (boundary: string, type: string, text: string): string[] => [
  `--${boundary}`,
  `Content-Type: ${type}; charset=utf-8`,
  'Content-Transfer-Encoding: quoted-printable',
  '',
  quotedPrintable(text),
];

/** On a line of its own, so that no name makes the line of the address too long. */
function mailbox({ name, address }: Mailbox): string {
  const shown = headerName(name);
  return shown === '' ? `<${checked(address)}>` : `${shown}\r\n <${checked(address)}>`;
}

/** The address goes into the header as it is, so nothing but an address may be in it. Not told in the error, which is logged. */
function checked(address: string): string {
  if (address.length > 320 || !/^[^\s@<>()\\,;:"\p{Cc}]+@[^\s@<>()\\,;"\p{Cc}]+$/u.test(address))
    throw new UnsendableMail('A mail has an address that cannot stand in a header.');
  return address;
}

const domainOf = ({ address }: Mailbox): string => address.slice(address.lastIndexOf('@'));
