import type { Middleware as KoaMiddleware, ParameterizedContext } from 'koa';
import type { Logger } from 'pino';
import type { Settings } from '../../site/settings/settings.ts';
import type { Identity } from '../auth/identity.ts';
import type { Mark } from '../cache/versioned-lru.ts';
import type { Operation } from '../contract/document.ts';
import type { Arrival } from './request-meta.ts';

/** What the middlewares know about a request, each adding its part. */
export interface RequestState extends Arrival {
  log: Logger;
  /** The request line names a path. */
  isReadable: boolean;
  /** The path lies in the service's own namespaces. */
  isApi: boolean;
  /** The state of the data before any of it was read for this request. */
  mark: Mark;
  settings: Settings;
  identity: Identity;
  operation?: Operation;
}

export type Request = ParameterizedContext<RequestState>;
export type Middleware = KoaMiddleware<RequestState>;

/** What is told of a request when it is over. */
export interface Finished extends Pick<Request, 'method' | 'status' | 'path' | 'body'> {
  state: Pick<RequestState, 'id' | 'address' | 'identity' | 'operation' | 'isApi'>;
}

export const isUnderApi = (path: string): boolean => path === '/api' || path.startsWith('/api/');
