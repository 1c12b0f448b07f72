import { existsSync } from 'node:fs';
import type { Database } from '../../db/database.ts';
import { parseDatabaseUrl } from '../../db/database-url.ts';
import { dayOf } from '../../domain/dates.ts';
import { findOwner } from '../../domain/master-key/key-ownership.ts';
import type { KeyRing } from '../../domain/master-key/key-ring.ts';
import { createSecrets, opens } from '../../domain/master-key/secrets.ts';
import type { PayoutBatch } from '../../domain/payouts/batch.ts';
import { mayBeInProgress } from '../../domain/payouts/change.ts';
import type { NamedPayout } from '../../domain/payouts/payout.ts';
import { systemRandom } from '../../domain/random.ts';
import { type QueueBacklog, readBacklog } from '../../domain/reports/backlog.ts';
import { listAllWebhooks } from '../../domain/webhooks/manage.ts';
import { formatLabel, type Webhook } from '../../domain/webhooks/webhook.ts';
import { describeKeyProblem, findMasterKeys, findUnreadableSecrets, masterKeyFile } from '../../server/auth/master-key.ts';
import type { Configuration } from '../../server/configuration.ts';
import { openConfiguredDatabase } from '../../server/open-database.ts';
import { buildSettings } from '../../site/settings/settings.ts';
import { formatQuantity } from '../terminal/format.ts';
import { formatError } from '../terminal/output.ts';
import { type Check, ok, problem, warning } from './check.ts';
import { checkInvoices } from './invoices.ts';
import { checkSeals } from './ledger.ts';
import { hintAtOtherDatabase } from './machine.ts';
import { checkSettings, checkStore } from './settings.ts';
import { checkStoreConnection } from './store.ts';

/** Each step needs the one before it. `isMisplaced`: another user, folder or environment than the service's, which explains a missing key. */
export async function checkDatabase(configuration: Configuration, now: number, isMisplaced = false): Promise<Check[]> {
  try {
    const location = parseDatabaseUrl(configuration.databaseUrl);
    // Opening would create it, and doctor changes nothing.
    if (location.engine === 'sqlite' && !existsSync(location.path)) {
      const remedy = `Run affiliate migrate, or set DATABASE_URL or DATA_DIR.${hintAtOtherDatabase(configuration)}`;
      return [problem('database', `There is no database at ${location.path} yet. ${remedy}`)];
    }
    const database = await openConfiguredDatabase({ url: configuration.databaseUrl });
    const checks = await checkOpenDatabase(database, configuration, now).finally(() => database.close());
    return isMisplaced ? checks.map(withoutLostKey) : checks;
  } catch (error) {
    return [problem('database', formatError(error))];
  }
}

/** Names what is to be corrected first: with a wrong user or folder, it is unknown whether a key is lost. */
const withoutLostKey = (check: Check): Check =>
  check.state === 'problem' && ['master key', 'webhooks', 'secrets'].includes(check.name)
    ? problem(check.name, 'The master key of this database was not found. First correct the user or the folder, as described above.')
    : check;

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
    ...(await checkInvoices(database, configuration)),
    ...(await checkOutbox(database, now)),
    ...(await checkConnectedStore(database, now)),
    ...(await checkSeals(database, configuration, now)),
    await checkBalances(database),
  ];
}

async function checkConnectedStore(database: Database, now: number): Promise<Check[]> {
  const { values } = await database.read((db) => db.settings.all());
  return checkStoreConnection(database, buildSettings(values).settings, now);
}

async function checkContent(database: Database, configuration: Configuration, now: number): Promise<Check[]> {
  const { administrators, values, newestKey, processing, allBatches, createdInNone, hasOrders } = await database.read(
    async ({ users, settings, keys, payouts, batches, figures }) => ({
      administrators: await users.countByRole('administrator'),
      values: (await settings.all()).values,
      newestKey: (await keys.page({ today: dayOf(now, 'UTC') }, { page: 1, perPage: 1 })).items[0],
      processing: await payouts.processing(),
      allBatches: await batches.all(),
      createdInNone: await batches.createdInNone(),
      hasOrders: await figures.anyDays(),
    }),
  );
  const built = buildSettings(values);
  return [
    checkAdministrators(administrators, configuration),
    ...(await checkSettings(built, configuration)),
    checkStore(built.settings, hasOrders),
    ...(newestKey ? checkNewestKey(newestKey.createdAt, now) : []),
    ...processing.map((payout) => checkProcessing(payout, now)),
    ...allBatches.flatMap((batch) => checkBatch(batch, now)),
    ...checkCreated(createdInNone),
  ];
}

