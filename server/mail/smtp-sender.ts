import type SmtpConnection from 'nodemailer/lib/smtp-connection';
import type { MailOutcome, SendMail } from '../../domain/mail/mail.ts';
import { withTimeout } from '../../domain/timeout.ts';
import { composeMessage, UnsendableMail } from './compose-message.ts';
import type { SmtpServer } from './smtp-url.ts';

export interface SmtpOptions {
  /** For the whole of one mail, and shorter than its lease. Mail servers may be slow on purpose. */
  timeoutMs?: number;
  /** Certificates to trust instead of the machine's own, for tests. Elsewhere NODE_EXTRA_CA_CERTS adds to them. */
  authorities?: string[];
}

/** Sends each mail on a connection of its own, so that a mail that the server rejects affects no other. */
export const createSmtpSender =
  (server: SmtpServer, options: SmtpOptions = {}): SendMail =>
  async (mail, signal) => {
    try {
      const message = await composeMessage(mail);
      const envelope = { from: mail.from.address, to: mail.to.address };
      const send = (connection: SmtpConnection) => toPromise((done) => connection.send(envelope, message, done));
      await withConnection(server, { timeoutMs: 60_000, ...options, signal }, send);
      return { kind: 'sent' };
    } catch (error) {
      return toFailure(error);
    }
  };

/** Connects as for a mail, signs in where there is a password, and disconnects. @throws what the server or the network said. */
export const probeSmtp = (server: SmtpServer, timeoutMs = 8000): Promise<void> => withConnection(server, { timeoutMs }, async () => {});

interface ConnectionOptions extends SmtpOptions {
  timeoutMs: number;
  signal?: AbortSignal;
}

async function withConnection(
  server: SmtpServer,
  { timeoutMs, authorities, signal }: ConnectionOptions,
  use: (connection: SmtpConnection) => Promise<void>,
): Promise<void> {
  // Loaded only where mails are sent by SMTP.
  const { default: Connection } = await import('nodemailer/lib/smtp-connection');
  const { host, port, secure, requireTls: requireTLS, login } = server;
  const timeouts = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
  const tls = authorities === undefined ? {} : { tls: { ca: authorities } };
  const connection = new Connection({ host, port, secure, requireTLS, ...timeouts, ...tls });
  const run = async (): Promise<void> => {
    await toPromise((done) => connection.connect(done));
    if (login) await toPromise((done) => connection.login(login, done));
    await use(connection);
  };
  let abort = (): void => {};
  const work = new Promise<void>((resolve, reject) => {
    connection.on('error', reject);
    abort = () => reject(new Error('There was no time left to wait for the mail server.'));
    signal?.addEventListener('abort', abort);
    run().then(resolve, reject);
  });
  try {
    await withTimeout(work, timeoutMs, () => {
      throw new Error(`The mail server took longer than ${timeoutMs / 1000} seconds.`);
    });
  } finally {
    connection.close();
    // The signal is that of the runner, and outlives the mail: its listener would keep the connection.
    signal?.removeEventListener('abort', abort);
  }
}

const toPromise = (call: (done: (error?: Error | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    call((error) => (error ? reject(error) : resolve()));
  });

/** The fields of nodemailer's errors: the command that failed, and the server's response to it. */
interface SmtpError {
  message?: string;
  command?: string;
  code?: string;
  responseCode?: number;
}

/**
 * Permanent is only what the server says about this recipient or this message. An unknown sender, a wrong password or a broken certificate
 * is the operator's to repair, and the mails wait for that.
 */
function toFailure(error: unknown): MailOutcome {
  const { message = String(error), command, code, responseCode = 0 } = error as SmtpError;
  const isRefused = responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA');
  // nodemailer itself found that nothing can be sent to such an address.
  const isImpossible = code === 'EENVELOPE' && responseCode === 0;
  return { kind: 'failed', permanent: isRefused || isImpossible || error instanceof UnsendableMail, message: redactAddresses(message) };
}

/** Servers repeat the address they refuse, and the message is logged. Cut before the search too: servers may say any amount. */
const redactAddresses = (text: string): string =>
  text
    .slice(0, 2000)
    .replaceAll(/[^\s<>"']+@[^\s<>"']+/g, '…')
    .slice(0, 500);
