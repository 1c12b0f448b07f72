import type { Profile } from '../affiliates/affiliate.ts';
import type { User } from './user.ts';

/** All that is kept of a user but secrets and the place in the tree. */
export interface UserRecord extends Omit<User, 'id' | 'parentId'> {
  profile: Partial<Profile>;
  groups: string[];
  customFields: Record<string, unknown>;
}

export interface UserRecordStore {
  /** By the login alone, ignoring case: never by an email. */
  byLogin(login: string): Promise<(UserRecord & Pick<User, 'id'>) | null>;
  idOfEmail(email: string): Promise<number | null>;
  insert(user: UserRecord, id: number | null): Promise<number>;
  change(id: number, user: UserRecord): Promise<void>;
}
