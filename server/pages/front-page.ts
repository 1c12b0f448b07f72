import { Router } from '@koa/router';
import { escapeHtml } from '../../domain/mail/mail-templates.ts';
import { isDocumentPublic, isOpenToApplicants } from '../../site/served.ts';
import type { Settings } from '../../site/settings/settings.ts';
import type { RequestContext, RequestState } from '../http/request-context.ts';
import { sendSmallPage } from './small-page.ts';

/** GET /: for people the ways into the program; as JSON what this service is and where everything is. */
export function frontPageRoutes(apiRoot: string, version: string): Router<RequestState> {
  const describeService = (settings: Settings): object => ({
    name: 'Affiliate Program API',
    version,
    api: apiRoot,
    console: '/console',
    reference: '/docs',
    ...(isDocumentPublic(settings) && { document: `${apiRoot}/openapi` }),
    sign_in: '/sign-in',
    health: '/healthz',
    readiness: '/readyz',
  });
  const router = new Router<RequestState>({ strict: true });
  router.get('/', (ctx) => {
    ctx.vary('Accept');
    if (ctx.accepts('html', 'json') === 'json') ctx.body = describeService(ctx.state.settings);
    else showPage(ctx);
  });
  return router;
}

function showPage(ctx: RequestContext): void {
  const { settings } = ctx.state;
  const invitation = `<p>Recommend ${escapeHtml(settings.store.name)} and earn commission on the orders that follow.</p>
<p><a class="button" href="/apply">Join the program</a></p>
`;
  sendSmallPage(
    ctx,
    'Affiliate program',
    `${isOpenToApplicants(settings) ? invitation : ''}<p><a href="/sign-in?to=/console">Sign in</a> to see your orders, commission and payouts.</p>
<footer class="hint">For developers: <a href="/docs">API reference</a></footer>`,
  );
}
