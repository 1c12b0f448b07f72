import { type IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import Koa from 'koa';
import type { RequestContext, RequestState } from '../../server/http/request-context.ts';

/** A Koa context of a request with these headers, without a server. */
export function koaContext(headers: IncomingHttpHeaders = {}, state: Partial<RequestState> = {}): RequestContext {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method: 'GET', url: '/', headers });
  const ctx = new Koa<RequestState>().createContext(request, new ServerResponse(request));
  Object.assign(ctx.state, { headers: {} }, state);
  return ctx as unknown as RequestContext;
}
