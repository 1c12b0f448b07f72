import type SmtpConnection from 'nodemailer/lib/smtp-connection';
import type { Mail, MailOutcome, SendMail } from '../../domain/mail/mail.ts';
import { composeMessage, UnsendableMail } from './mail-message.ts';
import type { SmtpServer } from './smtp-url.ts';

export interface SmtpOptions {
  /** For the whole of one mail, whatever the server does. Mail servers may be slow on purpose. */
  timeoutMs?: number;
  /** Certificates to trust instead of the machine's own, for tests. Elsewhere NODE_EXTRA_CA_CERTS adds to them. */
  authorities?: string[];
}

/** Shorter than the lease of a mail. */
const defaultDeadline = 60_000;

/** Hands mails to a mail server, each on a connection of its own: a mail that it dislikes costs no other one anything. */
export const createSmtpSender =
  (server: SmtpServer, options: SmtpOptions = {}): SendMail =>
  async (mail, signal) => {
    try {
      await handIn(mail, composeMessage(mail), server, { ...options, signal });
      return { kind: 'sent' };
    } catch (error) {
      return failureOf(error);
    }
  };

async function handIn(mail: Mail, message: string, server: SmtpServer, options: SmtpOptions & { signal: AbortSignal }): Promise<void> {
  // Loaded only where mails go by SMTP.
  const { default: Connection } = await import('nodemailer/lib/smtp-connection');
  const deadline = options.timeoutMs ?? defaultDeadline;
  const connection = new Connection(connectionOptions(server, options, deadline));
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`The mail server took longer than ${deadline / 1000} seconds.`)), deadline);
      options.signal.addEventListener('abort', () => reject(new Error('There was no time left to wait for the mail server.')), {
        once: true,
      });
      connection.on('error', reject);
      converse(connection, server, mail, message).then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    connection.close();
  }
}

export const connectionOptions = ({ host, port, secure, requireTls }: SmtpServer, { authorities }: SmtpOptions, deadline: number) => ({
  host,
  port,
  secure,
  requireTLS: requireTls,
  connectionTimeout: deadline,
  greetingTimeout: deadline,
  socketTimeout: deadline,
  ...(authorities === undefined ? {} : { tls: { ca: authorities } }),
});

async function converse(connection: SmtpConnection, { login }: SmtpServer, mail: Mail, message: string): Promise<void> {
  await answered((done) => connection.connect(done));
  if (login) await answered((done) => connection.login(login, done));
  await answered((done) => connection.send({ from: mail.from.address, to: mail.to.address }, message, done));
}

export const answered = (ask: (done: (error?: Error | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    ask((error) => (error ? reject(error) : resolve()));
  });

/** As nodemailer tells it: what was being said, and what the server answered. */
interface SmtpFailure {
  message?: string;
  command?: string;
  code?: string;
  responseCode?: number;
}

/**
 * For good is only what the server says about this recipient or this letter. A sender that it does not know, a wrong password or a broken
 * certificate is the operator's to repair, and the mails wait for that.
 */
function failureOf(error: unknown): MailOutcome {
  const { message = String(error), command, code, responseCode = 0 } = error as SmtpFailure;
  const isRefused = responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA');
  // No command at all: it was not even tried, because nothing could be sent to such an address.
  const isImpossible = code === 'EENVELOPE' && responseCode === 0;
  return { kind: 'failed', permanent: isRefused || isImpossible || error instanceof UnsendableMail, message: withoutAddresses(message) };
}

/** Servers repeat the address they refuse; what is kept here ends up in a log. */
const withoutAddresses = (text: string): string =>
  // Cut before it is searched as well: how much a server says is its own choice.
  text
    .slice(0, 2000)
    .replaceAll(/[^\s<>"']+@[^\s<>"']+/g, '…')
    .slice(0, 500);
