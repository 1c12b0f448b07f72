import type { IncomingHttpHeaders } from 'node:http';

const bots =
  /bot\b|bot[/;_-]|crawl|spider|slurp|facebookexternalhit|facebookcatalog|meta-external|whatsapp|preview|pinterest\/\d|embedly|quora link|vkshare|google-(?:read-aloud|inspectiontool|safety)|googleother|apis-google|feedfetcher|mediapartners|lighthouse|uptime|pingdom|statuscake|archive\.org|wget-archive|slack-imgproxy/i;

/** What apps say of themselves and of the phone: the name of a model may end in "bot", and Pinterest's app is no crawler. */
const devices = /\[[^[\]]*\]|\((?!compatible)[^()]*\bandroid\b[^()]*\)|\bandroid \([^()]*\)/gi;

/** The time of `devices` is the square of it. */
const longestAgent = 1000;

/** Crawlers and the previews of messengers, as far as they say who they are. */
export const isBot = ({ 'user-agent': agent = '' }: IncomingHttpHeaders): boolean =>
  bots.test(agent.slice(0, longestAgent).replaceAll(devices, ''));

const prefetchHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

/** A browser loads the page in advance; its user may never see it. */
export const isPrefetch = (headers: IncomingHttpHeaders): boolean =>
  prefetchHeaders.some((name) => /prefetch|preview|prerender/i.test(String(headers[name] ?? '')));
