// The public API of the package. The types of records are `components['schemas']['Coupon']` and so on.
export type { components, paths, webhooks } from '../../generated/api.d.ts';
export type { ErrorCode, EventKind } from '../../generated/client.ts';
export { type Api, type Call, type CallOptions, createApi, type Page } from './api.ts';
export type { ApiOptions } from './connection.ts';
export { ApiError, type ApiErrorCode, type ErrorData, isApiError } from './errors.ts';
export type { EventName, FeedEvent, WebhookDelivery } from './events.ts';
export { type FollowOptions, follow } from './follow.ts';
export { type Pages, pages } from './pages.ts';
export type { RetryPolicy } from './retry.ts';
export { type RawDelivery, type VerifyOptions, verifyWebhook, WebhookError, type WebhookProblem } from './verify-webhook.ts';
