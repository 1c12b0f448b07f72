/** The part of an address, or of what was typed of it, that names a page of the shop. Browsers show addresses without `https://`. */
function pageOf(target: string, origin: string): string {
  const typed = target.trim().replace(/^(?=www\.|[\w-]+(\.[\w-]+)+(:\d+)?\/)/i, 'https://');
  if (!URL.canParse(typed, origin)) return '';
  const { pathname, search } = new URL(typed, origin);
  return pathname + search;
}

/** A referral link of the service leads to the page `to`; one of the shop is the page itself. */
export function buildReferralLink(referralUrl: string, { target, campaign }: { target: string; campaign: string }): string {
  if (!URL.canParse(referralUrl)) return referralUrl;
  const link = new URL(referralUrl);
  const page = target.trim() === '' ? '' : pageOf(target, link.origin);
  if (link.pathname.startsWith('/r/')) {
    if (page !== '') link.searchParams.set('to', page);
  } else if (page !== '') {
    const own = new URLSearchParams(link.search);
    link.href = link.origin + page;
    for (const [name, value] of own) link.searchParams.set(name, value);
  }
  if (campaign.trim() !== '') link.searchParams.set('campaign', campaign.trim());
  return link.href;
}
