import type { Command } from 'commander';
import { deliveryName } from '../../domain/webhooks/delivery.ts';
import { listDeliveries, replayDelivery } from '../../domain/webhooks/delivery-queue.ts';
import { listAllWebhooks } from '../../domain/webhooks/manage.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import { deliveryView, webhookView } from '../../handlers/views/webhook.ts';
import { type CommandContext, withContext, withExistingDatabase } from '../context.ts';
import { formatAge } from '../terminal/format.ts';
import { examples } from '../terminal/help.ts';
import { addHintToNotFound, CommandError, type CommandResult, printResult, recordId, wholeNumber } from '../terminal/output.ts';
import { formatTable, numberColumn, type TableColumn } from '../terminal/table.ts';
import type { Color } from '../terminal/text.ts';

const deliveriesExamples = `
Deliveries are stored for 30 days. With --json they include the newest 20 attempts and the beginning of the receiver's response.

Examples
  affiliate webhook deliveries 5
  affiliate webhook deliveries 5 --limit 50 --json`;

const replayExamples = `
A replayed delivery keeps its id. It is sent by the running service, or by affiliate worker.

Example
  affiliate webhook replay dlv_88`;

const webhookHint = 'affiliate webhook list shows them.';
const deliveryHint = 'affiliate webhook deliveries shows them.';

export function addWebhook(program: Command): void {
  const webhook = program.command('webhook').description('the webhooks and their deliveries');
  webhook
    .command('list')
    .description('all webhooks, newest first')
    .addHelpText('after', examples('affiliate webhook list', 'affiliate webhook list --json'))
    .action(printResult(list));
  webhook
    .command('deliveries')
    .argument('<id>', 'of the webhook, as affiliate webhook list shows it', recordId('webhook', webhookHint))
    .option('--limit <number>', 'how many, 1 to 1000', wholeNumber('--limit', 1, 1000), 20)
    .description('the last deliveries of a webhook, newest first')
    .addHelpText('after', deliveriesExamples)
    .action(printResult(deliveries));
  webhook
    .command('replay')
    .argument('<delivery>', 'as affiliate webhook deliveries shows it: dlv_88, or 88', recordId('delivery', deliveryHint, 'dlv_'))
    .description('send a delivery again')
    .addHelpText('after', replayExamples)
    .action(printResult(replay));
}

const list = (): Promise<CommandResult> =>
  withExistingDatabase(async (context) => {
    const webhooks = await context.database.read((db) => listAllWebhooks(db.webhooks));
    const records = webhooks.map((webhook) => webhookView(webhook, context.settings));
    return { json: records, text: webhookTable(webhooks, context) };
  });

const deliveries = (id: number, { limit }: { limit: number }): Promise<CommandResult> =>
  withContext(async ({ database, zone }) => {
    const { items } = await database.read(async (db) => {
      if (!(await db.webhooks.byId(id))) throw new CommandError(`There is no webhook ${id}. ${webhookHint}`);
      return listDeliveries(db, id, { page: 1, perPage: limit });
    });
    const records = items.map((delivery) => deliveryView(delivery, zone));
    return { json: records, text: deliveryTable(records) };
  });

const replay = (id: number): Promise<CommandResult> =>
  withContext(async ({ database, now }) => {
    await database.write((transaction) => replayDelivery(transaction, { id }, now)).catch(addHintToNotFound(deliveryHint));
    const name = deliveryName(id);
    const text = `Delivery ${name} will be sent again as soon as the service or a worker runs.`;
    return { json: { id: name, status: 'pending' }, text };
  });

const colors: Record<string, Color> = { active: 'green', delivered: 'green', pending: 'yellow', disabled: 'yellow', failed: 'red' };
const status: TableColumn = { name: 'STATUS', color: (cell) => colors[cell] ?? null };

function webhookTable(webhooks: readonly Webhook[], { now, zone }: CommandContext): string {
  if (webhooks.length === 0) return 'There are no webhooks. POST /webhooks creates one.';
  const rows = webhooks.map((webhook) => [
    String(webhook.id),
    webhook.name || '-',
    webhook.url,
    webhook.events.join(','),
    webhook.status,
    String(webhook.failures),
    formatAge(webhook.lastDeliveryAt, now, zone),
    webhook.lastError || '-',
  ]);
  const columns = [numberColumn('ID'), 'NAME', 'URL', 'EVENTS', status, numberColumn('FAILURES'), 'LAST DELIVERY', 'LAST ERROR'];
  return formatTable(columns, rows);
}

const deliveryColumns = [
  'DELIVERY',
  'EVENT',
  'DATE',
  status,
  numberColumn('ATTEMPTS'),
  'LAST ATTEMPT',
  numberColumn('CODE'),
  'NEXT ATTEMPT',
  'LAST ERROR',
];

function deliveryTable(deliveries: readonly ReturnType<typeof deliveryView>[]): string {
  if (deliveries.length === 0) return 'Nothing was sent to it within the last 30 days.';
  const moment = (at: string | null | undefined): string => at?.replace('T', ' ') ?? '-';
  const rows = deliveries.map(({ attempts, ...delivery }) => {
    const last = attempts.at(-1);
    return [
      delivery.id,
      delivery.event,
      moment(delivery.date),
      delivery.status,
      String(attempts.length),
      moment(last?.date),
      String(last?.code ?? '-'),
      moment(delivery.next_attempt),
      last?.error || '-',
    ];
  });
  return formatTable(deliveryColumns, rows);
}
