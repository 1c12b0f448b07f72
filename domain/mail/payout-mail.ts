import type { WebhookEvent } from '../../generated/events.ts';
import type { Mailbox, NewMail } from './mail.ts';
import { renderMailBody } from './mail-template.ts';
import { formatSignature, noReplyMailbox, type Sender } from './sender.ts';

/** What the affiliate is told about: the contract's events of a payout. */
export type PayoutEvent = Extract<WebhookEvent, `payout.${string}`>;

export interface PayoutMailData {
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
  /** What it means for whoever gets it. */
  meaning(news: PayoutMailData): string;
}

const by = ({ method }: PayoutMailData): string => (method === '' ? '' : ` by ${method}`);

const wordings: Record<PayoutEvent, Wording> = {
  'payout.requested': {
    subject: 'was requested',
    meaning: () => 'It waits for the store now. You will be told when it is on its way.',
  },
  'payout.created': {
    subject: 'is being prepared',
    meaning: (news) => `The store has accepted it and prepares the payment${by(news)}.`,
  },
  'payout.pending': {
    subject: 'waits again',
    meaning: () => 'The payment that was being prepared was taken back; the request stands and waits for the store.',
  },
  'payout.paid': {
    subject: 'was paid',
    meaning: (news) => `The store has sent the money${by(news)}. How long it takes to arrive depends on the way it goes.`,
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
};

/** Tells an affiliate what has become of a payout. */
export function payoutMail(news: PayoutMailData, sender: Sender, now: number): NewMail {
  const { subject: what, meaning } = wordings[news.event];
  const subject = `${sender.storeName}: your payout of ${news.amount} ${what}`;
  const paragraphs = [
    `Hello ${news.to.name},`,
    `your payout of ${news.amount} for the coupon ${news.couponCode} ${what}. ${meaning(news)}`,
    `Should you write to the store about it, name the payout ${news.payoutId}.`,
    formatSignature(sender),
  ];
  return { from: noReplyMailbox(sender), to: news.to, subject, ...renderMailBody(subject, paragraphs), createdAt: now };
}
