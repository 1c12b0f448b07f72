import { createHash } from 'node:crypto';
import { ApiError } from '../errors.ts';
import type { MethodType, PayoutDetails } from '../payout-details/payout-details.ts';
import type { Transaction } from '../unit-of-work.ts';
import { detectInvoiceType } from './file-type.ts';
import type { Invoice, InvoiceRepository } from './invoice.ts';

export const maxInvoiceBytes = 5 * 2 ** 20;

/** Of invoices that wait for a payout, for each affiliate. */
export const unusedLimits = { count: 20, bytes: 50 * 2 ** 20 } as const;

/** A checked file, before it belongs to anything. */
export type InvoiceContent = Pick<Invoice, 'type' | 'size' | 'sha256'>;

/** @throws ApiError rest_body_too_large, rest_unsupported_media_type */
export function checkInvoiceFile(bytes: Buffer): InvoiceContent {
  if (bytes.length > maxInvoiceBytes) throw new ApiError('rest_body_too_large', { message: 'The file is larger than 5 MiB.' });
  const type = detectInvoiceType(bytes);
  if (type === null) {
    const message =
      bytes.length === 0
        ? 'The file is empty. Send a PDF, PNG or JPEG file.'
        : 'The file is not a complete PDF, PNG or JPEG file. Its content decides, not its name.';
    throw new ApiError('rest_unsupported_media_type', { message });
  }
  return { type, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** Whether the affiliate's payout method needs an invoice. Without saved details, whether any method does. */
export const needsInvoice = (
  { methods }: { methods: Record<MethodType, { invoiceRequired: boolean }> },
  details: PayoutDetails | null,
): boolean =>
  details === null ? Object.values(methods).some(({ invoiceRequired }) => invoiceRequired) : methods[details.methodType].invoiceRequired;

/** Before the file is examined, which takes longer. @throws ApiError svc_api_conflict */
export async function requireInvoiceQuota({ invoices }: { invoices: InvoiceRepository }, userId: number, size: number): Promise<void> {
  const unused = await invoices.unusedOf(userId);
  if (unused.count < unusedLimits.count && unused.bytes + size <= unusedLimits.bytes) return;
  const limits = `At most ${unusedLimits.count} invoices of ${unusedLimits.bytes / 2 ** 20} MiB in all can wait for a payout.`;
  throw new ApiError('svc_api_conflict', { message: `${limits} There are ${unused.count}: request the payouts first.` });
}

/**
 * Records an invoice. `place` gives its file the id as its name, within the transaction: a record never exists without its file. It may run
 * again with another id.
 */
export async function recordInvoice(
  transaction: Transaction<{ invoices: InvoiceRepository }>,
  invoice: Omit<Invoice, 'id'>,
  place: (id: number) => Promise<void>,
): Promise<Invoice> {
  await requireInvoiceQuota(transaction, invoice.userId, invoice.size);
  const id = await transaction.invoices.insert(invoice);
  await place(id);
  return { id, ...invoice };
}
