import type { Minor } from '../money.ts';

/** What a gateway receives. */
export interface Payment {
  readonly payoutId: number;
  /** For the payment provider. A payout always has the same key. */
  readonly idempotencyKey: string;
  readonly amountMinor: Minor;
  readonly currency: string;
  /** Empty if the store requires no method and none is saved. */
  readonly methodType: string;
  /** The decrypted destination. Do not log it. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly payee: { readonly userId: number; readonly displayName: string; readonly email: string };
}

export interface GatewayOutcome {
  /**
   * failed: not accepted now. rejected: it cannot be paid. The payout stays pending after both. unknown: it stays processing until an
   * operator resolves it.
   */
  readonly status: 'created' | 'paid' | 'failed' | 'rejected' | 'unknown';
  /** Empty if the gateway returned none. */
  readonly transactionId: string;
  readonly notice: string | null;
}

/** Never rejects. */
export type Pay = (payment: Payment) => Promise<GatewayOutcome>;
