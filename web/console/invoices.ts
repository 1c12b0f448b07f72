import { signal } from '@preact/signals';
import { ApiError } from '../../client/src/index.ts';
import { csrfToken } from '../shared/session-cookie.ts';
import { readAnswer, send, waitForSession } from './session.ts';

// Invoices are not part of the API: the console hands them in at addresses of its own.

export interface Invoice {
  readonly id: number;
  readonly coupon_id: number;
  readonly coupon_code: string;
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  readonly date: string;
  /** 0 while it waits for a payout. */
  readonly payout_id: number;
}

interface OwnInvoices {
  /** The payout method of the reader needs one. */
  readonly is_needed: boolean;
  readonly max_bytes: number;
  readonly max_waiting: number;
  readonly invoices: readonly Invoice[];
}

/** Null until they are loaded. */
export const ownInvoices = signal<OwnInvoices | null>(null);

export async function loadInvoices(): Promise<OwnInvoices> {
  const loaded = await readAnswer<OwnInvoices>(await send(new Request('/console/invoices.json')));
  ownInvoices.value = loaded;
  return loaded;
}

/** Waits for a new session where there is none. */
export async function handIn(file: File, couponId: number, onProgress: (percent: number) => void): Promise<Invoice> {
  const response = await upload(file, `/console/invoices?coupon_id=${couponId}`, onProgress);
  if (response.status !== 401) return readAnswer<Invoice>(response);
  await waitForSession();
  return handIn(file, couponId, onProgress);
}

/** Not by `fetch`, which reports no progress of what it sends. */
const upload = (file: File, url: string, onProgress: (percent: number) => void): Promise<Response> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.setRequestHeader('X-Svc-CSRF', csrfToken());
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(Math.round((loaded / Math.max(1, total)) * 100)));
    request.addEventListener('load', () => {
      const headers = { 'X-Request-Id': request.getResponseHeader('X-Request-Id') ?? '' };
      resolve(new Response(request.responseText, { status: request.status, headers }));
    });
    request.addEventListener('error', () =>
      reject(new ApiError(Response.error(), { code: 'no_answer', message: 'No response.', data: { status: 0 } })),
    );
    request.send(file);
  });

export const invoiceUrl = (id: number): string => `/console/invoices/${id}`;
