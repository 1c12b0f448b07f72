import type { Middleware as KoaMiddleware, ParameterizedContext } from 'koa';
import type { Logger } from 'pino';
import type { Settings } from '../../site/settings/settings.ts';
import type { Identity } from '../auth/identity.ts';
import type { DataVersion } from '../cache/versioned-lru.ts';
import type { ContractOperation } from '../contract/document.ts';

/** A response ready to be sent, without the headers that every response gets. */
export interface SerializedResponse {
  readonly operation: ContractOperation;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** As text: Node then sends it in one packet with the headers. */
  readonly body: string;
}

/** What the middleware records about a request, in the order of the pipeline. */
export interface RequestState {
  log: Logger;
  id: string;
  /** Of the client, seen through trusted proxies. */
  address: string;
  /** The connection is encrypted, here or at a trusted proxy. */
  isSecure: boolean;
  /** Scheme and host by which the caller reached the service. */
  origin: string;
  /** The request line names a path. */
  isReadable: boolean;
  /** The path is in the service's own namespaces. */
  isApi: boolean;
  /** Headers of the response so far. Written together with it: setting one at a time takes a tenth of an uncached read. */
  headers: Record<string, string>;
  settings: Settings;
  /** Captured before any data is read for this request. */
  dataVersion: DataVersion;
  identity: Identity;
  operation?: ContractOperation;
  /** The answer of the dry run that the caller has confirmed. */
  confirmed?: unknown;
  /** Set where the response cache may serve it again. */
  cacheable?: SerializedResponse;
}

export type RequestContext = ParameterizedContext<RequestState>;
export type Middleware = KoaMiddleware<RequestState>;
