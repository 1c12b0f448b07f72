import { Argument, type Command } from 'commander';
import { allConnectors, getConnector, platforms, pullingConnectors, pullPlatforms } from '../../connectors/index.ts';
import { localDateTime } from '../../domain/dates.ts';
import { ApiError } from '../../domain/errors.ts';
import { systemRandom } from '../../domain/random.ts';
import type { StoreConnection, StorePlatform } from '../../domain/store/connection.ts';
import {
  changeApi,
  connectStore,
  createStoreSecret,
  disconnectStore,
  getActiveConnection,
  newConnectionId,
  setStoreSecret,
} from '../../domain/store/manage-connections.ts';
import { connectionStatus, connectionUrl, connectionView, setupSteps, storeDeliveryView } from '../../handlers/views/store-connection.ts';
import { isAddOnActive } from '../../site/served.ts';
import { type CommandContext, withContext, withExistingDatabase } from '../context.ts';
import { examples } from '../terminal/help.ts';
import { CommandError, type CommandResult, printResult, singleLine, wholeNumber } from '../terminal/output.ts';
import { formatTable, type TableColumn } from '../terminal/table.ts';
import { addPull } from './store-pull.ts';
import { noApi, openSecrets, readApi, readSecrets, type SecretOptions } from './store-secrets.ts';

const ownSecret = new Intl.ListFormat('en').format(allConnectors.filter(({ setup }) => !setup.usesOurSecret).map(({ title }) => title));

const connectHelp = `
Prints the address that the shop sends its webhooks to, and what to click and paste there. A program is attached to one store: disconnect the
former connection first. ${ownSecret} show a secret of their own after the address is entered; all deliveries are
refused until affiliate store secret sets it. For others, one is made.

${pullingConnectors.map(({ pull }) => pull.help).join('\n\n')}
${examples(...allConnectors.flatMap(({ setup }) => setup.examples))}`;

const apiExamples = pullingConnectors.map(
  ({ pull }) => `affiliate store secret 3f0c… --api-url https://shop.example --api-key ${pull.keyExample} --api-secret-stdin < secret.txt`,
);
const secretHelp = examples('affiliate store secret 3f0c… --secret-stdin < secret.txt', ...apiExamples);

const hint = 'affiliate store list shows them.';

export function addStore(program: Command): void {
  const store = program.command('store').description('the connection to the shop that sends its orders');
  store
    .command('connect')
    .addArgument(new Argument('<platform>', 'the platform of the shop').choices(platforms))
    .option('--name <text>', 'what to call the connection', singleLine('--name', 200), '')
    .option('--secret-stdin', 'read the signing secret from the first line of standard input')
    .option('--api-url <url>', `address of a ${pullPlatforms} shop, for affiliate store pull`)
    .option('--api-key <key>', 'consumer key of its REST API', singleLine('--api-key', 200))
    .option('--api-secret-stdin', 'read the consumer secret from standard input')
    .description('connect the shop, and print what to enter there')
    .addHelpText('after', connectHelp)
    .action(printResult(connect));
  store
    .command('secret')
    .argument('<id>', 'of the connection')
    .option('--secret-stdin', 'read the signing secret from the first line of standard input')
    .option('--api-url <url>', `address of a ${pullPlatforms} shop; by default the one that is set`)
    .option('--api-key <key>', 'consumer key of its REST API; by default the one that is set', singleLine('--api-key', 200))
    .option('--api-secret-stdin', 'read the consumer secret from standard input, after the signing secret if both are given')
    .description('set the secret that the shop signs with, or the key for affiliate store pull')
    .addHelpText('after', secretHelp)
    .action(printResult(setSecret));
  store
    .command('list')
    .description('all connections, newest first')
    .addHelpText('after', examples('affiliate store list', 'affiliate store list --json'))
    .action(printResult(list));
  store
    .command('show')
    .argument('<id>', 'of the connection')
    .description('a connection, its address and what to enter in the shop')
    .addHelpText('after', examples('affiliate store show 3f0c…'))
    .action(printResult(show));
  store
    .command('deliveries')
    .argument('<id>', 'of the connection')
    .option('--limit <number>', 'how many, 1 to 1000', wholeNumber('--limit', 1, 1000), 20)
    .description('what the shop sent within the last 30 days, newest first')
    .addHelpText('after', examples('affiliate store deliveries 3f0c…', 'affiliate store deliveries 3f0c… --limit 100 --json'))
    .action(printResult(deliveries));
  addPull(store);
  store
    .command('disconnect')
    .argument('<id>', 'of the connection')
    .description('refuse everything that the shop sends to this connection')
    .addHelpText('after', examples('affiliate store disconnect 3f0c…'))
    .action(printResult(disconnect));
}

interface ConnectOptions extends SecretOptions {
  name: string;
}

const connect = (platform: StorePlatform, { name, ...options }: ConnectOptions): Promise<CommandResult> =>
  withContext(async (context) => {
    const { database, settings, now } = context;
    if (settings.service.url === '')
      throw new CommandError('The shop needs the public address of this service. Set it: affiliate settings set service.url https://….');
    const { signing: given, api: apiSecret } = await readSecrets(options);
    const { usesOurSecret } = getConnector(platform).setup;
    const secret = given ?? (usesOurSecret ? createStoreSecret(systemRandom) : null);
    const secrets = await openSecrets(context, 'store_secret');
    const id = newConnectionId(systemRandom);
    const api = apiSecret === null ? undefined : await readApi({ id, platform }, { ...noApi, ...options }, apiSecret, context);
    const connection = await database.write((transaction) =>
      connectStore(transaction, { id, platform, name, secret, api }, { now, random: systemRandom, secrets }),
    );
    const url = connectionUrl(connection, context.settings);
    const shown = usesOurSecret ? secret : null;
    return { json: { id: connection.id, platform, url, secret: shown }, text: describeSetup(connection, shown, context) };
  });

