import type { components } from '../../generated/api.d.ts';
import type { ErrorCode, ErrorCodes } from '../../generated/client.ts';

/** `unexpected_answer`: not of this service, but a proxy's page, or a base URL that leads somewhere else. */
export type ApiErrorCode = ErrorCode | 'unexpected_answer';

/** What an error of this code tells beside its message. Errors that go away by waiting say for how many seconds. */
export type ErrorData<Code extends ApiErrorCode> = Code extends ErrorCodes[429 | 503]
  ? { status: number; retry_after: number }
  : components['schemas']['Error']['data'];

/** The service said no. Tell errors apart by `code`; the message may change. */
export class ApiError<Code extends ApiErrorCode = ApiErrorCode> extends Error {
  readonly code: Code;
  readonly status: number;
  readonly data: ErrorData<Code>;
  /** For the operator: it is in the service's log. */
  readonly requestId: string | null;

  constructor({ status, headers, url }: Response, body: unknown) {
    const { code, message, data } = (body ?? {}) as { code?: Code; message?: string; data?: ErrorData<Code> };
    super(data ? message : `${url} gave ${status} and no answer of this API.`);
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
