import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { secretNames } from '../generated/operations.ts';
import type { Middleware } from './request.ts';

const secret = new Set<string>([
  ...secretNames,
  'password',
  'authorization',
  'cookie',
  'set-cookie',
  'x-svc-api-key',
  'x-svc-csrf',
  'idempotency-key',
]);

/** The same value with everything that the contract calls secret left out, at any depth. */
export function redacted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redacted);
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, secret.has(name.toLowerCase()) ? '[redacted]' : redacted(inner)]),
  );
}

/** Structured lines on standard error; standard output is for the one line that says where the service listens. */
export const createLog = (level: string, stream: DestinationStream = destination({ fd: 2, sync: true })): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: (line) => redacted(line) as Record<string, unknown> },
    },
    stream,
  );

/** What somebody typed into a path by mistake: keys, secrets and email addresses. */
const withoutSecrets = (path: string): string => path.replace(/svc_\w+|whsec_[^/]+|[^/]+(?:@|%40)[^/]+/gi, '[redacted]');

/** One line for each request, when it is over. Never its query, body or headers: what a caller sends is nobody's business. */
export const logRequests: Middleware = async (ctx, next) => {
  const started = performance.now();
  try {
    await next();
  } finally {
    const { identity, operation, address } = ctx.state;
    const caller = identity?.kind === 'caller' ? identity.caller : undefined;
    ctx.state.log.info(
      {
        method: ctx.method,
        operation: operation?.operationId,
        path: operation ? undefined : withoutSecrets(ctx.path),
        status: ctx.status,
        milliseconds: Math.round((performance.now() - started) * 10) / 10,
        user: caller?.user.id,
        key: caller?.keyId ?? undefined,
        address,
      },
      'request',
    );
  }
};
