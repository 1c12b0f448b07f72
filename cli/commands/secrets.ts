import type { Command } from 'commander';
import { renewSecrets } from '../../domain/master-key/key-ownership.ts';
import { formatLabel } from '../../domain/webhooks/webhook.ts';
import { loadMasterKey } from '../../server/auth/master-key.ts';
import { readConfiguration } from '../../server/configuration.ts';
import { withExistingDatabase } from '../context.ts';
import { CommandError, type CommandResult, printResult } from '../terminal/output.ts';

const examples = `
For a master key that is lost, without a copy. Afterwards the database belongs to MASTER_KEY, or to the key in DATA_DIR, which is created if
there is none. Webhooks whose signing secret it cannot decrypt get a new one, which is printed once, here: configure it in their receivers.
Payout details that it cannot decrypt are deleted, and must be saved again before such an affiliate can be paid. Everything that it can
decrypt stays. Stop the service and the workers first, and start all of them with this key afterwards.

Example
  affiliate secrets renew --key-is-lost`;

export function addSecrets(program: Command): void {
  const secrets = program.command('secrets').description('secrets encrypted with the master key');
  secrets
    .command('renew')
    .option('--key-is-lost', 'there is no copy of the old master key')
    .description('switch to another master key, and give up what only the lost one can decrypt')
    .addHelpText('after', examples)
    .action(printResult(renew));
}

async function renew({ keyIsLost }: { keyIsLost?: true }): Promise<CommandResult> {
  if (!keyIsLost)
    throw new CommandError(
      'Secrets that only another master key can decrypt will be deleted for good. Add --key-is-lost if there is no copy of that key.',
    );
  return withExistingDatabase(async ({ database, now }) => {
    const { masterKey: configured, dataDir } = readConfiguration(process.env);
    const masterKey = loadMasterKey(configured, dataDir, () => {});
    const { webhooks, userIds } = await database.write((transaction) => renewSecrets(transaction, masterKey, now));
    return {
      json: { webhooks: webhooks.map(({ webhook: { id, url }, secret }) => ({ id, url, secret })), payout_details_of: userIds },
      text: [
        'The database belongs to this master key now. Keep a copy of it.',
        ...webhooks.map(({ webhook, secret }) => `Webhook ${formatLabel(webhook)} signs with ${secret} from now on.`),
        ...(userIds.length === 0 ? [] : [`The payout details of these users were deleted: ${userIds.join(', ')}.`]),
      ].join('\n'),
    };
  });
}
