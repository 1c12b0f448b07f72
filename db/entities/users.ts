import type { Profile } from '../../domain/affiliates/affiliate.ts';
import type { Role } from '../../domain/users/user.ts';
import { bigint, entity, generatedId, hidden, json, nullable, text, withDefault } from './columns.ts';

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
  profile: hidden(withDefault(json<Partial<Profile>>('profile'), '{}')),
  groups: hidden(withDefault(json<string[]>('groups'), '[]')),
  customFields: hidden(withDefault(json<Record<string, unknown>>('custom_fields'), '{}')),
});
