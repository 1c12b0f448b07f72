import { Router } from '@koa/router';
import compose from 'koa-compose';
import { ApiError } from '../../domain/errors.ts';
import type { Secrets } from '../../domain/master-key/secrets.ts';
import { nameFile } from '../../domain/payouts/files/formats.ts';
import { getBatchFile } from '../../domain/payouts/settle-batch.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';
import { isAdmin } from '../../domain/users/user.ts';
import { isAddOnActive } from '../../site/served.ts';
import { noStore, requireConfirmed, requireSession } from '../auth/session-guard.ts';
import { noRouteError } from '../http/error-response.ts';
import type { Middleware, RequestContext, RequestState } from '../http/request-context.ts';

interface PayoutFileParts {
  storage: UnitOfWork<Repositories>;
  /** For stored payout files. */
  secrets: Pick<Secrets, 'decrypt'>;
  /** Identifies the caller and counts the request, as for the API. */
  identify: Middleware[];
}

/** `GET /console/payout-batches/<id>/file`, outside of the API, which returns no destinations. */
export function payoutFileRoutes({ storage, secrets, identify }: PayoutFileParts): Router<RequestState> {
  const router = new Router<RequestState>({ strict: true });
  const guard = compose([refuseInactive, ...identify, noStore]);
  router.get('/console/payout-batches/:id/file', guard, async (ctx: RequestContext & { params: Record<string, string> }) => {
    const { user, session } = requireSession(ctx);
    if (!isAdmin(user)) throw new ApiError('svc_api_forbidden');
    requireConfirmed(session, true);
    const id = Number(ctx.params['id']);
    const { batch, encrypted } = await storage.read((db) => getBatchFile(db, id));
    ctx.set('Content-Disposition', `attachment; filename="${nameFile(batch.format, `payout-batch-${id}-${batch.format}`)}"`);
    ctx.set('Content-Security-Policy', "default-src 'none'; sandbox");
    ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
    ctx.set('X-Content-Type-Options', 'nosniff');
    ctx.set('Content-Type', batch.format === 'sepa' ? 'application/xml; charset=utf-8' : 'text/csv; charset=utf-8');
    ctx.body = secrets.decrypt(encrypted, id);
  });
  return router;
}

const refuseInactive: Middleware = (ctx, next) => {
  const { settings } = ctx.state;
  const isActive = isAddOnActive('payouts', settings) && isAddOnActive('management', settings) && settings.switches.payouts;
  if (!isActive) throw noRouteError(ctx);
  return next();
};
