import type { Order, PayoutStatus } from './records.ts';

export interface Explained {
  readonly label: string;
  readonly tone: 'good' | 'wait' | 'info' | 'bad' | 'off';
  readonly meaning: string;
}

export const payoutStatuses: Record<PayoutStatus, Explained> = {
  pending: { label: 'Requested', tone: 'wait', meaning: 'Waiting to be paid.' },
  created: { label: 'On its way', tone: 'info', meaning: 'The payment has started.' },
  paid: { label: 'Paid', tone: 'good', meaning: 'The money was sent.' },
  cancel: { label: 'Cancelled', tone: 'off', meaning: 'The amount is available again.' },
};

export const orderStatuses: Record<Order['status'], Explained> = {
  pending: { label: 'Awaiting payment', tone: 'wait', meaning: 'The customer has not paid yet. No commission so far.' },
  processing: { label: 'Processing', tone: 'info', meaning: 'Paid, and being shipped.' },
  'on-hold': { label: 'On hold', tone: 'wait', meaning: 'The store waits for the payment to be confirmed.' },
  completed: { label: 'Completed', tone: 'good', meaning: 'Paid and delivered.' },
  failed: { label: 'Failed', tone: 'off', meaning: 'The payment failed. No commission.' },
  cancelled: { label: 'Cancelled', tone: 'off', meaning: 'The order was cancelled. No commission.' },
  refunded: { label: 'Refunded', tone: 'off', meaning: 'The customer got the money back. No commission.' },
};

export const commissionStatuses: Record<Order['commission_status'], Explained> = {
  pending: { label: 'Being cleared', tone: 'wait', meaning: 'It becomes available when the time for returns is over.' },
  granted: { label: 'Available', tone: 'good', meaning: 'It is part of the balance that can be paid out.' },
  reversed: { label: 'Reversed', tone: 'off', meaning: 'The order was cancelled or refunded.' },
};

/** Of an order that is not paid. */
export const noCommission: Explained = { label: 'Not yet', tone: 'off', meaning: 'It is earned when the customer has paid.' };

export const creditedVia: Record<Order['credited_via'], string> = {
  coupon: 'Coupon used',
  referral_link: 'Referral link',
  lifetime: 'Returning customer',
};

export const invoiceKinds: Record<string, string> = { 'application/pdf': 'PDF', 'image/png': 'PNG', 'image/jpeg': 'JPEG' };

export const invoiceStates = {
  waiting: { label: 'Waiting', tone: 'wait', meaning: 'The next payout of the coupon takes it.' },
  used: { label: 'Used', tone: 'good', meaning: 'It belongs to a payout.' },
} as const satisfies Record<string, Explained>;

interface Obstacle {
  /** Why there can be no payout. */
  readonly reason: string;
  /** What the affiliate can do about it. */
  readonly advice: string;
  /** What an admin can do about it. */
  readonly adminAdvice: string;
  /** The page on which the affiliate does it, where the site has these operations. */
  readonly remedy?: { readonly text: string; readonly needs?: readonly string[]; readonly pageOf: (couponId: number) => string };
}

const savesDetails = { needs: ['put_me_payout_details'], pageOf: () => '/console/account' };

const obstacles: Record<string, Obstacle> = {
  svc_api_payouts_disabled: {
    reason: 'The store does not pay out at the moment.',
    advice: 'Your balance stays. Ask the store when it goes on.',
    adminAdvice: 'Switch payouts on in the settings.',
  },
  svc_api_requests_disabled: {
    reason: 'The store pays out by itself, without requests.',
    advice: 'You need to do nothing.',
    adminAdvice: 'You can request it for the affiliate.',
  },
  svc_api_no_affiliate: {
    reason: 'This coupon has no affiliate.',
    advice: 'Ask the store to assign it.',
    adminAdvice: 'Assign it to one.',
  },
  svc_api_no_balance: {
    reason: 'There is nothing to pay out.',
    advice: 'Commission that is being cleared becomes available by itself.',
    adminAdvice: 'Commission that is being cleared becomes available by itself.',
  },
  svc_api_below_threshold: {
    reason: 'The balance is below the minimum of the store.',
    advice: 'Request it when you have earned more.',
    adminAdvice: 'It waits until there is more, or lower the minimum in the settings.',
  },
  svc_api_no_payout_details: {
    reason: 'The store does not know where to send the money.',
    advice: 'Give the store your payout details.',
    adminAdvice: 'Ask the affiliate for them.',
    remedy: { ...savesDetails, text: 'Enter your payout details.' },
  },
  svc_api_method_disabled: {
    reason: 'The store no longer offers your payout method.',
    advice: 'Choose another one with the store.',
    adminAdvice: 'Offer it again in the settings, or ask the affiliate to choose another one.',
    remedy: { ...savesDetails, text: 'Choose another one.' },
  },
  svc_api_invoice_required: {
    reason: 'The store needs an invoice first.',
    advice: 'Hand in your invoice.',
    adminAdvice: 'The affiliate hands it in on the page Invoices.',
    remedy: { text: 'Hand in your invoice.', pageOf: (couponId) => `/console/invoices?coupon=${couponId}` },
  },
  svc_api_not_created: {
    reason: 'The store refused the request.',
    advice: 'Ask the store for the reason.',
    adminAdvice: 'The site module of this service refused it.',
  },
  svc_api_in_progress: {
    reason: 'Another request for this coupon is being processed.',
    advice: 'Look at the list in a moment.',
    adminAdvice: 'Look at the list in a moment.',
  },
};

export const isObstacle = (code: string): boolean => code in obstacles;

export const explainObstacle = (code: string): Obstacle =>
  obstacles[code] ?? {
    reason: `It is not possible (${code}).`,
    advice: 'Ask the store.',
    adminAdvice: 'The log of the service has more about it.',
  };
