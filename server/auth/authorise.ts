import { ApiError } from '../../domain/errors.ts';
import { type Caller, callerIsAdmin, hasScope } from '../../domain/users/user.ts';
import { type AccessLevel, type OperationId, operations, type Scope } from '../../generated/operations.ts';
import { getAccess } from '../../site/served.ts';
import { type Settings, settingPaths } from '../../site/settings/settings.ts';

type Condition = { readonly parameter: string; readonly equals: unknown };
type Rule = {
  readonly access: readonly AccessLevel[];
  readonly scope: Scope | 'none';
  readonly scopeWhen: readonly (Condition & { readonly scope: Scope })[];
  readonly csrfWhen: readonly Condition[];
  readonly confirmPassword: boolean | 'code';
  readonly method: string;
};

const ruleOf = (operationId: OperationId): Rule => operations[operationId];

const booleanTexts: Record<string, readonly string[]> = { true: ['true', '1'], false: ['false', '0'] };

/** Compares the raw query: access is decided before parameters are validated. Parsed here, because few operations have a condition. */
const holds = ({ parameter, equals }: Condition, query: string): boolean =>
  new URLSearchParams(query).getAll(parameter).some((text) => (booleanTexts[String(equals)] ?? [String(equals)]).includes(text));

function scopesNeeded(operationId: OperationId, query: string): Scope[] {
  const { scope, scopeWhen } = ruleOf(operationId);
  const further = scopeWhen.filter((condition) => holds(condition, query)).map((condition) => condition.scope);
  return scope === 'none' ? further : [scope, ...further];
}

/**
 * Whether the role is enough for a level. For owner, self and upline it may be: the query that reads the record checks whose it is.
 * Lists every level of the contract, so that a new one does not compile until it is added here.
 */
const roleChecks: Record<AccessLevel, (caller: Caller) => boolean> = {
  public: () => true,
  user: () => true,
  admin: callerIsAdmin,
  administrator: ({ user }) => user.role === 'administrator',
  owner: () => true,
  upline: () => true,
  self: () => true,
};

const roleSuffices = (levels: readonly AccessLevel[], caller: Caller): boolean => levels.some((level) => roleChecks[level](caller));

/** Whether a call can succeed at all: a caller who is no affiliate owns no record. */
export function mayCall(operationId: OperationId, caller: Caller, isAffiliate: boolean, settings: Settings): boolean {
  const scopes = scopesNeeded(operationId, '');
  const ownLevels: readonly AccessLevel[] = ['owner', 'self', 'upline'];
  const levels = getAccess(operationId, settings).filter((level) => isAffiliate || !ownLevels.includes(level));
  return scopes.every((scope) => hasScope(caller, scope)) && roleSuffices(levels, caller);
}

const describeMissing = (scope: Scope, { scopes }: Caller): string =>
  `This API key lacks the scope ${scope}. It has: ${scopes?.join(', ') || 'none'}.`;

/** @throws ApiError 401 without an identity, 403 without the scope, then 403 without the role. */
export function authorise(operationId: OperationId, caller: Caller | null, settings: Settings, query: string): void {
  const levels = getAccess(operationId, settings);
  if (levels.includes('public')) return;
  if (!caller) throw new ApiError('svc_api_unauthorized');
  const missing = scopesNeeded(operationId, query).find((scope) => !hasScope(caller, scope));
  if (missing) throw new ApiError('svc_api_insufficient_scope', { message: describeMissing(missing, caller) });
  if (roleSuffices(levels, caller)) return;
  const needed = levels.includes('admin') ? 'administrator or manager' : 'administrator';
  throw new ApiError('svc_api_forbidden', { message: `This needs the role ${needed}. Your role is ${caller.user.role}.` });
}

/** Whether a caller identified by a cookie must send the CSRF token. */
export const needsCsrfToken = (operationId: OperationId, query: string): boolean =>
  ruleOf(operationId).method !== 'get' || ruleOf(operationId).csrfWhen.some((condition) => holds(condition, query));

/** Whether a caller identified by a cookie must have confirmed the password, or `code`: by a second factor where there is one. */
export const getNeededConfirmation = (operationId: OperationId): Rule['confirmPassword'] => ruleOf(operationId).confirmPassword;

type DeclaredAccess = Record<
  string,
  Partial<Pick<Rule, 'access' | 'scope'>> & { readonly accessWhen?: readonly { readonly setting: string }[] }
>;

/** Fails closed: the service does not start with an operation that does not declare who may call it, and with which scope. */
export function requireDeclaredAccess(declared: DeclaredAccess = operations): void {
  const settings = new Set(settingPaths.map(({ path }) => path));
  for (const [operationId, { access = [], scope, accessWhen = [] }] of Object.entries(declared)) {
    if (access.length === 0 || scope === undefined)
      throw new Error(`${operationId} declares no x-access or no x-scope. Add them in openapi/paths and run "npm run generate".`);
    const unknown = accessWhen.find(({ setting }) => !settings.has(setting));
    if (unknown) throw new Error(`x-access-when of ${operationId} names the setting ${unknown.setting}, which does not exist.`);
  }
}
