import type { Program } from '../program.ts';
import type { Decision, Registration } from '../registrations/registration.ts';
import { letterOf } from './letter.ts';
import type { NewMail } from './mail.ts';

type Sender = Pick<Program, 'storeName' | 'shopUrl'>;

/** Tells an applicant what was decided, with the message of whoever decided. */
export function applicationMail(registration: Registration, decision: Decision, { storeName, shopUrl }: Sender, now: number): NewMail {
  const subject = `${storeName}: your application was ${decision}`;
  const paragraphs = [
    `Hello ${registration.displayName},`,
    `your application to the affiliate program of ${storeName} was ${decision}.`,
    ...(decision === 'accepted' ? [`Your coupon code is ${registration.couponCode}. Customers use it at ${shopUrl}`] : []),
    ...(registration.message === '' ? [] : [registration.message]),
    `${storeName}\n${shopUrl}`,
  ];
  return {
    // There is no setting for it: answers would reach nobody, and the address says so.
    from: { name: storeName, address: `no-reply@${new URL(shopUrl).hostname}` },
    // Where the applicant asked to be told, also where their user has another address meanwhile.
    to: { name: registration.displayName, address: registration.email },
    subject,
    ...letterOf(subject, paragraphs),
    createdAt: now,
  };
}
