import { createHash, randomBytes } from 'node:crypto';
import { chown, copyFile, link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Invoice } from '../../domain/invoices/invoice.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';
import { type Configuration, createFolder } from '../configuration.ts';

export const invoiceFolder = ({ dataDir }: Pick<Configuration, 'dataDir'>): string => path.join(dataDir, 'invoices');

export type FileProblem = 'missing' | 'changed';

/** `.17.part` stays beside the file `17` until the record of invoice 17 is committed. `.<random>.part` has no id yet. */
const partPattern = /^\.(?:(\d+)|[0-9a-f]{32})\.part$/;

/** The commit of a record follows within seconds. */
const abandonedMs = 60 * 60_000;

/** The files of invoices: one for each, named by its id, readable by the owner of the data folder alone, and never changed. */
export class InvoiceFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Writes the file, then calls `commit`, which commits the record after `place` gave the file its name. If `commit` fails after that, it
   * is unknown whether the record exists: `removeAbandoned` finds out.
   */
  async save<Result>(bytes: Buffer, commit: (place: (id: number) => Promise<void>) => Promise<Result>): Promise<Result> {
    await this.#prepareFolder();
    let part = this.#at(`.${randomBytes(16).toString('hex')}.part`);
    let placed: number | null = null;
    const place = async (id: number): Promise<void> => {
      if (placed !== null) await rm(this.#at(placed), { force: true });
      const named = this.#at(`.${id}.part`);
      await this.#refuseForeign(id, named);
      await rename(part, named);
      [part, placed] = [named, id];
      await linkOrCopy(part, this.#at(id));
      await syncPath(this.#folder);
    };
    try {
      await writeSynced(part, bytes);
      await this.#giveToOwner(part);
      const result = await commit(place);
      await rm(part, { force: true });
      return result;
    } catch (error) {
      if (placed === null) await rm(part, { force: true });
      throw error;
    }
  }

  /** The content, or why it is not what was handed in. */
  async read({ id, sha256 }: Pick<Invoice, 'id' | 'sha256'>): Promise<Buffer | FileProblem> {
    const bytes = await readFile(this.#at(id)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (bytes === null) return 'missing';
    return createHash('sha256').update(bytes).digest('hex') === sha256 ? bytes : 'changed';
  }

  /** Invoices whose file is missing or changed. */
  async check(invoices: readonly Pick<Invoice, 'id' | 'sha256'>[]): Promise<{ id: number; problem: FileProblem }[]> {
    const found: { id: number; problem: FileProblem }[] = [];
    for (const invoice of invoices) {
      const read = await this.read(invoice);
      if (typeof read === 'string') found.push({ id: invoice.id, problem: read });
    }
    return found;
  }

  /** The ids that files are named by. `isComplete`: without those whose record may not be committed yet. */
  async list({ isComplete = false } = {}): Promise<number[]> {
    const names = await this.#names();
    return names.filter((name) => /^[1-9]\d{0,14}$/.test(name) && !(isComplete && names.includes(`.${name}.part`))).map(Number);
  }

  /** Copies all files to a new folder. Returns how many there are; without any, no folder is created. */
  async copyTo(folder: string): Promise<number> {
    const ids = await this.list();
    if (ids.length > 0) await mkdir(folder, { mode: 0o700 });
    for (const id of ids) {
      const target = path.join(folder, String(id));
      await copyFile(this.#at(id), target);
      await syncPath(target);
    }
    return ids.length;
  }

  /**
   * Removes what an interrupted upload has left: unfinished files, and files whose record was never committed. A file without a record that
   * no upload has left stays: it belongs to another database. Returns how many were removed.
   */
  async removeAbandoned(storage: UnitOfWork<Repositories>, now: number): Promise<number> {
    let removed = 0;
    for (const name of await this.#names()) {
      const [, digits] = partPattern.exec(name) ?? [];
      if (!partPattern.test(name) || !(await this.#isOlder(name, now - abandonedMs))) continue;
      const id = Number(digits);
      const isRecorded = digits !== undefined && (await storage.read(({ invoices }) => invoices.byId(id))) !== null;
      if (digits !== undefined && !isRecorded) await rm(this.#at(id), { force: true });
      await rm(this.#at(name), { force: true });
      if (!isRecorded) removed += 1;
    }
    return removed;
  }

  async #names(): Promise<string[]> {
    return readdir(this.#folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
  }

  async #isOlder(name: string, moment: number): Promise<boolean> {
    const found = await stat(this.#at(name)).catch(() => null);
    return found !== null && found.mtimeMs < moment;
  }

  #at(name: string | number): string {
    return path.join(this.#folder, String(name));
  }

  /** A new record gets no file that exists already, unless an upload of the same id was interrupted. */
  async #refuseForeign(id: number, part: string): Promise<void> {
    if (!(await exists(this.#at(id)))) return;
    if (!(await exists(part)))
      throw new Error(`${this.#at(id)} exists, but there is no invoice ${id}: the folder is used by another database. Set DATA_DIR.`);
    await rm(this.#at(id));
  }

  async #prepareFolder(): Promise<void> {
    createFolder(path.dirname(this.#folder));
    await mkdir(this.#folder, { mode: 0o700, recursive: true });
    await this.#giveToOwner(this.#folder);
  }

  /** What root has created belongs to the owner of the data folder, who runs the service. */
  async #giveToOwner(name: string): Promise<void> {
    if (process.getuid?.() !== 0) return;
    const { uid, gid } = await stat(path.dirname(this.#folder));
    await chown(name, uid, gid);
  }
}

const exists = async (file: string): Promise<boolean> => (await stat(file).catch(() => null)) !== null;

async function writeSynced(file: string, bytes: Buffer): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Of a file or a folder: a rename lasts once its folder is synced. */
export async function syncPath(name: string): Promise<void> {
  const handle = await open(name, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'ENOSYS'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
    // A file system without links.
    await copyFile(from, to);
    await syncPath(to);
  }
}
