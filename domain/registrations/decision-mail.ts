import type { NewMail } from '../mail/mail.ts';
import { composeMail, type Sender } from '../mail/mail-templates.ts';
import type { Registration, RegistrationDecision } from './registration.ts';

/**
 * Informs an applicant of the decision, with the reviewer's message. `passwordPath` is the page where a new affiliate sets a password; null
 * for one who has a password.
 */
export function applicationMail(
  registration: Registration,
  { decision, passwordPath }: { decision: RegistrationDecision; passwordPath: string | null },
  sender: Sender,
  now: number,
): NewMail {
  const { displayName, email, couponCode, message } = registration;
  const { storeName, shopUrl, serviceUrl } = sender;
  const isAccepted = decision === 'accepted';
  const canSetPassword = isAccepted && passwordPath !== null && serviceUrl !== '';
  const content = {
    // The address of the application, even if the user has another one now.
    to: { name: displayName, address: email },
    subject: `your application was ${decision}`,
    paragraphs: [
      `your application to the affiliate program of ${storeName} was ${decision}.`,
      ...(isAccepted ? [`Your coupon code is ${couponCode}. Customers use it at ${shopUrl}`] : []),
      ...(message === '' ? [] : [message]),
      ...(canSetPassword ? ['Set a password to see your orders and to be paid. The link works once, for 72 hours.'] : []),
    ],
    ...(isAccepted && { link: passwordPath === null ? signInLink : { text: 'Set your password', path: passwordPath } }),
  };
  return composeMail(content, sender, now);
}

const signInLink = { text: 'Sign in', path: '/sign-in' };
