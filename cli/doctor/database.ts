import { existsSync } from 'node:fs';
import type { Database } from '../../db/database.ts';
import { parseDatabaseUrl } from '../../db/database-url.ts';
import { dayOf } from '../../domain/dates.ts';
import type { NamedPayout } from '../../domain/payouts/payout.ts';
import { isUnderWay } from '../../domain/payouts/resolve.ts';
import type { Configuration } from '../../server/configuration.ts';
import { getSetting } from '../../site/settings/parse.ts';
import { type BuiltSettings, buildSettings, type Settings } from '../../site/settings/settings.ts';
import { openDatabaseAt } from '../context.ts';
import { formatError } from '../terminal/errors.ts';
import { type Check, ok, problem, warning } from './check.ts';
import { elsewhere } from './host.ts';
import { checkOutbox } from './outbox.ts';
import { checkKeyOfDatabase, checkPayoutDetails } from './secrets.ts';
import { checkContradictions } from './settings.ts';
import { checkSigningSecrets } from './webhooks.ts';

/** Each step needs the one before it. */
export async function checkDatabase(configuration: Configuration, now: number): Promise<Check[]> {
  const { databaseUrl } = configuration;
  try {
    const location = parseDatabaseUrl(databaseUrl);
    // Opening would make it, and a doctor changes nothing.
    if (location.engine === 'sqlite' && !existsSync(location.path))
      return [
        problem(
          'database',
          `There is no database at ${location.path} yet. Run affiliate migrate, or set DATABASE_URL or DATA_DIR.${elsewhere(configuration)}`,
        ),
      ];
    const database = await openDatabaseAt(databaseUrl);
    return await checkOpen(database, configuration, now).finally(() => database.close());
  } catch (error) {
    return [problem('database', formatError(error))];
  }
}

async function checkOpen(database: Database, configuration: Configuration, now: number): Promise<Check[]> {
  await database.ping();
  const reachable = ok('database', `${database.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'} answers.`);
  const pending = await database.pendingMigrations();
  if (pending.length > 0) return [reachable, problem('migrations', `Migrations to run: ${pending.length}. Run affiliate migrate.`)];
  return [
    reachable,
    ok('migrations', 'The database is current.'),
    ...(await checkTime(database)),
    ...(await checkContent(database, configuration, now)),
    ...(await checkSigningSecrets(database, configuration)),
    ...(await checkPayoutDetails(database, configuration)),
    ...(await checkKeyOfDatabase(database, configuration)),
    ...(await checkOutbox(database, now)),
    await checkBalances(database),
  ];
}

async function checkContent(database: Database, configuration: Configuration, now: number): Promise<Check[]> {
  const { administrators, values, newestKey, stuck } = await database.read(async ({ users, settings, keys, payouts }) => ({
    administrators: await users.countByRole('administrator'),
    values: (await settings.all()).values,
    newestKey: (await keys.page({ today: dayOf(now, 'UTC') }, { page: 1, perPage: 1 })).items[0],
    stuck: await payouts.processing(),
  }));
  const built = buildSettings(values);
  return [
    checkAdministrators(administrators, elsewhere(configuration)),
    ...checkSettings(built, await checkContradictions(built.settings, configuration)),
    checkStore(built.settings),
    ...(newestKey ? checkAge(newestKey.createdAt, now) : []),
    ...stuck.map((payout) => checkProcessing(payout, now)),
  ];
}

const checkAdministrators = (count: number, hint: string): Check =>
  count > 0
    ? ok('administrator', count === 1 ? 'There is one.' : `There are ${count}.`)
    : problem('administrator', `There is none. Run affiliate user create --login <login> --email <address> --role administrator.${hint}`);

/** The service runs with the default instead, which is not what somebody once decided. */
function checkSettings({ problems }: BuiltSettings, contradictions: Check[]): Check[] {
  const refused = problems.map(({ path, problem: why }) =>
    problem('settings', `${why} It is ignored: run affiliate settings unset ${path}, or set it anew.`),
  );
  const found = [...refused, ...contradictions];
  return found.length > 0 ? found : [ok('settings', 'All of them are valid.')];
}

function checkStore({ store }: Settings): Check {
  const untouched = (['name', 'url'] as const).filter((field) => store[field] === getSetting(`store.${field}`).default);
  if (untouched.length === 0) return ok('store', `${store.name}, ${store.url}.`);
  const shipped = untouched.map((field) => `"${store[field]}"`).join(' and ');
  const commands = untouched.map((field) => `affiliate settings set store.${field} …`);
  return warning('store', `Customers would read ${shipped}, as shipped. Run ${commands.join(' and ')}.`);
}

/** Windows of the rate limit and the lock-out go by the database's clock, everything else by ours. */
async function checkTime(database: Database): Promise<Check[]> {
  const before = Date.now();
  const theirs = await database.time();
  if (theirs === null) return [];
  const skewSeconds = Math.round((theirs - (before + Date.now()) / 2) / 1000);
  if (Math.abs(skewSeconds) < 5) return [ok('time', "The database's clock agrees with this machine's.")];
  const says = `The database's clock is ${Math.abs(skewSeconds)} seconds ${skewSeconds > 0 ? 'ahead of' : 'behind'} this machine's.`;
  return [(Math.abs(skewSeconds) < 60 ? warning : problem)('time', `${says} Set both by NTP.`)];
}

/** The quick part of `affiliate ledger verify`: one sum for each coupon. */
async function checkBalances(database: Database): Promise<Check> {
  const { total } = await database.read(({ ledger }) => ledger.wrongBalances(1));
  if (total === 0) return ok('ledger', 'Every balance is what its movements say. affiliate ledger verify looks at the rest.');
  return problem(
    'ledger',
    `Balances that are not what their movements say: ${total}. Run affiliate ledger verify, and keep a backup of today.`,
  );
}

/** A key from the future: the clock was put back, and what expires, expires late. */
function checkAge(newest: number, now: number): Check[] {
  if (newest <= now + 60_000) return [];
  return [problem('clock', `The newest key was made at ${new Date(newest).toISOString()}, which is still to come. Set the clock right.`)];
}

/** It is never sent again by itself, because nobody here knows whether it was paid. */
function checkProcessing(payout: NamedPayout, now: number): Check {
  const { id, requestedAt } = payout;
  const since = `Payout ${id} is processing since ${new Date(requestedAt).toISOString()}`;
  if (isUnderWay(payout, now))
    return warning('payout', `${since}. Its gateway may still be at it; if the service was ended since, it is not.`);
  return problem('payout', `${since}. Ask the payment provider, then run affiliate payout resolve ${id} --as …`);
}
