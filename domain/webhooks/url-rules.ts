import { isIP } from 'node:net';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';
import type { UrlRules } from './sending.ts';

// Decision 10, "URL rules". The URL parser does the reading: whatever spelling of an address it takes (decimal, octal, hexadecimal, short,
// percent-encoded, full-width), the check sees the one plain form that the connection will use.

const notPublic = 'The URL must lead to a public address.';

const longest = 2000;

/** Also an empty one, which the parser drops without a word. It takes any number of slashes, of either kind, before the host. */
const hasUserInfo = /^[^:]*:[\\/]*[^\\/?#]*@/;

/** As it is kept, shown and used: one spelling, without the fragment, which is never sent. */
export function normalizeUrl(text: string): string {
  const url = new URL(text);
  url.hash = '';
  return url.href;
}

/** What is wrong with the URL itself, or null. A name's addresses are judged by `addressesProblem`, once they are known. */
export function findUrlProblem(text: string, rules: UrlRules): string | null {
  // The parser would leave some of them out, and two people would see two different addresses.
  if (/\p{Cc}/u.test(text)) return 'The URL must not have control characters in it.';
  if (!URL.canParse(text)) return 'The URL is not valid.';
  if (normalizeUrl(text).length > longest) return `The URL is longer than ${longest} characters once it is written out.`;
  const url = new URL(text);
  if (!isProtocolAllowed(url, rules)) return rules.allowPlainHttpAndLoopback ? 'The URL must be http or https.' : 'The URL must be https.';
  if (hasUserInfo.test(text)) return 'The URL must not carry a user name or password.';
  const host = hostOf(url);
  if (isIP(host) !== 0) return findAddressProblem([host], rules) ?? portProblem(url, rules);
  if (isNameOfThisMachine(host) && !rules.allowPlainHttpAndLoopback) return notPublic;
  return portProblem(url, rules);
}

/** One address that is not public closes them all: who may choose what a name means must not choose which of its addresses is tried. */
export function findAddressProblem(addresses: readonly string[], rules: UrlRules): string | null {
  return addresses.every((address) => isAddressAllowed(address, rules)) ? null : notPublic;
}

export function isAddressAllowed(address: string, rules: UrlRules): boolean {
  return isPublicAddress(address) || (rules.allowPlainHttpAndLoopback && isLoopbackAddress(address));
}

/** Name or address, IPv6 without its brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

export const portOf = (url: URL): number => (url.port === '' ? defaultPort(url) : Number(url.port));

const defaultPort = (url: URL): number => (url.protocol === 'http:' ? 80 : 443);

const isProtocolAllowed = (url: URL, rules: UrlRules): boolean =>
  url.protocol === 'https:' || (url.protocol === 'http:' && rules.allowPlainHttpAndLoopback);

const isNameOfThisMachine = (host: string): boolean => /(^|\.)localhost\.?$/.test(host);

function portProblem(url: URL, rules: UrlRules): string | null {
  if (rules.allowPlainHttpAndLoopback || rules.ports.includes(portOf(url))) return null;
  return `The URL's port must be ${rules.ports.join(' or ')}.`;
}
