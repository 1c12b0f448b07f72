import type { Command } from 'commander';
import type { Database } from '../../db/database.ts';
import { formatHead, type Head, parseHead } from '../../domain/ledger/seal.ts';
import { sealLedger } from '../../domain/ledger/seal-ledger.ts';
import type { SealingKey } from '../../domain/ledger/sealing-key.ts';
import { listSentences, verifyLedger } from '../../domain/ledger/verify.ts';
import { isSealingKeyDeleted, readTraces } from '../../domain/master-key/key-ownership.ts';
import { createSecrets, isBound, opens } from '../../domain/master-key/secrets.ts';
import type { EncryptedKind, EncryptedText } from '../../domain/master-key/store.ts';
import { inWords } from '../../domain/money.ts';
import { systemRandom } from '../../domain/random.ts';
import { findMasterKeys, openMasterKey } from '../../server/auth/master-key.ts';
import { type Configuration, readConfiguration } from '../../server/configuration.ts';
import { type CommandContext, sealingKeyOpener, withExistingDatabase } from '../context.ts';
import { formatCount } from '../terminal/format.ts';
import { CommandError, type CommandResult, type OutputOptions, printResult } from '../terminal/output.ts';
import { createStatusLine, showElapsed } from '../terminal/progress.ts';

const verifyHelp = `
Changes nothing. Compares tables, columns, indexes, constraints and triggers with what the migrations create, and the rows of every index
with those of its table. Recomputes everything from the rows of the ledger, the orders and the payouts: the movements of each order and
payout, the balances of each coupon, the numbers of payouts, the commission of each order. Then follows the chain of seals and compares all
sealed rows, and every order, payout, payout detail and coupon, with what the service wrote, now and before each of its changes. Lists the
first differences of each kind and counts the others. Exits with 1 when there is any.

A database that was replaced by an older copy as a whole, or whose last seals were deleted with all that they cover, shows only with
--against: give it a head that you stored outside of the database.

Examples
  affiliate ledger verify
  affiliate ledger verify --against 12.5f0c….nR3q…`;

const headHelp = `
Seals what is not sealed yet and prints the head: the number of the last seal, its hash and its signature. The head stands for everything in
the ledger up to this moment. Store it outside the reach of the database's administrators, and give it to ledger verify --against.

Example
  affiliate ledger head`;

const keyHelp = `
The service signs seals with an Ed25519 key, which is stored encrypted with the master key. A head <number>.<hash>.<signature> is signed
over the text "affiliate-ledger-seal <number> <hash>", the signature is base64url. Everyone who has the public key can check that.

Example
  affiliate ledger key`;

export function addLedger(program: Command): void {
  const ledger = program.command('ledger').description('the ledger of all commission');
  ledger
    .command('verify')
    .option('--against <head>', 'a head from ledger head that was stored outside of the database')
    .description('recompute all balances, prove that nothing sealed was changed, and list every difference')
    .addHelpText('after', verifyHelp)
    .action(printResult(verify));
  ledger
    .command('head')
    .description('seal what is unsealed, and print the last seal')
    .addHelpText('after', headHelp)
    .action(printResult(head));
  ledger.command('key').description('print the public key of the seals').addHelpText('after', keyHelp).action(printResult(showKey));
}

interface VerifyOptions extends OutputOptions {
  against?: string;
}

