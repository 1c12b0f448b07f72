import { BlockList, isIP } from 'node:net';

/** A set of IP addresses, listed as addresses and ranges. An IPv4 address that is mapped into IPv6 is not in an IPv4 range. */
export class AddressRanges {
  // Apart, because a BlockList compares mapped addresses with its IPv4 rules.
  readonly #ipv4 = new BlockList();
  readonly #ipv6 = new BlockList();

  /** @throws Error with a sentence for an entry that is neither an address nor a range. */
  constructor(entries: readonly string[]) {
    for (const entry of entries) this.#add(entry);
  }

  get isEmpty(): boolean {
    return this.#ipv4.rules.length + this.#ipv6.rules.length === 0;
  }

  /** False for an address with a zone, and for anything that is no address. */
  has(address: string): boolean {
    if (address.includes('%')) return false;
    const version = isIP(address);
    if (version === 4) return this.#ipv4.check(address, 'ipv4');
    return version === 6 && this.#ipv6.check(address, 'ipv6');
  }

  #add(entry: string): void {
    const [, address = '', prefix] = /^([^/]+)(?:\/(\d+))?$/.exec(entry) ?? [];
    const version = isIP(address);
    const maxBits = version === 4 ? 32 : 128;
    const bits = Number(prefix ?? maxBits);
    if (version === 0 || bits > maxBits) throw new Error(`"${entry}" is neither an IP address nor a range such as 10.0.0.0/8`);
    if (version === 4) this.#ipv4.addSubnet(address, bits, 'ipv4');
    else this.#ipv6.addSubnet(address, bits, 'ipv6');
  }
}
