import { isIP, isIPv4 } from 'node:net';
import { AddressRanges } from './address-ranges.ts';
import type { UrlRules } from './delivery.ts';

// The URL parser does the reading: whatever spelling of an address it takes (decimal, octal, hexadecimal, short,
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

/** What is wrong with the URL itself, or null. The addresses of a name are checked by `findAddressProblem`, once it is resolved. */
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

// Everything that IANA's registry of special addresses calls not globally reachable, and what clouds put on ordinary ones.
const closedIPv4 = new AddressRanges([
  '0.0.0.0/8', // this network; Linux connects 0.0.0.0 to itself
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by a carrier's customers; the metadata of some clouds
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's agent, on an address that looks public
  '169.254.0.0/16', // link-local; the metadata of most clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; the metadata of one cloud
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // relays from 6to4
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]);

// Only global unicast is open. So loopback, IPv4 in any form (mapped, compatible, NAT64), unique local, link-local, site-local and multicast
// addresses are closed without being named, and so are ranges that are assigned later.
const openIPv6 = new AddressRanges(['2000::/3']);
const closedIPv6 = new AddressRanges([
  '2001::/23', // protocol assignments: Teredo, benchmarking, ORCHID …
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: an IPv4 address of any kind inside
  '3ffe::/16', // the former 6bone
  '3fff::/20', // documentation
]);

const loopback = new AddressRanges(['127.0.0.0/8', '::1']);

/** Whether the address is globally reachable. False for an address with a zone, and for anything that is no address. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !closedIPv4.has(address);
  return openIPv6.has(address) && !closedIPv6.has(address);
}

export const isLoopbackAddress = (address: string): boolean => loopback.has(address);
