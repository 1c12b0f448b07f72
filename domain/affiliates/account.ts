import { ApiError } from '../errors.ts';
import type { EventRepository } from '../events/event.ts';
import { isErasedAddress } from '../mail/mail-queue.ts';
import type { Transaction } from '../unit-of-work.ts';
import { disableUser, enableUser } from '../users/disable.ts';
import type { UserRepository } from '../users/repository.ts';
import type { SessionRepository } from '../users/session.ts';
import { type Caller, isAdmin } from '../users/user.ts';
import type { Affiliate, AffiliateRepository } from './affiliate.ts';
import { visibleAffiliate } from './reading.ts';

/** An admin who is an affiliate too is managed by the operator alone, so nobody can lock out an admin or oneself. */
async function managedAffiliate(db: { affiliates: AffiliateRepository }, caller: Caller, id: number): Promise<Affiliate> {
  const affiliate = await visibleAffiliate(db, caller, id);
  if (isAdmin(affiliate)) throw new ApiError('svc_api_cannot_manage_user');
  if (isErasedAddress(affiliate.email)) throw new ApiError('svc_api_cannot_manage_user', { message: 'This account was erased.' });
  return affiliate;
}

/** Sets the account to the status, which it may have already. */
export async function changeAccountStatus(
  transaction: Transaction<{
    affiliates: AffiliateRepository;
    users: UserRepository;
    sessions: SessionRepository;
    events: EventRepository;
  }>,
  caller: Caller,
  { id, status }: { id: number; status: 'active' | 'disabled' },
  now: number,
): Promise<void> {
  const affiliate = await managedAffiliate(transaction, caller, id);
  const change = status === 'disabled' ? disableUser : enableUser;
  await change(transaction, affiliate, { now, userId: caller.user.id });
}

/** The affiliate whom a mail can invite to set a password. `serviceUrl` is what its link begins with. */
export async function findInvitee(
  db: { affiliates: AffiliateRepository },
  caller: Caller,
  id: number,
  serviceUrl: string,
): Promise<Affiliate> {
  const affiliate = await managedAffiliate(db, caller, id);
  if (serviceUrl === '') throw new ApiError('svc_api_no_service_url');
  if (affiliate.disabledAt !== null) throw new ApiError('svc_api_conflict', { message: 'The account is disabled. Enable it first.' });
  return affiliate;
}
