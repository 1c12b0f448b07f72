import type { Minor } from '../money.ts';

/** What a gateway is told. */
export interface Payment {
  readonly payoutId: number;
  /** Give it to the payment provider: the same payout never has another. */
  readonly idempotencyKey: string;
  readonly amountMinor: Minor;
  readonly currency: string;
  /** Empty where the store does not ask for a method and none is saved. */
  readonly methodType: string;
  /** The decrypted destination. Do not log it. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly payee: { readonly userId: number; readonly displayName: string; readonly email: string };
}

/** What became of a payment. */
export interface GatewayOutcome {
  /** failed: the payout stays pending. unknown: nobody can tell, and it stays processing until somebody has looked. */
  readonly status: 'created' | 'paid' | 'failed' | 'unknown';
  /** Empty when the gateway gave none. */
  readonly transactionId: string;
  readonly notice: string | null;
}

/** Never rejects. */
export type Pay = (payment: Payment) => Promise<GatewayOutcome>;
