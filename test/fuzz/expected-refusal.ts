import type { ContractOperation } from '../../server/contract/document.ts';
import type { Caller } from './callers.ts';

export interface Refusal {
  readonly status: number;
  readonly code: string;
}

interface Condition {
  readonly parameter: string;
  readonly equals: unknown;
}

/** Access rules, read from the contract itself and not from the generated code of the service. */
interface Access {
  readonly 'x-access': readonly string[];
  readonly 'x-scope': string;
  readonly 'x-scope-when'?: readonly (Condition & { readonly scope: string })[];
  readonly 'x-csrf-when'?: readonly Condition[];
  readonly 'x-confirm-password'?: true;
}

const refusal = (status: number, code: string): Refusal => ({ status, code });

/** The error that this caller must receive whatever the request, or null for a caller with access. */
export function expectedRefusal(operation: ContractOperation, { identity }: Caller, query: URLSearchParams): Refusal | null {
  const access = operation as unknown as Access;
  if (identity.kind === 'refused') return refusal(401, identity.code);
  if (access['x-access'].includes('public')) return null;
  if (identity.kind === 'anonymous') return refusal(401, 'svc_api_unauthorized');
  const { scopes } = identity;
  const lacks = scopesNeeded(access, query).some((scope) => scopes !== null && !(scopes as readonly string[]).includes(scope));
  if (lacks) return refusal(403, 'svc_api_insufficient_scope');
  const roles: Record<string, boolean> = { admin: identity.isAdmin, administrator: identity.isAdministrator };
  if (access['x-access'].every((level) => roles[level] === false)) return refusal(403, 'svc_api_forbidden');
  if (identity.hasCsrfToken === false && needsCsrfToken(operation, access, query)) return refusal(403, 'svc_api_csrf_failed');
  if (identity.hasCsrfToken !== undefined && access['x-confirm-password']) return refusal(403, 'svc_api_confirm_password');
  return null;
}

const matches = ({ parameter, equals }: Condition, query: URLSearchParams): boolean =>
  query.getAll(parameter).some((text) => (equals === true ? ['true', '1'] : [String(equals)]).includes(text));

function scopesNeeded(access: Access, query: URLSearchParams): string[] {
  const further = (access['x-scope-when'] ?? []).filter((condition) => matches(condition, query)).map(({ scope }) => scope);
  return access['x-scope'] === 'none' ? further : [access['x-scope'], ...further];
}

const needsCsrfToken = ({ method }: ContractOperation, access: Access, query: URLSearchParams): boolean =>
  method !== 'get' || (access['x-csrf-when'] ?? []).some((condition) => matches(condition, query));
