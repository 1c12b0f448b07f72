import { Readable } from 'node:stream';
import { Router } from '@koa/router';
import compose from 'koa-compose';
import type { Clock } from '../../domain/clock.ts';
import { ApiError } from '../../domain/errors.ts';
import type { Secrets } from '../../domain/master-key/secrets.ts';
import { exportPerson } from '../../domain/privacy/export-person.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';
import { noStore, requireConfirmed, requireSession } from '../auth/session-guard.ts';
import type { Middleware, RequestContext, RequestState } from '../http/request-context.ts';
import { onResponseEnd } from '../http/response-end.ts';

interface OwnDataParts {
  storage: UnitOfWork<Repositories>;
  clock: Clock;
  /** For payout details. */
  secrets: Pick<Secrets, 'decrypt'>;
  /** Identifies the caller and counts the request, as for the API. */
  identify: Middleware[];
}

/** `GET /console/own-data.json`, outside of the API, which returns no destinations: everything that is stored about the caller. */
export function ownDataRoutes({ storage, clock, secrets, identify }: OwnDataParts): Router<RequestState> {
  const router = new Router<RequestState>({ strict: true });
  const downloading = new Set<number>();
  router.get('/console/own-data.json', compose([...identify, noStore]), async (ctx: RequestContext) => {
    const { user, session } = requireSession(ctx);
    requireConfirmed(session, true);
    if (downloading.has(user.id)) throw new ApiError('svc_api_in_progress', { message: 'Another download of your data is running.' });
    const { timezone: zone, currency } = ctx.state.settings.store;
    const document = Readable.from(exportPerson(storage, user, { zone, currency, now: clock.now(), decrypt: secrets.decrypt }));
    downloading.add(user.id);
    document.once('close', () => downloading.delete(user.id));
    // Koa does not hear that the client has disconnected while the response waits behind another one.
    onResponseEnd(ctx, () => document.destroy());
    ctx.set('Content-Disposition', 'attachment; filename="my-data.json"');
    ctx.set('Content-Security-Policy', "default-src 'none'; sandbox");
    ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
    ctx.set('X-Content-Type-Options', 'nosniff');
    ctx.type = 'application/json';
    ctx.body = document;
  });
  return router;
}
