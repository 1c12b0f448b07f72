import type { WebhookEvent } from '../../generated/events.ts';
import type { Program } from '../program.ts';
import type { Registration, RegistrationDecision } from '../registrations/registration.ts';
import type { User } from '../users/user.ts';
import { formatLabel, type Webhook } from '../webhooks/webhook.ts';
import type { Mailbox, NewMail } from './mail.ts';

export interface MailBody {
  text: string;
  html: string;
}

/** The same paragraphs for both kinds of reader. What people wrote stays text in both: nothing of it becomes markup. */
export function renderMailBody(title: string, written: readonly string[]): MailBody {
  const paragraphs = written.map((paragraph) => paragraph.replaceAll(/\r\n?/g, '\n'));
  const body = paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll('\n', '<br>\n')}</p>`).join('\n');
  const head = `<head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>`;
  return {
    text: `${paragraphs.join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="en">\n${head}\n<body>\n${body}\n</body>\n</html>\n`,
  };
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

/** In whose name mails are sent. */
export type Sender = Pick<Program, 'storeName' | 'shopUrl'>;

/** Not configurable: replies are not read, and the address says so. */
export const noReplyMailbox = ({ storeName, shopUrl }: Sender): Mailbox => ({
  name: storeName,
  address: `no-reply@${new URL(shopUrl).hostname}`,
});

/** How every letter ends. */
export const formatSignature = ({ storeName, shopUrl }: Sender): string => `${storeName}\n${shopUrl}`;

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

/** Informs an administrator that a webhook was disabled, why, and what to do. `reason` is one or more whole sentences. */
export function webhookDisabledMail(webhook: Webhook, admin: User, reason: string, sender: Sender, now: number): NewMail {
  const label = formatLabel(webhook);
  const subject = `${sender.storeName}: the webhook ${label} was disabled`;
  const paragraphs = [
    `Hello ${admin.displayName},`,
    `the webhook ${label} of ${sender.storeName} was disabled. ${reason}`,
    'It gets no new events; what was on its way at that moment may still arrive. When its receiver works again, set its status to active: what still waits for it is sent then.',
    `What its receiver answered with 410 does not wait, nor what failed too often: affiliate webhook deliveries ${webhook.id} shows it, and affiliate webhook replay sends it again. What happens while the webhook is disabled can be read from the change feed, where that is kept.`,
    formatSignature(sender),
  ];
  const to = { name: admin.displayName, address: admin.email };
  return { from: noReplyMailbox(sender), to, subject, ...renderMailBody(subject, paragraphs), createdAt: now };
}

/** The payout events that the affiliate gets a mail about. */
export type PayoutEvent = Extract<WebhookEvent, `payout.${string}`>;

interface PayoutMailData {
  event: PayoutEvent;
  to: Mailbox;
  /** With its currency: `32.38 EUR`. */
  amount: string;
  couponCode: string;
  /** As people call it; empty where none is known. */
  method: string;
  payoutId: number;
}

interface Wording {
  /** Completes "your payout of 32.38 EUR …" in the subject. */
  subject: string;
  /** What it means for the recipient. */
  meaning(mail: PayoutMailData): string;
}

const by = ({ method }: PayoutMailData): string => (method === '' ? '' : ` by ${method}`);

const wordings: Record<PayoutEvent, Wording> = {
  'payout.requested': {
    subject: 'was requested',
    meaning: () => 'It is waiting for the store. You will get a mail when it is on its way.',
  },
  'payout.created': {
    subject: 'is being prepared',
    meaning: (mail) => `The store has accepted it and prepares the payment${by(mail)}.`,
  },
  'payout.pending': {
    subject: 'waits again',
    meaning: () => 'The payment that was being prepared was taken back; the request stands and waits for the store.',
  },
  'payout.paid': {
    subject: 'was paid',
    meaning: (mail) => `The store has sent the money${by(mail)}. How long it takes to arrive depends on the way it goes.`,
  },
  'payout.reversed': {
    subject: 'was taken back',
    meaning: () => 'It had been marked as paid and is not any more; the request stands and waits for the store.',
  },
  'payout.cancelled': {
    subject: 'was cancelled',
    meaning: () => 'The amount is back in your unpaid balance, from where it can be requested again.',
  },
  'payout.reopened': {
    subject: 'was re-opened',
    meaning: () => 'It had been cancelled; the request stands again and waits for the store.',
  },
  'payout.failed': {
    subject: 'could not be paid',
    meaning: (mail) =>
      `The payment${by(mail)} failed or was returned, so the amount is back in your unpaid balance. Check that your payout details are correct and have them corrected if they are not, then request the payout again.`,
  },
};

/** Informs an affiliate of a payout's new state. */
export function payoutMail(mail: PayoutMailData, sender: Sender, now: number): NewMail {
  const { subject: what, meaning } = wordings[mail.event];
  const subject = `${sender.storeName}: your payout of ${mail.amount} ${what}`;
  const paragraphs = [
    `Hello ${mail.to.name},`,
    `your payout of ${mail.amount} for the coupon ${mail.couponCode} ${what}. ${meaning(mail)}`,
    `Should you write to the store about it, name the payout ${mail.payoutId}.`,
    formatSignature(sender),
  ];
  return { from: noReplyMailbox(sender), to: mail.to, subject, ...renderMailBody(subject, paragraphs), createdAt: now };
}
