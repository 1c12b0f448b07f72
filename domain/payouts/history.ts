import { ApiError } from '../errors.ts';
import type { EventRepository } from '../events/event.ts';
import type { Page, Paged } from '../page.ts';
import type { UserRepository } from '../users/repository.ts';
import { type Caller, callerIsAdmin, type User } from '../users/user.ts';
import type { PublicStatus } from './payout.ts';
import type { PayoutRepository } from './repository.ts';

export interface RecordedChange {
  /** The name of the event, `payout.paid` say. */
  event: string;
  status: PublicStatus;
  /** Undefined where the caller may not know. Null for the system: a payment gateway or the command line. */
  by?: User | null;
  at: number;
}

interface HistoryRepositories {
  payouts: PayoutRepository;
  events: EventRepository;
  users: UserRepository;
}

/** The changes of a payout's status, oldest first. @throws svc_api_not_found for a payout that the caller may not see. */
export async function readHistory(
  { payouts, events, users }: HistoryRepositories,
  caller: Caller,
  id: number,
  page: Page,
): Promise<Paged<RecordedChange>> {
  if (!(await payouts.visibleTo(caller, id))) throw new ApiError('svc_api_not_found');
  const { items, total } = await events.ofPayout(id, page);
  const actors = callerIsAdmin(caller) ? await users.byIds([...new Set(items.map(({ userId }) => userId))]) : null;
  const changes = items.map(({ type, data, userId, at }) => ({
    event: type ?? '',
    status: data?.['status'] as PublicStatus,
    ...(actors && { by: actors.find((user) => user.id === userId) ?? null }),
    at,
  }));
  return { items: changes, total };
}
