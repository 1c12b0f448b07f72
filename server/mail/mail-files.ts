import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Mail, SendMail } from '../../domain/mail/mail.ts';
import { systemRandom } from '../../domain/random.ts';
import { composeMessage, UnsendableMail } from './mail-message.ts';

/** Hands mails on as files that every mail program opens: `<data folder>/mail/<id>.eml`. */
export const createMailFileSender = (dataDir: string): SendMail => {
  const folder = path.join(dataDir, 'mail');
  return async (mail) => {
    try {
      await write(folder, mail);
      return { kind: 'sent' };
    } catch (error) {
      if (error instanceof UnsendableMail) return { kind: 'failed', permanent: true, message: error.message };
      const { code, message } = error as NodeJS.ErrnoException;
      return { kind: 'failed', permanent: false, message: `The file could not be written: ${code ?? message}.` };
    }
  };
};

/** Under another name first: whoever collects the files finds whole ones only. For the owner alone, because they are people's letters. */
async function write(folder: string, mail: Mail): Promise<void> {
  const message = composeMessage(mail);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unfinished = path.join(folder, `.${mail.id}-${systemRandom.bytes(6).toString('hex')}`);
  try {
    await writeThrough(unfinished, message);
    await rename(unfinished, path.join(folder, `${mail.id}.eml`));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
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
