import { ApiError } from '../errors.ts';
import type { EventRepository } from '../events/event.ts';
import type { Page, Paged } from '../page.ts';
import type { UserRepository } from '../users/repository.ts';
import { type Caller, callerIsAdmin, type User } from '../users/user.ts';
import type { BatchRepository } from './batch.ts';
import type { PublicStatus } from './payout.ts';
import type { PayoutRepository } from './repository.ts';

export interface RecordedChange {
  /** The name of the event, `payout.paid` say. */
  event: string;
  status: PublicStatus;
  /** Undefined where the caller may not know. Null for the system: a payment gateway or the command line. */
  by?: User | null;
  /** The batch that it was made with: both have the time of the same transaction. Undefined where the caller may not know. */
  batchId?: number;
  at: number;
}

interface HistoryRepositories {
  payouts: PayoutRepository;
  events: EventRepository;
  users: UserRepository;
  batches: BatchRepository;
}

/** The changes of a payout's status, oldest first. @throws svc_api_not_found for a payout that the caller may not see. */
export async function readHistory(
  { payouts, events, users, batches }: HistoryRepositories,
  caller: Caller,
  id: number,
  page: Page,
): Promise<Paged<RecordedChange>> {
  if (!(await payouts.visibleTo(caller, id))) throw new ApiError('svc_api_not_found');
  const { items, total } = await events.ofPayout(id, page);
  const changes = items.map(({ type, data, at }) => ({ event: type ?? '', status: data?.['status'] as PublicStatus, at }));
  if (!callerIsAdmin(caller)) return { items: changes, total };
  const [actors, inBatches] = await Promise.all([users.byIds([...new Set(items.map(({ userId }) => userId))]), batches.allOf(id)]);
  const explained = changes.map((change, index) => {
    const batch = inBatches.find(({ createdAt, settledAt }) => change.at === (change.event === 'payout.created' ? createdAt : settledAt));
    const by = actors.find((user) => user.id === items[index]?.userId) ?? null;
    return { ...change, by, ...(batch && { batchId: batch.id }) };
  });
  return { items: explained, total };
}
