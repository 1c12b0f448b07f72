import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Mail, SendMail } from '../../domain/mail/mail.ts';
import { systemRandom } from '../../domain/random.ts';
import { composeMessage, UnsendableMail } from './compose-message.ts';

/** Writes mails as files that mail programs open: `<data folder>/mail/<id>.eml`. */
export const createMailFileSender = (dataDir: string): SendMail => {
  const folder = path.join(dataDir, 'mail');
  return async (mail) => {
    try {
      await writeMail(folder, mail);
      return { kind: 'sent' };
    } catch (error) {
      if (error instanceof UnsendableMail) return { kind: 'failed', permanent: true, message: error.message };
      const { code, message } = error as NodeJS.ErrnoException;
      return { kind: 'failed', permanent: false, message: `The file could not be written: ${code ?? message}.` };
    }
  };
};

/** Written under another name first, so that readers of the folder find complete files only. Readable by the owner only. */
async function writeMail(folder: string, mail: Mail): Promise<void> {
  const message = await composeMessage(mail);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unfinished = path.join(folder, `.${mail.id}-${systemRandom.bytes(6).toString('hex')}`);
  try {
    await writeAndSync(unfinished, message);
    await rename(unfinished, path.join(folder, `${mail.id}.eml`));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Synced, because the mail counts as sent from then on. */
async function writeAndSync(file: string, content: Buffer): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes the files of these mails. Returns how many there were. */
export async function removeMailFiles(dataDir: string, ids: readonly number[]): Promise<number> {
  const folder = path.join(dataDir, 'mail');
  const removed = new Set(ids.map(String));
  // `17.eml`, or what an interrupted write has left: `.17-<random>`.
  const names = (await listNames(folder)).filter((name) => removed.has(/^\.?(\d+)/.exec(name)?.[1] ?? ''));
  for (const name of names) await rm(path.join(folder, name), { force: true });
  return names.length;
}

async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
