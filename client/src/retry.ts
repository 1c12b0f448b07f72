export interface RetryPolicy {
  /** The maximum number of retries. 2 by default. */
  readonly times?: number;
  /** If the service asks for a longer wait, the call fails at once. 90 by default: a rate limit asks for 60. */
  readonly longestSeconds?: number;
}

/** The media type that asks for a stream. Such a request is not repeated: polling replaces it. */
export const streamType = 'text/event-stream';

type Send = (request: Request) => Promise<Response>;

/** Repeats a request that was refused because of overload or a rate limit, after the time that the response asks for. */
export function withRetries(send: Send, policy: RetryPolicy | false = {}): Send {
  const { times = 2, longestSeconds = 90 } = policy || { times: 0 };
  return async (request) => {
    for (let left = times; ; left -= 1) {
      const response = await send(request.clone());
      const seconds = left > 0 ? await secondsToWait(request, response) : undefined;
      // Also false if `seconds` is not a number.
      if (!(Number(seconds) <= longestSeconds)) return response;
      await sleep(Number(seconds), request.signal);
    }
  };
}

/** Returns undefined if the request must not be repeated. */
async function secondsToWait({ method, headers }: Request, response: Response): Promise<number | string | null | undefined> {
  if (![429, 503].includes(response.status) || headers.get('Accept') === streamType) return undefined;
  const body = response.clone().json() as Promise<{ code?: string; data?: { retry_after?: number } } | null>;
  const { code, data } = (await body.catch(() => null)) ?? {};
  const isRepeatable = /GET|HEAD|PUT|DELETE/.test(method) || headers.has('Idempotency-Key');
  // The service refuses a request before it changes anything, so every refused request can be repeated. That is not certain if the database
  // was lost during the request, nor if a proxy refused it.
  const isUnprocessed = data?.retry_after !== undefined && code !== 'svc_api_db_unreachable';
  return isUnprocessed || isRepeatable ? (data?.retry_after ?? response.headers.get('Retry-After') ?? undefined) : undefined;
}

/** Rejects with the reason of the signal as soon as it is aborted. */
export const sleep = (seconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, seconds * 1000);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
