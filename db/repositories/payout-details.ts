import { type EntityManager, In, IsNull, Not } from 'typeorm';
import type { PayoutDetails, PayoutDetailsRepository } from '../../domain/payout-details/payout-details.ts';
import { isId } from '../entities/columns.ts';
import { payoutDetails } from '../entities/payouts.ts';
import { orUnavailable } from '../sql/missing-table.ts';
import { projectionOf, selectRows } from '../sql/projection.ts';

export const payoutDetailsRepository = (manager: EntityManager): PayoutDetailsRepository => ({
  ofUser: (userId) => orUnavailable(ofUser(manager, userId)),
  ofUsers: (userIds) => orUnavailable(manager.findBy(payoutDetails, { userId: In(userIds) })),
  newest: (limit) =>
    orUnavailable(manager.find(payoutDetails, { where: { encryptedDetails: Not(IsNull()) }, order: { updatedAt: 'DESC' }, take: limit })),
  save: async (details) => void (await orUnavailable(manager.upsert(payoutDetails, details, ['userId']))),
});

export const detailsProjection = projectionOf(payoutDetails);

const selectOfUser = `select ${detailsProjection.list()} from payout_details where user_id = $1`;

// By hand, because every payout request reads them (benchmark row `request-payout`).
const ofUser = async (manager: EntityManager, userId: number): Promise<PayoutDetails | null> =>
  isId(userId) ? ((await selectRows(manager, detailsProjection, selectOfUser, [userId]))[0] ?? null) : null;
