import type { components } from '../../generated/api.d.ts';
import type { ErrorCode, ErrorCodes } from '../../generated/client.ts';

/**
 * The codes of the service, and those of calls without a response from it. `unexpected_answer`: the response is not from this API, for example a
 * proxy's page. `no_answer`: there was no connection, or it was lost. `aborted`: by your signal. `timed_out`: by your `AbortSignal.timeout`.
 */
export type ApiErrorCode = ErrorCode | 'unexpected_answer' | 'no_answer' | 'aborted' | 'timed_out';

/** The data of an error with this code. Errors that pass with time have `retry_after`, in seconds. */
export type ErrorData<Code extends ApiErrorCode> = Code extends ErrorCodes[429 | 503]
  ? { status: number; retry_after: number }
  : components['schemas']['Error']['data'];

/** An error response of the service, or no response. Branch on `code`; the message may change. */
export class ApiError<Code extends ApiErrorCode = ApiErrorCode> extends Error {
  readonly code: Code;
  /** 0 if there was no response. */
  readonly status: number;
  readonly data: ErrorData<Code>;
  /** Finds the request in the log of the service. */
  readonly requestId: string | null;

  constructor({ status, headers, url }: Response, body: unknown, options?: ErrorOptions) {
    const { code, message, data } = (body ?? {}) as { code?: Code; message?: string; data?: ErrorData<Code> };
    super(data ? message : `${url} returned ${status} with a response that is not from this API.`, options);
    this.name = 'ApiError';
    this.code = data && code ? code : ('unexpected_answer' as Code);
    this.status = status;
    this.data = data ?? ({ status } as ErrorData<Code>);
    this.requestId = headers.get('X-Request-Id');
  }
}

/** True for an `ApiError` with one of the codes, or with any code if none is passed: `isApiError(error, 'svc_api_not_found')`. */
export const isApiError = <Code extends ApiErrorCode = ApiErrorCode>(error: unknown, ...codes: Code[]): error is ApiError<Code> =>
  error instanceof ApiError && (!codes[0] || codes.includes(error.code as Code));

/** In Node the cause is a TypeError with a cause of its own that has the details; in browsers a TypeError without any. */
export function noResponseError({ url, signal }: Request, cause: unknown): ApiError {
  const { name, message, cause: inner } = cause as Error & { cause?: { message?: string; code?: string } };
  const code: ApiErrorCode = name === 'TimeoutError' ? 'timed_out' : signal.aborted || name === 'AbortError' ? 'aborted' : 'no_answer';
  const text = `No response from ${url}: ${inner?.message || inner?.code || message}`;
  return new ApiError(Response.error(), { code, message: text, data: { status: 0 } }, { cause });
}
