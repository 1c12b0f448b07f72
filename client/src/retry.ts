import { pause } from './pause.ts';

export interface RetryPolicy {
  /** How often a request is sent again at most. 2 when not given. */
  readonly times?: number;
  /** When the service asks to wait longer, the error is given at once. 90 when not given: a rate limit asks for 60. */
  readonly longestSeconds?: number;
}

type Send = (request: Request) => Promise<Response>;

/** Sends a request again when it was refused because of too much at once, after the time that the refusal tells. */
export function repeating(send: Send, policy: RetryPolicy | false = {}): Send {
  const { times = 2, longestSeconds = 90 } = policy || { times: 0 };
  return async (request) => {
    for (let left = times; ; left -= 1) {
      const response = await send(request.clone());
      const seconds = left > 0 ? await secondsToWait(request, response) : undefined;
      // Also false for what is no number.
      if (!(Number(seconds) <= longestSeconds)) return response;
      await pause(Number(seconds), request.signal);
    }
  };
}

/** Undefined where the request is not to be sent again. */
async function secondsToWait({ method, headers }: Request, response: Response): Promise<number | string | null | undefined> {
  if (![429, 503].includes(response.status)) return undefined;
  const body = response.clone().json() as Promise<{ code?: string; data?: { retry_after?: number } } | null>;
  const { code, data } = (await body.catch(() => null)) ?? {};
  const isRepeatable = /GET|HEAD|DELETE/.test(method) || headers.has('Idempotency-Key');
  // The service refuses before it does anything, so whatever it refused can be sent again. That is not certain where its database was gone
  // in the middle of it, nor where somebody in between refused.
  const isUndone = data?.retry_after !== undefined && code !== 'svc_api_db_unreachable';
  return isUndone || isRepeatable ? (data?.retry_after ?? response.headers.get('Retry-After') ?? undefined) : undefined;
}
