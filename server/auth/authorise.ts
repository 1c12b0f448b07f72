import { ApiError } from '../../domain/errors.ts';
import { type Caller, callerIsAdmin, hasScope } from '../../domain/users/caller.ts';
import { type AccessLevel, type OperationId, operations, type Scope } from '../../generated/operations.ts';
import { getAccess } from '../../site/served.ts';
import { settingPaths } from '../../site/settings/parse.ts';
import type { Settings } from '../../site/settings/settings.ts';

type Condition = { readonly parameter: string; readonly equals: unknown };
type Rule = {
  readonly access: readonly AccessLevel[];
  readonly scope: Scope | 'none';
  readonly scopeWhen: readonly (Condition & { readonly scope: Scope })[];
  readonly csrfWhen: readonly Condition[];
  readonly method: string;
};

const ruleOf = (operationId: OperationId): Rule => operations[operationId];

const written: Record<string, readonly string[]> = { true: ['true', '1'], false: ['false', '0'] };

/** Looks at the query as it was written: permission is decided before parameters are judged. */
const holds = ({ parameter, equals }: Condition, query: URLSearchParams): boolean =>
  query.getAll(parameter).some((text) => (written[String(equals)] ?? [String(equals)]).includes(text));

function scopesNeeded(operationId: OperationId, query: URLSearchParams): Scope[] {
  const { scope, scopeWhen } = ruleOf(operationId);
  const further = scopeWhen.filter((condition) => holds(condition, query)).map((condition) => condition.scope);
  return scope === 'none' ? further : [scope, ...further];
}

/**
 * Whether the role is enough for a level. For owner, self and upline it may be: whose record it is, the query that reads it decides.
 * Every level of the contract stands here, so that a new one does not compile until somebody has thought about it.
 */
const suffices: Record<AccessLevel, (caller: Caller) => boolean> = {
  public: () => true,
  user: () => true,
  admin: callerIsAdmin,
  owner: () => true,
  upline: () => true,
  self: () => true,
};

const roleSuffices = (levels: readonly AccessLevel[], caller: Caller): boolean => levels.some((level) => suffices[level](caller));

/** Whether a call can succeed at all: without a coupon there is no record whose owner one could be. */
export function mayCall(operationId: OperationId, caller: Caller, isAffiliate: boolean, settings: Settings): boolean {
  const scopes = scopesNeeded(operationId, new URLSearchParams());
  const ownLevels: readonly AccessLevel[] = ['owner', 'self', 'upline'];
  const levels = getAccess(operationId, settings).filter((level) => isAffiliate || !ownLevels.includes(level));
  return scopes.every((scope) => hasScope(caller, scope)) && roleSuffices(levels, caller);
}

/** Throws what stands against the call: 401 without an identity, 403 without the scope, then without the role. */
export function authorise(operationId: OperationId, caller: Caller | null, settings: Settings, query: URLSearchParams): void {
  const levels = getAccess(operationId, settings);
  if (levels.includes('public')) return;
  if (!caller) throw new ApiError('svc_api_unauthorized');
  const missing = scopesNeeded(operationId, query).find((scope) => !hasScope(caller, scope));
  if (missing) throw new ApiError('svc_api_insufficient_scope', { message: `This API key lacks the scope ${missing}.` });
  if (!roleSuffices(levels, caller)) throw new ApiError('svc_api_forbidden');
}

/** Whether a caller known by a cookie must prove that the request comes from the signed-in page. */
export const needsCsrfToken = (operationId: OperationId, query: URLSearchParams): boolean =>
  ruleOf(operationId).method !== 'get' || ruleOf(operationId).csrfWhen.some((condition) => holds(condition, query));

type Declared = Record<string, Partial<Pick<Rule, 'access' | 'scope'>> & { readonly accessWhen?: readonly { readonly setting: string }[] }>;

/** Fails closed: an operation that does not say who may call it, and with which scope, keeps the service from starting. */
export function refuseUndeclaredAccess(declared: Declared = operations): void {
  const settings = new Set(settingPaths.map(({ path }) => path));
  for (const [operationId, { access = [], scope, accessWhen = [] }] of Object.entries(declared)) {
    if (access.length === 0 || scope === undefined)
      throw new Error(`${operationId} declares no x-access or no x-scope. Add them in openapi/paths and run "npm run generate".`);
    const unknown = accessWhen.find(({ setting }) => !settings.has(setting));
    if (unknown) throw new Error(`x-access-when of ${operationId} names the setting ${unknown.setting}, which does not exist.`);
  }
}
