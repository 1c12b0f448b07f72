import type { Profile } from '../../domain/affiliates/affiliate.ts';
import type { ExportedPayoutDetails, ExportedUser } from '../../domain/exports/store.ts';
import { type MethodType, methodTypes } from '../../domain/payout-details/payout-details.ts';
import type { Application } from '../../domain/registrations/application.ts';
import type { Registration } from '../../domain/registrations/registration.ts';
import type { IncomingUser } from '../../domain/users/record.ts';
import { isEmailAddress, isLogin, maxEmailLength, roles } from '../../domain/users/user.ts';
import * as field from './fields.ts';
import { type Field, formatMoment, type RawValues, type RecordFormat } from './fields.ts';

export const login = field.matching(isLogin, 60, 'made of letters, digits and any of . _ @ -');
const email = field.matching(isEmailAddress, maxEmailLength, 'an email address, such as ada@example.com');
const displayName = field.line(250);
const maxLongText = 5000;

const profileNames = ['phone', 'website', 'promote', 'referrer'] as const satisfies (keyof Profile)[];

const profile: Field<Partial<Profile>> = field.required('json', (value, locale) => {
  const raw = field.object.read(value, locale);
  return Object.fromEntries(
    profileNames.flatMap((name) => (raw[name] === undefined ? [] : [[name, field.readText(raw[name], maxLongText)]])),
  );
});

const groups: Field<string[]> = field.required('json', (value) => {
  if (!Array.isArray(value) || value.length > 1000) throw new field.FieldError('must be a JSON array of at most 1000 texts');
  return value.map((group) => field.readText(group, 100));
});

const userFields = {
  id: field.optional(field.id),
  login,
  email,
  display_name: displayName,
  role: field.optional(field.oneOf(roles)),
  date_registered: field.optional(field.moment),
  profile: field.optional(profile),
  groups: field.optional(groups),
  custom_fields: field.optional(field.object),
  parent: field.optional(login),
};

export interface UserData {
  user: IncomingUser;
  /** The login of the multi-level parent. */
  parent: string | undefined;
}

export const userFormat: RecordFormat<UserData, ExportedUser> = {
  fields: userFields,
  read(raw, locale) {
    const { display_name, date_registered, custom_fields, parent, ...rest } = field.readFields(userFields, raw, locale);
    return { user: { ...rest, displayName: display_name, registeredAt: date_registered, customFields: custom_fields }, parent };
  },
  page: (store, ...range) => store.users(...range),
  keyOf: (user) => user.id,
  write: (user, { zone }) => ({
    id: user.id,
    login: user.login,
    email: user.email,
    display_name: user.displayName,
    role: user.role,
    date_registered: formatMoment(user.registeredAt, zone),
    profile: field.omitDefault(user.profile, {}),
    groups: field.omitDefault(user.groups, []),
    custom_fields: field.omitDefault(user.customFields, {}),
    parent: field.omitDefault(user.parentLogin, null),
  }),
};

const registrationFields = {
  id: field.optional(field.id),
  login,
  email,
  display_name: displayName,
  coupon_code: field.optional(field.text(100)),
  promote: field.optional(field.text(maxLongText)),
  referrer: field.optional(field.text(maxLongText)),
  website: field.optional(field.text(2000)),
  type: field.optional(field.text(100)),
  custom_fields: field.optional(field.object),
  date: field.optional(field.moment),
};

export const registrationFormat: RecordFormat<Application, Registration> = {
  fields: registrationFields,
  read(raw, locale) {
    const { display_name, coupon_code, custom_fields, date, ...rest } = field.readFields(registrationFields, raw, locale);
    return { ...rest, displayName: display_name, couponCode: coupon_code, customFields: custom_fields, at: date };
  },
  // Applications that are decided would be open after an import.
  page: (store, ...range) => store.openRegistrations(...range),
  keyOf: (registration) => registration.id,
  write: (registration, { zone }) => ({
    id: registration.id,
    login: registration.login,
    email: registration.email,
    display_name: registration.displayName,
    coupon_code: field.omitDefault(registration.couponCode, ''),
    promote: field.omitDefault(registration.promote, ''),
    referrer: field.omitDefault(registration.referrer, ''),
    website: field.omitDefault(registration.website, ''),
    type: registration.type,
    custom_fields: field.omitDefault(registration.customFields, {}),
    date: formatMoment(registration.createdAt, zone),
  }),
};

const payoutDetailsFields = { user: login, method: field.line(100), method_type: field.oneOf(methodTypes), details: field.object };

export interface PayoutDetailsData {
  /** The login of the affiliate. */
  owner: string;
  method: string;
  methodType: MethodType;
  details: RawValues;
}

export const payoutDetailsFormat: RecordFormat<PayoutDetailsData, ExportedPayoutDetails> = {
  fields: payoutDetailsFields,
  read(raw, locale) {
    const { user, method_type, ...rest } = field.readFields(payoutDetailsFields, raw, locale);
    return { ...rest, owner: user, methodType: method_type };
  },
  page: (store, ...range) => store.payoutDetails(...range),
  keyOf: ({ userId }) => userId,
  // Without the destination. Such a line cannot be imported, so it cannot overwrite stored details.
  write: ({ login, method, methodType }) => ({ user: login, method, method_type: methodType }),
};
