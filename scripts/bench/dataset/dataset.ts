import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { fillVisitors } from '../../../db/migrations/20261116001000-count-visitors.ts';
import { hashToken, prefixOf } from '../../../domain/keys/key.ts';
import { createSecrets } from '../../../domain/master-key/secrets.ts';
import { systemRandom } from '../../../domain/random.ts';
import { boundToNothing } from '../../../test/support/unbound-secrets.ts';
import { temporaryFolder } from '../processes.ts';
import { byAdmin, send } from '../requests.ts';
import { type Checkout, runCommand, startService } from '../targets.ts';
import { dialects } from './dialect.ts';
import { eventStatements } from './events.ts';
import {
  clickStatements,
  figureStatements,
  orderStatements,
  peerIndexStatement,
  peopleStatements,
  programDayStatements,
} from './orders.ts';
import { ledgerStatements, payoutStatements } from './payouts.ts';
import { postgres } from './postgres.ts';
import { removeSeals } from './seals.ts';
import { type DatasetStorage, type Engine, firstMoment, masterKey, type Size, type SizeName, sizes, tokenOf } from './sizes.ts';
import { onFile, sqlite } from './sqlite.ts';

export interface Dataset {
  engine: Engine;
  size: SizeName;
  /** As in DATABASE_URL. */
  url: string;
  /** The version of the service that has created its tables. */
  checkout: Checkout;
  isSealed: boolean;
}

export interface DatasetCopy extends Dataset {
  remove(): Promise<void>;
}

/** One for each version of the service: they share no database, so that neither invalidates what the other has cached. */
export interface Datasets {
  service: Dataset;
  before?: Dataset;
}

export const storages: Record<Engine, DatasetStorage> = { sqlite, postgres };

export async function openDatasets(engine: Engine, size: SizeName, own: Checkout, before?: Checkout): Promise<Datasets> {
  const service = await openDataset(engine, size, own, size);
  return { service, ...(before && { before: await openDataset(engine, size, before, `${size}_before`) }) };
}

/** Creates a data set at its first use, and again when its tables or its statements have changed. */
async function openDataset(engine: Engine, size: SizeName, checkout: Checkout, name: string): Promise<Dataset> {
  const storage = storages[engine];
  const stamp = path.join(storage.folder, `${name}.recipe`);
  const schema = await schemaOf(checkout);
  const isSealed = schema.includes('ledger_seals');
  const filling = (key: string | null): string[] => [
    // Versions that seal the ledger bind each secret to its owner.
    ...datasetStatements(engine, sizes[size], key, isSealed),
    // Earlier versions count the clicks themselves.
    ...(schema.includes('visitor_days') ? fillVisitors : []),
  ];
  const recipe = [schema, ...filling(null)];
  const hash = createHash('sha256').update(JSON.stringify(recipe)).digest('hex');
  const isNew = !existsSync(stamp) || readFileSync(stamp, 'utf8') !== hash;
  const url = await storage.urlOf(name, isNew);
  const dataset = { engine, size, url, checkout, isSealed };
  // Also for an existing one: a migration may concern PostgreSQL only, which the schema above does not show.
  await runCommand(checkout, url, ['migrate']);
  if (isNew) {
    await storage.fill(url, filling(masterKey));
    await sealLedger(dataset);
    if (size === '1k') await verifyDataset(dataset);
    writeFileSync(stamp, hash);
  }
  return dataset;
}

/** Else the service would do it in the background, while it is measured. Earlier versions seal nothing. */
async function sealLedger({ checkout, url, isSealed }: Dataset): Promise<void> {
  if (isSealed) await runCommand(checkout, url, ['ledger', 'head']);
}

const schemas = new Map<Checkout, string>();

/** Of SQLite, for both engines: what both need is in its tables. */
async function schemaOf(checkout: Checkout): Promise<string> {
  const file = path.join(temporaryFolder(), 'schema.sqlite');
  if (!schemas.has(checkout)) {
    await runCommand(checkout, `sqlite:${file}`, ['migrate']);
    const schema = await onFile(file, (_run, select) => select('select sql from sqlite_master order by type, name'));
    schemas.set(checkout, JSON.stringify(schema));
  }
  return schemas.get(checkout) ?? '';
}

/** For rows that write. Changed by these statements beforehand. */
export async function copyDataset(dataset: Dataset, name: string, changes: readonly string[] = []): Promise<DatasetCopy> {
  const storage = storages[dataset.engine];
  const copy = await storage.copy(dataset.url, name);
  await storage.execute(copy.url, changes);
  return { ...dataset, ...copy };
}

/** Also sealed anew: of records that were changed past the service, it pays nothing out. */
export async function copySealed(dataset: Dataset, name: string, changes: readonly string[]): Promise<DatasetCopy> {
  const copy = await copyDataset(dataset, name, [...(dataset.isSealed ? removeSeals(dataset.engine) : []), ...changes]);
  await sealLedger(copy);
  return copy;
}

/** Checks that the statements fill the tables as the service itself would. @throws where they do not. */
async function verifyDataset(dataset: Dataset): Promise<void> {
  await runCommand(dataset.checkout, dataset.url, ['ledger', 'verify']);
  const copy = await copyDataset(dataset, 'verify');
  const { port, stop } = await startService(copy);
  const figuresOf = async (address: string): Promise<object> => {
    const { body } = await send(port, byAdmin(address));
    const { source: _, last_refreshed: __, ...figures } = body as Record<string, unknown>;
    return figures;
  };
  try {
    for (let id = 1; id <= sizes[dataset.size].coupons; id += 9) {
      const stored = await figuresOf(`/coupons/${id}/stats`);
      const rebuilt = await figuresOf(`/coupons/${id}/stats?refresh=true`);
      if (!isDeepStrictEqual(stored, rebuilt))
        throw new Error(`Coupon ${id} is filled with ${JSON.stringify(stored)}, but its orders amount to ${JSON.stringify(rebuilt)}.`);
    }
  } finally {
    await stop();
    await copy.remove();
  }
}

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

function detailsOfUsers(key: string | null, areBound: boolean): (userId: number) => string {
  if (key === null) return () => '';
  const { encrypt } = createSecrets('payout_details', key, systemRandom);
  const details = (userId: number): string => encrypt('{"email":"paid@example.com"}', userId);
  return areBound ? details : (userId) => boundToNothing('payout_details', key, details(userId), userId);
}

/** Fills an empty database. Derived tables are computed from the others, so that all agree. Without a key, payout details are empty. */
export function datasetStatements(engine: Engine, size: Size, key: string | null = masterKey, areSecretsBound = true): string[] {
  const dialect = dialects[engine];
  return [
    ...raiseLimits,
    ...peopleStatements(size, dialect, detailsOfUsers(key, areSecretsBound)),
    ...keyStatements(size.coupons + 1),
    ...orderStatements(size, dialect),
    ...figureStatements(),
    ...clickStatements(size, dialect),
    ...(engine === 'postgres' ? programDayStatements() : []),
    ...payoutStatements(dialect),
    ...ledgerStatements(),
    ...eventStatements(size, dialect),
    peerIndexStatement,
  ];
}
