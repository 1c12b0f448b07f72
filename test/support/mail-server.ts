import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { type Eml, parseEml } from './eml.ts';

export interface ReceivedMail {
  from: string;
  to: string[];
  eml: Eml;
  isEncrypted: boolean;
  user: string | undefined;
}

/** The responses of the mail server: `550 no such user` refuses, undefined accepts. */
export interface MailServerBehaviour {
  recipient?: (address: string) => string | undefined;
  content?: (subject: string) => string | undefined;
  login?: { user: string; pass: string };
  /** TLS from the first byte, or by STARTTLS. */
  tls?: { kind: 'at once' | 'starttls'; cert: string; key: string };
  port?: number;
}

/** An SMTP server on loopback that stores the mails it accepts. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  readonly #server: SMTPServer;

  private constructor(temper: MailServerBehaviour) {
    this.#server = new SMTPServer({ ...this.#options(temper), logger: false });
    // Clients that reject the certificate or disconnect are expected.
    this.#server.on('error', () => {});
  }

  static async start(temper: MailServerBehaviour = {}): Promise<MailServer> {
    const started = new MailServer(temper);
    const { server } = started.#server;
    started.#server.listen(temper.port ?? 0, '127.0.0.1');
    await once(server, 'listening');
    return started;
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  #options({ recipient, content, login, tls }: MailServerBehaviour): SMTPServerOptions {
    return {
      ...(tls && { secure: tls.kind === 'at once', cert: tls.cert, key: tls.key }),
      disabledCommands: tls?.kind === 'starttls' ? [] : ['STARTTLS'],
      authOptional: login === undefined,
      allowInsecureAuth: true,
      closeTimeout: 100,
      onAuth: ({ username, password }, _session, done) =>
        username === login?.user && password === login?.pass ? done(null, { user: username }) : done(refusal('535 wrong password')),
      onRcptTo: ({ address }, _session, done) => done(refusal(recipient?.(address))),
      onData: (stream, { envelope, secure, user }, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const eml = parseEml(Buffer.concat(chunks).toString('latin1'));
          const refused = refusal(content?.(eml.headers.get('subject') ?? ''));
          if (refused) return done(refused);
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
          this.received.push({ from, to: envelope.rcptTo.map(({ address }) => address), eml, isEncrypted: secure, user });
          done();
        });
      },
    };
  }
}

function refusal(answer: string | undefined): Error | null {
  if (answer === undefined) return null;
  return Object.assign(new Error(answer.slice(4)), { responseCode: Number(answer.slice(0, 3)) });
}
