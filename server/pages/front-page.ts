import { Router } from '@koa/router';
import { escapeHtml } from '../../domain/mail/mail-templates.ts';
import { isDocumentPublic } from '../../site/served.ts';
import type { Settings } from '../../site/settings/settings.ts';
import type { RequestContext, RequestState } from '../http/request-context.ts';
import { sendSmallPage } from './small-page.ts';

interface Link {
  /** Its name in the JSON. */
  readonly name: string;
  readonly path: string;
  readonly label: string;
  readonly purpose: string;
  isServed?(settings: Settings): boolean;
}

/** GET /: what this service is and where everything is, as a page or as JSON. */
export function frontPageRoutes(apiRoot: string, version: string): Router<RequestState> {
  const links: readonly Link[] = [
    { name: 'console', path: '/console', label: 'Console', purpose: 'earnings, orders and payouts; for admins, the whole program' },
    { name: 'reference', path: '/docs', label: 'API reference', purpose: 'every operation, with a form to try it' },
    {
      name: 'document',
      path: `${apiRoot}/openapi`,
      label: 'OpenAPI document',
      purpose: 'for client generators and other tools',
      isServed: isDocumentPublic,
    },
    { name: 'sign_in', path: '/sign-in', label: 'Sign in', purpose: 'to use the console, and to call the API from the reference page' },
    { name: 'health', path: '/healthz', label: 'Health', purpose: 'whether the process runs' },
    { name: 'readiness', path: '/readyz', label: 'Readiness', purpose: 'whether the database can be used' },
  ];
  const router = new Router<RequestState>({ strict: true });
  router.get('/', (ctx) => {
    const { settings } = ctx.state;
    const served = links.filter(({ isServed }) => isServed?.(settings) ?? true);
    ctx.vary('Accept');
    if (ctx.accepts('html', 'json') === 'json')
      ctx.body = { name: title, version, api: apiRoot, ...Object.fromEntries(served.map(({ name, path }) => [name, path])) };
    else showPage(ctx, settings.store.name, served, apiRoot);
  });
  return router;
}

const title = 'Affiliate Program API';

function showPage(ctx: RequestContext, store: string, links: readonly Link[], apiRoot: string): void {
  const items = links.map(
    ({ path, label, purpose }) => `<dt><a href="${escapeHtml(path)}">${escapeHtml(label)}</a></dt><dd>${escapeHtml(purpose)}</dd>`,
  );
  sendSmallPage(
    ctx,
    title,
    `<p>This is the affiliate program of ${escapeHtml(store)}: affiliates, coupons, referred orders, commission and payouts, as a JSON API
under <code>${escapeHtml(apiRoot)}</code>.</p>
<dl>
${items.join('\n')}
</dl>`,
  );
}
