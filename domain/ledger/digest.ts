import { randomBytes } from 'node:crypto';
import type { Order, Share } from '../orders/order.ts';
import type { PayoutDetails } from '../payout-details/payout-details.ts';
import type { Payout } from '../payouts/payout.ts';
import type { Movement } from './movement.ts';
import type { SealingKey } from './sealing-key.ts';

/** A coupon decides who is paid, and at which rates. */
export interface DigestedCoupon {
  id: number;
  userId: number | null;
  handovers: number;
  terms: { percentThousandths: number | null; fixedPerOrder: number | null; fixedPerProduct: number | null };
}

/** All shares of one order, by tier. */
export interface DigestedShares {
  orderId: number;
  shares: readonly Share[];
}

export interface DigestedRecords {
  order: Order;
  shares: DigestedShares;
  payout: Payout;
  payee: PayoutDetails;
  coupon: DigestedCoupon;
}

/** The records whose every change appends a digest. */
export type DigestKind = keyof DigestedRecords;

type Value = string | number | boolean | null | Value[];

/** What money depends on. Released lists are never changed: digests of older rows are compared with them. */
const contents: { [Kind in DigestKind]: (record: DigestedRecords[Kind]) => Value[] } = {
  order: (order) => [
    order.orderId,
    order.couponId,
    order.usedCouponId,
    order.day,
    order.placedAt,
    order.status,
    order.total,
    order.discount,
    order.shipping,
    order.tax,
    order.quantity,
    order.refunded,
    order.rates.percentThousandths,
    order.rates.fixedPerOrder,
    order.rates.fixedPerProduct,
    order.commission,
    order.commissionStatus,
    order.grantedAt,
    order.dueAt,
    order.creditedVia,
    order.handovers,
  ],
  shares: ({ orderId, shares }) => [
    orderId,
    ...shares.map(({ tier, couponId, userId, rateThousandths, amount }) => [tier, couponId, userId, rateThousandths, amount]),
  ],
  payout: (payout) => [
    payout.id,
    payout.userId,
    payout.couponId,
    payout.amount,
    payout.method,
    payout.methodType,
    payout.hasDetails,
    payout.status,
    payout.transactionId,
    payout.invoiceId,
    payout.day,
    payout.requestedAt,
    payout.paidDay,
    payout.paidAt,
  ],
  payee: ({ userId, method, methodType, encryptedDetails, updatedAt }) => [userId, method, methodType, encryptedDetails, updatedAt],
  coupon: ({ id, userId, handovers, terms }) => [
    ...[id, userId, handovers],
    ...[terms.percentThousandths, terms.fixedPerOrder, terms.fixedPerProduct],
  ],
};

export const digestKinds = Object.keys(contents) as DigestKind[];

export const idOf: { [Kind in DigestKind]: (record: DigestedRecords[Kind]) => number } = {
  order: ({ orderId }) => orderId,
  shares: ({ orderId }) => orderId,
  payout: ({ id }) => id,
  payee: ({ userId }) => userId,
  coupon: ({ id }) => id,
};

/** 6 bytes are 8 characters. */
const nonceBytes = 6;
const nonceLength = 8;

/** Random, so that an earlier digest of the same record, written again, is recognised. */
export function digestsOf<Kind extends DigestKind>(key: SealingKey, kind: Kind, records: readonly DigestedRecords[Kind][]): string[] {
  const nonces = randomBytes(nonceBytes * records.length).toString('base64url');
  return records.map((record, place) => {
    const nonce = nonces.slice(place * nonceLength, (place + 1) * nonceLength);
    return nonce + markOf(key, kind, record, nonce);
  });
}

export const isDigestOf = <Kind extends DigestKind>(
  key: SealingKey,
  kind: Kind,
  record: DigestedRecords[Kind],
  digest: string,
): boolean => {
  const nonce = digest.slice(0, nonceLength);
  return digest === nonce + markOf(key, kind, record, nonce);
};

const markOf = <Kind extends DigestKind>(key: SealingKey, kind: Kind, record: DigestedRecords[Kind], nonce: string): string =>
  key.mark(JSON.stringify([`${kind}/1`, nonce, contents[kind](record)]));

/** A movement is marked in its name, so that no row and no column is needed for it. */
export const nameMovement = (key: SealingKey | null, name: string, movement: Movement): string =>
  key === null ? name : `${name}.${markOfMovement(key, name, movement)}`;

export function isNameOf(key: SealingKey, name: string, movement: Movement): boolean {
  const end = name.lastIndexOf('.');
  return name.slice(end + 1) === markOfMovement(key, name.slice(0, end), movement);
}

const markOfMovement = (key: SealingKey, name: string, movement: Movement): string => {
  const { couponId, from, to, amount, reason, orderId, payoutId, userId, note, at } = movement;
  return key.mark(JSON.stringify(['movement/1', name, couponId, from, to, amount, reason, orderId, payoutId, userId, note, at]));
};
