import type { Caller } from '../users/user.ts';

/** The media types of invoices, with the endings of their files. */
export const invoiceTypes = { 'application/pdf': 'pdf', 'image/png': 'png', 'image/jpeg': 'jpg' } as const;
export type InvoiceType = keyof typeof invoiceTypes;

/** A file that an affiliate has handed in for a payout. It is stored in the data folder under its id, and never changed. */
export interface Invoice {
  id: number;
  userId: number;
  couponId: number;
  type: InvoiceType;
  /** In bytes. */
  size: number;
  /** Of the file, in hexadecimal digits. */
  sha256: string;
  createdAt: number;
}

export interface ListedInvoice extends Invoice {
  couponCode: string;
  /** Of the affiliate. */
  login: string;
  /** The payout that it serves. Null while it waits for one. */
  payoutId: number | null;
}

export interface InvoiceFilter {
  userId?: number;
  couponId?: number;
}

/** An invoice is unused while no payout has its id. */
export interface InvoiceRepository {
  insert(invoice: Omit<Invoice, 'id'>): Promise<number>;
  byId(id: number): Promise<ListedInvoice | null>;
  /** Visible to admins and the affiliate. Null for all others, as for an invoice that does not exist. */
  visibleTo(caller: Caller, id: number): Promise<ListedInvoice | null>;
  /** Newest first. */
  list(filter: InvoiceFilter): Promise<ListedInvoice[]>;
  unusedOf(userId: number): Promise<{ count: number; bytes: number }>;
  /** The unused invoice that the next payout of the coupon to the user takes: the newest. 0 if there is none. */
  nextFor(couponId: number, userId: number): Promise<number>;
}

export const invoiceFileName = ({ id, type }: Pick<Invoice, 'id' | 'type'>): string => `invoice-${id}.${invoiceTypes[type]}`;
