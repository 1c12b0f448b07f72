export const methodTypes = ['paypal', 'banktransfer', 'stripeapi', 'wisebank', 'credit', 'custom'] as const;
export type MethodType = (typeof methodTypes)[number];

/** Where an affiliate wants to be paid. The destination is encrypted before it reaches storage, and never given out. */
export interface PayoutDetails {
  userId: number;
  method: string;
  methodType: MethodType;
  /** Null when there are none. */
  encryptedDetails: string | null;
  updatedAt: number;
}
