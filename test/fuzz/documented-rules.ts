import { dayOf } from '../../domain/dates.ts';
import { type Plan, spotsOf, valuesIn } from './plan.ts';
import { soundUrls } from './valid-plans.ts';
import type { World } from './world.ts';

/** A rule about several parameters, or about the program's data, that no schema of one parameter can say. */
interface DocumentedRule {
  readonly reason: string;
  readonly code: string;
  /** Named in `data.params`, where the code has them. */
  readonly param?: string;
  /** Whether the rule refuses this request: surely, perhaps, or not. */
  refuses(plan: Plan, world: World): 'yes' | 'perhaps' | 'no';
}

const surely = (holds: boolean): 'yes' | 'no' => (holds ? 'yes' : 'no');
const isFor = ({ operation }: Plan, ...operationIds: string[]): boolean => operationIds.includes(operation.operationId);
const namesDays = ({ operation }: Plan): boolean => ['from', 'to'].every((day) => spotsOf(operation).some(({ name }) => name === day));
const isAdmin = ({ caller }: Plan): boolean => caller.identity.kind === 'known' && caller.identity.isAdmin;
const todayIn = ({ service }: World): string => dayOf(service.clock.now(), 'UTC');
const catalog = /^(?:referral|commission|registration|affiliate|payout)\.\w+$/;

/** All that a request valid by its schemas may still be refused for as invalid. Whatever else is, is a fault of the service. */
const rules: readonly DocumentedRule[] = [
  {
    reason: 'Decision 1: from after to, or in the future without to.',
    code: 'rest_invalid_param',
    param: 'from',
    refuses(plan, world) {
      const { from, to } = valuesIn(plan, 'query');
      return surely(namesDays(plan) && from !== undefined && String(from) > String(to ?? todayIn(world)));
    },
  },
  {
    reason: 'KeyRequest: expires is not before today.',
    code: 'rest_invalid_param',
    param: 'expires',
    refuses(plan, world) {
      const { expires } = valuesIn(plan, 'body');
      return surely(isFor(plan, 'post_keys') && expires !== undefined && String(expires) < todayIn(world));
    },
  },
  {
    reason: 'KeyRequest: user_id is a user. Accepted applications make users that are not counted here.',
    code: 'rest_invalid_param',
    param: 'user_id',
    refuses(plan, { records }) {
      const { user_id: userId } = valuesIn(plan, 'body');
      const isUnknown = isFor(plan, 'post_keys') && userId !== undefined && !records.users.includes(Number(userId));
      return isUnknown ? (Number(userId) > 1_000_000 ? 'yes' : 'perhaps') : 'no';
    },
  },
  {
    reason: 'POST /webhooks: the URL leads to a place where the service may send.',
    code: 'svc_api_invalid_url',
    refuses(plan, { receiverUrl }) {
      const { url } = valuesIn(plan, 'body');
      if (!isFor(plan, 'post_webhooks') || [receiverUrl, ...soundUrls].includes(String(url))) return 'no';
      return URL.canParse(String(url)) ? 'perhaps' : 'yes';
    },
  },
  {
    reason: 'Webhook routes: unknown event names are dropped, and one must remain.',
    code: 'svc_api_no_events',
    refuses(plan) {
      const { events } = valuesIn(plan, 'body');
      if (!isFor(plan, 'post_webhooks', 'patch_webhooks_id') || !Array.isArray(events) || events.includes('*')) return 'no';
      return events.some((name) => catalog.test(String(name))) ? 'perhaps' : 'yes';
    },
  },
  {
    reason: 'PATCH /webhooks/{id}: status, events or both.',
    code: 'svc_api_no_fields',
    refuses: (plan) => surely(isFor(plan, 'patch_webhooks_id') && Object.keys(valuesIn(plan, 'body')).length === 0),
  },
  {
    reason: 'Decision 6: who is no admin names a coupon.',
    code: 'svc_api_coupon_required',
    refuses: (plan) => surely(isFor(plan, 'get_clicks_stats') && !isAdmin(plan) && valuesIn(plan, 'query')['coupon_id'] === undefined),
  },
];

/** Codes that call a request invalid. */
export const invalidCodes = new Set([
  ...['rest_invalid_json', 'rest_unsupported_media_type', 'rest_body_too_large'],
  ...rules.map(({ code }) => code),
]);

export interface RuleVerdict {
  /** Codes by which the request may be refused as invalid. */
  readonly codes: ReadonlySet<string>;
  readonly params: ReadonlySet<string>;
  readonly mustBeRefused: boolean;
}

export function judgedByRules(plan: Plan, world: World): RuleVerdict {
  const verdicts = rules.map((rule) => ({ rule, verdict: rule.refuses(plan, world) })).filter(({ verdict }) => verdict !== 'no');
  return {
    codes: new Set(verdicts.map(({ rule }) => rule.code)),
    params: new Set(verdicts.flatMap(({ rule }) => rule.param ?? [])),
    mustBeRefused: verdicts.some(({ verdict }) => verdict === 'yes'),
  };
}
