import type { User } from '../../domain/users/user.ts';
import type { Scope } from '../../generated/operations.ts';
import type { TestService } from '../support/service.ts';

/** Credentials, and the identity that the service must derive from them. */
export interface Caller {
  readonly name: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly identity: Identity;
}

type Identity =
  | { readonly kind: 'anonymous' }
  /** Invalid credentials are rejected everywhere, also on public operations. */
  | { readonly kind: 'refused'; readonly code: string }
  | {
      readonly kind: 'authenticated';
      readonly userId: number;
      readonly isAdmin: boolean;
      /** Managers are admins, but no administrators. */
      readonly isAdministrator: boolean;
      /** Null where only the role limits access. */
      readonly scopes: readonly Scope[] | null;
      /** Of a session cookie. */
      readonly hasCsrfToken?: boolean;
    };

export const password = 'a password for tests';
export const allScopes: Scope[] = ['read', 'write', 'manage'];
const scopeSets: Scope[][] = [['read'], ['write'], ['manage'], ['read', 'write'], ['read', 'manage'], ['write', 'manage'], allScopes];

export interface TestUsers {
  boss: User;
  chief: User;
  trail: User;
  other: User;
  upline: User;
  customer: User;
}

const isAdmin = ({ role }: User): boolean => role === 'administrator' || role === 'manager';

export async function createCallers(
  service: TestService,
  users: TestUsers,
  deadTokens: Record<'expired' | 'revoked', string>,
): Promise<Caller[]> {
  return [
    { name: 'anonymous', headers: [], identity: { kind: 'anonymous' } },
    ...(await createKeyCallers(service, users)),
    ...(await createPasswordCallers(service, users)),
    ...(await createSessionCallers(service, users)),
    ...rejectedCallers(deadTokens),
  ];
}

const authenticated = (user: User, scopes: readonly Scope[] | null): Extract<Identity, { kind: 'authenticated' }> => ({
  kind: 'authenticated',
  userId: user.id,
  isAdmin: isAdmin(user),
  isAdministrator: user.role === 'administrator',
  scopes,
});

async function createKeyCallers(service: TestService, users: TestUsers): Promise<Caller[]> {
  const keyCaller = async (who: keyof TestUsers, scopes: Scope[]): Promise<Caller> => ({
    name: `${who} with a key for ${scopes.join(', ')}`,
    headers: [['Authorization', `Bearer ${(await service.key(users[who], scopes)).token}`]],
    identity: authenticated(users[who], scopes),
  });
  const callers: Caller[] = [];
  for (const scopes of scopeSets) callers.push(await keyCaller('boss', scopes));
  for (const who of ['chief', 'trail', 'other', 'upline', 'customer'] as const) callers.push(await keyCaller(who, allScopes));
  for (const scopes of [['read'], ['read', 'write']] satisfies Scope[][]) callers.push(await keyCaller('trail', scopes));
  const { token } = await service.key(users.boss, allScopes);
  callers.push({ name: 'boss with X-Svc-API-Key', headers: [['X-Svc-API-Key', token]], identity: authenticated(users.boss, allScopes) });
  return callers;
}

async function createPasswordCallers(service: TestService, users: TestUsers): Promise<Caller[]> {
  const callers: Caller[] = [];
  for (const who of ['boss', 'trail', 'customer'] as const) {
    const { Authorization = '' } = await service.appPassword(users[who]);
    callers.push({
      name: `${who} with an application password`,
      headers: [['Authorization', Authorization]],
      identity: authenticated(users[who], null),
    });
  }
  return callers;
}

async function createSessionCallers(service: TestService, users: TestUsers): Promise<Caller[]> {
  const callers: Caller[] = [];
  for (const who of ['boss', 'trail'] as const) {
    const { Cookie = '', 'X-Svc-CSRF': token = '' } = await service.staleSession(users[who].login, password);
    const session = (name: string, csrf: string | null): Caller => ({
      name: `${who} signed in, ${name}`,
      headers: [['Cookie', Cookie], ...(csrf === null ? [] : [['X-Svc-CSRF', csrf] as const])],
      identity: { ...authenticated(users[who], null), hasCsrfToken: csrf === token },
    });
    callers.push(session('with the CSRF token', token), session('without a CSRF token', null), session('with a wrong CSRF token', 'wrong'));
  }
  return callers;
}

function rejectedCallers({ expired, revoked }: Record<'expired' | 'revoked', string>): Caller[] {
  const refused = (name: string, header: string, value: string, code = 'svc_api_invalid_key'): Caller => ({
    name,
    headers: [[header, value]],
    identity: { kind: 'refused', code },
  });
  return [
    refused('an expired key', 'Authorization', `Bearer ${expired}`),
    refused('a revoked key', 'Authorization', `Bearer ${revoked}`),
    refused('a revoked X-Svc-API-Key', 'X-Svc-API-Key', revoked),
    refused('a key that never was', 'Authorization', `Bearer svc_${'0'.repeat(40)}`),
    refused('no key after Bearer', 'Authorization', 'Bearer'),
    refused('bytes for a key', 'Authorization', 'bEaReR \xff\xfe\x80 svc_'),
    refused('a wrong application password', 'Authorization', `Basic ${btoa('boss:wrong')}`, 'svc_api_unauthorized'),
    refused('Basic without base64', 'Authorization', 'Basic !!!', 'svc_api_unauthorized'),
    refused('Basic with a NUL', 'Authorization', `Basic ${btoa('bo\0ss:\0')}`, 'svc_api_unauthorized'),
    refused('an empty X-Svc-API-Key', 'X-Svc-API-Key', ''),
    { name: 'a cookie that never was', headers: [['Cookie', 'svc_session=unknown; svc_session=boss']], identity: { kind: 'anonymous' } },
    { name: 'an unknown scheme', headers: [['Authorization', 'Digest username="boss"']], identity: { kind: 'anonymous' } },
  ];
}
