import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { Command } from 'commander';
import { sealLedger } from '../../domain/ledger/seal-ledger.ts';
import { renewSecrets } from '../../domain/lost-key/renew-secrets.ts';
import { findOwner, openSealingKey } from '../../domain/master-key/key-ownership.ts';
import { formatAddedKey } from '../../domain/master-key/key-ring.ts';
import { reencrypt } from '../../domain/master-key/rotate.ts';
import { systemRandom } from '../../domain/random.ts';
import { formatLabel } from '../../domain/webhooks/webhook.ts';
import { describeKeyProblem, findMasterKeys, loadMasterKey, masterKeyFile } from '../../server/auth/master-key.ts';
import { type Configuration, readConfiguration } from '../../server/configuration.ts';
import { type CommandContext, withExistingDatabase } from '../context.ts';
import { CommandError, type CommandResult, formatError, printResult } from '../terminal/output.ts';

const rotateHelp = `
Adds a new master key to the end of the key file (MASTER_KEY_FILE, or master.key in DATA_DIR) and encrypts all secrets of the database again
with it, in one transaction. The service may run meanwhile: it reads the file again by itself. Keys that hash or sign stay what they are, so
visitors are recognised as before. The former key stays in the file for backups from before; delete it there, with the line that begins with
#, when no such backup is left. Copy the file to a safe place again.

With several machines, first add the same new key to the file of each: a line that begins with #, then the key. Then run this on one of them.
A rotation that was interrupted continues with the key that it added.

Example
  affiliate secrets rotate`;

const renewHelp = `
For a master key that is lost, without a copy. Afterwards the database belongs to MASTER_KEY, or to the key in DATA_DIR, which is created if
there is none. Webhooks whose signing secret it cannot decrypt get a new one, which is printed once, here: configure it in their receivers.
Payout details that it cannot decrypt are deleted, and must be saved again before such an affiliate can be paid. Visitors from before are not
recognised. The ledger gets a new sealing key, and its chain of seals continues with it. Everything that it can decrypt stays. Stop the service and the workers first, and start all of them with this key afterwards.

Example
  affiliate secrets renew --key-is-lost`;

export function addSecrets(program: Command): void {
  const secrets = program.command('secrets').description('secrets encrypted with the master key');
  secrets
    .command('rotate')
    .description('replace the master key by a new one, while the old one is there')
    .addHelpText('after', rotateHelp)
    .action(printResult(rotate));
  secrets
    .command('renew')
    .option('--key-is-lost', 'there is no copy of the old master key')
    .description('switch to another master key, and give up what only the lost one can decrypt')
    .addHelpText('after', renewHelp)
    .action(printResult(renew));
}

const rotate = (): Promise<CommandResult> =>
  withExistingDatabase(async ({ database, today }) => {
    const configuration = readConfiguration(process.env);
    const file = masterKeyFile(configuration);
    const keys = await withNewKey(database, configuration, today);
    let secrets = 0;
    // A request that began before may store something with the former key; the next pass finds it.
    for (let pass = -1; pass !== 0; secrets += pass) pass = await database.write((transaction) => reencrypt(transaction, keys));
    return {
      json: { file, secrets },
      text: [
        `The database belongs to the last key in ${file} now. Encrypted again: ${secrets}.`,
        'Keep a copy of the file in another place. The former key stays in it for backups from before.',
      ].join('\n'),
    };
  });

/** The keys of the file, with a new one at the end, which is added unless an interrupted rotation has done so. */
async function withNewKey(database: CommandContext['database'], configuration: Configuration, today: string): Promise<readonly string[]> {
  const file = masterKeyFile(configuration);
  if (configuration.masterKey !== null)
    throw new CommandError(
      'MASTER_KEY is a variable, and a running service cannot see it change. Write the key to a file, set MASTER_KEY_FILE instead, and restart.',
    );
  const keys = findMasterKeys(configuration);
  const proof = await database.query(({ masterKeys }) => masterKeys.proof());
  const problem = describeKeyProblem(proof, keys, configuration);
  if (problem !== null) throw new CommandError(problem);
  if (keys === null || proof === null)
    throw new CommandError(`The database has no key in ${file} yet. The service creates one when it first starts.`);
  if (findOwner(proof, keys) !== keys.at(-1)) return keys;
  const added = systemRandom.bytes(32).toString('hex');
  try {
    const newline = readFileSync(file, 'utf8').endsWith('\n') ? '' : '\n';
    const handle = openSync(file, 'a');
    writeSync(handle, newline + formatAddedKey(added, today));
    fsyncSync(handle);
    closeSync(handle);
  } catch (error) {
    throw new CommandError(`${file} cannot be written: ${formatError(error)} Nothing was changed.`);
  }
  return [...keys, added];
}

async function renew({ keyIsLost }: { keyIsLost?: true }): Promise<CommandResult> {
  if (!keyIsLost)
    throw new CommandError(
      'Secrets that only another master key can decrypt will be deleted for good. Add --key-is-lost if there is no copy of that key.',
    );
  return withExistingDatabase(async ({ database, now }) => {
    const configuration = readConfiguration(process.env);
    const keys = findMasterKeys(configuration) ?? [loadMasterKey(configuration, () => {})];
    const masterKey = { keys: () => keys };
    const { webhooks, userIds, secondFactorsOf, connectionIds, isVisitorKeyNew, isSealingKeyNew } = await database.write((transaction) =>
      renewSecrets(transaction, masterKey, now),
    );
    // Also if an earlier attempt was interrupted before it.
    const stored = await database.query(({ masterKeys }) => masterKeys.storedKey('sealing_key'));
    if (stored !== null) await sealLedger({ storage: database, key: openSealingKey(stored, masterKey), now, isKeyNew: true });
    return {
      json: {
        webhooks: webhooks.map(({ webhook: { id, url }, secret }) => ({ id, url, secret })),
        payout_details_of: userIds,
        second_factors_of: secondFactorsOf,
      },
      text: [
        'The database belongs to this master key now. Keep a copy of it.',
        ...webhooks.map(({ webhook, secret }) => `Webhook ${formatLabel(webhook)} signs with ${secret} from now on.`),
        ...(userIds.length === 0
          ? []
          : [`The payout details of users with these ids were deleted: ${userIds.join(', ')} (affiliate user list).`]),
        ...(secondFactorsOf.length === 0
          ? []
          : [`The second factors of users with these ids were removed: ${secondFactorsOf.join(', ')}. They sign in with their password.`]),
        ...connectionIds.map((id) => `The shop's connection ${id} needs its secrets again: affiliate store secret ${id} --secret-stdin`),
        ...(isSealingKeyNew
          ? ['The ledger has a new sealing key. Store its public key and a new head: affiliate ledger key, affiliate ledger head.']
          : []),
        ...(isVisitorKeyNew ? ['Orders are not credited to clicks from before: the key that hashed their visitors is lost.'] : []),
      ].join('\n'),
    };
  });
}
