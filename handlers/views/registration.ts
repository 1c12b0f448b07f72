import { localDateTime } from '../../domain/dates.ts';
import type { Registration } from '../../domain/registrations/registration.ts';
import type { Caller, User } from '../../domain/users/user.ts';
import type { components } from '../../generated/api.d.ts';
import type { Settings } from '../../site/settings/settings.ts';
import { userView } from './user.ts';

interface Viewing {
  caller: Caller;
  settings: Settings;
}

export function registrationView(
  registration: Registration,
  user: User | null,
  { caller, settings }: Viewing,
): components['schemas']['Registration'] {
  const zone = settings.store.timezone;
  const moment = (at: number | null): string | null => (at === null ? null : localDateTime(at, zone));
  return {
    id: registration.id,
    user: user && userView(user, caller),
    applicant: { login: registration.login, email: registration.email, display_name: registration.displayName },
    coupon_code: registration.couponCode,
    status: registration.status,
    type: registration.type,
    promote: registration.promote,
    referrer: registration.referrer,
    website: registration.website,
    custom_fields: registration.customFields,
    message: registration.message,
    coupon_id: registration.couponId,
    date: localDateTime(registration.createdAt, zone),
    date_accepted: moment(registration.acceptedAt),
    date_declined: moment(registration.declinedAt),
    reviewed_by: registration.reviewedBy,
  };
}
