import { open } from 'node:fs/promises';
import type { Command } from 'commander';
import { type CouponTerms, foldCode } from '../../domain/coupons/terms.ts';
import { localDateTime } from '../../domain/dates.ts';
import { ApiError } from '../../domain/errors.ts';
import { checkInvoiceFile, maxInvoiceBytes, recordInvoice } from '../../domain/invoices/hand-in.ts';
import { invoiceFileName, type ListedInvoice } from '../../domain/invoices/invoice.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { User } from '../../domain/users/user.ts';
import { readConfiguration } from '../../server/configuration.ts';
import { InvoiceFiles, invoiceFolder } from '../../server/invoices/invoice-files.ts';
import { withExistingDatabase } from '../context.ts';
import { getUser } from '../operator.ts';
import { PrivateFile, resolveNewFile } from '../payout-files/private-file.ts';
import { formatCount } from '../terminal/format.ts';
import { CommandError, type CommandResult, type OutputOptions, printResult, recordId } from '../terminal/output.ts';
import { formatTable, numberColumn } from '../terminal/table.ts';
import { printable } from '../terminal/text.ts';

const listHint = 'affiliate invoice list shows them.';

const addHelp = `
For an invoice that reached the store by mail. It is a PDF, PNG or JPEG file of up to 5 MiB; its content decides, not its name. The next
payout of the coupon takes it: invoice_id of the payout is its id. A payout that is cancelled or fails leaves it to the next. It is in
DATA_DIR/invoices: run the command as the service's user, with the same DATA_DIR.

Examples
  affiliate invoice add --user ada --coupon TRAIL10 november.pdf
  affiliate invoice add --user ada@example.com --coupon 301 scan.png --json`;

const listHelp = `
Examples
  affiliate invoice list
  affiliate invoice list --user ada --coupon TRAIL10 --json`;

const exportHelp = `
Without --out the file is invoice-<id>.pdf, .png or .jpg in the current folder. Only its owner can read it. The command fails if the stored
file is missing, or is not the one that was handed in.

Examples
  affiliate invoice export 12
  affiliate invoice export 12 --out november.pdf`;

export function addInvoice(program: Command): void {
  const invoice = program.command('invoice').description('the invoices of affiliates');
  invoice
    .command('add')
    .requiredOption('--user <login>', 'the affiliate: login or email')
    .requiredOption('--coupon <coupon>', 'the coupon: its id or its code')
    .argument('<file>', 'a PDF, PNG or JPEG file')
    .description('hand in an invoice for the next payout of a coupon')
    .addHelpText('after', addHelp)
    .action(printResult(add));
  invoice
    .command('list')
    .option('--user <login>', 'of this affiliate: login or email')
    .option('--coupon <coupon>', 'of this coupon: its id or its code')
    .description('list the invoices, newest first')
    .addHelpText('after', listHelp)
    .action(printResult(list));
  invoice
    .command('export')
    .argument('<id>', 'the id of the invoice', recordId('invoice', listHint))
    .option('--out <file>', 'the file to write, which does not exist yet')
    .description('write an invoice to a file')
    .addHelpText('after', exportHelp)
    .action(printResult(exportInvoice));
}

const openFiles = (): InvoiceFiles => new InvoiceFiles(invoiceFolder(readConfiguration(process.env)));

interface AddOptions extends OutputOptions {
  user: string;
  coupon: string;
}

const add = async (name: string, { user: login, coupon: code }: AddOptions): Promise<CommandResult> => {
  const bytes = await readUpTo(name, maxInvoiceBytes);
  const content = checkInvoiceFile(bytes);
  return withExistingDatabase(async ({ database, now }) => {
    const { user, coupon } = await database.read(async (db) => {
      const user = await getUser(db.users, login);
      return { user, coupon: await findCouponOf(db, code, user) };
    });
    const invoice = { ...content, userId: user.id, couponId: coupon.id, createdAt: now };
    const { id } = await openFiles().save(bytes, (place) =>
      database.write((transaction) => recordInvoice(transaction, invoice, place)).catch(explainLimit),
    );
    const { type, size, sha256 } = content;
    return {
      json: { id, user_id: user.id, coupon_id: coupon.id, type, size, sha256 },
      text: `Invoice ${id} of ${user.login} waits for the next payout of ${printable(coupon.code)}.`,
    };
  });
};

