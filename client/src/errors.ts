import type { components } from '../../generated/api.d.ts';
import type { ErrorCode, ErrorCodes } from '../../generated/client.ts';

/**
 * What the service may say, and what can happen on the way. `unexpected_answer`: not of this service, but a proxy's page, or a base URL that leads
 * somewhere else. `no_answer`: no connection, or it was lost. `aborted`: by your signal. `timed_out`: by your signal too, of `AbortSignal.timeout`.
 */
export type ApiErrorCode = ErrorCode | 'unexpected_answer' | 'no_answer' | 'aborted' | 'timed_out';

/** What an error of this code tells beside its message. Errors that go away by waiting say for how many seconds. */
export type ErrorData<Code extends ApiErrorCode> = Code extends ErrorCodes[429 | 503]
  ? { status: number; retry_after: number }
  : components['schemas']['Error']['data'];

/** The service said no, or nothing. Tell errors apart by `code`; the message may change. */
export class ApiError<Code extends ApiErrorCode = ApiErrorCode> extends Error {
  readonly code: Code;
  /** 0 when there was no answer. */
  readonly status: number;
  readonly data: ErrorData<Code>;
  /** For the operator: it is in the service's log. */
  readonly requestId: string | null;

  constructor({ status, headers, url }: Response, body: unknown, options?: ErrorOptions) {
    const { code, message, data } = (body ?? {}) as { code?: Code; message?: string; data?: ErrorData<Code> };
    super(data ? message : `${url} gave ${status} and no answer of this API.`, options);
    this.name = 'ApiError';
    this.code = data && code ? code : ('unexpected_answer' as Code);
    this.status = status;
    this.data = data ?? ({ status } as ErrorData<Code>);
    this.requestId = headers.get('X-Request-Id');
  }
}

/** Whether it is an error of the service, and one of these codes where some are given: `isApiError(error, 'svc_api_not_found')`. */
export const isApiError = <Code extends ApiErrorCode = ApiErrorCode>(error: unknown, ...codes: Code[]): error is ApiError<Code> =>
  error instanceof ApiError && (!codes[0] || codes.includes(error.code as Code));

/** Whatever kept the answer from coming is its `cause`: in Node a TypeError whose own cause says more, in browsers one that says nothing. */
export function noAnswer({ url, signal }: Request, cause: unknown): ApiError {
  const { name, message, cause: reason } = cause as Error & { cause?: { message?: string; code?: string } };
  const code: ApiErrorCode = name === 'TimeoutError' ? 'timed_out' : signal.aborted || name === 'AbortError' ? 'aborted' : 'no_answer';
  const told = `${url} gave no answer: ${reason?.message || reason?.code || message}`;
  return new ApiError(Response.error(), { code, message: told, data: { status: 0 } }, { cause });
}
