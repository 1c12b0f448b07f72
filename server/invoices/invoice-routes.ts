import { Router } from '@koa/router';
import compose from 'koa-compose';
import type { Clock } from '../../domain/clock.ts';
import { localDateTime } from '../../domain/dates.ts';
import { ApiError } from '../../domain/errors.ts';
import {
  checkInvoiceFile,
  maxInvoiceBytes,
  needsInvoice,
  recordInvoice,
  requireInvoiceQuota,
  unusedLimits,
} from '../../domain/invoices/hand-in.ts';
import { invoiceFileName, type ListedInvoice } from '../../domain/invoices/invoice.ts';
import { Locks } from '../../domain/payouts/request.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';
import type { User } from '../../domain/users/user.ts';
import { buildPayoutRules } from '../../site/program.ts';
import { isAddOnActive } from '../../site/served.ts';
import { noStore, requireCsrfToken, requireSession } from '../auth/session-guard.ts';
import { noRouteError } from '../http/error-response.ts';
import { readBytes } from '../http/read-bytes.ts';
import type { Middleware, RequestContext, RequestState } from '../http/request-context.ts';
import type { InvoiceFiles } from './invoice-files.ts';

interface InvoiceParts {
  storage: UnitOfWork<Repositories>;
  clock: Clock;
  files: InvoiceFiles;
  /** Identifies the caller and counts the request, as for the API. */
  identify: Middleware[];
}

/**
 * Invoices in the console, outside of the API: `POST /console/invoices?coupon_id=…` with the file as its body, the list as
 * `GET /console/invoices.json`, and one file as `GET /console/invoices/<id>`.
 */
export function invoiceRoutes({ storage, clock, files, identify }: InvoiceParts): Router<RequestState> {
  // One at a time for each user, because a file is in memory until it is written.
  const locks = new Locks();
  const router = new Router<RequestState>({ strict: true });
  const guard = compose([refuseInactive, ...identify, noStore]);
  router.post('/console/invoices', guard, async (ctx: RequestContext) => {
    const { user, session } = requireSession(ctx);
    requireCsrfToken(ctx, session);
    const couponId = readCouponId(ctx);
    const { coupon } = await readOwnCoupon(storage, ctx, couponId, user);
    await hold(locks, user, async () => {
      const bytes = await readBytes(ctx, maxInvoiceBytes, '5 MiB');
      await storage.query((db) => requireInvoiceQuota(db, user.id, bytes.length));
      const invoice = { ...checkInvoiceFile(bytes), userId: user.id, couponId, createdAt: clock.now() };
      const recorded = await files.save(bytes, (place) => storage.write((transaction) => recordInvoice(transaction, invoice, place)));
      ctx.status = 201;
      ctx.body = toRecord({ ...recorded, login: user.login, couponCode: coupon.code, payoutId: null }, ctx);
    });
  });
  router.get('/console/invoices.json', guard, async (ctx: RequestContext) => {
    const { user } = requireSession(ctx);
    const { invoices, details } = await storage.read(async (db) => ({
      invoices: await db.invoices.list({ userId: user.id }),
      details: await db.payoutDetails.ofUser(user.id),
    }));
    const is_needed = needsInvoice(buildPayoutRules(ctx.state.settings), details);
    const limits = { max_bytes: maxInvoiceBytes, max_waiting: unusedLimits.count };
    ctx.body = { is_needed, ...limits, invoices: invoices.map((invoice) => toRecord(invoice, ctx)) };
  });
  // Without a session the console answers, which leads to the sign-in.
  router.get('/console/invoices/:id', guard, async (ctx: RequestContext & { params: Record<string, string> }, next) => {
    const { identity } = ctx.state;
    const id = /^[1-9]\d{0,14}$/.test(ctx.params['id'] ?? '') ? Number(ctx.params['id']) : 0;
    if (id === 0 || identity.kind !== 'caller' || !identity.session) return next();
    const { caller } = identity;
    const invoice = await storage.query(({ invoices }) => invoices.visibleTo(caller, id));
    if (!invoice) throw new ApiError('svc_api_not_found');
    await sendFile(ctx, invoice, files);
  });
  return router;
}

const refuseInactive: Middleware = (ctx, next) => {
  const { settings } = ctx.state;
  if (!isAddOnActive('payouts', settings) || !settings.switches.payouts) throw noRouteError(ctx);
  return next();
};

function readCouponId({ query }: RequestContext): number {
  const text = query['coupon_id'];
  if (typeof text === 'string' && /^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new ApiError('rest_invalid_param', { data: { params: { coupon_id: 'Name one of your coupons: ?coupon_id=17.' } } });
}

/** Admins too hand in for coupons of their own alone: for others there is the command line. */
async function readOwnCoupon(storage: UnitOfWork<Repositories>, { state }: RequestContext, couponId: number, user: User) {
  const { identity, settings } = state;
  if (identity.kind !== 'caller') throw new ApiError('svc_api_unauthorized');
  const { caller } = identity;
  const found = await storage.query(({ payouts }) => payouts.requestableBy(caller, couponId));
  if (found?.coupon.userId !== user.id) throw new ApiError('svc_api_not_found');
  if (!needsInvoice(buildPayoutRules(settings), found.details))
    throw new ApiError('svc_api_conflict', { message: 'Your payout method needs no invoice.' });
  return found;
}

async function hold(locks: Locks, { id }: User, work: () => Promise<void>): Promise<void> {
  try {
    await locks.hold(`invoice of user ${id}`, work);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'svc_api_in_progress') throw error;
    throw new ApiError('svc_api_in_progress', { message: 'Another invoice of yours is being handed in. Send this one after it.' });
  }
}

const toRecord = ({ id, couponId, couponCode, type, size, createdAt, payoutId }: ListedInvoice, { state }: RequestContext) => ({
  id,
  coupon_id: couponId,
  coupon_code: couponCode,
  type,
  size,
  date: localDateTime(createdAt, state.settings.store.timezone),
  payout_id: payoutId ?? 0,
});

/** As a download of a fixed type: a browser never shows what an affiliate has sent as a page of this site. */
async function sendFile(ctx: RequestContext, invoice: ListedInvoice, files: InvoiceFiles): Promise<void> {
  const bytes = await files.read(invoice);
  if (typeof bytes === 'string') {
    const message = `The file of invoice ${invoice.id} is ${bytes}. The operator of this service can restore it.`;
    throw new ApiError('svc_api_db_error', { message, log: `the file of invoice ${invoice.id} is ${bytes}` });
  }
  ctx.set('Content-Disposition', `attachment; filename="${invoiceFileName(invoice)}"`);
  ctx.set('Content-Security-Policy', "default-src 'none'; sandbox");
  ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Content-Type', invoice.type);
  ctx.body = bytes;
}
