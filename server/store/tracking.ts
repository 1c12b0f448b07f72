import { isUtf8 } from 'node:buffer';
import { Router } from '@koa/router';
import { validateClick } from '../../domain/clicks/incoming.ts';
import { ApiError } from '../../domain/errors.ts';
import { isAddOnActive } from '../../site/served.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { CompressedBody } from '../http/compressed-body.ts';
import { varyHeader } from '../http/cors.ts';
import { noRouteError } from '../http/error-response.ts';
import { readBytes } from '../http/read-bytes.ts';
import type { Middleware, RequestContext, RequestState } from '../http/request-context.ts';
import { readTrackingScript } from '../pages/web-files.ts';
import type { ClickRecorder } from './click-recorder.ts';
import { isBot, isPrefetch } from './visits.ts';

/** The script for the pages of the shop, and the clicks that it sends. */
export function trackingRoutes(clicks: ClickRecorder): Router<RequestState> {
  const router = new Router<RequestState>({ strict: true });
  const getScript = createScripts();
  router.get('/affiliate.js', requireAddOn, async (ctx) => {
    const script = getScript(ctx.state.settings);
    // For pages that load nothing from elsewhere without its consent (COEP), and tags with `crossorigin`.
    ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
    ctx.set('Access-Control-Allow-Origin', '*');
    if (script) return script.send(ctx, 'public, max-age=600');
    ctx.status = 503;
    ctx.body = 'The script is not built. Run `npm run build` and start the service again.\n';
  });
  router.options('/track/click', requireAddOn, (ctx) => {
    allowOrigin(ctx);
    ctx.set('Access-Control-Allow-Methods', 'POST');
    ctx.set('Access-Control-Allow-Headers', 'Content-Type');
    ctx.set('Access-Control-Max-Age', '600');
    ctx.status = 204;
  });
  router.post('/track/click', requireAddOn, (ctx) => receiveClick(ctx, clicks));
  return router;
}

const requireAddOn: Middleware = (ctx, next) => {
  if (!isAddOnActive('store', ctx.state.settings)) throw noRouteError(ctx);
  return next();
};

/** The script contains settings of attribution. It is made again when they have changed. */
function createScripts(): (settings: Settings) => CompressedBody | null {
  let source: string | null | undefined;
  let last: { text: string; body: CompressedBody } | undefined;
  return ({ attribution: { window_days: days, lifetime } }) => {
    source ??= readTrackingScript();
    if (source === null) return null;
    const text = source.replace('%window_days%', String(days)).replace('%lifetime%', lifetime ? '1' : '0');
    if (last?.text !== text) last = { text, body: new CompressedBody(Buffer.from(text), 'text/javascript; charset=utf-8') };
    return last.body;
  };
}

/** Lets pages of the shop and of the listed origins send clicks, and no others. */
function allowOrigin(ctx: RequestContext): void {
  const { store, cors } = ctx.state.settings;
  const origin = ctx.get('Origin');
  ctx.set(...varyHeader);
  if (origin !== new URL(store.url).origin && !cors.origins.includes(origin))
    throw new ApiError('svc_api_forbidden', {
      message: 'Clicks are accepted from pages of the shop only. Other origins are listed in the setting cors.origins.',
    });
  ctx.set('Access-Control-Allow-Origin', origin);
}

const maxBytes = 4096;

/** An unknown coupon is not an error: shops use `ref` for other things too. */
async function receiveClick(ctx: RequestContext, clicks: ClickRecorder): Promise<void> {
  allowOrigin(ctx);
  const { address, settings } = ctx.state;
  const excess = await clicks.exceedsLimit(address);
  const bytes = await readBytes(ctx, maxBytes, '4 KiB');
  if (excess) throw new ApiError('svc_api_rate_limited', { data: { retry_after: excess.secondsLeft } });
  if (!isUtf8(bytes)) throw new ApiError('rest_invalid_json', { message: 'The body is not UTF-8.' });
  const { coupon, visitor, campaign } = parseClick(bytes.toString());
  ctx.status = 204;
  if (isBot(ctx.headers) || isPrefetch(ctx.headers)) return;
  const linked = await clicks.find(coupon);
  if (linked) await clicks.record({ couponId: linked.id, visitor, campaign }, settings);
}

function parseClick(text: string): { coupon: string; visitor: string; campaign: string | undefined } {
  const { coupon, visitor, campaign = null } = parseObject(text);
  if (typeof coupon !== 'string' || typeof visitor !== 'string' || (campaign !== null && typeof campaign !== 'string'))
    throw new ApiError('rest_invalid_param', { message: 'Send coupon and visitor as texts, and campaign as a text or null.' });
  const click = { coupon, visitor, campaign: campaign ?? undefined };
  const problem = validateClick({ ...click, couponCode: coupon, clickedAt: 0 });
  if (problem !== null) throw new ApiError('rest_invalid_param', { message: problem });
  return click;
}

function parseObject(text: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new ApiError('rest_invalid_json');
  }
  if (typeof parsed === 'object' && parsed !== null) return parsed as Record<string, unknown>;
  throw new ApiError('rest_invalid_param', { message: 'Send a JSON object with coupon and visitor.' });
}
