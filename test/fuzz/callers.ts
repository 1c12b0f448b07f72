import type { User } from '../../domain/users/user.ts';
import type { Scope } from '../../generated/operations.ts';
import type { TestService } from '../support/service.ts';

/** Somebody who calls, and what the service should make of the credentials. */
export interface Caller {
  readonly name: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly identity: Identity;
}

type Identity =
  | { readonly kind: 'anonymous' }
  /** Credentials that name nobody are refused everywhere, also where none are needed. */
  | { readonly kind: 'refused'; readonly code: string }
  | {
      readonly kind: 'known';
      readonly userId: number;
      readonly isAdmin: boolean;
      /** Null where the role is the only limit. */
      readonly scopes: readonly Scope[] | null;
      /** Of those who are known by a cookie. */
      readonly hasCsrfToken?: boolean;
    };

export const password = 'a password for tests';
export const allScopes: Scope[] = ['read', 'write', 'manage'];
const scopeSets: Scope[][] = [['read'], ['write'], ['manage'], ['read', 'write'], ['read', 'manage'], ['write', 'manage'], allScopes];

export interface People {
  boss: User;
  chief: User;
  trail: User;
  other: User;
  upline: User;
  customer: User;
}

const isAdmin = ({ role }: User): boolean => role === 'administrator' || role === 'manager';

export async function callersOf(
  service: TestService,
  people: People,
  deadTokens: Record<'expired' | 'revoked', string>,
): Promise<Caller[]> {
  return [
    { name: 'anonymous', headers: [], identity: { kind: 'anonymous' } },
    ...(await keyHolders(service, people)),
    ...(await passwordHolders(service, people)),
    ...(await sessionHolders(service, people)),
    ...strangers(deadTokens),
  ];
}

const known = (user: User, scopes: readonly Scope[] | null): Extract<Identity, { kind: 'known' }> => ({
  kind: 'known',
  userId: user.id,
  isAdmin: isAdmin(user),
  scopes,
});

async function keyHolders(service: TestService, people: People): Promise<Caller[]> {
  const holder = async (who: keyof People, scopes: Scope[]): Promise<Caller> => ({
    name: `${who} with a key for ${scopes.join(', ')}`,
    headers: [['Authorization', `Bearer ${(await service.key(people[who], scopes)).token}`]],
    identity: known(people[who], scopes),
  });
  const holders: Caller[] = [];
  for (const scopes of scopeSets) holders.push(await holder('boss', scopes));
  for (const who of ['chief', 'trail', 'other', 'upline', 'customer'] as const) holders.push(await holder(who, allScopes));
  for (const scopes of [['read'], ['read', 'write']] satisfies Scope[][]) holders.push(await holder('trail', scopes));
  const { token } = await service.key(people.boss, allScopes);
  holders.push({ name: 'boss with X-Svc-API-Key', headers: [['X-Svc-API-Key', token]], identity: known(people.boss, allScopes) });
  return holders;
}

async function passwordHolders(service: TestService, people: People): Promise<Caller[]> {
  const holders: Caller[] = [];
  for (const who of ['boss', 'trail', 'customer'] as const) {
    const { Authorization = '' } = await service.appPassword(people[who]);
    holders.push({
      name: `${who} with an application password`,
      headers: [['Authorization', Authorization]],
      identity: known(people[who], null),
    });
  }
  return holders;
}

async function sessionHolders(service: TestService, people: People): Promise<Caller[]> {
  const holders: Caller[] = [];
  for (const who of ['boss', 'trail'] as const) {
    const { Cookie = '', 'X-Svc-CSRF': token = '' } = await service.session(people[who].login, password);
    const session = (name: string, csrf: string | null): Caller => ({
      name: `${who} signed in, ${name}`,
      headers: [['Cookie', Cookie], ...(csrf === null ? [] : [['X-Svc-CSRF', csrf] as const])],
      identity: { ...known(people[who], null), hasCsrfToken: csrf === token },
    });
    holders.push(session('with the CSRF token', token), session('without a CSRF token', null), session('with a wrong CSRF token', 'wrong'));
  }
  return holders;
}

function strangers({ expired, revoked }: Record<'expired' | 'revoked', string>): Caller[] {
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
    { name: 'a cookie that never was', headers: [['Cookie', 'svc_session=nobody; svc_session=boss']], identity: { kind: 'anonymous' } },
    { name: 'an unknown scheme', headers: [['Authorization', 'Digest username="boss"']], identity: { kind: 'anonymous' } },
  ];
}
