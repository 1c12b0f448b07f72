import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Settings } from '../../site/settings/settings.ts';
import type { SiteSettings } from '../../site/settings/site-settings.ts';
import { credentialsIn } from '../auth/credentials.ts';
import type { Identification } from '../auth/identify.ts';
import { anonymous, type Identity } from '../auth/identity.ts';
import type { Lockout } from '../auth/lockout.ts';
import { originHeaders } from '../http/cors.ts';
import type { Proxies } from '../http/proxies.ts';
import type { TellRequest } from '../http/request-log.ts';
import { type Arrival, arrivalOf, commonHeaders } from '../http/request-meta.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import type { RequestMeter } from '../metrics/requests.ts';
import type { LastingReplies, LastingReply } from './response-cache.ts';

export interface AtOnceParts {
  proxies: Proxies;
  settings: SiteSettings;
  identification: Identification;
  lockout: Lockout;
  allowPlainHttp: boolean;
  limit: RateLimit;
  replies: LastingReplies;
  tell: TellRequest;
  meter: RequestMeter | undefined;
}

/** Answers the request and is true, or has not touched it. */
export type AtOnce = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Gives a kept answer before Koa has made its objects for the request: those and its promises take three times as long as everything that
 * happens here. The steps are those of the app, in their order, as far as they have nothing to wait for and nobody to refuse; whatever
 * else comes up is left to the app, which then begins at the beginning.
 */
export function answerAtOnce(parts: AtOnceParts): AtOnce {
  return (request, response) => {
    if (!isSimple(request) || parts.replies.isEmpty) return false;
    const settings = parts.settings.cached;
    if (!settings) return false;
    const started = performance.now();
    const arrival = arrivalOf(request, parts.proxies);
    const identity = known(request, arrival, settings, parts);
    const reply = identity && parts.replies.find({ method: 'GET', url: request.url, ...arrival, identity, settings });
    const rate = reply && parts.limit.hitUnlessReached(identity, settings);
    if (!rate) return false;
    parts.meter?.began();
    give(response, [...commonHeaders(arrival), ...originHeaders, ...rate], reply);
    const { operation, status } = reply;
    parts.tell({ method: 'GET', status, path: '', body: null, state: { ...arrival, identity, operation, isApi: true } }, started);
    return true;
  };
}

/** Pages of other origins are told more, and have more to prove. */
const isSimple = ({ method, url, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.origin === undefined && url?.startsWith('/api/') === true;

/** Who is calling, where that is known without asking the database. */
function known(
  { headers }: IncomingMessage,
  { address, isSecure }: Arrival,
  settings: Settings,
  { identification, lockout, allowPlainHttp }: AtOnceParts,
): Identity | undefined {
  const credentials = credentialsIn(headers);
  if (credentials.kind === 'none') return anonymous;
  if (credentials.kind !== 'key' || !(isSecure || allowPlainHttp) || lockout.check(address, settings) !== null) return undefined;
  return identification.known(credentials.token, settings);
}

/** In one piece: a header that is set by itself is looked at three times before it goes out. */
function give(response: ServerResponse, headers: string[], { status, headers: own, body }: LastingReply): void {
  for (const [name, value] of own) headers.push(name, value);
  response.writeHead(status, headers);
  response.end(body);
}
