import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { secretNames } from '../../generated/operations.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import type { Middleware, RequestContext } from './request-context.ts';

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

let [written, moment] = ['', 0];

/** Many lines fall into one millisecond, and to write a date takes longer than the rest of a line. */
function timeOfLine(): string {
  const now = Date.now();
  if (now !== moment) [written, moment] = [`,"time":"${new Date(now).toISOString()}"`, now];
  return written;
}

/** Structured lines on standard error; standard output is for the one line that says where the service listens. */
export const createLog = (level: string, stream: DestinationStream = standardError()): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: timeOfLine,
      formatters: { log: (line) => redacted(line) as Record<string, unknown> },
    },
    stream,
  );

const flushMilliseconds = 500;

/**
 * A system call for every line would cost a busy server more than the line. What is written last is written before the process ends, by
 * whatever it ends but SIGKILL.
 */
function standardError(): DestinationStream {
  if (process.stderr.isTTY) return destination({ fd: 2, sync: true });
  const buffered = destination({ fd: 2, sync: false, minLength: 8192 });
  setInterval(() => buffered.flush(), flushMilliseconds).unref();
  process.once('exit', () => buffered.flushSync());
  return buffered;
}

/** Longer than any path that leads somewhere. */
const mostOfPath = 500;

/** What somebody typed into a path by mistake: keys, secrets and email addresses. Callers choose how long it is: no look at it may take long. */
const withoutSecrets = (path: string): string =>
  path
    .split('/')
    .map((part) => (/.(?:@|%40)./i.test(part) ? '[redacted]' : part.replace(/svc_\w+|whsec_.+/gi, '[redacted]')))
    .join('/')
    .slice(0, mostOfPath);

/** Logs one line per request, when it is over. Never its query, body or headers, which are private. */
export function logRequests(log: Logger, meter?: RequestMetrics): Middleware {
  // No field of these lines can be secret, so they skip the walk through all fields.
  const requestLog = log.child({}, { formatters: { log: (line) => line } });
  return async (ctx, next) => {
    meter?.recordStart();
    const started = performance.now();
    try {
      await next();
    } finally {
      const milliseconds = performance.now() - started;
      requestLog.info(requestLine(ctx, milliseconds), 'request');
      meter?.recordEnd(ctx, milliseconds);
    }
  };
}

function requestLine({ state, method, status, path }: RequestContext, milliseconds: number): object {
  const { id, identity, operation, address } = state;
  const caller = identity?.kind === 'caller' ? identity.caller : undefined;
  return {
    request: id,
    method,
    ...(operation ? { operation: operation.operationId } : { path: withoutSecrets(path) }),
    status,
    milliseconds: Math.round(milliseconds * 10) / 10,
    user: caller?.user.id,
    key: caller?.keyId ?? undefined,
    address,
  };
}
