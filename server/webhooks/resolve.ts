import { lookup, Resolver } from 'node:dns/promises';
import type { UrlRules } from '../../domain/webhooks/delivery.ts';

/** All addresses of a name. Rejects when there are none. */
export type ResolveHost = (host: string, rules: UrlRules, signal: AbortSignal) => Promise<string[]>;

/**
 * Queries the name servers directly. `dns.lookup` occupies one of libuv's few threads, so that two names whose servers do not answer would
 * block every other one. Only `dns.lookup` reads the hosts file of the machine, though, which developers use; so it is used locally.
 */
export const resolveHost: ResolveHost = (host, rules, signal) =>
  rules.allowPlainHttpAndLoopback ? lookupHost(host) : queryNameServers(host, signal);

/** Uses the hosts file. Cannot be aborted. */
export async function lookupHost(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

/** Uses the machine's name servers by default; `servers` is for tests. */
export async function queryNameServers(host: string, signal: AbortSignal, servers?: string[]): Promise<string[]> {
  // One for each exchange, because `cancel` ends all queries of a resolver.
  const resolver = new Resolver({ timeout: 2000, tries: 3 });
  if (servers !== undefined) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await bothFamilies(resolver, host);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

async function bothFamilies(resolver: Resolver, host: string): Promise<string[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0 && four.status === 'rejected') throw four.reason;
  return addresses;
}
