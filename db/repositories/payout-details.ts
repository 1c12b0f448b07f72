import type { EntityManager } from 'typeorm';
import type { PayoutDetails } from '../../domain/payout-details/payout-details.ts';
import type { PayoutDetailsStore } from '../../domain/payout-details/store.ts';
import { isId, toSafeInteger } from '../entities/columns.ts';
import { orUnavailable } from '../sql/missing-table.ts';
import { rowsById } from '../sql/rows-by-id.ts';

const upsertDetails = `
  insert into payout_details (user_id, method, method_type, encrypted_details, updated_at) values ($1, $2, $3, $4, $5)
  on conflict (user_id) do update set method = excluded.method, method_type = excluded.method_type,
    encrypted_details = excluded.encrypted_details, updated_at = excluded.updated_at`;

export const payoutDetailsStore = (manager: EntityManager): PayoutDetailsStore => ({
  ofUser: (userId) => orUnavailable(ofUser(manager, userId)),
  newest: (limit) => orUnavailable(newest(manager, limit)),
  save: async ({ userId, method, methodType, encryptedDetails, updatedAt }) => {
    await orUnavailable(manager.query(upsertDetails, [userId, method, methodType, encryptedDetails, updatedAt]));
  },
});

export const detailsColumns = ['user_id', 'method', 'method_type', 'encrypted_details', 'updated_at'];

async function ofUser(manager: EntityManager, userId: number): Promise<PayoutDetails | null> {
  const ids = isId(userId) ? [userId] : [];
  const row = (await rowsById(manager, { table: 'payout_details', key: 'user_id', columns: detailsColumns }, ids)).get(userId);
  return row ? toDetails(row) : null;
}

const newestOnes = 'select * from payout_details where encrypted_details is not null order by updated_at desc limit $1';

async function newest(manager: EntityManager, limit: number): Promise<PayoutDetails[]> {
  const rows: Record<string, unknown>[] = await manager.query(newestOnes, [limit]);
  return rows.map(toDetails);
}

export const toDetails = (row: Record<string, unknown>): PayoutDetails => ({
  userId: toSafeInteger(row['user_id']),
  method: String(row['method']),
  methodType: row['method_type'] as PayoutDetails['methodType'],
  encryptedDetails: row['encrypted_details'] as string | null,
  updatedAt: toSafeInteger(row['updated_at']),
});
