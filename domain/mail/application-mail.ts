import type { Registration, RegistrationDecision } from '../registrations/registration.ts';
import type { NewMail } from './mail.ts';
import { renderMailBody } from './mail-template.ts';
import { formatSignature, noReplyMailbox, type Sender } from './sender.ts';

/** Tells an applicant what was decided, with the message of whoever decided. */
export function applicationMail(registration: Registration, decision: RegistrationDecision, sender: Sender, now: number): NewMail {
  const { storeName, shopUrl } = sender;
  const subject = `${storeName}: your application was ${decision}`;
  const paragraphs = [
    `Hello ${registration.displayName},`,
    `your application to the affiliate program of ${storeName} was ${decision}.`,
    ...(decision === 'accepted' ? [`Your coupon code is ${registration.couponCode}. Customers use it at ${shopUrl}`] : []),
    ...(registration.message === '' ? [] : [registration.message]),
    formatSignature(sender),
  ];
  return {
    from: noReplyMailbox(sender),
    // Where the applicant asked to be told, also where their user has another address meanwhile.
    to: { name: registration.displayName, address: registration.email },
    subject,
    ...renderMailBody(subject, paragraphs),
    createdAt: now,
  };
}
