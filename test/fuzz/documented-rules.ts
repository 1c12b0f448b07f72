import { dayOf } from '../../domain/dates.ts';
import type { FuzzFixture } from './fixture.ts';
import { inputFieldsOf, type RequestPlan, valuesIn } from './request-plan.ts';
import { acceptedUrls } from './valid-plans.ts';

/** A rule about several parameters, or about stored data, that no schema expresses. */
interface DocumentedRule {
  readonly reason: string;
  readonly code: string;
  /** Named in `data.params`, where the code has them. */
  readonly param?: string;
  /** Whether the rule rejects this request. */
  rejects(plan: RequestPlan, fixture: FuzzFixture): 'yes' | 'perhaps' | 'no';
}

const yesOrNo = (rejects: boolean): 'yes' | 'no' => (rejects ? 'yes' : 'no');
const isFor = ({ operation }: RequestPlan, ...operationIds: string[]): boolean => operationIds.includes(operation.operationId);
const hasDateRange = ({ operation }: RequestPlan): boolean =>
  ['from', 'to'].every((day) => inputFieldsOf(operation).some(({ name }) => name === day));
const isAdmin = ({ caller }: RequestPlan): boolean => caller.identity.kind === 'authenticated' && caller.identity.isAdmin;
const todayIn = ({ service }: FuzzFixture): string => dayOf(service.clock.now(), 'UTC');
const catalog = /^(?:referral|commission|registration|affiliate|payout)\.\w+$/;

/** The only reasons for a validation error where all schemas match. */
const rules: readonly DocumentedRule[] = [
  {
    reason: 'From after to.',
    code: 'rest_invalid_param',
    param: 'from',
    rejects(plan) {
      const { from, to } = valuesIn(plan, 'query');
      return yesOrNo(hasDateRange(plan) && from !== undefined && to !== undefined && String(from) > String(to));
    },
  },
  {
    reason: 'KeyRequest: expires is not before today.',
    code: 'rest_invalid_param',
    param: 'expires',
    rejects(plan, fixture) {
      const { expires } = valuesIn(plan, 'body');
      return yesOrNo(isFor(plan, 'post_keys') && expires !== undefined && String(expires) < todayIn(fixture));
    },
  },
  {
    reason: 'KeyRequest: user_id is a user. Accepted applications create users that are not recorded here.',
    code: 'rest_invalid_param',
    param: 'user_id',
    rejects(plan, { records }) {
      const { user_id: userId } = valuesIn(plan, 'body');
      const isUnknown = isFor(plan, 'post_keys') && userId !== undefined && !records.users.includes(Number(userId));
      return isUnknown ? (Number(userId) > 1_000_000 ? 'yes' : 'perhaps') : 'no';
    },
  },
  {
    reason: 'PUT /me/payout-details: details have the fields of their method. They are free for some.',
    code: 'rest_invalid_param',
    param: 'details',
    rejects(plan) {
      const { method_type: kind, details } = valuesIn(plan, 'body');
      const isFree = ['stripeapi', 'credit', 'custom'].includes(String(kind)) || Object.keys(Object(details)).length === 0;
      return isFor(plan, 'put_me_payout_details') && !isFree ? 'perhaps' : 'no';
    },
  },
  {
    reason: 'POST /adjustments: the amount is not zero.',
    code: 'rest_invalid_param',
    param: 'amount',
    rejects: (plan) => yesOrNo(isFor(plan, 'post_adjustments') && valuesIn(plan, 'body')['amount'] === 0),
  },
  {
    reason: 'POST /payout-batches/{id}/status: failed is only for a batch that is paid.',
    code: 'rest_invalid_param',
    param: 'failed',
    rejects(plan) {
      const { status, failed } = valuesIn(plan, 'body');
      const hasFailed = Array.isArray(failed) && failed.length > 0;
      return yesOrNo(isFor(plan, 'post_payout_batches_id_status') && status === 'cancel' && hasFailed);
    },
  },
  {
    reason: 'POST /webhooks: the service may send to the URL.',
    code: 'svc_api_invalid_url',
    rejects(plan, { receiverUrl }) {
      const { url } = valuesIn(plan, 'body');
      if (!isFor(plan, 'post_webhooks') || [receiverUrl, ...acceptedUrls].includes(String(url))) return 'no';
      return URL.canParse(String(url)) ? 'perhaps' : 'yes';
    },
  },
  {
    reason: 'Webhook routes: unknown event names are dropped, and one must remain.',
    code: 'svc_api_no_events',
    rejects(plan) {
      const { events } = valuesIn(plan, 'body');
      if (!isFor(plan, 'post_webhooks', 'patch_webhooks_id') || !Array.isArray(events) || events.includes('*')) return 'no';
      return events.some((name) => catalog.test(String(name))) ? 'perhaps' : 'yes';
    },
  },
  {
    reason: 'PATCH /webhooks/{id}: status, events or both.',
    code: 'svc_api_no_fields',
    rejects: (plan) => yesOrNo(isFor(plan, 'patch_webhooks_id') && Object.keys(valuesIn(plan, 'body')).length === 0),
  },
  {
    reason: 'Callers other than admins must pass coupon_id.',
    code: 'svc_api_coupon_required',
    rejects: (plan) => yesOrNo(isFor(plan, 'get_clicks_stats') && !isAdmin(plan) && valuesIn(plan, 'query')['coupon_id'] === undefined),
  },
];

/** Codes of validation errors. */
export const invalidCodes = new Set([
  'rest_invalid_json',
  'rest_unsupported_media_type',
  'rest_body_too_large',
  ...rules.map(({ code }) => code),
]);

export interface RuleVerdict {
  /** Validation errors that the response may have. */
  readonly codes: ReadonlySet<string>;
  readonly params: ReadonlySet<string>;
  readonly mustBeRejected: boolean;
}

export function applyRules(plan: RequestPlan, fixture: FuzzFixture): RuleVerdict {
  const verdicts = rules.map((rule) => ({ rule, verdict: rule.rejects(plan, fixture) })).filter(({ verdict }) => verdict !== 'no');
  return {
    codes: new Set(verdicts.map(({ rule }) => rule.code)),
    params: new Set(verdicts.flatMap(({ rule }) => rule.param ?? [])),
    mustBeRejected: verdicts.some(({ verdict }) => verdict === 'yes'),
  };
}
