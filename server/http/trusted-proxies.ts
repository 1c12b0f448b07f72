import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { AddressRanges } from '../../domain/webhooks/address-ranges.ts';

/** Proxies whose X-Forwarded headers are used. */
export class TrustedProxies {
  readonly #ranges: AddressRanges;
  /** A lookup in the ranges takes a fifth of the time of a cached response, and the same few proxies send all requests. */
  readonly #results = new LRUCache<string, boolean>({ max: 1000 });

  /** @throws Error with a sentence for an entry that is neither an address nor a range. */
  constructor(text: string) {
    this.#ranges = new AddressRanges(text.split(/[\s,]+/).filter(Boolean));
  }

  get isEmpty(): boolean {
    return this.#ranges.isEmpty;
  }

  has(address: string): boolean {
    const cached = this.#results.get(address);
    if (cached !== undefined) return cached;
    const isTrusted = this.#ranges.has(address);
    this.#results.set(address, isTrusted);
    return isTrusted;
  }
}

/** `::ffff:192.0.2.7` is 192.0.2.7, however the socket was bound. */
export const plainAddress = (address: string): string => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;

const textOf = (header: string | string[] | undefined): string | undefined => (Array.isArray(header) ? header.join(',') : header);

function lastOf(header: string | string[] | undefined): string | undefined {
  const text = textOf(header);
  return text?.slice(text.lastIndexOf(',') + 1).trim() || undefined;
}

export interface RequestOrigin {
  address: string;
  isSecure: boolean;
  /** Scheme and host by which the caller reached the service. */
  url: string;
}

/** Only what a trusted proxy itself added, on the right of a header, is used; everything else can be forged by the caller. */
export function originOf(request: IncomingMessage, proxies: TrustedProxies): RequestOrigin {
  const peer = plainAddress(request.socket.remoteAddress ?? '');
  const isTls = (request.socket as TLSSocket).encrypted === true;
  const trusted = proxies.has(peer);
  const isSecure = isTls || (trusted && lastOf(request.headers['x-forwarded-proto'])?.toLowerCase() === 'https');
  const host = (trusted && lastOf(request.headers['x-forwarded-host'])) || request.headers.host || 'localhost';
  return {
    address: trusted ? forwardedFor(request, proxies, peer) : peer,
    isSecure,
    url: `${isSecure ? 'https' : 'http'}://${safeHost(host)}`,
  };
}

/** Some proxies add the port of the client: `203.0.113.9:51234`, `[2001:db8::9]:51234`. */
const withoutPort = (entry: string): string =>
  /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(entry)?.[1] ?? /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? entry;

/** The right-most address that is not a trusted proxy itself. */
function forwardedFor(request: IncomingMessage, proxies: TrustedProxies, peer: string): string {
  const hops = textOf(request.headers['x-forwarded-for'])?.split(',') ?? [];
  let address = peer;
  for (const [before, entry] of [...hops.entries()].toReversed()) {
    const hop = plainAddress(withoutPort(entry.trim()));
    if (isIP(hop) === 0) break;
    address = hop;
    // Not looked up where nothing is left: every visitor of a link has another address.
    if (before > 0 && !proxies.has(hop)) break;
  }
  return address;
}

const safeHost = (host: string): string =>
  /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.test(host) ? host.toLowerCase() : 'localhost';

/** The address, or the /64 of an IPv6 address, all of which usually belongs to one customer. */
export const addressGroup = (address: string): string =>
  address.includes(':') && isIPv6(address) ? `${firstGroups(address, 4)}::/64` : address;

/** The /48 of an IPv6 address, which one customer may have as a whole. Null for IPv4. */
export const addressNetwork = (address: string): string | null =>
  address.includes(':') && isIPv6(address) ? `${firstGroups(address, 3)}::/48` : null;

/** What people recognise of an address, and others cannot use to find them: the /24 of IPv4, the /48 of IPv6. */
export const shortenAddress = (address: string): string => addressNetwork(address) ?? address.replace(/\.\d+$/, '.0/24');

function firstGroups(address: string, count: number): string {
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const front = head.split(':').filter(Boolean);
  const back = (tail ?? '').split(':').filter(Boolean);
  const missing = tail === undefined ? 0 : 8 - front.length - back.length;
  const groups = [...front, ...Array<string>(Math.max(missing, 0)).fill('0'), ...back].slice(0, count);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
}
