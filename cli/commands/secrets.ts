import type { Command } from 'commander';
import { type Renewed, renewSecrets } from '../../domain/master-key/renew.ts';
import { formatLabel } from '../../domain/webhooks/webhook.ts';
import { loadMasterKey } from '../../server/auth/master-key.ts';
import { readConfiguration } from '../../server/configuration.ts';
import { withExistingDatabase } from '../context.ts';
import { CommandError } from '../terminal/errors.ts';
import { type CommandResult, printResult } from '../terminal/output.ts';

const examples = `
For the day on which the master key is gone and no copy of it is found. The database then belongs to MASTER_KEY, or to the key in DATA_DIR,
which is made where there is none. Webhooks whose signing secret it does not open get a new one, which is told once, here: give it to
their receivers. Payout details that it does not open are forgotten, and have to be saved anew before such an affiliate is paid. What it
does open stays as it is. Stop the service and the workers before, and give all of them this key after.

Example
  affiliate secrets renew --key-is-lost`;

export function addSecrets(program: Command): void {
  const secrets = program.command('secrets').description('what the master key seals');
  secrets
    .command('renew')
    .option('--key-is-lost', 'no copy of the old master key is left')
    .description('go on with another master key, without what only a lost one could open')
    .addHelpText('after', examples)
    .action(printResult(renew));
}

async function renew({ keyIsLost }: { keyIsLost?: true }): Promise<CommandResult> {
  if (!keyIsLost)
    throw new CommandError('What only another master key opens will be gone for good. Say --key-is-lost if no copy of that key is left.');
  return withExistingDatabase(async ({ database, now }) => {
    const { masterKey: given, dataDir } = readConfiguration(process.env);
    const masterKey = loadMasterKey(given, dataDir, () => {});
    return answerOf(await database.write((transaction) => renewSecrets(transaction, masterKey, now)));
  });
}

const answerOf = ({ webhooks, userIds }: Renewed): CommandResult => ({
  json: { webhooks: webhooks.map(({ webhook: { id, url }, secret }) => ({ id, url, secret })), payout_details_of: userIds },
  text: [
    'The database belongs to this master key now. Keep a copy of it.',
    ...webhooks.map(({ webhook, secret }) => `Webhook ${formatLabel(webhook)} signs with ${secret} from now on.`),
    ...(userIds.length === 0 ? [] : [`The payout details of these users were forgotten: ${userIds.join(', ')}.`]),
  ].join('\n'),
});
