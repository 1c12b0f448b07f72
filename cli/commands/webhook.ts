import type { Command } from 'commander';
import { listAllWebhooks } from '../../domain/webhooks/all.ts';
import { deliveryName } from '../../domain/webhooks/delivery.ts';
import { listDeliveries, replayDelivery } from '../../domain/webhooks/log.ts';
import { webhookView } from '../../handlers/views/webhook.ts';
import { withContext, withExistingDatabase } from '../context.ts';
import { addHintToNotFound, CommandError } from '../terminal/errors.ts';
import { type CommandResult, printResult } from '../terminal/output.ts';
import { deliveryRecord, deliveryTable, webhookTable } from './webhook-table.ts';

const listExamples = `
Examples
  affiliate webhook list
  affiliate webhook list --json`;

const deliveriesExamples = `
Deliveries are kept for 30 days. With --json they come with every attempt and the beginning of what the receiver answered.

Examples
  affiliate webhook deliveries 5
  affiliate webhook deliveries 5 --limit 50 --json`;

const replayExamples = `
A delivery that is replayed keeps its number. It is sent by the running service, or by affiliate worker.

Example
  affiliate webhook replay dlv_88`;

export function addWebhook(program: Command): void {
  const webhook = program.command('webhook').description('the webhooks and what was sent to them');
  webhook.command('list').description('all webhooks, newest first').addHelpText('after', listExamples).action(printResult(list));
  webhook
    .command('deliveries')
    .argument('<id>', 'of the webhook, as affiliate webhook list shows it')
    .option('--limit <number>', 'how many, 1 to 1000', '20')
    .description('the last deliveries of a webhook, newest first')
    .addHelpText('after', deliveriesExamples)
    .action(printResult(deliveries));
  webhook
    .command('replay')
    .argument('<delivery>', 'as affiliate webhook deliveries shows it: dlv_88, or 88')
    .description('send a delivery again')
    .addHelpText('after', replayExamples)
    .action(printResult(replay));
}

const list = (): Promise<CommandResult> =>
  withExistingDatabase(async (session) => {
    const webhooks = await session.database.read((stores) => listAllWebhooks(stores.webhooks));
    const records = webhooks.map((webhook) => webhookView(webhook, session.settings));
    return { json: records, text: webhookTable(webhooks, session) };
  });

async function deliveries(given: string, { limit }: { limit: string }): Promise<CommandResult> {
  const id = numberOf(given, `"${given}" is not the id of a webhook. affiliate webhook list shows them.`);
  const perPage = numberOf(limit, `--limit is "${limit}". It must be a number from 1 to 1000.`, 1000);
  return withContext(async ({ database, zone }) => {
    const { items } = await database.read(async (stores) => {
      if (!(await stores.webhooks.byId(id))) throw new CommandError(`There is no webhook ${id}. affiliate webhook list shows them.`);
      return listDeliveries(stores, id, { page: 1, perPage });
    });
    const records = items.map((delivery) => deliveryRecord(delivery, zone));
    return { json: records, text: deliveryTable(records) };
  });
}

async function replay(given: string): Promise<CommandResult> {
  const id = numberOf(given.replace(/^dlv_/, ''), `"${given}" is not the number of a delivery. affiliate webhook deliveries shows them.`);
  return withContext(async ({ database, now }) => {
    await database
      .write((transaction) => replayDelivery(transaction, id, now))
      .catch(addHintToNotFound('affiliate webhook deliveries shows them.'));
    const name = deliveryName(id);
    return { json: { id: name, status: 'pending' }, text: `Delivery ${name} is sent again, as soon as the service or a worker runs.` };
  });
}

function numberOf(given: string, refusal: string, most = Number.MAX_SAFE_INTEGER): number {
  const number = /^[1-9]\d*$/.test(given) ? Number(given) : Number.NaN;
  if (number <= most) return number;
  throw new CommandError(refusal);
}
