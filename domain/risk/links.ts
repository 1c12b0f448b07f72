import { normalizeIban } from '../payout-details/iban.ts';
import { destinationOf } from '../payout-details/save.ts';
import { normalizeMailbox } from '../users/mailbox.ts';
import type { ScannedAccount } from './facts.ts';

type LinkKind = 'destination' | 'email' | 'website' | 'invoice';

export interface LinkSecrets {
  /** A keyed hash: without the key a link does not tell what it is about. */
  hash(text: string): string;
  /** Of payout details. */
  decrypt(sealed: string, userId: number | string): string;
}

export const isDestinationLink = (link: string): boolean => link.startsWith('destination:');

/** What an affiliate may have in common with others, each hashed. */
export function linksOf(account: ScannedAccount, { hash, decrypt }: LinkSecrets): string[] {
  const { isAffiliate, email, website, invoices } = account;
  const link = (kind: LinkKind, value: string | null): string[] => (value === null ? [] : [`${kind}:${hash(`${kind}:${value}`)}`]);
  if (!isAffiliate) return [];
  const links = [
    ...link('destination', normalizeDestination(account, decrypt)),
    ...link('email', normalizeMailbox(email)),
    ...link('website', hostOf(website)),
    ...invoices.flatMap((sha256) => link('invoice', sha256)),
  ];
  return [...new Set(links)];
}

/** Null where there is none that two people could share: credit of the shop, or instructions in words. */
function normalizeDestination({ userId, methodType, encryptedDetails }: ScannedAccount, decrypt: LinkSecrets['decrypt']): string | null {
  if (methodType === null || encryptedDetails === null || methodType === 'credit' || methodType === 'custom') return null;
  const details = destinationOf({ userId, method: '', methodType, encryptedDetails, firstSavedAt: 0, updatedAt: 0 }, decrypt) ?? {};
  const text = (name: string): string => (typeof details[name] === 'string' ? details[name].trim() : '');
  if (methodType === 'banktransfer') return named('iban', normalizeIban(text('iban')));
  const mailbox = text('email') === '' ? null : named('email', normalizeMailbox(text('email')));
  return mailbox ?? named('id', (text('recipient_id') || text('account')).toLowerCase());
}

const named = (kind: string, value: string): string | null => (value === '' ? null : `${kind} ${value}`);

/** Hosts on which many people have a page of their own, with their subdomains: `de.linkedin.com`. */
const publicHosts = new Set(
  `about.me beacons.ai behance.net bio.link bsky.app discord.com discord.gg dribbble.com etsy.com facebook.com fb.com flickr.com github.com gitlab.com
  instagram.com issuu.com ko-fi.com linkedin.com linktr.ee mastodon.social medium.com patreon.com quora.com reddit.com rumble.com snapchat.com
  soundcloud.com spotify.com t.me telegram.me threads.com threads.net tiktok.com twitch.tv twitter.com vimeo.com vk.com weibo.com whatsapp.com
  x.com xing.com youtu.be youtube.com`.split(/\s+/),
);
/** Those with a domain in each country, also with subdomains. */
const nationalHosts = /(?:^|\.)(?:amazon|google|pinterest)\.(?:com?\.)?[a-z]{2,3}$/;
/** Those that give everyone a subdomain, which is a website of its own. */
const parentHosts = new Set(['bandcamp.com', 'substack.com', 'tumblr.com', 'wordpress.com']);

function hostOf(website: string): string | null {
  const address = /^https?:\/\//i.test(website) ? website : `https://${website}`;
  const host = URL.canParse(address) ? new URL(address).hostname.replace(/^(?:www|m|mobile)\./, '').replace(/\.$/, '') : '';
  return host.includes('.') && !isPublicHost(host) ? host : null;
}

function isPublicHost(host: string): boolean {
  const labels = host.split('.');
  return parentHosts.has(host) || nationalHosts.test(host) || labels.some((_, at) => publicHosts.has(labels.slice(at).join('.')));
}