async function verify(options: VerifyOptions): Promise<CommandResult> {
  const against = readHead(options.against);
  return withExistingDatabase(async ({ database, now, settings: { store } }) => {
    const line = createStatusLine(options);
    const changedSchema = await showElapsed('Comparing the schema', options, () => compareSchema(database));
    const recompute = () =>
      database.read(async (stores) => {
        const stored = await stores.sealing.storedKey('sealing_key');
        if (stored === null && against) throw new CommandError('This database has no sealing key: the head is of another database.');
        const key = stored === null ? undefined : sealingKeyOpener(readConfiguration(process.env))(stored);
        const onProgress = (rows: number): void => line.show(`Comparing with the seals … ${formatCount(rows)} rows`);
        const keys = findMasterKeys(readConfiguration(process.env)) ?? [];
        const isKeyDeleted = isSealingKeyDeleted(await readTraces(stores), keys);
        const proof = key ? { key, canOpen: secretOpener(readConfiguration(process.env)) } : { isKeyDeleted };
        const checked = { against, now, onProgress, ...proof };
        const found = await verifyLedger(stores, (amount) => inWords(amount, store.currency), checked);
        return { ...found, last: await stores.seals.last() };
      });
    const { last, ...found } = await showElapsed('Recomputing all balances', options, recompute)
      .catch((error: unknown) => explainFailure(error, changedSchema))
      .finally(line.clear);
    const total = changedSchema.length + found.total;
    const json = {
      ok: total === 0,
      differences: total,
      changed_schema: changedSchema,
      wrong_balances: found.wrongBalances,
      broken_movements: found.brokenMovements,
      strange_rows: found.strangeRows,
      wrong_orders: found.wrongOrders,
      wrong_shares: found.wrongShares,
      wrong_payouts: found.wrongPayouts,
      wrong_pools: found.wrongPools,
      wrong_counts: found.wrongCounts,
      wrong_commissions: found.wrongCommissions,
      broken_seals: found.brokenSeals,
      foreign_movements: found.foreignMovements,
      changed_records: found.changedRecords,
      foreign_secrets: found.foreignSecrets,
      last_seal: last && formatHead(last),
    };
    const sealed = last ? ` Nothing of it was changed past the service, up to seal ${last.number}.` : ' It is not sealed yet.';
    if (total === 0)
      return { json, text: `The ledger is sound: every row, order, payout, balance and count is what it should be.${sealed}` };
    const failure = total === 1 ? 'One difference was found.' : `${total} differences were found.`;
    return { json, text: [...changedSchema, ...listSentences(found)].join('\n'), failure };
  });
}

/** An index without a row, a view in place of a table and the like: the service and this command would read different rows. */
export async function compareSchema(database: Database): Promise<string[]> {
  const differences = await database.schemaDifferences();
  const damage = await database.integrityProblem();
  return damage === null ? differences : [...differences, `The database is damaged: ${damage}. Keep a copy of it, then restore a backup.`];
}

/** Whether a stored secret is of its owner, and of the master key. */
function secretOpener(configuration: Configuration): (kind: EncryptedKind, secret: EncryptedText) => boolean {
  const keys = findMasterKeys(configuration) ?? [];
  const ring = { keys: () => keys, visitorKey: Buffer.alloc(0) };
  return (kind, { id, text }) => isBound(text) && opens(createSecrets(kind, ring, systemRandom), text, id);
}

function readHead(text: string | undefined): Head | null {
  if (text === undefined) return null;
  const parsed = parseHead(text);
  if (parsed) return parsed;
  throw new CommandError('--against must be a head as affiliate ledger head prints it: <number>.<hash>.<signature>');
}

const head = (options: OutputOptions): Promise<CommandResult> =>
  withExistingDatabase(async (context) => {
    const { database, now } = context;
    const key = await openKey(context);
    const seal = await showElapsed('Sealing', options, () => sealLedger({ storage: database, key, now }));
    if (!seal) throw new CommandError('Another process is sealing the ledger. Try again.');
    const { number, ledgerId, digestId, hash, signature, publicKey, sealedAt } = seal;
    const json = { head: formatHead(seal), number, hash, signature, public_key: publicKey, sealed_at: new Date(sealedAt).toISOString() };
    return {
      json: { ...json, ledger_row: ledgerId, digest: digestId },
      text: formatHead(seal),
    };
  });

const showKey = (): Promise<CommandResult> =>
  withExistingDatabase(async (context) => {
    const { publicKey, publicKeyPem } = await openKey(context);
    return { json: { public_key: publicKey, pem: publicKeyPem }, text: publicKeyPem.trimEnd() };
  });

/** Creates the key where there is none yet. */
async function openKey({ database }: CommandContext): Promise<SealingKey> {
  const configuration = readConfiguration(process.env);
  await openMasterKey(database, configuration, (sentence) => void process.stderr.write(`${sentence}\n`));
  const stored = await database.query(({ sealing }) => sealing.storedKey('sealing_key'));
  return sealingKeyOpener(configuration)(stored ?? '');
}

/** @throws CommandError that says what to do about a changed schema; else the error itself. */
function explainFailure(error: unknown, changedSchema: readonly string[]): never {
  if (changedSchema.length === 0) throw error;
  throw new CommandError(`${changedSchema.join('\n')}\nThe ledger cannot be verified until that is put right: restore a backup.`);
}
