import { EntitySchema } from 'typeorm';
import type { User } from '../../domain/users/user.ts';
import { hidden, id, jsonText, nullable, text, whole } from './columns.ts';

export interface UserRow extends User {
  loginFolded: string;
  emailFolded: string;
  displayNameFolded: string;
  passwordHash: string | null;
  profile: Record<string, string>;
  groups: string[];
  customFields: Record<string, unknown>;
}

export const users = new EntitySchema<UserRow>({
  name: 'users',
  columns: {
    id,
    login: text('login'),
    loginFolded: hidden(text('login_folded')),
    email: text('email'),
    emailFolded: hidden(text('email_folded')),
    displayName: text('display_name'),
    displayNameFolded: hidden(text('display_name_folded')),
    role: text('role'),
    parentId: nullable(whole('parent_id')),
    passwordHash: hidden(nullable(text('password_hash'))),
    registeredAt: whole('registered_at'),
    profile: hidden(jsonText('profile')),
    groups: hidden(jsonText('groups')),
    customFields: hidden(jsonText('custom_fields')),
  },
});
