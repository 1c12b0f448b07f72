import { existsSync } from 'node:fs';
import type { Database } from '../../db/database.ts';
import { parseDatabaseUrl } from '../../db/database-url.ts';
import { dayOf } from '../../domain/dates.ts';
import { mayBeInProgress } from '../../domain/payouts/change.ts';
import type { NamedPayout } from '../../domain/payouts/payout.ts';
import type { Configuration } from '../../server/configuration.ts';
import { loadSiteModule } from '../../site/extension.ts';
import { createBuiltInGateways } from '../../site/gateways.ts';
import { getSetting } from '../../site/settings/parse.ts';
import { buildSettings, type Settings } from '../../site/settings/settings.ts';
import { openDatabaseAt } from '../context.ts';
import { formatError } from '../terminal/errors.ts';
import { type Check, ok, problem, warning } from './check.ts';
import { hintAtOtherDatabase } from './machine.ts';
import { checkOutbox } from './outbox.ts';
import { checkKeyOfDatabase, checkPayoutDetails, checkSigningSecrets } from './secrets.ts';

/** Each step needs the one before it. */
export async function checkDatabase(configuration: Configuration, now: number): Promise<Check[]> {
  try {
    const location = parseDatabaseUrl(configuration.databaseUrl);
    // Opening would create it, and doctor changes nothing.
    if (location.engine === 'sqlite' && !existsSync(location.path)) {
      const remedy = `Run affiliate migrate, or set DATABASE_URL or DATA_DIR.${hintAtOtherDatabase(configuration)}`;
      return [problem('database', `There is no database at ${location.path} yet. ${remedy}`)];
    }
    const database = await openDatabaseAt(configuration.databaseUrl);
    return await checkOpenDatabase(database, configuration, now).finally(() => database.close());
  } catch (error) {
    return [problem('database', formatError(error))];
  }
}

async function checkOpenDatabase(database: Database, configuration: Configuration, now: number): Promise<Check[]> {
  await database.ping();
  const reachable = ok('database', `${database.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'} answers.`);
  const pending = await database.pendingMigrations();
  if (pending.length > 0) return [reachable, problem('migrations', `Migrations to run: ${pending.length}. Run affiliate migrate.`)];
  return [
    reachable,
    ok('migrations', 'The database is current.'),
    ...(await checkDatabaseClock(database)),
    ...(await checkContent(database, configuration, now)),
    ...(await checkSigningSecrets(database, configuration)),
    ...(await checkPayoutDetails(database, configuration)),
    ...(await checkKeyOfDatabase(database, configuration)),
    ...(await checkOutbox(database, now)),
    await checkBalances(database),
  ];
}

async function checkContent(database: Database, configuration: Configuration, now: number): Promise<Check[]> {
  const { administrators, values, newestKey, processing } = await database.read(async ({ users, settings, keys, payouts }) => ({
    administrators: await users.countByRole('administrator'),
    values: (await settings.all()).values,
    newestKey: (await keys.page({ today: dayOf(now, 'UTC') }, { page: 1, perPage: 1 })).items[0],
    processing: await payouts.processing(),
  }));
  const { settings, problems } = buildSettings(values);
  const invalid = problems.map(({ path, problem: reason }) =>
    problem('settings', `${reason} It is ignored: run affiliate settings unset ${path}, or set it again.`),
  );
  const found = [...invalid, ...(await checkContradictions(settings, configuration))];
  return [
    checkAdministrators(administrators, configuration),
    ...(found.length > 0 ? found : [ok('settings', 'All of them are valid.')]),
    checkStore(settings),
    ...(newestKey ? checkNewestKey(newestKey.createdAt, now) : []),
    ...processing.map((payout) => checkProcessing(payout, now)),
  ];
}

function checkAdministrators(count: number, configuration: Configuration): Check {
  if (count > 0) return ok('administrator', count === 1 ? 'There is one.' : `There are ${count}.`);
  const remedy = 'Run affiliate user create --login <login> --email <address> --role administrator.';
  return problem('administrator', `There is none. ${remedy}${hintAtOtherDatabase(configuration)}`);
}

