import { hashToken, prefixOf } from '../../../domain/keys/key.ts';
import { createSecrets } from '../../../domain/master-key/secrets.ts';
import { systemRandom } from '../../../domain/random.ts';
import { dialects } from './dialect.ts';
import { eventStatements } from './events.ts';
import { clickStatements, figureStatements, orderStatements, peopleStatements, programDayStatements } from './orders.ts';
import { ledgerStatements, payoutStatements } from './payouts.ts';
import { type Engine, firstMoment, masterKey, type Size, tokenOf } from './sizes.ts';

const raiseLimits = ['authenticated', 'anonymous'].map(
  (caller) => `insert into settings (path, value) values ('limits.${caller}', '1000000')`,
);

const keysPerStatement = 500;

/** One key for each user. */
function* keyStatements(users: number): Generator<string> {
  for (let first = 1; first <= users; first += keysPerStatement) {
    const ids = Array.from({ length: Math.min(keysPerStatement, users - first + 1) }, (_, index) => first + index);
    yield `insert into api_keys (hash, prefix, user_id, description, scopes, created_by, created_at) values ${ids.map(keyRow).join(', ')}`;
  }
}

function keyRow(userId: number): string {
  const token = tokenOf(userId);
  return `('${hashToken(token)}', '${prefixOf(token)}', ${userId}, 'bench', 'read,write,manage', ${userId}, ${firstMoment})`;
}

const encryptDetails = (): string => createSecrets('payout_details', masterKey, systemRandom).encrypt('{"email":"paid@example.com"}');

/** Fills an empty database. Derived tables are computed from the others, so that all agree. */
export function statements(engine: Engine, size: Size, payoutDetails = encryptDetails()): string[] {
  const dialect = dialects[engine];
  return [
    ...raiseLimits,
    ...peopleStatements(size, dialect, payoutDetails),
    ...keyStatements(size.coupons + 1),
    ...orderStatements(size, dialect),
    ...figureStatements(),
    ...clickStatements(size, dialect),
    ...(engine === 'postgres' ? programDayStatements() : []),
    ...payoutStatements(dialect),
    ...ledgerStatements(),
    ...eventStatements(size, dialect),
  ];
}
