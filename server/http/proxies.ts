import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** Addresses come and go; these are enough for those who are here at the same time. */
const mostKnown = 10_000;

/** Proxies whose X-Forwarded headers are believed. */
export class Proxies {
  readonly #list: BlockList;
  /** To look an address up takes a fifth of the time of a whole answer, and the same few ask again and again. */
  readonly #known = new Map<string, boolean>();

  constructor(list: BlockList) {
    this.#list = list;
  }

  get areNone(): boolean {
    return this.#list.rules.length === 0;
  }

  has(address: string): boolean {
    let isOne = this.#known.get(address);
    if (isOne === undefined) {
      isOne = isIPv4(address) ? this.#list.check(address, 'ipv4') : isIPv6(address) && this.#list.check(address, 'ipv6');
      if (this.#known.size >= mostKnown) this.#known.clear();
      this.#known.set(address, isOne);
    }
    return isOne;
  }
}

/** Reads addresses and ranges. Throws a sentence for one that is neither. */
export function parseProxies(text: string): Proxies {
  const list = new BlockList();
  for (const entry of text.split(/[\s,]+/).filter(Boolean)) {
    const [address = '', prefix, ...rest] = entry.split('/');
    const family = isIPv4(address) ? 'ipv4' : isIPv6(address) ? 'ipv6' : undefined;
    const bits = prefix === undefined ? undefined : Number(prefix);
    const isRange = bits !== undefined && /^\d+$/.test(prefix ?? '') && bits <= (family === 'ipv4' ? 32 : 128);
    if (!family || rest.length > 0 || (prefix !== undefined && !isRange))
      throw new Error(`"${entry}" is neither an IP address nor a range such as 10.0.0.0/8`);
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, bits, family);
  }
  return new Proxies(list);
}

/** `::ffff:192.0.2.7` is 192.0.2.7, however the socket was bound. */
const plain = (address: string): string => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;

const textOf = (header: string | string[] | undefined): string | undefined => (Array.isArray(header) ? header.join(',') : header);

function lastOf(header: string | string[] | undefined): string | undefined {
  const text = textOf(header);
  return text?.slice(text.lastIndexOf(',') + 1).trim() || undefined;
}

export interface Origin {
  address: string;
  isSecure: boolean;
  /** Scheme and host by which the caller reached the service. */
  url: string;
}

/** Where a request comes from. Only what a trusted proxy itself added, on the right, is believed; everything else is the caller's word. */
export function originOf(request: IncomingMessage, proxies: Proxies): Origin {
  const peer = plain(request.socket.remoteAddress ?? '');
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

/** The right-most address that is not a trusted proxy itself. */
function forwardedFor(request: IncomingMessage, proxies: Proxies, peer: string): string {
  const hops = textOf(request.headers['x-forwarded-for'])?.split(',') ?? [];
  let address = peer;
  for (const hop of hops.map((entry) => plain(entry.trim())).toReversed()) {
    if (!isIPv4(hop) && !isIPv6(hop)) break;
    address = hop;
    if (!proxies.has(hop)) break;
  }
  return address;
}

const safeHost = (host: string): string =>
  /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.test(host) ? host.toLowerCase() : 'localhost';

/** Callers are told apart by address; in IPv6 by the /64 that one customer is given whole. */
export function addressGroup(address: string): string {
  // Asked of every request; most are not, which is seen at a glance.
  if (!address.includes(':') || !isIPv6(address)) return address;
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const front = head.split(':').filter(Boolean);
  const back = (tail ?? '').split(':').filter(Boolean);
  const missing = tail === undefined ? 0 : 8 - front.length - back.length;
  const groups = [...front, ...Array<string>(Math.max(missing, 0)).fill('0'), ...back].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