function checkAdministrators(count: number, configuration: Configuration): Check {
  if (count > 0) return ok('administrator', count === 1 ? 'There is one administrator.' : `There are ${count} administrators.`);
  const remedy =
    'Run affiliate user create --login <login> --email <address> --role administrator. Or open the link that affiliate serve prints when it starts.';
  return problem('administrator', `There is no administrator. ${remedy}${hintAtOtherDatabase(configuration)}`);
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
  const remedy = 'Run affiliate ledger verify, and keep a backup from today.';
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

const openBatchDays = 7;

/** Open for long, or not completed: the command was interrupted after it had committed the batch. Its payouts are in no other file. */
function checkBatch({ id, status, createdAt, completedAt, count, fileName }: PayoutBatch, now: number): Check[] {
  if (status !== 'open') return [];
  const days = Math.floor((now - createdAt) / 86_400_000);
  if (completedAt !== null)
    return days < openBatchDays
      ? []
      : [
          warning(
            'payout batch',
            `Batch ${id} has been open for ${days} days. Run affiliate payout batch paid ${id} when its file was executed, or affiliate payout batch cancel ${id} if it was not sent.`,
          ),
        ];
  const remedy = `Run affiliate payout batch file ${id} --out <file>, or affiliate payout batch cancel ${id} if it is not to be paid.`;
  return [
    problem(
      'payout batch',
      `Batch ${id} has ${formatQuantity(count, 'payout')}, and its file ${fileName} may not have been completed. ${remedy}`,
    ),
  ];
}

/** No file takes them. */
function checkCreated(ids: readonly number[]): Check[] {
  if (ids.length === 0) return [];
  const listed = `${ids.slice(0, 10).join(', ')}${ids.length > 10 ? `, and ${ids.length - 10} more` : ''}`;
  const remedy = 'No payout file takes them. Record what the bank or the gateway did; only one that was never sent may be pending again.';
  return [warning('payouts', `Payouts that are created and in no batch: ${listed}. ${remedy}`)];
}

/** A running service is never this late. */
const lateMs = 10 * 60_000;

/** Failed and late deliveries and mails. */
async function checkOutbox(database: Database, now: number): Promise<Check[]> {
  const { backlog, webhooks, lastMail } = await database.read(async (db) => ({
    backlog: await readBacklog(db, now),
    webhooks: await listAllWebhooks(db.webhooks),
    lastMail: await db.mails.lastGivenUp(),
  }));
  const found = webhooks.flatMap(checkWebhook);
  if (backlog.deliveriesGivenUp > 0) {
    const remedy = 'See affiliate webhook list, and send them again with affiliate webhook replay.';
    found.push(warning('outbox', `Deliveries that failed for good within the last day: ${backlog.deliveriesGivenUp}. ${remedy}`));
  }
  if (lastMail) {
    const reason = lastMail.error === '' ? '' : ` The last one (${lastMail.id}): ${lastMail.error}`;
    const remedy = 'They are not sent again; check SMTP_URL and their addresses.';
    found.push(warning('mails', `Mails that failed for good: ${backlog.mailsGivenUp}.${reason} ${remedy}`));
  }
  found.push(...checkLate('Deliveries to webhooks', backlog.deliveries, now), ...checkLate('Mails', backlog.mails, now));
  return found.length > 0 ? found : [ok('outbox', 'No delivery or mail is late or has failed.')];
}

function checkWebhook(webhook: Webhook): Check[] {
  const { id, status, failures, lastError } = webhook;
  const reason = lastError === '' ? '' : ` The last error: ${lastError}`;
  if (status === 'disabled') {
    const remedy = 'Set its status to active when its receiver works, or delete it.';
    return [warning('webhook', `Webhook ${formatLabel(webhook)} is disabled and gets nothing.${reason} ${remedy}`)];
  }
  if (failures === 0) return [];
  const times = `${failures} times in a row`;
  return [warning('webhook', `Webhook ${formatLabel(webhook)} failed ${times}.${reason} See affiliate webhook deliveries ${id}.`)];
}

function checkLate(what: string, { count, lateSince }: QueueBacklog, now: number): Check[] {
  if (lateSince === null || now - lateSince < lateMs) return [];
  const since = new Date(lateSince).toISOString();
  const question = 'Is a service or an affiliate worker running on this database?';
  return [warning('outbox', `${what} have been waiting since ${since} (${count} in all). ${question}`)];
}

/** Null if there is no usable key; `checkMasterKey` reports why. Creates none. */
function findUsableKeys(configuration: Configuration): readonly string[] | null {
  try {
    return findMasterKeys(configuration);
  } catch {
    return null;
  }
}

/** Decrypts nothing without a usable key. */
const usableRing = (configuration: Configuration): Pick<KeyRing, 'keys'> => {
  const keys = findUsableKeys(configuration) ?? [''];
  return { keys: () => keys };
};

/** The check of the service at its start. */
async function checkKeyOfDatabase(database: Database, configuration: Configuration): Promise<Check[]> {
  const keys = findUsableKeys(configuration);
  // `checkMasterKey` reports a file that cannot be used.
  if (keys === null && existsSync(masterKeyFile(configuration))) return [];
  const proof = await database.query(({ masterKeys }) => masterKeys.proof());
  const refusal = describeKeyProblem(proof, keys, configuration);
  if (refusal !== null) return [problem('master key', refusal)];
  if (proof === null) return [];
  if (keys !== null && findOwner(proof, keys) !== keys.at(-1))
    return [warning('master key', 'The database belongs to an older key of the file than the last. Run affiliate secrets rotate.')];
  return [ok('master key', 'The database belongs to it.')];
}

/** Deliveries cannot be signed without the key: a backup may have been restored without it. */
async function checkSigningSecrets(database: Database, configuration: Configuration): Promise<Check[]> {
  const { webhooks, unreadable } = await database.read((db) => findUnreadableSecrets(db, usableRing(configuration)));
  if (webhooks.length === 0) return [];
  if (unreadable.length === 0) return [ok('webhooks', 'Their signing secrets can be decrypted.')];
  const which = unreadable.length === webhooks.length ? 'all of them' : unreadable.join(', ');
  const remedy =
    'Set MASTER_KEY (or DATA_DIR) to the key they were created with; if it is lost, affiliate secrets renew --key-is-lost creates new ones.';
  return [problem('webhooks', `Signing secrets that cannot be decrypted: ${which}. ${remedy}`)];
}

/** A lost key affects all records, so the newest ones are a sufficient sample. */
const maxDetails = 500;

/** Payouts cannot be paid without the key. */
async function checkPayoutDetails(database: Database, configuration: Configuration): Promise<Check[]> {
  const details = await database.read(({ payoutDetails }) => payoutDetails.newest(maxDetails));
  if (details.length === 0) return [];
  const secrets = createSecrets('payout_details', usableRing(configuration), systemRandom);
  const unreadable = details.filter(
    ({ userId, encryptedDetails }) => encryptedDetails !== null && !opens(secrets, encryptedDetails, userId),
  );
  if (unreadable.length === 0) return [ok('secrets', 'The payout details of affiliates can be decrypted.')];
  const users = unreadable.length === details.length ? 'all affiliates' : `the users ${unreadable.map(({ userId }) => userId).join(', ')}`;
  const remedy =
    'Set MASTER_KEY (or DATA_DIR) to the key they were saved with; if it is lost, affiliate secrets renew --key-is-lost deletes them, and they must be saved again.';
  return [problem('secrets', `The payout details of ${users} cannot be decrypted. ${remedy}`)];
}
