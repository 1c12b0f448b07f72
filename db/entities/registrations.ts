import type { RegistrationStatus } from '../../domain/registrations/registration.ts';
import { bigint, boolean, entity, generatedId, hidden, json, nullable, text, withDefault } from './columns.ts';

export const registrations = entity('registrations', {
  id: generatedId,
  login: text('login'),
  email: text('email'),
  emailFolded: hidden(text('email_folded')),
  displayName: text('display_name'),
  searchFolded: hidden(text('search_folded')),
  userId: nullable(bigint('user_id')),
  couponCode: text('coupon_code'),
  status: text<RegistrationStatus>('status'),
  type: text('type'),
  promote: text('promote'),
  referrer: text('referrer'),
  website: text('website'),
  customFields: json<Record<string, unknown>>('custom_fields'),
  message: text('message'),
  couponId: nullable(bigint('coupon_id')),
  createdAt: bigint('created_at'),
  acceptedAt: nullable(bigint('accepted_at')),
  declinedAt: nullable(bigint('declined_at')),
  reviewedBy: nullable(bigint('reviewed_by')),
  isOnline: withDefault(boolean('online'), 0),
});
