import { chownSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import type { Invoice } from '../../domain/invoices/invoice.ts';
import { type Configuration, createFolder } from '../../server/configuration.ts';
import { type FileProblem, InvoiceFiles, invoiceFolder, syncPath } from '../../server/invoices/invoice-files.ts';
import { CommandError } from '../terminal/output.ts';

/** The folder beside a backup that has its invoices. */
export const invoiceCopies = (backup: string): string => `${backup}.invoices`;

export interface CopiedInvoices {
  folder: string | null;
  count: number;
}

/** After the database: a file exists before its record, so every record in the copy has its file there. */
export async function copyInvoices(backup: string, configuration: Configuration): Promise<CopiedInvoices> {
  const folder = invoiceCopies(backup);
  const count = await new InvoiceFiles(invoiceFolder(configuration)).copyTo(folder);
  return { folder: count === 0 ? null : folder, count };
}

export function refuseExistingCopies(backup: string): void {
  const folder = invoiceCopies(backup);
  if (existsSync(folder)) throw new CommandError(`${folder} exists already. A backup overwrites nothing: name a new file.`);
}

export const removeInvoiceCopies = (backup: string): void => rmSync(invoiceCopies(backup), { recursive: true, force: true });

type StoredInvoice = Pick<Invoice, 'id' | 'sha256'>;
type Problem = { id: number; problem: FileProblem };

export const checkInvoiceCopies = (backup: string, invoices: readonly StoredInvoice[]): Promise<Problem[]> =>
  new InvoiceFiles(invoiceCopies(backup)).check(invoices);

export const describeInvoices = (problems: readonly Problem[]): string =>
  problems.length > 20
    ? `${problems.length}, the first is ${problems[0]?.id} (${problems[0]?.problem})`
    : problems.map(({ id, problem }) => `${id} (${problem})`).join(', ');

export interface RestoredInvoices {
  count: number;
  /** Neither in the backup nor in the data folder. */
  lost: Problem[];
  /** The name that the former folder has now. Null if there was none. */
  former: string | null;
}

/**
 * Makes a new folder of the files that the restored records name: those of the backup, else those that are there. The former folder gets
 * another name, because a new invoice could get the id of one of its files.
 */
export async function restoreInvoices(
  backup: string,
  invoices: readonly StoredInvoice[],
  configuration: Configuration,
  now: number,
): Promise<RestoredInvoices> {
  const target = invoiceFolder(configuration);
  const isThere = existsSync(target);
  if (invoices.length === 0 && !isThere) return { count: 0, lost: [], former: null };
  const staged = `${target}.restoring`;
  rmSync(staged, { recursive: true, force: true });
  createFolder(path.dirname(staged));
  mkdirSync(staged, { mode: 0o700 });
  giveToOwnerOf(path.dirname(target), staged);
  const lost: Problem[] = [];
  for (const invoice of invoices) {
    const source = await findFile(invoice, [invoiceCopies(backup), target]);
    if (typeof source !== 'string') lost.push(source);
    else {
      const file = path.join(staged, String(invoice.id));
      await copyFile(source, file);
      await syncPath(file);
      giveToOwnerOf(path.dirname(target), file);
    }
  }
  const former = isThere ? `${target}.before-${new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')}` : null;
  if (former !== null) renameSync(target, former);
  renameSync(staged, target);
  await syncPath(target);
  await syncPath(path.dirname(target));
  return { count: invoices.length - lost.length, lost, former };
}

/** Where the file is as it was handed in. */
async function findFile(invoice: StoredInvoice, folders: readonly string[]): Promise<string | Problem> {
  let problem: FileProblem = 'missing';
  for (const folder of folders) {
    const read = await new InvoiceFiles(folder).read(invoice);
    if (typeof read !== 'string') return path.join(folder, String(invoice.id));
    if (read === 'changed') problem = read;
  }
  return { id: invoice.id, problem };
}

function giveToOwnerOf(folder: string, name: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  chownSync(name, uid, gid);
}
