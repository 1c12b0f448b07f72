import { type EntityManager, IsNull, Not } from 'typeorm';
import type { PayoutDetails, PayoutDetailsStore } from '../../domain/payout-details/payout-details.ts';
import { isId } from '../entities/columns.ts';
import { payoutDetails } from '../entities/payouts.ts';
import { orUnavailable } from '../sql/missing-table.ts';
import { projectionOf } from '../sql/projection.ts';
import { type Digests, selectFound } from './ledger-digests.ts';

export const payoutDetailsStore = (manager: EntityManager, digests: Digests): PayoutDetailsStore => ({
  ofUser: (userId) => orUnavailable(ofUser(manager, digests, userId)),
  newest: (limit) =>
    orUnavailable(manager.find(payoutDetails, { where: { encryptedDetails: Not(IsNull()) }, order: { updatedAt: 'DESC' }, take: limit })),
  save: async (details) => {
    if ((await digests.key()) !== null && !digests.found('payee', details.userId)) await ofUser(manager, digests, details.userId);
    await orUnavailable(manager.upsert(payoutDetails, details, ['userId']));
    await digests.append('payee', [details]);
  },
});

export const detailsProjection = projectionOf(payoutDetails);

// By hand, because every payout request reads them (benchmark row `request-payout`).
export async function ofUser(manager: EntityManager, digests: Digests, userId: number): Promise<PayoutDetails | null> {
  if (!isId(userId)) return null;
  const found = { projection: detailsProjection, id: 'payout_details.user_id', sql: selectOfUser, values: [userId] };
  return (await selectFound(manager, digests, 'payee', found))[0] ?? null;
}

const selectOfUser = (more: string): string => `select ${detailsProjection.list()}${more} from payout_details where user_id = $1`;

/** Those with a destination. */
export const pageOfDetails = (manager: EntityManager, digests: Digests, after: number, limit: number): Promise<PayoutDetails[]> =>
  selectFound(manager, digests, 'payee', {
    ...{ projection: detailsProjection, id: 'payout_details.user_id', values: [after] },
    sql: (more) => `select ${detailsProjection.list()}${more} from payout_details
      where encrypted_details is not null and user_id > $1 order by user_id limit ${limit}`,
  });
