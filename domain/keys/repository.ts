import type { Page, Paged } from '../page.ts';
import type { User } from '../users/user.ts';
import type { ApiKey, KeyStatus, NewApiKey } from './key.ts';

export interface KeyFilter {
  userId?: number;
  status?: KeyStatus;
  /** Today in the store's time zone: separates active from expired keys. */
  today: string;
}

export interface KeyRepository {
  byHash(hash: string): Promise<ApiKey | null>;
  /** The key with its user, in one statement. */
  withUserByHash(hash: string): Promise<{ key: ApiKey; user: User | null } | null>;
  byId(id: number): Promise<ApiKey | null>;
  /** Newest first. */
  page(filter: KeyFilter, page: Page): Promise<Paged<ApiKey>>;
  insert(key: NewApiKey): Promise<ApiKey>;
  /** False when it was revoked before, or does not exist. */
  revoke(id: number, at: number): Promise<boolean>;
  /** Writes `lastUsedAt` unless a use after `unlessSince` is written already. */
  touch(ids: readonly number[], at: number, unlessSince: number): Promise<void>;
}
