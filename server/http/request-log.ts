import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { secretNames } from '../../generated/operations.ts';
import type { RequestMeter } from '../metrics/requests.ts';
import type { Finished, Middleware } from './request-context.ts';

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

/** Tells the log and the figures of a request that began at this moment of `performance.now()`. */
export type TellRequest = (finished: Finished, started: number) => void;

export function tellRequests(log: Logger, meter?: RequestMeter): TellRequest {
  const stream = (log as unknown as Record<symbol, DestinationStream>)[pino.symbols.streamSym];
  return (finished, started) => {
    const milliseconds = performance.now() - started;
    if (log.isLevelEnabled('info')) stream?.write(lineOf(finished, milliseconds));
    meter?.ended(finished, milliseconds);
  };
}

/** One line for each request, when it is over. Never its query, body or headers: what a caller sends is nobody's business. */
export function logRequests(tell: TellRequest, meter?: RequestMeter): Middleware {
  return async (ctx, next) => {
    meter?.began();
    const started = performance.now();
    try {
      await next();
    } finally {
      tell(ctx, started);
    }
  };
}

/**
 * As pino would write it, but put together by hand: nearly all lines of a log are these, and pino takes as long for one as it takes to give
 * a kept answer. Only a path can hold what JSON has to escape.
 */
function lineOf({ state, method, status, path }: Finished, milliseconds: number): string {
  const { id, identity, operation, address } = state;
  const caller = identity?.kind === 'caller' ? identity.caller : undefined;
  const where = operation ? `"operation":"${operation.operationId}"` : `"path":${JSON.stringify(withoutSecrets(path))}`;
  const who = caller ? `,"user":${caller.user.id}${caller.keyId === null ? '' : `,"key":${caller.keyId}`}` : '';
  const took = `"status":${status},"milliseconds":${Math.round(milliseconds * 10) / 10}`;
  return `{"level":30${timeOfLine()},"request":"${id}","method":"${method}",${where},${took}${who},"address":"${address}","msg":"request"}\n`;
}
