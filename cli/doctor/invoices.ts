import type { Database } from '../../db/database.ts';
import type { Configuration } from '../../server/configuration.ts';
import { InvoiceFiles, invoiceFolder } from '../../server/invoices/invoice-files.ts';
import { describeInvoices } from '../backup/invoice-copies.ts';
import { type Check, ok, problem, warning } from './check.ts';

/** Every invoice has its file, as it was handed in; and no file has an id that a new invoice may get. */
export async function checkInvoices(database: Database, configuration: Configuration): Promise<Check[]> {
  const invoices = await database.read((db) => db.invoices.list({}));
  const folder = invoiceFolder(configuration);
  const files = new InvoiceFiles(folder);
  const wrong = await files.check(invoices);
  const newest = invoices[0]?.id ?? 0;
  const foreign = (await files.list({ isComplete: true })).filter((id) => id > newest);
  const remedy = `Restore them to ${folder} from a backup, or set DATA_DIR to the folder of the service.`;
  return [
    ...(wrong.length > 0 ? [problem('invoices', `Invoices whose file is missing or changed: ${describeInvoices(wrong)}. ${remedy}`)] : []),
    ...(foreign.length > 0
      ? [warning('invoices', `Files in ${folder} that belong to no invoice: ${foreign.slice(0, 20).join(', ')}. Move them elsewhere.`)]
      : []),
    ...(wrong.length + foreign.length === 0 && invoices.length > 0 ? [ok('invoices', 'All files are as they were handed in.')] : []),
  ];
}
