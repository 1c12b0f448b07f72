/**
 * Every error code of the service, with its status and the sentence a client reads when nothing more particular is known.
 * The contract says which operation can raise which (`x-error-codes`); a test holds the two equal in both directions.
 */
export const errorTable = {
  rest_invalid_param: { status: 400, message: 'Invalid parameter(s).' },
  rest_invalid_json: { status: 400, message: 'The body is not valid JSON.' },
  rest_no_route: { status: 404, message: 'No route was found matching the URL and request method.' },
  rest_body_too_large: { status: 413, message: 'The body is larger than 1 MiB.' },
  rest_unsupported_media_type: { status: 415, message: 'Send the body as application/json or application/x-www-form-urlencoded.' },

  svc_api_unauthorized: { status: 401, message: 'Authentication is required.' },
  svc_api_invalid_key: { status: 401, message: 'The API key is unknown, revoked or expired.' },
  svc_api_invalid_key_user: { status: 401, message: 'The user of this API key no longer exists, or is disabled.' },
  svc_api_https_required: {
    status: 401,
    message: 'Credentials are accepted over HTTPS only. To try the service over plain HTTP, start it with ENVIRONMENT=local.',
  },
  svc_api_forbidden: { status: 403, message: 'You are not allowed to do this.' },
  svc_api_insufficient_scope: { status: 403, message: 'This API key lacks the scope that is needed here.' },
  svc_api_key_wrong_namespace: { status: 403, message: 'API keys can be used under /api/ only.' },
  svc_api_csrf_failed: { status: 403, message: 'Send the CSRF token of your session in the X-Svc-CSRF header.' },
  svc_api_confirm_password: { status: 403, message: 'Confirm your password first.' },
  svc_api_not_found: { status: 404, message: 'Not found.' },
  svc_api_rate_limited: { status: 429, message: 'Too many requests. Try again in a minute.' },
  svc_api_too_many_streams: { status: 429, message: 'There are as many streams of this identity as it may have.' },
  svc_api_too_many_auth_failures: { status: 429, message: 'Too many failed sign-ins from this address.' },
  svc_api_db_error: { status: 500, message: 'The request could not be completed. Nothing was changed.' },
  svc_api_no_entropy: { status: 500, message: 'A secure random value could not be generated.' },
  svc_api_unavailable: { status: 501, message: 'This feature is not available on this install.' },
  svc_api_overloaded: { status: 503, message: 'The service has too much to do. Try again in a moment.' },
  svc_api_db_unreachable: {
    status: 503,
    message: 'The database cannot be reached. A change may or may not have been made: check before you send it again.',
  },

  svc_api_throttled: { status: 429, message: 'These figures were rebuilt less than a minute ago.' },
  svc_api_coupon_required: { status: 400, message: 'Name one of your coupons in coupon_id.' },
  svc_api_log_disabled: { status: 400, message: 'The activity log is switched off.' },

  svc_api_in_progress: { status: 409, message: 'Another payout request for this coupon is being processed.' },
  svc_api_payouts_disabled: { status: 400, message: 'Payouts are switched off.' },
  svc_api_requests_disabled: { status: 403, message: 'Affiliates cannot request payouts themselves in this store.' },
  svc_api_no_affiliate: { status: 400, message: 'The coupon has no affiliate.' },
  svc_api_no_balance: { status: 400, message: 'There is no unpaid commission.' },
  svc_api_below_threshold: { status: 400, message: 'The unpaid commission is below the minimum payout.' },
  svc_api_no_payout_details: { status: 400, message: 'The affiliate has saved no payout details.' },
  svc_api_method_disabled: { status: 400, message: 'The saved payout method is no longer available.' },
  svc_api_invoice_required: {
    status: 400,
    message: 'This payout method needs an invoice, which is handed in in the console. It cannot be uploaded through the API.',
  },
  svc_api_not_created: { status: 409, message: 'The site refused the payout request.' },
  svc_api_idempotency_mismatch: { status: 422, message: 'This Idempotency-Key was already used with a different body.' },

  svc_api_no_change: { status: 400, message: 'It already has this status.' },
  svc_api_invalid_transition: { status: 400, message: 'This status change is not possible.' },
  svc_api_insufficient_unpaid: { status: 409, message: 'The unpaid balance no longer holds the amount of this payout.' },
  svc_api_conflict: { status: 409, message: 'It was changed by another request. Read it again.' },

  svc_api_already_accepted: { status: 400, message: 'The application has already been accepted, which cannot be undone here.' },
  svc_api_no_coupon_code: { status: 409, message: 'The application names no coupon code.' },
  svc_api_not_updated: { status: 409, message: 'The application could not be decided as asked.' },

  svc_api_cannot_create_for_user: { status: 403, message: 'Only an administrator may create keys for an administrator.' },
  svc_api_cannot_manage_key: { status: 403, message: 'Only an administrator may revoke a key of an administrator.' },
  svc_api_cannot_manage_user: { status: 403, message: 'Accounts of administrators and managers cannot be managed here.' },
  svc_api_no_service_url: { status: 409, message: 'No mail can have a link while the setting service.url is empty.' },

  svc_api_no_events: { status: 400, message: 'None of the events is in the catalog.' },
  svc_api_no_fields: { status: 400, message: 'Send status, events or both.' },
  svc_api_invalid_url: { status: 400, message: 'The URL must be https and lead to a public address.' },
  svc_api_delivery_failed: { status: 502, message: 'The delivery did not reach the receiver.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorTable;

/** Why a webhook delivery got no answer, as `data.failure` of the contract. `other`: reset, closed or not HTTP. */
export type DeliveryFailure = 'dns' | 'tls' | 'refused' | 'timeout' | 'blocked' | 'other';

export interface ErrorData {
  params?: Record<string, string>;
  retry_after?: number;
  failure?: DeliveryFailure;
}

export interface ErrorDetails {
  /** What the client reads instead of the table's sentence. */
  message?: string;
  /** Joins `data` of the answer. */
  data?: ErrorData;
  /** Written to the log, never to the answer. */
  log?: string;
}

/** An error response. Any other thrown value is a defect and answered as svc_api_db_error. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super(details.message ?? errorTable[code].message);
    this.name = 'ApiError';
    this.code = code;
    this.status = errorTable[code].status;
    this.details = details;
  }

  /** The answer's body, in the host platform's shape. */
  get body(): { code: ErrorCode; message: string; data: ErrorData & { status: number } } {
    return { code: this.code, message: this.message, data: { status: this.status, ...this.details.data } };
  }
}
