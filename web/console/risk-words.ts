import type { RiskSignal } from './records.ts';
import type { Explained } from './words.ts';

interface RiskWords {
  readonly label: string;
  readonly meaning: string;
  readonly advice: string;
}

export const riskKinds: Record<RiskSignal['kind'], RiskWords> = {
  self_referral: {
    label: 'Buys with the own code',
    meaning: 'The customer of these orders has the e-mail address of the affiliate.',
    advice: 'Many programs do not pay for own purchases. Take the commission back with a correction, or allow it.',
  },
  refund_rate: {
    label: 'Many returns',
    meaning: 'Far more of the sales come back than with other affiliates.',
    advice: 'Look at the orders: the same product, or the same few days? Ask how the affiliate promotes.',
  },
  refund_after_payout: {
    label: 'Returned after it was paid',
    meaning: 'Orders came back soon after you had paid their commission.',
    advice: 'What was taken back lowers the next payout by itself. Longer clearing days prevent it.',
  },
  debt: {
    label: 'Owes commission',
    meaning: 'More was taken back than is available, while a payout is open.',
    advice: 'Cancel the payout, or wait until new commission covers it.',
  },
  details_changed: {
    label: 'New payment details before a payout',
    meaning: 'Someone else may have got into the account and wants the money.',
    advice: 'Ask the affiliate by a way that you know, such as the telephone. Do not use an address that is new, too.',
  },
  shared_destination: {
    label: 'Same payment details as another account',
    meaning: 'Two affiliates are paid to the same place. They may be one person. Only who saved it later is held.',
    advice: 'Ask both. A couple, a club or an agency has good reasons.',
  },
  related_accounts: {
    label: 'Much in common with another account',
    meaning: 'Two affiliates have the same e-mail address, website or invoice file.',
    advice: 'Ask whether it is one person, and which account is to stay.',
  },
  code_without_click: {
    label: 'Code may have leaked',
    meaning: 'Far more orders than before use the code, and almost none came by a link. A list of coupons may have it.',
    advice: 'Search the web for the code. If it is there, pause the coupon and give the affiliate a new one.',
  },
  fast_conversion: {
    label: 'Orders seconds after the click',
    meaning: 'Software in the browser of customers may claim orders that would have come anyway.',
    advice: 'Ask how the affiliate promotes, and look at the websites that the clicks came from.',
  },
  click_spike: {
    label: 'Many clicks without an order',
    meaning: 'Programs may have clicked instead of people.',
    advice: 'Clicks cost you nothing. Look again when orders follow.',
  },
  visitor_many_coupons: {
    label: 'One visitor, many codes',
    meaning: 'Orders of one visitor were credited to several coupons.',
    advice: 'The affiliates may work together, or one customer collects codes. Look at the orders.',
  },
  high_commission: {
    label: 'Very high commission',
    meaning: 'The commission is a large part of what the customer paid.',
    advice: 'Check the rate of the coupon, and discounts that were combined.',
  },
};

export const riskSeverities: Record<RiskSignal['severity'], Explained> = {
  high: { label: 'High', tone: 'bad', meaning: 'Money may be lost with the next payout.' },
  medium: { label: 'Medium', tone: 'wait', meaning: 'Commission may be paid that is not earned.' },
  low: { label: 'Low', tone: 'info', meaning: 'Good to know.' },
};

export const riskStatuses: Record<RiskSignal['status'], Explained> = {
  open: { label: 'Open', tone: 'wait', meaning: 'Waits for your decision.' },
  confirmed: { label: 'Confirmed', tone: 'bad', meaning: 'You decided that it is so.' },
  dismissed: { label: 'Dismissed', tone: 'off', meaning: 'You decided that there is nothing to it.' },
  expired: { label: 'Expired', tone: 'off', meaning: 'Nothing new happened for 180 days.' },
};
