import { hash } from 'node:crypto';
import type { SecureRandom } from '../random.ts';

/** `svc_` and 40 lower-case hex characters: 20 random bytes. */
export const generateToken = (random: SecureRandom): string => `svc_${random.bytes(20).toString('hex')}`;

/** What is stored instead of the token. A plain digest will do, because the token is random and long: there is nothing to guess. */
export const hashToken = (token: string): string => hash('sha256', token);

export const prefixOf = (token: string): string => token.slice(0, 12);
