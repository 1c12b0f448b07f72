import type { TokenPurpose } from '../../domain/users/one-time-token.ts';
import type { Profile, Role } from '../../domain/users/user.ts';
import type { Scope } from '../../generated/operations.ts';
import { bigint, boolean, entity, generatedId, hidden, json, list, nullable, primary, text, withDefault } from './columns.ts';

export const users = entity('users', {
  id: generatedId,
  login: text('login'),
  loginFolded: hidden(text('login_folded')),
  email: text('email'),
  emailFolded: hidden(text('email_folded')),
  displayName: text('display_name'),
  displayNameFolded: hidden(text('display_name_folded')),
  role: text<Role>('role'),
  parentId: nullable(bigint('parent_id')),
  passwordHash: hidden(nullable(text('password_hash'))),
  registeredAt: bigint('registered_at'),
  disabledAt: hidden(nullable(bigint('disabled_at'))),
  emailChangedAt: hidden(nullable(bigint('email_changed_at'))),
  /** Set when a coupon is taken from the user. */
  hadCoupon: hidden(withDefault(boolean('had_coupon'), 0)),
  profile: hidden(withDefault(json<Partial<Profile>>('profile'), '{}')),
  groups: hidden(withDefault(json<string[]>('groups'), '[]')),
  customFields: hidden(withDefault(json<Record<string, unknown>>('custom_fields'), '{}')),
});

export const appPasswords = entity('app_passwords', {
  id: generatedId,
  userId: bigint('user_id'),
  name: text('name'),
  hash: text('hash'),
  createdAt: bigint('created_at'),
  lastUsedAt: nullable(bigint('last_used_at')),
  expiresDay: nullable(text('expires_day')),
});

export const sessions = entity('sessions', {
  hash: primary(text('hash')),
  userId: bigint('user_id'),
  csrfToken: text('csrf_token'),
  createdAt: bigint('created_at'),
  expiresAt: bigint('expires_at'),
  confirmedUntil: nullable(bigint('confirmed_until')),
  codeConfirmedUntil: nullable(bigint('code_confirmed_until')),
  device: withDefault(text('device'), ''),
  address: withDefault(text('address'), ''),
  lastUsedAt: withDefault(bigint('last_used_at'), 0),
});

export const devices = entity('devices', {
  hash: primary(text('hash')),
  userId: primary(bigint('user_id')),
  failures: bigint('failures'),
  lastUsedAt: bigint('last_used_at'),
});

export const secondFactors = entity('second_factors', {
  userId: primary(bigint('user_id')),
  encryptedSecret: text('encrypted_secret'),
  lastStep: bigint('last_step'),
  createdAt: bigint('created_at'),
});

export const recoveryCodes = entity('recovery_codes', {
  userId: primary(bigint('user_id')),
  hash: primary(text('hash')),
});

export const oneTimeTokens = entity('one_time_tokens', {
  hash: primary(text('hash')),
  purpose: text<TokenPurpose>('purpose'),
  userId: nullable(bigint('user_id')),
  data: json<Record<string, unknown>>('data'),
  createdAt: bigint('created_at'),
  expiresAt: nullable(bigint('expires_at')),
});

export const apiKeys = entity('api_keys', {
  id: generatedId,
  hash: hidden(text('hash')),
  prefix: text('prefix'),
  userId: bigint('user_id'),
  description: text('description'),
  scopes: list<Scope>('scopes'),
  createdBy: bigint('created_by'),
  createdAt: bigint('created_at'),
  lastUsedAt: nullable(bigint('last_used_at')),
  expiresDay: nullable(text('expires_day')),
  revokedAt: nullable(bigint('revoked_at')),
});
