import type { EntitySchema, MixedList } from 'typeorm';
import { apiKeys } from './api-keys.ts';
import { appPasswords } from './app-passwords.ts';
import { coupons } from './coupons.ts';
import { registrations } from './registrations.ts';
import { sessions } from './sessions.ts';
import { settings, settingsVersion } from './settings.ts';
import { users } from './users.ts';

export const entities: MixedList<EntitySchema> = [
  users,
  apiKeys,
  appPasswords,
  sessions,
  registrations,
  coupons,
  settings,
  settingsVersion,
];
