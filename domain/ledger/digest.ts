import { randomBytes } from 'node:crypto';
import type { Order, Share } from '../orders/order.ts';
import type { PayoutDetails } from '../payout-details/payout-details.ts';
import type { Payout } from '../payouts/payout.ts';
import type { StoreConnection } from '../store/connection.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import type { Movement } from './movement.ts';
import { markLength, type SealingKey } from './sealing-key.ts';
import { writtenTime } from './written-time.ts';

/** A coupon decides who is paid, and at which rates; its code, status and age decide which orders are credited to it. */
export interface DigestedCoupon {
  id: number;
  /** As it is shown. Not digested: the folded one is, and must follow from it. */
  code?: string;
  codeFolded: string;
  status: string;
  createdAt: number;
  userId: number | null;
  handovers: number;
  terms: { percentThousandths: number | null; fixedPerOrder: number | null; fixedPerProduct: number | null };
}

/** Who gets shares of the commission of a user. */
export interface DigestedParent {
  userId: number;
  parentId: number | null;
}

/** Where events are sent, and the secret that they are signed with. */
export type DigestedWebhook = Pick<Webhook, 'id' | 'url' | 'encryptedSecret'>;

/** From which store orders are accepted, and the secrets of both sides. */
export type DigestedConnection = Pick<StoreConnection, 'createdAt' | 'disconnectedAt' | 'apiUrl' | 'apiKey'> & {
  id: string;
  platform: string;
  encryptedSecret: string | null;
  encryptedApiSecret: string | null;
};

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
  parent: DigestedParent;
  webhook: DigestedWebhook;
  connection: DigestedConnection;
}

/** The records whose every change appends a digest. */
export type DigestKind = keyof DigestedRecords;

type Value = string | number | boolean | null | Value[];

const ownerAndRates = ({ id, userId, handovers, terms }: DigestedCoupon): Value[] => [
  ...[id, userId, handovers],
  ...[terms.percentThousandths, terms.fixedPerOrder, terms.fixedPerProduct],
];

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
  coupon: (coupon) => [...ownerAndRates(coupon), coupon.codeFolded, coupon.status, coupon.createdAt],
  parent: ({ userId, parentId }) => [userId, parentId],
  webhook: ({ id, url, encryptedSecret }) => [id, url, encryptedSecret],
  connection: ({ id, platform, createdAt, disconnectedAt, encryptedSecret, apiUrl, apiKey, encryptedApiSecret }) => [
    ...[id, platform, createdAt, disconnectedAt, encryptedSecret, apiUrl, apiKey, encryptedApiSecret],
  ],
};

/** Lists of versions 1 and 2 that have grown since. A digest of them fits until the next change of the record. */
const formerContents: { [Kind in DigestKind]?: (record: DigestedRecords[Kind]) => Value[] } = { coupon: ownerAndRates };

export const digestKinds = Object.keys(contents) as DigestKind[];

export const idOf: { [Kind in DigestKind]: (record: DigestedRecords[Kind]) => number } = {
  order: ({ orderId }) => orderId,
  shares: ({ orderId }) => orderId,
  payout: ({ id }) => id,
  payee: ({ userId }) => userId,
  coupon: ({ id }) => id,
  parent: ({ userId }) => userId,
  webhook: ({ id }) => id,
  // Its id is a text, and no two have the same time.
  connection: ({ createdAt }) => createdAt,
};

/**
 * Records that may be absent, and what digests say of one that is. These kinds came later: once a digest of the absent record 0 says that
 * all there were are digested, one without a digest is named.
 */
const absent: { [Kind in DigestKind]?: (id: number) => DigestedRecords[Kind] } = {
  parent: (userId) => ({ userId, parentId: null }),
  webhook: (id) => ({ id, url: '', encryptedSecret: '' }),
  connection: (createdAt) => ({
    ...{ id: '', platform: '', createdAt, disconnectedAt: null },
    ...{ encryptedSecret: null, apiUrl: null, apiKey: null, encryptedApiSecret: null },
  }),
};

export const laterKinds = Object.keys(absent) as DigestKind[];

/** Null if records of this kind are never absent. */
export const absentRecord = <Kind extends DigestKind>(kind: Kind, id: number): DigestedRecords[Kind] | null => absent[kind]?.(id) ?? null;

