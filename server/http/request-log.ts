import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { secretNames } from '../../generated/operations.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import type { Middleware, RequestContext } from './request-context.ts';

const secretFields = new Set<string>([
  ...secretNames,
  'password',
  'authorization',
  'cookie',
  'set-cookie',
  'x-svc-api-key',
  'x-svc-csrf',
  'idempotency-key',
]);

/** Replaces everything that the contract marks as secret, at any depth. */
function redact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, secretFields.has(name.toLowerCase()) ? '[redacted]' : redact(inner)]),
  );
}

let [timestamp, timestampOf] = ['', 0];

/** Cached, because formatting a date takes longer than the rest of a line, and many lines have the same millisecond. */
function getTimestamp(): string {
  const now = Date.now();
  if (now !== timestampOf) [timestamp, timestampOf] = [`,"time":"${new Date(now).toISOString()}"`, now];
  return timestamp;
}

/** Logs JSON lines to standard error; standard output is for the one line that says where the service listens. */
export const createLogger = (level: string, stream: DestinationStream = standardError()): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: getTimestamp,
      formatters: { log: (line) => redact(line) as Record<string, unknown> },
    },
    stream,
  );

/** Lines beyond this are dropped while standard error is not read. */
const maxBufferedBytes = 16 * 2 ** 20;

/** A reader that takes nothing for this time is not waited for, also not when the process ends. */
const stalledAfterMs = 2000;

/**
 * Buffered: a system call for every line would cost more than the line. The buffer is flushed when the process ends, except by SIGKILL.
 */
function standardError(): DestinationStream {
  if (process.stderr.isTTY) return destination({ fd: 2, sync: true });
  let blockedSince: number | undefined;
  const retryEAGAIN = (): boolean => {
    blockedSince ??= performance.now();
    return performance.now() - blockedSince < stalledAfterMs;
  };
  const buffer = { minLength: 8192, maxLength: maxBufferedBytes, periodicFlush: 500, retryEAGAIN };
  const buffered = destination({ fd: 2, sync: false, ...buffer } as Parameters<typeof destination>[0] & object);
  buffered.on('write', () => (blockedSince = undefined));
  // The next flush tries again.
  buffered.on('error', () => {});
  const flushSync = buffered.flushSync.bind(buffered);
  // Called by pino when the process ends. An error would change the exit code, and there is nowhere to report it.
  buffered.flushSync = () => {
    try {
      flushSync();
    } catch {}
  };
  return buffered;
}

/** Longer than any path of the service. */
const maxPathLength = 500;

/** Redacts keys, secrets and email addresses in a path. In linear time, because the caller chooses its length. */
export const redactPath = (path: string): string =>
  path
    .split('/')
    .map((part) => (/.(?:@|%40)./i.test(part) ? '[redacted]' : part.replace(/svc_\w+|whsec_.+/gi, '[redacted]')))
    .join('/')
    .slice(0, maxPathLength);

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
    ...(operation ? { operation: operation.operationId } : { path: redactPath(path) }),
    status,
    milliseconds: Math.round(milliseconds * 10) / 10,
    user: caller?.user.id,
    key: caller?.keyId ?? undefined,
    address,
  };
}
