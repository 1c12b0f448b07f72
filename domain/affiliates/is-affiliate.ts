import type { ProgramUserRepository } from '../users/repository.ts';
import type { User } from '../users/user.ts';

/** By role, or once a coupon has been assigned to the user. */
export const isAffiliate = async (
  { programUsers }: { programUsers: ProgramUserRepository },
  { id, role }: User,
  hasCoupon: boolean,
): Promise<boolean> => role === 'affiliate' || hasCoupon || programUsers.hadCoupon(id);