export function isAbsent<Kind extends DigestKind>(kind: Kind, record: DigestedRecords[Kind]): boolean {
  const none = absentRecord(kind, idOf[kind](record));
  return none !== null && isSameRecord(kind, none, record);
}

/** Whether all that is digested of both is equal. */
export const isSameRecord = <Kind extends DigestKind>(kind: Kind, one: DigestedRecords[Kind], other: DigestedRecords[Kind]): boolean =>
  JSON.stringify(contents[kind](one)) === JSON.stringify(contents[kind](other));

/** The id of the record that stands for the beginning of a kind. */
export const beginningId = 0;

/** 6 bytes are 8 characters. */
const nonceBytes = 6;
const nonceLength = 8;

/** A digest: a random part and a mark of the record as a change left it, and the mark of the record as the change found it. */
export interface Digest {
  digest: string;
  /**
   * Empty in the first digest of a record, null in digests of the version that did not store it. After a question mark: the record that the
   * change was computed from, and that was not what the service had written. After each tilde: a record that it was computed from.
   */
  before: string | null;
}

/** A record as a transaction read it, with its last digest; null if it had none. */
export interface FoundRecord<Kind extends DigestKind> {
  record: DigestedRecords[Kind];
  last: Digest | null;
  /** Written by this transaction, without a digest so far. */
  isNew?: true;
}

/** Stands for the last digest of a record that has none, although the ledger is sealed: nothing fits it. */
export const missingDigest: Digest = { digest: '', before: '' };

export interface RecordChange<Kind extends DigestKind> {
  found: FoundRecord<Kind> | null;
  after: DigestedRecords[Kind];
  /** A record that `after` was computed from, and that did not fit its digest. */
  unfitBasis?: BasisRecord | undefined;
  /** The records that `after` was computed from, as `writeBases` returns them. */
  bases?: string | undefined;
}

/** The records that the commission of an order is computed from, and those that a payout is. */
export interface BasisRecord {
  kind: 'coupon' | 'parent' | 'payee';
  id: number;
}

/** Its last digest is identified by its random part; empty if it had none. */
export interface ReadBasis extends BasisRecord {
  nonce: string;
}

const writeBasis = ({ kind, id }: BasisRecord): string => `?${kind}:${id}`;

/** Part of the mark of before, so that no one can change it without the key. */
export const writeBases = (bases: readonly (BasisRecord & { last: Digest | null })[]): string =>
  bases.map(({ kind, id, last }) => `~${kind}:${id}:${last ? nonceOf(last.digest) : ''}`).join('');

/** Whatever else stands there was not written by the service: the digest does not fit, and it must not get into a statement. */
export const basesOf = ({ before }: Digest): ReadBasis[] =>
  (before?.split('~') ?? []).slice(1).flatMap((text) => {
    const [, kind, id, nonce = ''] = /^(coupon|parent|payee):(\d{1,15}):(.*)$/s.exec(text) ?? [];
    return kind === undefined ? [] : [{ kind: kind as BasisRecord['kind'], id: Number(id), nonce }];
  });

export const isFromDigest = ({ nonce }: ReadBasis, last: Digest | undefined): boolean => nonce === (last ? nonceOf(last.digest) : '');

/** Null if the change was computed from nothing, or from records that fitted. */
export function unfitBasisOf({ before }: Digest): BasisRecord | null {
  const [, kind, id] = /\?(coupon|parent):(\d+)(?:~|$)/.exec(before ?? '') ?? [];
  return kind === undefined ? null : { kind: kind as BasisRecord['kind'], id: Number(id) };
}

/** The mark alone. */
const markIn = (before: string): string => before.split(/[?~]/, 1)[0] ?? '';

export const isFirst = ({ before }: Digest): boolean => before === null || markIn(before) === '';

