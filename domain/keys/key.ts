import { hash } from 'node:crypto';
import type { Scope } from '../../generated/operations.ts';
import { dayOf } from '../dates.ts';
import type { SecureRandom } from '../random.ts';

export const scopeOrder: readonly Scope[] = ['read', 'write', 'manage'];

export interface ApiKey {
  id: number;
  userId: number;
  description: string;
  prefix: string;
  scopes: Scope[];
  createdBy: number;
  createdAt: number;
  lastUsedAt: number | null;
  /** The last day of the store's calendar on which it works. */
  expiresDay: string | null;
  revokedAt: number | null;
}

export type NewApiKey = Omit<ApiKey, 'id' | 'lastUsedAt' | 'revokedAt'> & { hash: string; id?: number };

export type KeyStatus = 'active' | 'revoked' | 'expired';

/** Computed from the current day, not stored. */
export function keyStatus(key: Pick<ApiKey, 'expiresDay' | 'revokedAt'>, now: number, zone: string): KeyStatus {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresDay !== null && key.expiresDay < dayOf(now, zone) ? 'expired' : 'active';
}

/** `svc_` and 40 lower-case hex characters: 20 random bytes. */
export const generateToken = (random: SecureRandom): string => `svc_${random.bytes(20).toString('hex')}`;

/** What is stored instead of the token. A plain digest will do, because the token is random and long: there is nothing to guess. */
export const hashToken = (token: string): string => hash('sha256', token);

export const prefixOf = (token: string): string => token.slice(0, 12);
