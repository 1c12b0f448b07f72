import { recordSchemas } from '../../generated/records.ts';

/** The kinds of payout methods, as the contract lists them. */
export const methodTypes = recordSchemas.payout_details.fields.method_type.enum;
export type MethodType = (typeof methodTypes)[number];

/** An affiliate's payout details. The destination is encrypted before it is stored, and never returned. */
export interface PayoutDetails {
  userId: number;
  method: string;
  methodType: MethodType;
  /** Null when there are none. */
  encryptedDetails: string | null;
  firstSavedAt: number;
  /** When the destination was saved. Another label for it changes nothing. */
  updatedAt: number;
}

/** What a payout shows of the details: the label that was saved with them, else the store's label of the kind. */
export const methodOf = (details: PayoutDetails | null, labels: Partial<Record<MethodType, string>> = {}) => ({
  method: details ? details.method || (labels[details.methodType] ?? '') : '',
  methodType: details?.methodType ?? ('' as const),
  hasDetails: details !== null && details.encryptedDetails !== null,
});

export interface PayoutDetailsRepository {
  ofUser(userId: number): Promise<PayoutDetails | null>;
  ofUsers(userIds: readonly number[]): Promise<PayoutDetails[]>;
  /** Of those that hold a destination, the newest. */
  newest(limit: number): Promise<PayoutDetails[]>;
  /** In place of what was saved before. */
  save(details: PayoutDetails): Promise<void>;
}