/** Settings that are valid alone, but not together. */
async function checkContradictions(settings: Settings, configuration: Configuration): Promise<Check[]> {
  const { payouts, commission, limits, multi_level: multiLevel, addons, store } = settings;
  const autoAccept = payouts.auto_accept.enabled;
  const paysNothing = commission.percent === 0 && commission.fixed_per_order === 0 && commission.fixed_per_product === 0;
  const isInsecure = configuration.environment === 'production' && store.url.startsWith('http:');
  const rules: [isBroken: boolean, message: string][] = [
    [autoAccept && !(payouts.enabled && addons.payouts), 'payouts.auto_accept.enabled is on, but payouts are off: nothing is paid.'],
    [multiLevel.rates.length > 0 && !addons.multi_level, 'multi_level.rates are set, but addons.multi_level is off: no tier earns.'],
    [paysNothing, 'commission.percent and both fixed amounts are 0: only coupons with rates of their own earn.'],
    [limits.authenticated === 0, 'limits.authenticated is 0: every request with a key is refused.'],
    [isInsecure, `store.url is ${store.url}: in production it should begin with https.`],
  ];
  const broken = rules.filter(([isBroken]) => isBroken).map(([, message]) => warning('settings', message));
  return [...(autoAccept ? await checkGateway(payouts.auto_accept.gateway, configuration) : []), ...broken];
}

/** `checkSiteModule` reports a module that does not load. */
async function checkGateway(gateway: string, { siteModule }: Configuration): Promise<Check[]> {
  const { gateways = {} } = siteModule ? await loadSiteModule(siteModule).catch(() => ({ gateways: undefined })) : {};
  const existing = [...createBuiltInGateways(() => {}).keys(), ...Object.keys(gateways)];
  if (existing.includes(gateway)) return [];
  const list = `There are ${existing.join(', ')}; a site module can add others.`;
  return [problem('settings', `payouts.auto_accept.gateway is "${gateway}", and there is no such gateway. ${list}`)];
}

function checkStore({ store }: Settings): Check {
  const unchanged = (['name', 'url'] as const).filter((field) => store[field] === getSetting(`store.${field}`).default);
  if (unchanged.length === 0) return ok('store', `${store.name}, ${store.url}.`);
  const defaults = unchanged.map((field) => `"${store[field]}"`).join(' and ');
  const commands = unchanged.map((field) => `affiliate settings set store.${field} …`);
  return warning('store', `Customers would see the default ${defaults}. Run ${commands.join(' and ')}.`);
}

/** Rate limits and lock-outs use the database's clock, everything else the machine's. */
async function checkDatabaseClock(database: Database): Promise<Check[]> {
  const before = Date.now();
  const databaseTime = await database.time();
  if (databaseTime === null) return [];
  const skewSeconds = Math.round((databaseTime - (before + Date.now()) / 2) / 1000);
  if (Math.abs(skewSeconds) < 5) return [ok('time', "The database's clock agrees with this machine's.")];
  const message = `The database's clock is ${Math.abs(skewSeconds)} seconds ${skewSeconds > 0 ? 'ahead of' : 'behind'} this machine's.`;
  return [(Math.abs(skewSeconds) < 60 ? warning : problem)('time', `${message} Synchronise both by NTP.`)];
}

/** The fast part of `affiliate ledger verify`: one sum for each coupon. */
async function checkBalances(database: Database): Promise<Check> {
  const { total } = await database.read(({ ledger }) => ledger.wrongBalances(1));
  if (total === 0) return ok('ledger', 'Every balance is the sum of its movements. affiliate ledger verify checks the rest.');
  const remedy = 'Run affiliate ledger verify, and keep a backup of today.';
  return problem('ledger', `Balances that are not the sum of their movements: ${total}. ${remedy}`);
}

/** A key created in the future means that the clock was set back: keys then expire too late. */
function checkNewestKey(createdAt: number, now: number): Check[] {
  if (createdAt <= now + 60_000) return [];
  return [problem('clock', `The newest key was created at ${new Date(createdAt).toISOString()}, in the future. Set the clock.`)];
}

/** It is unknown whether the payout was paid, so it is never sent again automatically. */
function checkProcessing(payout: NamedPayout, now: number): Check {
  const { id, requestedAt } = payout;
  const since = `Payout ${id} has been processing since ${new Date(requestedAt).toISOString()}`;
  if (mayBeInProgress(payout, now))
    return warning('payout', `${since}. The call to its gateway may still be running, unless the service has been stopped since.`);
  return problem('payout', `${since}. Ask the payment provider, then run affiliate payout resolve ${id} --as …`);
}
