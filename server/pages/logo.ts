import { Router } from '@koa/router';
import compose from 'koa-compose';
import { checkLogo, type Logo, logoSetting, maxLogoBytes, maxLogoSize } from '../../domain/brand/logo.ts';
import type { Clock } from '../../domain/clock.ts';
import { ApiError } from '../../domain/errors.ts';
import { recordSettingsChange } from '../../domain/events/settings-changed.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';
import type { User } from '../../domain/users/user.ts';
import { isAddOnActive } from '../../site/served.ts';
import type { SiteSettings } from '../../site/settings/site-settings.ts';
import { noStore, requireConfirmed, requireCsrfToken, requireSession } from '../auth/session-guard.ts';
import { noRouteError } from '../http/error-response.ts';
import { readBytes } from '../http/read-bytes.ts';
import type { Middleware, RequestContext, RequestState } from '../http/request-context.ts';
import { logoPath } from './small-page.ts';

interface LogoParts {
  storage: UnitOfWork<Repositories>;
  settings: SiteSettings;
  clock: Clock;
  /** Identifies the caller and counts the request, as for the API. */
  identify: Middleware[];
}

/**
 * The logo of the store: `POST /console/logo` with the file as its body and `DELETE /console/logo` for administrators in the console, and the
 * file itself at a public address. The database holds it, so that all processes show the same.
 */
export function logoRoutes({ storage, settings, clock, identify }: LogoParts): Router<RequestState> {
  const router = new Router<RequestState>({ strict: true });
  const guard = compose([refuseInactive, ...identify, noStore]);
  const change = async (user: User, logo: Logo | null): Promise<void> =>
    settings.setAll({ [logoSetting]: logo && logo.sha256 }, async (transaction, changed) => {
      if (logo) await transaction.logos.save(logo);
      else await transaction.logos.remove();
      await recordSettingsChange(transaction, changed, { now: clock.now(), userId: user.id });
    });
  router.post('/console/logo', guard, async (ctx: RequestContext) => {
    const user = requireAdministrator(ctx);
    await change(user, checkLogo(await readBytes(ctx, maxLogoBytes, maxLogoSize)));
    ctx.status = 201;
    ctx.body = { url: logoPath };
  });
  router.delete('/console/logo', guard, async (ctx: RequestContext) => {
    await change(requireAdministrator(ctx), null);
    ctx.body = { deleted: true };
  });
  let cached: Logo | null = null;
  router.get(logoPath, async (ctx: RequestContext, next) => {
    const { logo: sha256 } = ctx.state.settings.brand;
    if (sha256 === '') return next();
    if (cached?.sha256 !== sha256) cached = await storage.query(({ logos }) => logos.find());
    return cached ? sendLogo(ctx, cached) : next();
  });
  return router;
}

const refuseInactive: Middleware = (ctx, next) => {
  if (!isAddOnActive('management', ctx.state.settings)) throw noRouteError(ctx);
  return next();
};

function requireAdministrator(ctx: RequestContext): User {
  const { user, session } = requireSession(ctx);
  requireCsrfToken(ctx, session);
  if (user.role !== 'administrator') throw new ApiError('svc_api_forbidden');
  requireConfirmed(session, 'code');
  return user;
}

/** Browsers ask again each time, because the address stays when the logo changes; without a change the answer is 304. */
function sendLogo(ctx: RequestContext, { sha256, png }: Logo): void {
  ctx.set('Cache-Control', 'public, no-cache');
  ctx.set('ETag', `"${sha256}"`);
  ctx.set('Content-Security-Policy', "default-src 'none'; sandbox");
  ctx.type = 'image/png';
  ctx.status = 200;
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = png;
}
