import type { Middleware as KoaMiddleware, ParameterizedContext } from 'koa';
import type { Logger } from 'pino';
import type { Settings } from '../site/settings/settings.ts';
import type { Identity } from './auth/identity.ts';
import type { Operation } from './contract/document.ts';

/** What the middlewares know about a request, each adding its part. */
export interface RequestState {
  id: string;
  log: Logger;
  /** Where it comes from, seen through trusted proxies. */
  address: string;
  /** The connection is encrypted, here or at a trusted proxy. */
  isSecure: boolean;
  /** Scheme and host by which the caller reached the service. */
  origin: string;
  /** The request line names a path. */
  isReadable: boolean;
  /** The path lies in the service's own namespaces. */
  isApi: boolean;
  settings: Settings;
  identity: Identity;
  operation?: Operation;
}

export type Request = ParameterizedContext<RequestState>;
export type Middleware = KoaMiddleware<RequestState>;

export const isUnderApi = (path: string): boolean => path === '/api' || path.startsWith('/api/');
