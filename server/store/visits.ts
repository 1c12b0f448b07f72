import type { IncomingHttpHeaders } from 'node:http';

/** CUBOT is a brand of phones. */
const bots =
  /(?<!cu)bot\b|bot[/;_-]|crawl|spider|slurp|facebookexternalhit|facebookcatalog|whatsapp|preview|pinterest\/|embedly|quora link|vkshare|google-(?:read-aloud|inspectiontool|safety)|googleother|apis-google|feedfetcher|mediapartners|lighthouse|uptime|pingdom|statuscake|archive\.org|wget-archive/i;

/** Crawlers and the previews of messengers, as far as they say who they are. */
export const isBot = ({ 'user-agent': agent = '' }: IncomingHttpHeaders): boolean => bots.test(agent);

const prefetchHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

/** A browser loads the page in advance; its user may never see it. */
export const isPrefetch = (headers: IncomingHttpHeaders): boolean =>
  prefetchHeaders.some((name) => /prefetch|preview|prerender/i.test(String(headers[name] ?? '')));
