import { isIPv4 } from 'node:net';
import { AddressRanges } from './address-ranges.ts';

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
