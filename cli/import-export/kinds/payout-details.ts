import type { ExportedPayoutDetails } from '../../../domain/exports/store.ts';
import { type MethodType, methodTypes } from '../../../domain/payout-details/payout-details.ts';
import { line, object, oneOf, readFields, type Store } from '../fields.ts';
import { login } from './user.ts';

export const payoutDetailsFields = { user: login, method: line(100), method_type: oneOf(methodTypes), details: object };

export interface PayoutDetailsLine {
  /** The login of whoever is to be paid. */
  owner: string;
  method: string;
  methodType: MethodType;
  details: Record<string, unknown>;
}

export function readPayoutDetails(raw: Record<string, unknown>, store: Store): PayoutDetailsLine {
  const { user, method_type, ...rest } = readFields(payoutDetailsFields, raw, store);
  return { ...rest, owner: user, methodType: method_type };
}

/** Never where the money goes: a line like this cannot be imported again, and must not be able to wipe out what is saved. */
export const writePayoutDetails = ({ login, method, methodType }: ExportedPayoutDetails): Record<string, unknown> => ({
  user: login,
  method,
  method_type: methodType,
});
