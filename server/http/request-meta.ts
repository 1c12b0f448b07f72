import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { originOf, type Proxies } from './proxies.ts';

/** What is known of a request before anybody looks at what it wants. */
export interface Arrival {
  id: string;
  /** Where it comes from, seen through trusted proxies. */
  address: string;
  /** The connection is encrypted, here or at a trusted proxy. */
  isSecure: boolean;
  /** Scheme and host by which the caller reached the service. */
  origin: string;
}

/** Never what looks like a key: it would stand in the log. */
const requestIdShape = /^(?!svc_|whsec_)[A-Za-z0-9_.:-]{1,128}$/;

/** Names the request, by the caller's own name for it where that is harmless. */
export function arrivalOf(request: IncomingMessage, proxies: Proxies): Arrival {
  const given = request.headers['x-request-id'];
  const { address, isSecure, url } = originOf(request, proxies);
  return { id: typeof given === 'string' && requestIdShape.test(given) ? given : randomUUID(), address, isSecure, origin: url };
}

/** The headers that every answer has, whatever it is. */
export const commonHeaders = ({ id }: Pick<Arrival, 'id'>): string[] => [
  'X-Request-Id',
  id,
  'X-Content-Type-Options',
  'nosniff',
  'Cache-Control',
  'no-store',
];
