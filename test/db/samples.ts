import { plainTerms } from '../../domain/coupons/coupon.ts';
import type { NewCouponTerms } from '../../domain/coupons/terms.ts';
import type { NewEvent } from '../../domain/events/event.ts';
import type { NewApiKey } from '../../domain/keys/key.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { UnitOfWork } from '../../domain/unit-of-work.ts';
import type { Session } from '../../domain/users/session.ts';
import type { NewUser } from '../../domain/users/user.ts';
import type { Observer } from '../support/engines.ts';

let made = 0;

/** Unique within the run. */
const unique = (word: string): string => {
  made += 1;
  return `${word}-${made}`;
};

export function newUser(user: Partial<NewUser> = {}): NewUser {
  const login = user.login ?? unique('ann');
  const rest = { displayName: 'Ann', role: 'affiliate', passwordHash: 'hash of a password', registeredAt: 1_760_000_000_123 } as const;
  return { login, email: `${login}@example.com`, ...rest, ...user };
}

export const newKey = (key: Partial<NewApiKey> = {}): NewApiKey => ({
  userId: 1,
  description: 'for the shop',
  prefix: 'svc_12345678',
  scopes: ['read', 'write'],
  createdBy: 1,
  createdAt: 1_760_000_000_456,
  expiresDay: null,
  hash: unique('hash'),
  ...key,
});

export const newSession = (session: Partial<Session>): Session => ({
  hash: unique('hash'),
  userId: 1,
  csrfToken: 'token',
  createdAt: 1000,
  expiresAt: 2000,
  confirmedUntil: null,
  codeConfirmedUntil: null,
  device: 'Firefox on Linux',
  address: '192.0.2.0/24',
  lastUsedAt: 1000,
  ...session,
});

export const newCoupon = (coupon: Partial<NewCouponTerms> = {}): NewCouponTerms => ({
  ...plainTerms,
  code: 'ANN10',
  userId: null,
  status: 'publish',
  createdAt: 1_760_000_000_789,
  ...coupon,
});

export const newEvent = (event: Partial<NewEvent> = {}): NewEvent => ({
  kind: 'referral',
  type: 'referral.created',
  objectType: 'order',
  objectId: 7,
  userId: 0,
  info: 'An order',
  data: { order_id: 7 },
  at: 1_760_000_001_000,
  ...event,
});

/** Inserts users 1, 2, 3 … and coupons C1, C2 … of these owners by SQL. */
export async function insertOwners({ query }: Observer, users: number, owners: readonly (number | null)[]): Promise<void> {
  for (let user = 1; user <= users; user += 1)
    await query(`insert into users (login, login_folded, email, email_folded, display_name, display_name_folded, role, registered_at)
      values ('u${user}', 'u${user}', 'u${user}@shop.example', 'u${user}@shop.example', 'U', 'u', 'customer', 0)`);
  for (const [index, owner] of owners.entries())
    await query(`insert into coupons (code, code_folded, user_id, status, created_at)
      values ('C${index + 1}', 'c${index + 1}', ${owner}, 'publish', 0)`);
}

/** Inserts a user and returns its id. */
export async function savedUser(database: UnitOfWork<Repositories>, user: Partial<NewUser> = {}): Promise<number> {
  const id = await database.write(({ users }) => users.insert(newUser(user)));
  if (id === null) throw new Error('The login or the email is taken.');
  return id;
}

export const isSaved = async (database: UnitOfWork<Repositories>, login: string): Promise<boolean> =>
  (await database.read(({ users }) => users.byLoginOrEmail(login))) !== null;
