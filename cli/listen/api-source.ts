import { setTimeout as sleep } from 'node:timers/promises';
import { createApi, follow, isApiError } from '../../client/src/index.ts';
import { offsetAt } from '../../domain/dates.ts';
import type { components } from '../../generated/api.d.ts';
import { webhookEvents } from '../../generated/events.ts';
import { CommandError, formatError } from '../terminal/output.ts';
import { type EventSource, notActive } from './event-source.ts';

interface ApiOptions {
  /** The address of the service, with or without `/api/v2`. */
  url: string;
  token: string;
  /** The store's address, which the API does not tell. */
  site: string | undefined;
  signal: AbortSignal;
}

type Schemas = components['schemas'];

/** Reads the change feed over the API, with the key of an administrator or a manager. */
export async function readFromApi({ url, token, site, signal }: ApiOptions): Promise<EventSource> {
  const base = new URL(url);
  if (base.pathname === '/') base.pathname = '/api/v2';
  const baseUrl = base.href.replace(/\/$/, '');
  const get = createReader(baseUrl, token, signal);
  const [{ timezone: zone }, catalog, { servers }] = [
    await get<Schemas['Me']>('/me'),
    await get<Schemas['WebhookEvent'][]>('/webhooks/events?per_page=100'),
    await get<{ servers: { description: string }[] }>('/openapi'),
  ];
  const offered = catalog.map(({ event }) => event).filter((event) => event in webhookEvents);
  return {
    storeName: servers[0]?.description ?? base.host,
    zone,
    offered,
    newest: async () => (await get<Schemas['Event'][]>('/events?per_page=1'))[0]?.id ?? 0,
    async *follow(after, _wanted, signal) {
      const api = createApi({ baseUrl, token, fetch: (request) => fetch(request, { redirect: 'error' }) });
      try {
        for await (const { id, type, data, date } of follow(api, { after, signal, ...pollPauses }))
          yield {
            id,
            site: site ?? base.origin,
            notifications: type !== null && offered.includes(type) ? [{ event: type, data, at: momentOf(date, zone) }] : [],
          };
      } catch (error) {
        throw isApiError(error) ? new CommandError(describeRefusal(error, '/events')) : error;
      }
    },
  };
}

/** Without a stream. Half of the requests that a key has in a minute by default. */
const pollPauses = { idleSeconds: 1, longestIdleSeconds: 1 };

/** The contract's dates are in the store's time. In the hour that a clock repeats, the first one. */
function momentOf(date: string, zone: string): number {
  const local = Date.parse(`${date}Z`);
  return local - offsetAt(local - offsetAt(local, zone), zone);
}

type ReadApi = <Body>(path: string) => Promise<Body>;

/** The first answer must come. Later, the service may be down for a while: then it is tried again. Rejects when the signal is aborted. */
function createReader(base: string, token: string, signal: AbortSignal): ReadApi {
  let hasAnswered = false;
  const read = async <Body>(path: string): Promise<Body> => {
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(base + path, { headers, redirect: 'error', signal }).catch((error: Error) => {
      if (hasAnswered && !signal.aborted) return null;
      throw new CommandError(`${base} does not answer: ${formatError(error.cause ?? error)} Check --url.`);
    });
    if (response === null || response.status >= 500 || response.status === 429) return retry(response, path);
    hasAnswered = true;
    if (!response.ok) {
      const { code = '', message = '' } = (await response.json().catch(() => ({}))) as { code?: string; message?: string };
      throw new CommandError(describeRefusal({ status: response.status, code, message }, path));
    }
    return (await response.json()) as Body;
  };
  const retry = async <Body>(response: Response | null, path: string): Promise<Body> => {
    if (response?.status === 501) throw new CommandError(notActive);
    const seconds = Number(response?.headers.get('Retry-After') ?? 2);
    await sleep(seconds * 1000, null, { signal });
    return read(path);
  };
  return read;
}

function describeRefusal({ status, code, message }: { status: number; code: string; message: string }, path: string): string {
  if (code === 'svc_api_https_required') return message;
  if (status === 401) return 'The service does not accept the key. affiliate key create --scopes read creates one.';
  if (status === 403) return `The service refused ${path}: ${message} The key needs the scope read, of an administrator or a manager.`;
  if (status === 404 && path.startsWith('/webhooks')) return notActive;
  return `${path} was answered with ${status}: ${message || 'this is not the API of an affiliate program. Check --url.'}`;
}
