import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import type { Clock } from '../domain/clock.ts';
import type { Mail, SendMail } from '../domain/mail/mail.ts';
import type { UnitOfWork } from '../domain/ports.ts';
import { systemRandom } from '../domain/random.ts';
import { messageOf } from './mail-message.ts';

interface Parts {
  dataDir: string;
  storage: UnitOfWork;
  clock: Clock;
  log: Logger;
}

const mailsAtOnce = 100;

/** Hands mails on as files that every mail program opens: `<data folder>/mail/<id>.eml`. */
export class MailFiles {
  readonly #parts: Parts;
  readonly #folder: string;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#folder = path.join(parts.dataDir, 'mail');
  }

  /** Never fails: what it is about has happened, and whoever caused it cannot repair a full disk. */
  readonly send: SendMail = async (mail) => {
    const { storage, clock, log } = this.#parts;
    try {
      await this.#write(mail);
      await storage.write(({ mails }) => mails.markSent(mail.id, clock.now()));
    } catch (error) {
      log.error({ err: error, mail: mail.id }, 'a mail was not sent; the next start tries again');
    }
  };

  /** What a crash or a failure kept from being sent. Another process may be at it too: the same mail is the same file, twice over. */
  async sendUnsent(): Promise<void> {
    for (let last = 0; ; ) {
      const mails = await this.#parts.storage.read((stores) => stores.mails.unsent(last, mailsAtOnce));
      for (const mail of mails) await this.send(mail);
      last = mails.at(-1)?.id ?? last;
      if (mails.length < mailsAtOnce) return;
    }
  }

  /** Under another name first: whoever collects the files finds whole ones only. For the owner alone, because they are people's letters. */
  async #write(mail: Mail): Promise<void> {
    const message = messageOf(mail);
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const unfinished = path.join(this.#folder, `.${mail.id}-${systemRandom.bytes(6).toString('hex')}`);
    try {
      await writeThrough(unfinished, message);
      await rename(unfinished, path.join(this.#folder, `${mail.id}.eml`));
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }
}

/** To the disk, not to the machine's memory: the mail counts as sent from then on. */
async function writeThrough(file: string, content: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
