import { EntitySchema } from 'typeorm';
import type { Registration } from '../../domain/registrations/registration.ts';
import { hidden, id, jsonText, nullable, text, whole } from './columns.ts';

export interface RegistrationRow extends Registration {
  emailFolded: string;
  searchFolded: string;
}

export const registrations = new EntitySchema<RegistrationRow>({
  name: 'registrations',
  columns: {
    id,
    login: text('login'),
    email: text('email'),
    emailFolded: hidden(text('email_folded')),
    displayName: text('display_name'),
    searchFolded: hidden(text('search_folded')),
    userId: nullable(whole('user_id')),
    couponCode: text('coupon_code'),
    status: text('status'),
    type: text('type'),
    promote: text('promote'),
    referrer: text('referrer'),
    website: text('website'),
    customFields: jsonText('custom_fields'),
    message: text('message'),
    couponId: nullable(whole('coupon_id')),
    createdAt: whole('created_at'),
    acceptedAt: nullable(whole('accepted_at')),
    declinedAt: nullable(whole('declined_at')),
    reviewedBy: nullable(whole('reviewed_by')),
  },
});
