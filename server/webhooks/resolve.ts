import { lookup, Resolver } from 'node:dns/promises';
import type { UrlRules } from '../../domain/webhooks/delivery.ts';

/** All addresses of a name. Rejects when there are none. */
export type ResolveHost = (host: string, rules: UrlRules, signal: AbortSignal) => Promise<string[]>;

/**
 * Asks the name servers itself. `dns.lookup` would wait in one of libuv's few threads, so that two names whose servers are silent would
 * hold up every other one. It alone knows the machine's hosts file, though, which is what people try things out with.
 */
export const resolveHost: ResolveHost = (host, rules, signal) =>
  rules.allowPlainHttpAndLoopback ? lookupHost(host) : queryNameServers(host, signal);

/** With its hosts file. Cannot be stopped. */
export async function lookupHost(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

/** `servers` is for tests; else the machine's own are asked. */
export async function queryNameServers(host: string, signal: AbortSignal, servers?: string[]): Promise<string[]> {
  // One for each exchange, because what is cancelled is everything that a resolver was asked.
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
