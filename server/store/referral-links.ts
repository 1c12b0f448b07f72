import { randomUUID } from 'node:crypto';
import { landingPage } from '../../domain/clicks/referral-link.ts';
import { isAddOnActive } from '../../site/served.ts';
import type { Middleware, RequestContext } from '../http/request-context.ts';
import type { ClickRecorder } from './click-recorder.ts';
import { isBot, isPrefetch } from './visits.ts';

const prefix = '/r/';
const maxNameLength = 200;
const maxCampaignLength = 100;

/**
 * `GET /r/<code or id>?to=/path&campaign=x` counts a click and redirects to the shop. Not a route of a router, which would take as long as
 * the rest.
 */
export const referralLinks =
  (clicks: ClickRecorder): Middleware =>
  async (ctx, next) => {
    const { path, method } = ctx;
    const isLink = path.length > prefix.length && path.startsWith(prefix) && (method === 'GET' || method === 'HEAD');
    if (!isLink || !isAddOnActive('store', ctx.state.settings)) return next();
    ctx.status = 302;
    ctx.set('Location', (await follow(ctx, clicks)).href);
    ctx.body = '';
  };

/** Where the link leads. Too many requests lead to the front page, whatever they name: trying finds no codes. */
async function follow(ctx: RequestContext, clicks: ClickRecorder): Promise<URL> {
  const { settings, address } = ctx.state;
  const isExcess = (await clicks.exceedsLimit(address)) !== null;
  const coupon = isExcess ? null : await clicks.find(nameIn(ctx.path));
  if (!coupon) return landingPage(settings.store.url, null);

  const query = new URLSearchParams(ctx.querystring);
  const page = landingPage(settings.store.url, query.get('to'));
  const campaign = campaignIn(query);
  const visitor = randomUUID();
  const params = page.searchParams;
  params.set('ref', coupon.name);
  // The page that was loaded in advance sends the click itself when it is shown.
  if (isPrefetch(ctx.headers)) params.delete('aff_visitor');
  else params.set('aff_visitor', visitor);
  if (campaign !== undefined) params.set('campaign', campaign);

  const counts = ctx.method === 'GET' && !isPrefetch(ctx.headers) && !isBot(ctx.headers);
  if (counts) await clicks.record({ couponId: coupon.id, visitor, campaign }, settings);
  return page;
}

/** Empty for a path that cannot be decoded: no coupon has that name. */
function nameIn(path: string): string {
  try {
    return decodeURIComponent(path.slice(prefix.length)).slice(0, maxNameLength);
  } catch {
    return '';
  }
}

/** One that cannot be stored is left out. */
function campaignIn(query: URLSearchParams): string | undefined {
  const campaign = query.get('campaign') ?? '';
  return campaign !== '' && [...campaign].length <= maxCampaignLength && !/\p{Cc}/u.test(campaign) ? campaign : undefined;
}
