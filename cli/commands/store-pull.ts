import type { Command } from 'commander';
import type { PullingConnector } from '../../connectors/connector.ts';
import { getConnector, pullPlatforms } from '../../connectors/index.ts';
import { createVisitorHasher } from '../../domain/clicks/record.ts';
import { systemClock } from '../../domain/clock.ts';
import { localDateTime, startOfDay } from '../../domain/dates.ts';
import { createSecrets } from '../../domain/master-key/secrets.ts';
import { systemRandom } from '../../domain/random.ts';
import type { StoreConnection } from '../../domain/store/connection.ts';
import { openMasterKey } from '../../server/auth/master-key.ts';
import { readConfiguration } from '../../server/configuration.ts';
import { type PullResult, pullOrders } from '../../server/store/pull.ts';
import { openShopApi } from '../../server/store/shop-api.ts';
import { getUrlRules } from '../../server/webhooks/send.ts';
import { type CommandContext, withExistingDatabase } from '../context.ts';
import { formatCount, formatProgress } from '../terminal/format.ts';
import { CommandError, type CommandResult, calendarDay, type OutputOptions, onInterrupt, printResult } from '../terminal/output.ts';
import { createStatusLine } from '../terminal/progress.ts';
import { supportsBlockCharacters } from '../terminal/text.ts';

const pullHelp = `
Reads from the REST API of the connected ${pullPlatforms} shop what its webhooks did not deliver, and records it by the same rules. Refunds are read
line by line, so that their amounts are exact. The command may be repeated at any time, also while webhooks arrive: nothing is recorded twice.

It begins where the last pull ended, or with the first order of the shop. --since begins at another day, in the store's time zone; orders that
were refused are read again that way, after their reason is removed. A pull that was interrupted continues where it stopped.

Examples
  affiliate store pull
  affiliate store pull --since 2026-11-01
  affiliate store pull --json`;

export function addPull(store: Command): void {
  store
    .command('pull')
    .option('--since <day>', 'read the orders that changed on this day or later: YYYY-MM-DD', calendarDay('--since'))
    .description(`read the orders that webhooks did not deliver (${pullPlatforms})`)
    .addHelpText('after', pullHelp)
    .action(printResult(pull));
}

interface PullCommandOptions extends OutputOptions {
  since?: string;
}

const pull = (options: PullCommandOptions): Promise<CommandResult> =>
  withExistingDatabase(async (context) => {
    const { database, settings, zone } = context;
    const configuration = readConfiguration(process.env);
    const { connector, connection } = await findPulled(context);
    const masterKey = await openMasterKey(database, configuration, () => {});
    const secret = createSecrets('store_api_secret', masterKey, systemRandom).decrypt(connection.encryptedApiSecret, connection.id);
    const rules = getUrlRules(settings, configuration);
    const line = createStatusLine(options);
    const again = `What was read is recorded. ${options.since === undefined ? 'Repeat the command: it continues there.' : 'Repeat the command.'}`;
    const release = onInterrupt(() => void process.stderr.write(`Stopped. ${again}\n`));
    try {
      const result = await pullOrders({
        storage: database,
        clock: systemClock,
        settings,
        connector,
        connection,
        hashVisitor: createVisitorHasher(masterKey.visitorKey),
        api: openShopApi({ api: connector.pull, url: connection.apiUrl, key: connection.apiKey, secret, rules }),
        since: options.since === undefined ? null : startOfDay(options.since, zone),
        progress: (orders, total) => line.show(describeProgress(orders, total)),
      });
      line.clear();
      const stored = await database.read(({ connections }) => connections.byId(connection.id));
      const failure = result.failure === null ? null : `${result.failure} ${again}`;
      return describe({ ...result, failure }, stored?.pulledTo ?? null, zone);
    } finally {
      release();
      line.clear();
    }
  });

type PulledConnection = StoreConnection & { apiUrl: string; apiKey: string; encryptedApiSecret: string };

const isPulled = (connection: StoreConnection): connection is PulledConnection =>
  connection.apiUrl !== null && connection.apiKey !== null && connection.encryptedApiSecret !== null;

async function findPulled({ database }: CommandContext): Promise<{ connector: PullingConnector; connection: PulledConnection }> {
  const connection = await database.read(({ connections }) => connections.active());
  if (!connection) throw new CommandError('No shop is connected. affiliate store connect connects one.');
  const connector = getConnector(connection.platform);
  if (connector.pull === null) throw new CommandError(`Orders are pulled from ${pullPlatforms} only. ${connector.whyNoPull}`);
  if (!isPulled(connection))
    throw new CommandError(
      `The key to the shop's REST API is missing: affiliate store secret ${connection.id} --api-url https://… --api-key ${connector.pull.keyExample} --api-secret-stdin.`,
    );
  return { connector, connection };
}

function describeProgress(orders: number, total: number | null): string {
  if (!total) return `${formatCount(orders)} orders`;
  return `${formatProgress(orders / total, !supportsBlockCharacters())}  ${formatCount(orders)} of ${formatCount(total)} orders`;
}

const maxListed = 20;

function describe({ outcomes, refused, failure }: PullResult, pulledTo: number | null, zone: string): CommandResult {
  const until = pulledTo === null ? null : localDateTime(pulledTo, zone);
  const { created, updated, unchanged, ignored } = outcomes;
  const counts = Object.entries(outcomes).map(([outcome, count]) => `${formatCount(count)} ${outcome}`);
  const listed = refused.slice(0, maxListed).map(({ orderId, reason }) => `  order ${orderId ?? '(without a number)'}: ${reason}`);
  return {
    json: {
      complete: failure === null,
      created,
      updated,
      unchanged,
      ignored,
      refused: refused.map(({ orderId, reason }) => ({ order_id: orderId, reason })),
      pulled_to: until,
    },
    text: [
      `Orders: ${counts.join(', ')}.`,
      ...(refused.length === 0 ? [] : ['Refused:', ...listed]),
      ...(refused.length > maxListed ? [`  and ${formatCount(refused.length - maxListed)} more; --json lists all.`] : []),
      ...(until === null ? [] : [`Changes until ${until.replace('T', ' ')} are recorded.`]),
    ].join('\n'),
    ...(failure === null ? {} : { failure }),
  };
}