const setSecret = (id: string, options: SecretOptions): Promise<CommandResult> =>
  withExistingDatabase(async (context) => {
    if (!options.secretStdin && !options.apiSecretStdin) throw new CommandError('Add --secret-stdin, --api-secret-stdin, or both.');
    const { signing, api: apiSecret } = await readSecrets(options);
    const secrets = await openSecrets(context, 'store_secret');
    const connection = await context.database.read((db) => getActiveConnection(db, id)).catch(explainUnknown);
    const api = apiSecret === null ? null : await readApi(connection, { ...connection, ...options }, apiSecret, context);
    await context.database.write(async (transaction) => {
      if (signing !== null) await setStoreSecret(transaction, connection, signing, secrets);
      if (api) await changeApi(transaction, connection, api);
    });
    const sentences = [
      ...(signing === null ? [] : [`Connection ${id} accepts what is signed with this secret.`]),
      ...(api ? [`affiliate store pull reads the orders of ${api.apiUrl}.`] : []),
    ];
    return { json: { id }, text: sentences.join('\n') };
  });

const list = (): Promise<CommandResult> =>
  withExistingDatabase(async (context) => {
    const connections = await context.database.read((db) => db.connections.all());
    const records = connections.map((connection) => recordOf(connection, context));
    if (records.length === 0) return { json: records, text: 'No shop is connected. affiliate store connect connects one.' };
    const rows = records.map(({ id, platform, name, status, date_created }) => [id, platform, name || '-', status, date_created]);
    return { json: records, text: formatTable(['ID', 'PLATFORM', 'NAME', status, 'CREATED'], rows) };
  });

const show = (id: string): Promise<CommandResult> =>
  withExistingDatabase(async (context) => {
    const connection = await context.database.read((db) => db.connections.byId(id));
    if (!connection) throw unknown(id);
    return { json: recordOf(connection, context), text: describeSetup(connection, null, context) };
  });

const deliveries = (id: string, { limit }: { limit: number }): Promise<CommandResult> =>
  withExistingDatabase(async ({ database, zone }) => {
    const { items } = await database.read(async ({ connections }) => {
      if (!(await connections.byId(id))) throw unknown(id);
      return connections.deliveries(id, { page: 1, perPage: limit });
    });
    const records = items.map((delivery) => storeDeliveryView(delivery, zone));
    if (records.length === 0) return { json: records, text: 'Nothing was received within the last 30 days.' };
    const rows = records.map(({ date, topic, order_id, outcome, reason }) => [
      date.replace('T', ' '),
      topic || '-',
      String(order_id ?? '-'),
      outcome,
      reason ?? '-',
    ]);
    return { json: records, text: formatTable(['DATE', 'TOPIC', 'ORDER', 'OUTCOME', 'REASON'], rows) };
  });

const disconnect = (id: string): Promise<CommandResult> =>
  withExistingDatabase(async ({ database, now }) => {
    await database.write((transaction) => disconnectStore(transaction, id, now)).catch(explainUnknown);
    return { json: { id, status: 'disconnected' }, text: `Connection ${id} accepts nothing any more. Remove its webhooks in the shop.` };
  });

const unknown = (id: string): CommandError => new CommandError(`There is no connection ${id}. ${hint}`);

function explainUnknown(error: unknown): never {
  throw error instanceof ApiError ? new CommandError(`${error.message} ${hint}`) : error;
}

const statusOf = (connection: StoreConnection): string => connectionStatus(connection).replace('_', ' ');
const status: TableColumn = { name: 'STATUS', color: (cell) => (cell === 'active' ? 'green' : 'yellow') };

const recordOf = (connection: StoreConnection, { settings }: CommandContext) => ({
  ...connectionView(connection, settings),
  status: statusOf(connection),
});

function describeSetup(connection: StoreConnection, secret: string | null, context: CommandContext): string {
  const isActive = isAddOnActive('store', context.settings);
  return [
    `Connection ${connection.id} (${connection.platform}, ${statusOf(connection)})`,
    `URL     ${connectionUrl(connection, context.settings)}`,
    ...(secret === null ? [] : [`Secret  ${secret}`, '        It is shown only here.']),
    ...describePull(connection, context),
    '',
    ...setupSteps(connection, context.settings),
    ...(connection.encryptedSecret === null ? [`affiliate store secret ${connection.id} --secret-stdin sets it.`] : []),
    ...(isActive ? [] : ['', 'The add-on is inactive, so nothing is accepted yet: affiliate settings set addons.store true']),
  ].join('\n');
}

function describePull({ apiUrl, pulledAt }: StoreConnection, { zone }: CommandContext): string[] {
  if (apiUrl === null) return [];
  return [
    `Pull    ${apiUrl}, ${pulledAt === null ? 'not pulled yet' : `last complete ${localDateTime(pulledAt, zone).replace('T', ' ')}`}`,
  ];
}
