import type { WebhookEvent } from '../../generated/events.ts';
import type { Mailbox, NewMail } from '../mail/mail.ts';
import { composeMail, type Sender } from '../mail/mail-templates.ts';

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
    meaning: (mail) => `The store has sent the money${by(mail)}. It arrives after a few days, depending on the banks.`,
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
      `The payment${by(mail)} failed or was returned, so the amount is back in your unpaid balance. Check that your payout details are correct, then request the payout again.`,
  },
};

/** Informs an affiliate of a payout's new state. */
export function payoutMail(mail: PayoutMailData, sender: Sender, now: number): NewMail {
  const { to, event, amount, couponCode, payoutId } = mail;
  const { subject: what, meaning } = wordings[event];
  const content = {
    to,
    subject: `your payout of ${amount} ${what}`,
    paragraphs: [
      `your payout of ${amount} for the coupon ${couponCode} ${what}. ${meaning(mail)}`,
      `The number of this payout is ${payoutId}.`,
    ],
    link: { text: 'See your payouts', path: '/console/payouts' },
  };
  return composeMail(content, sender, now);
}
