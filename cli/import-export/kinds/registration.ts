import type { Application } from '../../../domain/registrations/application.ts';
import type { Registration } from '../../../domain/registrations/registration.ts';
import { id, moment, object, optional, readFields, type Store, text } from '../fields.ts';
import { writtenMoment } from '../moments.ts';
import { unless } from '../omit-default.ts';
import { displayName, email, login } from './user.ts';

const longText = text(5000);

export const registrationFields = {
  id: optional(id),
  login,
  email,
  display_name: displayName,
  coupon_code: optional(text(100)),
  promote: optional(longText),
  referrer: optional(longText),
  website: optional(text(2000)),
  type: optional(text(100)),
  custom_fields: optional(object),
  date: optional(moment),
};

export function readRegistration(raw: Record<string, unknown>, store: Store): Application {
  const { display_name, coupon_code, custom_fields, date, ...rest } = readFields(registrationFields, raw, store);
  return { ...rest, displayName: display_name, couponCode: coupon_code, customFields: custom_fields, at: date };
}

export const writeRegistration = (registration: Registration, { zone }: Store): Record<string, unknown> => ({
  id: registration.id,
  login: registration.login,
  email: registration.email,
  display_name: registration.displayName,
  coupon_code: unless(registration.couponCode, ''),
  promote: unless(registration.promote, ''),
  referrer: unless(registration.referrer, ''),
  website: unless(registration.website, ''),
  type: registration.type,
  custom_fields: unless(registration.customFields, {}),
  date: writtenMoment(registration.createdAt, zone),
});
