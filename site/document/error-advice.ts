import type { ErrorCode } from '../../domain/errors.ts';

/** What a client can do about each error, in Markdown, for the reference pages. A missing code does not compile. */
export const errorAdvice: Record<ErrorCode, string> = {
  rest_invalid_param: 'Fix the request: `data.params` names each parameter and says what it must be.',
  rest_invalid_json: 'Send a body that is JSON, with the header `Content-Type: application/json`.',
  rest_no_route: 'Check the path and the method. `GET /openapi` lists what this site serves: an edition or a switch may leave it out.',
  rest_body_too_large: 'Send less than 1 MiB and fewer than 10,000 values in 64 levels. No operation needs more.',
  rest_unsupported_media_type: 'Set `Content-Type` to what the body is.',

  svc_api_unauthorized: 'Send an API key, an application password or the cookie of a session.',
  svc_api_invalid_key: 'Create a new key. The old one will not be accepted again.',
  svc_api_invalid_key_user: 'Create a key for a user who exists; `affiliate user enable` enables a disabled one.',
  svc_api_https_required:
    'Call the https address. Behind a proxy, the operator names it in `TRUSTED_PROXIES`. On your own machine, start the service with `ENVIRONMENT=local`, as `npm run demo` does.',
  svc_api_forbidden: 'Call as a user with the role that the operation requires.',
  svc_api_insufficient_scope: 'Create a key with the scope that the operation asks for; a scope cannot be added to a key.',
  svc_api_key_wrong_namespace: 'Call a path under `/api/`, or leave the key out.',
  svc_api_csrf_failed:
    'Send the value of the cookie `svc_csrf`, over HTTPS `__Host-svc_csrf`, as `X-Svc-CSRF`. Keys and passwords need none.',
  svc_api_confirm_password:
    'Send the password of the session, or where you have a second factor a code, to `POST /console/confirm`, then the same request again within 10 minutes. Keys and application passwords are not asked.',
  svc_api_not_found: 'There is no such record, or none that you may see. The two are not told apart.',
  svc_api_rate_limited: 'Wait for `data.retry_after` seconds and send the same again. The header `RateLimit` says what is left.',
  svc_api_too_many_streams: 'Close a stream that is not used any more, or poll `GET /events`.',
  svc_api_too_many_auth_failures: 'Wait for `data.retry_after` seconds, and find the program that sends wrong credentials.',
  svc_api_db_error: 'Send it again. If it persists, tell the operator the `X-Request-Id` of the answer.',
  svc_api_no_entropy: 'Nothing was created. Tell the operator: the machine has no secure random numbers.',
  svc_api_unavailable: 'The operator has switched the feature off, or the database lacks its tables: `affiliate doctor` says which.',
  svc_api_db_unreachable:
    'Reads: wait for `data.retry_after` seconds and ask again. Changes: check whether it was made, or send it again with the same `Idempotency-Key`.',
  svc_api_overloaded: 'Wait for `data.retry_after` seconds and send the same again. Nothing was done.',

  svc_api_throttled: 'Wait for `data.retry_after` seconds, or ask without `refresh`.',
  svc_api_coupon_required: 'Affiliates name one of their coupons; admins may leave it out.',
  svc_api_log_disabled:
    'The feed cannot be read while the setting `activity_log` is false. Events are recorded and webhooks fire either way.',

  svc_api_in_progress: 'Send the same again, with the same `Idempotency-Key`: you get what the other request made.',
  svc_api_payouts_disabled: 'The setting `payouts.enabled` is false. Only the operator can change that.',
  svc_api_requests_disabled: 'Ask an admin: the setting `payouts.requests_enabled` is false.',
  svc_api_no_affiliate: 'Give the coupon an affiliate first.',
  svc_api_no_balance: 'Wait until there is commission that is granted and not yet paid.',
  svc_api_below_threshold: 'Wait until the unpaid commission reaches `payouts.threshold`.',
  svc_api_no_payout_details: 'The affiliate saves payout details first, or the store stops requiring them.',
  svc_api_method_disabled: 'The affiliate chooses another payout method.',
  svc_api_invoice_required:
    'The affiliate hands it in at `/console/invoices`, or the operator with `affiliate invoice add`. Then ask again.',
  svc_api_not_created: 'The message says why the site refused. Ask again once the reason is gone.',
  svc_api_idempotency_mismatch: 'Use a new `Idempotency-Key` for another request.',

  svc_api_no_change: 'There is nothing to do: it is as you want it.',
  svc_api_invalid_transition: 'Read the record again, and ask for a status that can follow its current one.',
  svc_api_insufficient_unpaid: 'The commission went into another payout meanwhile. Ask for a new payout of what is unpaid now.',
  svc_api_conflict:
    'Read the message: another request had an effect, or the state of the record does not allow the change. Read the record again and decide anew.',

  svc_api_already_accepted: 'It stays accepted: accepting has made a user and a coupon.',
  svc_api_no_coupon_code: 'Decline it; the applicant applies again, with a coupon code.',
  svc_api_not_updated: 'The message says why: the coupon code is taken, or the site refused.',

  svc_api_cannot_create_for_user: 'Create keys for users you may edit, or for yourself.',
  svc_api_cannot_manage_key: 'Ask a user who may edit the user of the key.',
  svc_api_cannot_manage_user: 'The operator does it with `affiliate user`.',
  svc_api_no_service_url: 'The operator sets `service.url` to the address of this service.',

  svc_api_no_events: 'Choose from `GET /webhooks/events`.',
  svc_api_no_fields: 'Send what should change.',
  svc_api_invalid_url: 'Give an https address on an allowed port (`webhooks.ports`) whose addresses are all public.',
  svc_api_delivery_failed: '`data.failure` says at which step it ended. Fix the receiver and test again.',
};
