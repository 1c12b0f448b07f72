import type { ApiError } from '../../domain/errors.ts';
import { escapeHtml } from '../../domain/mail/mail-templates.ts';
import { buildProgram } from '../../site/program.ts';
import { acceptsSession } from '../auth/accepts-session.ts';
import { AccountLockedError } from '../auth/sign-in-attempts.ts';
import { noRouteError, setErrorStatus, toApiError } from '../http/error-response.ts';
import type { Middleware, RequestContext } from '../http/request-context.ts';
import { sendSmallPage } from './small-page.ts';

/** An address that does not exist, as a page for browsers. @throws ApiError for other clients. */
export function showNotFound(ctx: RequestContext): void {
  ctx.vary('Accept');
  if (ctx.accepts('json', 'html') !== 'html') throw noRouteError(ctx);
  ctx.status = 404;
  sendSmallPage(
    ctx,
    'There is no such page',
    '<p>The address may be wrong, or the page was closed in the meantime.</p>\n<p><a href="/">To the start</a> · <a href="/sign-in?to=/console">Sign in</a></p>',
  );
}

/** A page has one address, without a trailing slash. A browser would read `//` and a backslash as the beginning of another host. */
export const redirectToCanonicalPath: Middleware = (ctx, next) => {
  if (/\/\/|\\/.test(ctx.path)) return showNotFound(ctx);
  if (ctx.path === '/' || !ctx.path.endsWith('/')) return next();
  ctx.redirect(ctx.path.slice(0, -1) + ctx.search);
  ctx.status = 308;
};

/** Shows errors as pages: people are not served JSON. */
export const showErrors: Middleware = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    const known = toApiError(ctx, error);
    if (known.code === 'rest_no_route') return showNotFound(ctx);
    setErrorStatus(ctx, known);
    if (known instanceof AccountLockedError) return showAccountLocked(ctx, known);
    sendSmallPage(ctx, 'That did not work', `<p role="alert">${escapeHtml(describeError(known))}</p>`);
  }
};

const describeError = (error: ApiError): string =>
  error.code === 'svc_api_too_many_auth_failures' ? `${error.message} Try again in ${describeWait(error)}.` : error.message;

function describeWait({ details }: ApiError): string {
  const minutes = Math.ceil((details.data?.retry_after ?? 0) / 60);
  return minutes === 1 ? 'one minute' : `${minutes} minutes`;
}

/** The same for names without an account. */
function showAccountLocked(ctx: RequestContext, error: AccountLockedError): void {
  sendSmallPage(
    ctx,
    'Too many failed sign-ins',
    `<p role="alert">Someone has tried many passwords for this account. For a while, you can sign in only in a browser in which you have
signed in before.</p>
<p>To sign in here at once, <a href="/forgot-password">set a new password</a> by a link that we mail to you. Or try again in ${describeWait(error)}.</p>`,
  );
}

/** Explains HTTPS where a password would be sent in clear. */
export const requireHttps =
  (allowPlainHttp: boolean): Middleware =>
  (ctx, next) =>
    acceptsSession(ctx, allowPlainHttp) ? next() : showHttpsPage(ctx);

async function showHttpsPage(ctx: RequestContext): Promise<void> {
  const { serviceUrl } = buildProgram(ctx.state.settings);
  const target = ctx.path + ctx.search;
  const address = serviceUrl.startsWith('https:') ? escapeHtml(serviceUrl + target) : null;
  const local = escapeHtml(`http://localhost:${ctx.req.socket.localPort}${target}`);
  ctx.status = 403;
  sendSmallPage(
    ctx,
    'This page needs HTTPS',
    `<p>This address begins with http. Others on the network could read your password, so it is not asked for here.</p>
${address === null ? '' : `<p>Open <a href="${address}">${address}</a> instead.</p>\n`}<h2>If you run this service</h2>
<p>Do one of these:</p>
<ul>
<li>Set <code>TLS_CERT</code> and <code>TLS_KEY</code> to the files of a certificate and its key, and restart the service.</li>
<li>Let a proxy accept HTTPS and pass requests on with <code>X-Forwarded-Proto</code>. Set <code>TRUSTED_PROXIES</code> to its address.</li>
<li>To try the service out, open <code>${local}</code> in a browser on the machine that it runs on.</li>
</ul>
<p>The guide “Run in production” describes each of them.</p>`,
  );
}
