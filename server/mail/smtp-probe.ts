import { answered, connectionOptions } from './smtp-sender.ts';
import type { SmtpServer } from './smtp-url.ts';

const patienceMilliseconds = 8000;

/** Connects as for a mail, signs in where there is a password, and leaves. @throws what the server or the network said. */
export async function probeSmtp(server: SmtpServer, deadline = patienceMilliseconds): Promise<void> {
  const { default: Connection } = await import('nodemailer/lib/smtp-connection');
  const connection = new Connection(connectionOptions(server, {}, deadline));
  const { login } = server;
  try {
    await new Promise<void>((resolve, reject) => {
      connection.on('error', reject);
      answered((done) => connection.connect(done))
        .then(() => (login ? answered((done) => connection.login(login, done)) : undefined))
        .then(resolve, reject);
    });
  } finally {
    connection.close();
  }
}
