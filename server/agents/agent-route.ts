import compose from 'koa-compose';
import { ApiError } from '../../domain/errors.ts';
import type { Caller } from '../../domain/users/user.ts';
import { isAddOnActive } from '../../site/served.ts';
import { cors } from '../http/cors.ts';
import type { Middleware, RequestContext } from '../http/request-context.ts';
import { createAgentHandler, type Serve } from './agent-handler.ts';
import type { ToolParts } from './call-tool.ts';
import { toRpcError } from './rpc-error.ts';

export interface AgentRouteParts extends ToolParts {
  /** Identifies and counts, as for the API. */
  identify: readonly Middleware[];
}

/** `POST /mcp`: the tools of the contract for agents, without sessions and streams. As if it did not exist while the add-on is inactive. */
export function agentRoute({ identify, ...parts }: AgentRouteParts): Middleware {
  let handler: Promise<Serve> | undefined;
  const load = (): Promise<Serve> => (handler ??= createAgentHandler(parts));
  const answer = compose([
    cors,
    requireListedOrigin,
    requirePost,
    ...identify,
    async (ctx: RequestContext) => {
      const caller = requireKey(ctx);
      const serve = await load();
      return serve(ctx, caller);
    },
  ]);
  return (ctx, next) => (isAddOnActive('agents', ctx.state.settings) ? answer(ctx) : next());
}

/** Other pages must not use the key of an agent on this machine. */
const requireListedOrigin: Middleware = (ctx, next) => {
  const origin = ctx.get('Origin');
  if (origin === '' || ctx.state.settings.cors.origins.includes(origin)) return next();
  throw new ApiError('svc_api_forbidden', { message: 'The setting cors.origins does not list the origin of this page.' });
};

const requirePost: Middleware = (ctx, next) => {
  if (ctx.method === 'POST') return next();
  ctx.status = 405;
  ctx.set('Allow', 'POST');
  ctx.body = toRpcError('There are no sessions and no streams here. Send POST.');
  return undefined;
};

/** Application passwords and browsers have no scopes, so an agent with one could do all that its user may. */
function requireKey({ state: { identity } }: RequestContext): Caller {
  if (identity.kind === 'rejected') throw identity.error;
  if (identity.kind === 'caller' && identity.caller.keyId !== null) return identity.caller;
  throw new ApiError('svc_api_unauthorized', { message: 'Send an API key in the header Authorization: Bearer.' });
}
