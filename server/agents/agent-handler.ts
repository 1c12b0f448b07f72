import type { AuthInfo, McpRequestContext, Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { ApiError } from '../../domain/errors.ts';
import type { Caller } from '../../domain/users/user.ts';
import { readBody } from '../contract/read-body.ts';
import type { RequestContext } from '../http/request-context.ts';
import { createAgentServer } from './agent-server.ts';
import type { ToolParts } from './call-tool.ts';
import { toRpcError } from './rpc-error.ts';

const anyJson = { content: { 'application/json': {} } };

export type Serve = (ctx: RequestContext, caller: Caller) => Promise<void>;

/** Both generations of the protocol: since 2026-07-28 each request says who sends it, before that a client began with `initialize`. */
export async function createAgentHandler(parts: ToolParts): Promise<Serve> {
  // Loaded with the first call: it takes 0.2 s and 27 MB.
  const library = await import('@modelcontextprotocol/server');
  const createServer = ({ authInfo }: Pick<McpRequestContext, 'authInfo'>): Server => {
    if (!authInfo?.extra) throw new Error('A request came without its caller.');
    const { ctx, caller } = authInfo.extra as unknown as { ctx: RequestContext; caller: Caller };
    return createAgentServer(ctx, caller, parts, library);
  };
  const { fetch: serveModern } = library.createMcpHandler(createServer, { legacy: 'reject', maxSubscriptions: 0 });
  return async (ctx, caller) => {
    const parsedBody = await readBody(ctx, anyJson);
    if (parsedBody === undefined) throw new ApiError('rest_invalid_json');
    if (Array.isArray(parsedBody))
      return send(ctx, Response.json(toRpcError('Batches are not accepted. Send one message.'), { status: 400 }));
    const request = toWebRequest(ctx);
    // Passed through to the factory, which the handler calls for each request.
    const authInfo: AuthInfo = { token: '', clientId: '', scopes: [], extra: { ctx, caller } };
    const options = { parsedBody, authInfo };
    if (!(await library.isLegacyRequest(request, parsedBody))) return send(ctx, await serveModern(request, options));
    const transport = new library.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    return send(ctx, await serveLegacy(createServer(options), transport, request, options));
  };
}

async function serveLegacy(
  server: Server,
  transport: WebStandardStreamableHTTPServerTransport,
  request: Request,
  options: { parsedBody: unknown; authInfo: AuthInfo },
): Promise<Response> {
  try {
    await server.connect(transport);
    return await transport.handleRequest(request, options);
  } finally {
    await server.close();
  }
}

/** Without its body, which is parsed already, without the credentials, and without its host, which may be no valid one. */
function toWebRequest({ headers }: RequestContext): Request {
  const kept = Object.entries(headers).filter(([name]) => /^(accept|content-type|mcp-[a-z-]+)$/.test(name));
  return new Request('http://localhost/mcp', { method: 'POST', headers: kept as [string, string][] });
}

async function send(ctx: RequestContext, response: Response): Promise<void> {
  const type = response.headers.get('Content-Type');
  ctx.body = await response.text();
  ctx.status = response.status;
  if (type !== null) ctx.type = type;
}
