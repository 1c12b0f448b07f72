import type { Command } from 'commander';
import { missingTableOf } from '../../db/sql/missing-table.ts';
import { formatHead, type Head, parseHead } from '../../domain/ledger/seal.ts';
import { sealLedger } from '../../domain/ledger/seal-ledger.ts';
import type { SealingKey } from '../../domain/ledger/sealing-key.ts';
import { inWords } from '../../domain/money.ts';
import { listSentences, verifyLedger } from '../../domain/verification/verify.ts';
import { openMasterKey } from '../../server/auth/master-key.ts';
import { readConfiguration } from '../../server/configuration.ts';
import { type CommandContext, sealingKeyOpener, withExistingDatabase } from '../context.ts';
import { formatCount } from '../terminal/format.ts';
import { CommandError, type CommandResult, type OutputOptions, printResult } from '../terminal/output.ts';
import { createStatusLine, showElapsed } from '../terminal/progress.ts';

const verifyHelp = `
Changes nothing. Recomputes everything from the rows of the ledger, the orders and the payouts: the movements of each order and payout, the
balances of each coupon, the numbers of payouts, the commission of each order. Then follows the chain of seals and compares every sealed row
with it. Lists the first differences of each kind and counts the others. Exits with 1 when there is any.

A database that was replaced by an older copy as a whole, or whose last seals were deleted with all that they cover, is detected only
with --against: give it a head that you stored outside of the database.

Examples
  affiliate ledger verify
  affiliate ledger verify --against 12.5f0c….nR3q…`;

const headHelp = `
Seals what is not sealed yet and prints the head: the number of the last seal, its hash and its signature. The head stands for everything in
the ledger up to this moment. With --json, movements is the number of rows that the last seal
covers. Store the head outside the reach of the database's administrators, and give it to ledger verify --against.

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
    .description('recompute all balances, prove that nothing sealed was changed, and list differences')
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
  return withExistingDatabase(async ({ database, settings: { store } }) => {
    const line = createStatusLine(options);
    let read = 0;
    const onProgress = (rows: number): void => line.show(`Verifying … ${formatCount((read += rows))} rows`);
    const check = () =>
      database.read(async (db) => {
        const stored = await db.masterKeys.storedKey('sealing_key');
        if (stored === null && against) throw new CommandError('This database has no sealing key: the head belongs to another database.');
        const found = await verifyLedger(db, {
          written: (amount) => inWords(amount, store.currency),
          key: stored === null ? null : sealingKeyOpener(readConfiguration(process.env))(stored),
          against,
          onProgress,
        });
        const last = await db.seals.last();
        if (stored === null && last) {
          found.brokenSeals.push(`The sealing key is missing, so the signer of seal ${last.number} cannot be checked. Restore a backup.`);
          found.total += 1;
        }
        return { ...found, last };
      });
    const { last, ...found } = await showElapsed('Recomputing all balances', options, check).catch(explainMissingTable).finally(line.clear);
    const json = {
      ok: found.total === 0,
      differences: found.total,
      wrong_balances: found.wrongBalances,
      broken_movements: found.brokenMovements,
      strange_rows: found.strangeRows,
      wrong_orders: found.wrongOrders,
      wrong_shares: found.wrongShares,
      wrong_payouts: found.wrongPayouts,
      wrong_adjustments: found.wrongAdjustments,
      wrong_counts: found.wrongCounts,
      wrong_commissions: found.wrongCommissions,
      broken_seals: found.brokenSeals,
      last_seal: last && formatHead(last),
    };
    const sealed = last ? ` No row up to seal ${last.number} was changed.` : ' It is not sealed yet.';
    if (found.total === 0)
      return { json, text: `The ledger is sound: every row, order, payout, balance and count is what it should be.${sealed}` };
    const failure = found.total === 1 ? 'One difference was found.' : `${found.total} differences were found.`;
    return { json, text: listSentences(found).join('\n'), failure };
  });
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
    const { number, rows, hash, signature, publicKey, sealedAt } = seal;
    const json = { id: number, movements: rows, hash, signature, date: new Date(sealedAt).toISOString() };
    return { json: { ...json, head: formatHead(seal), public_key: publicKey }, text: formatHead(seal) };
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
  const stored = await database.query(({ masterKeys }) => masterKeys.storedKey('sealing_key'));
  return sealingKeyOpener(configuration)(stored ?? '');
}

/** @throws CommandError with a remedy for a missing table; else the error itself. */
function explainMissingTable(error: unknown): never {
  const table = missingTableOf(error);
  throw table === null ? error : new CommandError(`The table ${table} is missing. The ledger cannot be verified: restore a backup.`);
}