/** The random part makes the marks of equal contents differ, so that an earlier digest, written again, does not fit. */
export function digestChanges<Kind extends DigestKind>(key: SealingKey, kind: Kind, changes: readonly RecordChange<Kind>[]): Digest[] {
  const nonces = randomBytes(nonceBytes * changes.length).toString('base64url');
  return changes.map(({ found, after, unfitBasis, bases = '' }, place) => {
    const nonce = nonces.slice(place * nonceLength, (place + 1) * nonceLength);
    const mark = found?.last ? markOfFound(key, kind, found.record, found.last) : '';
    const before = mark + (unfitBasis ? writeBasis(unfitBasis) : '') + bases;
    return { digest: nonce + markOfChange(key, nonce, before, markOf(key, kind, after, nonce)), before };
  });
}

/** Whether a change left the record like this. */
export function isDigestOf<Kind extends DigestKind>(key: SealingKey, kind: Kind, record: DigestedRecords[Kind], stored: Digest): boolean {
  const { digest, before } = stored;
  const nonce = nonceOf(digest);
  if (before === null) return digest === nonce + markOf(key, kind, record, nonce, 1);
  return versionsOf(kind).some((version) => digest === nonce + markOfChange(key, nonce, before, markOf(key, kind, record, nonce, version)));
}

/** Whether the service left the record as it was found. Before the first seal there are records without a digest. */
export const isIntact = <Kind extends DigestKind>(key: SealingKey, kind: Kind, { record, last }: FoundRecord<Kind>): boolean =>
  last === null || isDigestOf(key, kind, record, last);

const names: Record<DigestKind, (id: number) => string> = {
  order: (id) => `Order ${id}`,
  shares: (id) => `The shares of order ${id}`,
  payout: (id) => `Payout ${id}`,
  payee: (id) => `The payout details of user ${id}`,
  coupon: (id) => `The owner, code and rates of coupon ${id}`,
  parent: (id) => `The parent of user ${id}`,
  webhook: (id) => `The address and secret of webhook ${id}`,
  connection: (id) => `The store connection of ${writtenTime(id)}`,
};

/** As sentences begin. */
export const nameOf = (kind: DigestKind, id: number): string => names[kind](id);

/** Why no money moves. */
export const changedPastService = (kind: DigestKind, id: number): string =>
  `${nameOf(kind, id)} is not what the service wrote last: it was changed past the service. Nothing was changed. Run affiliate ledger verify.`;

/** Whether a change found the record as the change before it had left it. A digest without that mark fits any. */
export function follows(key: SealingKey, { before }: Digest, earlier: Digest): boolean {
  if (before === null) return true;
  const mark = markIn(before);
  // A whole digest: a mark alone is of a digest with a mark of before, and could be written into one that was made up.
  if (earlier.before === null) return mark.length === nonceLength + markLength && mark === earlier.digest;
  const nonce = nonceOf(earlier.digest);
  return earlier.digest === nonce + markOfChange(key, nonce, earlier.before, mark);
}

const nonceOf = (digest: string): string => digest.slice(0, nonceLength);

/** Of a record that does not fit a digest of the version that stored no mark of the record before. */
const unfit = '!';

/** With the random part of the last digest, which can be computed from this mark, but only with the key. */
function markOfFound<Kind extends DigestKind>(key: SealingKey, kind: Kind, record: DigestedRecords[Kind], last: Digest): string {
  if (last.before !== null) {
    const marks = versionsOf(kind).map((version) => markOf(key, kind, record, nonceOf(last.digest), version));
    return marks.find((mark) => follows(key, { ...last, before: mark }, last)) ?? marks[0] ?? unfit;
  }
  return isDigestOf(key, kind, record, last) ? last.digest : unfit;
}

type Version = 1 | 2 | 3;

const newestVersion = (kind: DigestKind): Version => (formerContents[kind] ? 3 : 2);

/** Of digests with a mark of the record before, newest first. */
const versionsOf = (kind: DigestKind): readonly Version[] => (formerContents[kind] ? [3, 2] : [2]);

const markOf = <Kind extends DigestKind>(
  key: SealingKey,
  kind: Kind,
  record: DigestedRecords[Kind],
  nonce: string,
  version: Version = newestVersion(kind),
): string => {
  const list = (version < newestVersion(kind) && formerContents[kind]) || contents[kind];
  return key.mark(JSON.stringify([`${kind}/${version}`, nonce, list(record)]));
};

const markOfChange = (key: SealingKey, nonce: string, before: string, content: string): string =>
  key.mark(JSON.stringify(['change/2', nonce, before, content]));

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
