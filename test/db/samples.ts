import { plainTerms } from '../../domain/coupons/coupon.ts';
import type { NewCouponTerms } from '../../domain/coupons/terms.ts';
import type { NewEvent } from '../../domain/events/event.ts';
import type { NewApiKey } from '../../domain/keys/key.ts';
import type { Session, UnitOfWork } from '../../domain/ports.ts';
import type { NewUser } from '../../domain/users/user.ts';

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

/** Inserts a user and returns its id. */
export async function savedUser(database: UnitOfWork, user: Partial<NewUser> = {}): Promise<number> {
  const id = await database.write(({ users }) => users.insert(newUser(user)));
  if (id === null) throw new Error('The login or the email is taken.');
  return id;
}

export const isSaved = async (database: UnitOfWork, login: string): Promise<boolean> =>
  (await database.read(({ users }) => users.byLoginOrEmail(login))) !== null;
