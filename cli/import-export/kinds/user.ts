import type { Profile } from '../../../domain/affiliates/affiliate.ts';
import type { ExportedUser } from '../../../domain/exports/store.ts';
import type { IncomingUser } from '../../../domain/users/record.ts';
import { roles } from '../../../domain/users/user.ts';
import { Fault, type Field, id, line, matching, moment, object, oneOf, optional, readFields, readText, type Store } from '../fields.ts';
import { writtenMoment } from '../moments.ts';
import { unless } from '../omit-default.ts';

export const login = matching(/^[A-Za-z0-9._@-]+$/, 60, 'made of letters, digits and any of . _ @ -');
export const email = matching(/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/, 254, 'an email address, such as ada@example.com');
export const displayName = line(250);

const longText = 5000;
const profileNames = ['phone', 'website', 'promote', 'referrer'] as const satisfies (keyof Profile)[];

const profile: Field<Partial<Profile>> = {
  ...object,
  read(value, store) {
    const told = object.read(value, store);
    return Object.fromEntries(profileNames.flatMap((name) => (told[name] === undefined ? [] : [[name, readText(told[name], longText)]])));
  },
};

const groups: Field<string[]> = {
  cell: 'json',
  isRequired: true,
  read(value) {
    if (!Array.isArray(value) || value.length > 1000) throw new Fault('must be a JSON array of at most 1000 texts');
    return value.map((group) => readText(group, 100));
  },
};

export const userFields = {
  id: optional(id),
  login,
  email,
  display_name: displayName,
  role: optional(oneOf(roles)),
  date_registered: optional(moment),
  profile: optional(profile),
  groups: optional(groups),
  custom_fields: optional(object),
  parent: optional(login),
};

/** A user, and the login of whoever is above them. */
export interface UserLine {
  user: IncomingUser;
  parent: string | undefined;
}

export function readUser(raw: Record<string, unknown>, store: Store): UserLine {
  const { display_name, date_registered, custom_fields, parent, ...rest } = readFields(userFields, raw, store);
  return { user: { ...rest, displayName: display_name, registeredAt: date_registered, customFields: custom_fields }, parent };
}

export const writeUser = (user: ExportedUser, { zone }: Store): Record<string, unknown> => ({
  id: user.id,
  login: user.login,
  email: user.email,
  display_name: user.displayName,
  role: user.role,
  date_registered: writtenMoment(user.registeredAt, zone),
  profile: unless(user.profile, {}),
  groups: unless(user.groups, []),
  custom_fields: unless(user.customFields, {}),
  parent: unless(user.parentLogin, null),
});