function explainLimit(error: unknown): never {
  throw error instanceof ApiError ? new CommandError(error.message) : error;
}

/** Never more than the limit and one byte, whatever the file is. */
async function readUpTo(name: string, limit: number): Promise<Buffer> {
  const file = await open(name, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${printable(name)} cannot be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}.`);
  });
  try {
    if (!(await file.stat()).isFile()) throw new CommandError(`${printable(name)} is not a file. Name a PDF, PNG or JPEG file.`);
    const bytes = Buffer.alloc(limit + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      ({ bytesRead: read } = await file.read(bytes, length, bytes.length - length, length));
    return bytes.subarray(0, length);
  } finally {
    await file.close();
  }
}

/** Coupons may share a code, and a code may look like an id. */
async function findCoupons({ couponRecords, couponTerms }: Repositories, coupon: string): Promise<CouponTerms[]> {
  const byId = /^[1-9]\d{0,14}$/.test(coupon) ? await couponTerms.byIds([Number(coupon)]) : [];
  const found = [...byId, ...(await couponRecords.byCode(foldCode(coupon)))];
  if (found.length === 0) throw new CommandError(`There is no coupon "${printable(coupon)}". Give its id or its code.`);
  return found;
}

async function findCouponOf(db: Repositories, coupon: string, { id, login }: User): Promise<CouponTerms> {
  const own = (await findCoupons(db, coupon)).find(({ userId }) => userId === id);
  if (!own) throw new CommandError(`The coupon "${printable(coupon)}" is not one of ${login}.`);
  return own;
}

interface ListOptions extends OutputOptions {
  user?: string;
  coupon?: string;
}

const list = ({ user: login, coupon }: ListOptions): Promise<CommandResult> =>
  withExistingDatabase(async ({ database, zone }) => {
    const invoices = await database.read(async (db) => {
      const userId = login === undefined ? undefined : (await getUser(db.users, login)).id;
      const couponIds = coupon === undefined ? null : (await findCoupons(db, coupon)).map(({ id }) => id);
      const all = await db.invoices.list(userId === undefined ? {} : { userId });
      return all.filter(({ couponId }) => couponIds === null || couponIds.includes(couponId));
    });
    const rows = invoices.map(({ id, login, couponCode, type, size, createdAt, payoutId }) => [
      String(id),
      login,
      couponCode,
      type,
      formatCount(size),
      localDateTime(createdAt, zone),
      payoutId === null ? 'waits' : `payout ${payoutId}`,
    ]);
    const columns = [numberColumn('ID'), 'USER', 'COUPON', 'TYPE', numberColumn('BYTES'), 'DATE', 'USED FOR'];
    const text = rows.length === 0 ? 'There are no invoices. affiliate invoice add adds one.' : formatTable(columns, rows);
    return { json: invoices.map((invoice) => toRecord(invoice, zone)), text };
  });

const toRecord = (invoice: ListedInvoice, zone: string) => ({
  id: invoice.id,
  user_id: invoice.userId,
  login: invoice.login,
  coupon_id: invoice.couponId,
  coupon_code: invoice.couponCode,
  type: invoice.type,
  size: invoice.size,
  sha256: invoice.sha256,
  date: localDateTime(invoice.createdAt, zone),
  payout_id: invoice.payoutId,
});

const exportInvoice = (id: number, { out }: OutputOptions & { out?: string }): Promise<CommandResult> =>
  withExistingDatabase(async ({ database }) => {
    const invoice = await database.read(({ invoices }) => invoices.byId(id));
    if (!invoice) throw new CommandError(`There is no invoice ${id}. ${listHint}`);
    const file = resolveNewFile(out ?? invoiceFileName(invoice), 'invoices');
    const configuration = readConfiguration(process.env);
    const bytes = await openFiles().read(invoice);
    if (typeof bytes === 'string') {
      const problem = bytes === 'missing' ? 'is missing' : 'is not the one that was handed in: its content has changed';
      throw new CommandError(`The file ${invoiceFolder(configuration)}/${id} ${problem}. Restore it from a backup, or set DATA_DIR.`);
    }
    const target = new PrivateFile(file);
    try {
      target.write(bytes);
      target.complete();
    } finally {
      target.discard();
    }
    const { type, size, sha256 } = invoice;
    return { json: { id, file, type, size, sha256 }, text: `Invoice ${id} was written to ${file} (${formatCount(size)} bytes).` };
  });
