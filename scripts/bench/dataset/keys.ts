import { createHash } from 'node:crypto';
import { hashOf, prefixOf } from '../../../domain/keys/token.ts';
import { systemRandom } from '../../../domain/random.ts';
import { secretsOf } from '../../../domain/secrets.ts';
import { firstMoment } from './sizes.ts';

/** Protects nothing: whoever runs the bench has made all of this up. */
export const masterKey = 'the-master-key-of-a-store-that-is-not';

/** The same for every data set, so that nothing about it has to be kept. */
export const tokenOf = (userId: number): string => `svc_${createHash('sha256').update(`bench ${userId}`).digest('hex').slice(0, 40)}`;

const atOnce = 500;

/** One key for each user. */
export function* keyStatements(users: number): Generator<string> {
  for (let first = 1; first <= users; first += atOnce) {
    const ids = Array.from({ length: Math.min(atOnce, users - first + 1) }, (_, index) => first + index);
    yield `insert into api_keys (hash, prefix, user_id, description, scopes, created_by, created_at) values ${ids.map(keyRow).join(', ')}`;
  }
}

function keyRow(userId: number): string {
  const token = tokenOf(userId);
  return `('${hashOf(token)}', '${prefixOf(token)}', ${userId}, 'bench', 'read,write,manage', ${userId}, ${firstMoment})`;
}

export const sealedDetails = (): string => secretsOf('payout_details', masterKey, systemRandom).encrypt('{"email":"paid@example.com"}');
