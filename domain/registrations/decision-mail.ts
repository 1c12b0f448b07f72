import type { NewMail } from '../mail/mail.ts';
import { formatSignature, noReplyMailbox, renderMailBody, type Sender } from '../mail/mail-templates.ts';
import type { Registration, RegistrationDecision } from './registration.ts';

/** Informs an applicant of the decision, with the reviewer's message. */
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
    // The address of the application, even if the user has another one now.
    to: { name: registration.displayName, address: registration.email },
    subject,
    ...renderMailBody(subject, paragraphs),
    createdAt: now,
  };
}
