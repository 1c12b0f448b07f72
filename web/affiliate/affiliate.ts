// The script of /affiliate.js, which shops load on every page. It reads the referral from the address, stores it in a cookie of the shop,
// and sends the click where the link did not count it. It never throws into the page of the shop.

interface Referral {
  /** Code of the coupon, or its id where the link names it so. */
  coupon: string | null;
  visitor: string | null;
  campaign: string | null;
}

const tag = (document.currentScript ?? document.querySelector('script[src*="/affiliate.js"]')) as HTMLScriptElement | null;
const page = document as Document & { prerendering?: boolean };
// Before a script of the page replaces the address: consent may be given later.
const query = new URLSearchParams(location.search);
const { globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };

const nothing: Referral = { coupon: null, visitor: null, campaign: null };
let hasStarted = false;

const affiliate = {
  ...nothing,
  consent: (): void => {
    if (hasStarted || globalPrivacyControl) return;
    hasStarted = true;
    // A page that is loaded in advance may never be shown.
    if (page.prerendering) page.addEventListener('prerenderingchange', start, { once: true });
    else start();
  },
};
const shared = window as unknown as { affiliate?: Partial<typeof affiliate> };
// A second tag on the page counts nothing. An element of the page can have the same name.
const isFirst = typeof shared.affiliate?.consent !== 'function';
if (isFirst) shared.affiliate = affiliate;

function start(): void {
  try {
    Object.assign(affiliate, findReferral());
    if (tag?.dataset['stripeLinks'] === undefined || !affiliate.visitor) return;
    markLinks();
    // Links that the page adds later are marked before they are followed.
    for (const event of ['DOMContentLoaded', 'pointerdown', 'click']) document.addEventListener(event, markLinks, true);
  } catch {}
}

/** Tells Stripe's payment pages who the visitor is. A reference of the shop's own stays. */
function markLinks(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href*="stripe.com/"]')) {
    try {
      const url = new URL(link.href);
      if (!/^(buy|donate|book)[.]stripe[.]com$/.test(url.hostname) || url.searchParams.has('client_reference_id')) continue;
      url.searchParams.set('client_reference_id', affiliate.visitor ?? '');
      link.href = url.href;
    } catch {
      // A malformed link does not keep the others from being marked.
    }
  }
}

function findReferral(): Referral {
  const stored = readCookie();
  const coupon = query.get('ref');
  if (!coupon || coupon.length > 200) return stored;

  const brought = /^[\da-f-]{36}$/.exec(query.get('aff_visitor') ?? '')?.[0];
  const campaign =
    Array.from((query.get('campaign') ?? '').replace(/\p{Cc}/gu, ''))
      .slice(0, 100)
      .join('') || null;
  const referral = { coupon, visitor: brought ?? keptVisitor(stored, coupon) ?? randomId(), campaign };
  writeCookie(referral);
  if (!brought) send(referral);
  return referral;
}

/**
 * The author of a link knows the id that it brought, and could claim what another coupon refers later under that id. So a referral keeps an id
 * of this script alone, and only for the same coupon. Lifetime links need the same id for ever. The service puts the setting in.
 */
const keptVisitor = ({ coupon, visitor }: Referral, next: string): string | null =>
  Number('%lifetime%') || (coupon?.toLowerCase() === next.toLowerCase() && !visitor?.includes('-')) ? visitor : null;

function readCookie(): Referral {
  try {
    const stored = decodeURIComponent(/(?:^|; )affiliate=([^;]*)/.exec(document.cookie)?.[1] ?? '');
    const { coupon, visitor, campaign } = JSON.parse(stored) as Referral;
    return { coupon, visitor, campaign };
  } catch {
    return nothing;
  }
}

function writeCookie(referral: Referral): void {
  // The service puts the setting in.
  const seconds = Number('%window_days%') * 86_400;
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  try {
    document.cookie = `affiliate=${encodeURIComponent(JSON.stringify(referral))}; Path=/; Max-Age=${seconds}; SameSite=Lax${secure}`;
  } catch {}
}

const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** As text, so that the browser need not ask first. */
function send(referral: Referral): void {
  const options = { method: 'POST', body: JSON.stringify(referral), keepalive: true, credentials: 'omit' } as const;
  fetch(new URL('track/click', tag?.src), options).catch(() => {});
}

if (isFirst && tag && tag.dataset['consent'] !== 'required') affiliate.consent();
