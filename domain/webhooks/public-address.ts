import { isIPv4, isIPv6 } from 'node:net';

/** An address as groups of bits: four of 8 for IPv4, eight of 16 for IPv6. */
type Groups = readonly number[];

interface Range {
  start: Groups;
  bits: number;
}

// Everything that IANA's registry of special addresses calls not globally reachable, and what clouds put on ordinary ones.
const closedIPv4 = [
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
].map(rangeOf);

// Only what is given out as global unicast is open. So loopback, IPv4 in any disguise (mapped, compatible, NAT64), unique local, link-local,
// site-local and multicast addresses are closed without being named, and so is what nobody has thought of yet.
const openIPv6 = rangeOf('2000::/3');
const closedIPv6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarking, ORCHID …
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: an IPv4 address of any kind inside
  '3ffe::/16', // the former 6bone
  '3fff::/20', // documentation
].map(rangeOf);

const loopback = ['127.0.0.0/8', '::1/128'].map(rangeOf);

/** Whether everybody on the Internet means the same machine by it. An address with a zone, or what is no address at all, is not public. */
export function isPublicAddress(address: string): boolean {
  const groups = groupsOf(address);
  if (groups === null) return false;
  if (isIPv4(address)) return !isInAny(closedIPv4, groups);
  return isIn(openIPv6, groups) && !isInAny(closedIPv6, groups);
}

export function isLoopbackAddress(address: string): boolean {
  const groups = groupsOf(address);
  return groups !== null && isInAny(loopback, groups);
}

function rangeOf(text: string): Range {
  const [start = '', bits = ''] = text.split('/');
  return { start: groupsOf(start) ?? [], bits: Number(bits) };
}

const isInAny = (ranges: readonly Range[], groups: Groups): boolean => ranges.some((range) => isIn(range, groups));

function isIn({ start, bits }: Range, groups: Groups): boolean {
  if (start.length !== groups.length) return false;
  const width = widthOf(groups);
  return groups.every((group, index) => {
    const ignored = Math.min(width, Math.max(0, width - (bits - index * width)));
    return group >> ignored === (start[index] ?? 0) >> ignored;
  });
}

const widthOf = (groups: Groups): number => (groups.length === 4 ? 8 : 16);

function groupsOf(address: string): Groups | null {
  if (isIPv4(address)) return address.split('.').map(Number);
  if (!isIPv6(address) || address.includes('%')) return null;
  const [head = [], tail = []] = address.split('::').map(hexGroups);
  const left = 8 - head.length - tail.length;
  return [...head, ...Array<number>(left).fill(0), ...tail];
}

/** One side of `::`. The last four bytes may be written as IPv4. */
function hexGroups(side: string): number[] {
  const parts = side === '' ? [] : side.split(':');
  return parts.flatMap((part) => {
    if (!part.includes('.')) return [Number.parseInt(part, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
    return [(a << 8) | b, (c << 8) | d];
  });
}
