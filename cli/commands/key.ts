import type { Command } from 'commander';
import { dayOf } from '../../domain/dates.ts';
import { type ApiKey, scopeOrder } from '../../domain/keys/key.ts';
import { createKey, type KeyRequest, revokeKey } from '../../domain/keys/manage.ts';
import { systemRandom } from '../../domain/random.ts';
import type { User } from '../../domain/users/user.ts';
import type { Scope } from '../../generated/operations.ts';
import { keyView } from '../../handlers/views/key.ts';
import { type CommandContext, withContext, withExistingDatabase } from '../context.ts';
import { getUser, operatorAs, systemCaller } from '../operator.ts';
import { formatAge } from '../terminal/format.ts';
import { examples } from '../terminal/help.ts';
import { CommandError, type CommandResult, calendarDay, printResult, recordId } from '../terminal/output.ts';
import { formatTable, numberColumn, type TableColumn } from '../terminal/table.ts';

const listHint = 'affiliate key list shows them.';

export function addKey(program: Command): void {
  const key = program.command('key').description('the API keys');
  key
    .command('create')
    .description('create a key and show its token, this once only')
    .requiredOption('--user <login>', 'the owner: login or email')
    .option('--scopes <scopes>', 'one or more of read,write,manage', parseScopes)
    .option('--for-agent', 'a key that reads, for 90 days, and the configuration of an agent to paste')
    .option(
      '--expires <day>',
      'the last day on which it works, YYYY-MM-DD of the store (default: never; for an agent: 90 days)',
      calendarDay('--expires'),
    )
    .option('--description <text>', 'what it is for, at most 200 characters', parseDescription)
    .addHelpText(
      'after',
      examples(
        'affiliate key create --user ada --scopes read,write,manage',
        'affiliate key create --user ada --for-agent',
        'affiliate key create --user ada --scopes read --expires 2030-12-31 --description "order feed"',
      ),
    )
    .action(printResult(create));
  key
    .command('list')
    .description('all keys, newest first')
    .option('--user <login>', 'only the keys of this user: login or email')
    .addHelpText('after', examples('affiliate key list', 'affiliate key list --user ada --json'))
    .action(printResult(list));
  key
    .command('revoke')
    .argument('<id>', 'as affiliate key list shows it', recordId('key', listHint))
    .description('revoke a key, at once and for good')
    .addHelpText('after', examples('affiliate key revoke 3'))
    .action(printResult(revoke));
}

function parseScopes(list: string): Scope[] {
  return list.split(',').map((word) => {
    const scope = scopeOrder.find((candidate) => candidate === word.trim());
    if (scope) return scope;
    throw new CommandError(`There is no scope "${word.trim()}". Name one or more of ${scopeOrder.join(',')}, separated by commas.`);
  });
}

function parseDescription(text: string): string {
  if (text.length <= 200) return text;
  throw new CommandError(`The description has ${text.length} characters. At most 200 are allowed.`);
}

interface CreateKeyOptions {
  user: string;
  scopes?: Scope[];
  forAgent?: true;
  expires?: string;
  description?: string;
}

const create = ({ user: name, ...options }: CreateKeyOptions): Promise<CommandResult> =>
  withContext(async (context) => {
    const { database, now, zone } = context;
    const { key, user, token } = await database.write(async (transaction) => {
      const owner = operatorAs(await getUser(transaction.users, name));
      return createKey(transaction, owner, readRequest(options, context), { now, zone, random: systemRandom });
    });
    const sentence = `Key ${key.id} of ${user.login} (${key.scopes.join(', ')}). Keep the token now: it cannot be shown again.`;
    const record = { ...keyRecord(key, user, context), token };
    if (!options.forAgent) return { json: record, text: `${token}\n\n${sentence}` };
    const configuration = getAgentConfiguration(token, context);
    return {
      json: { ...record, configuration },
      text: [token, sentence, ...describeConfiguration(configuration, key, context)].join('\n\n'),
    };
  });

const agentDays = 90;

function readRequest(
  { scopes, forAgent, expires, description }: Omit<CreateKeyOptions, 'user'>,
  { now, zone }: CommandContext,
): KeyRequest {
  if (forAgent && scopes) throw new CommandError('A key for an agent has the scope read. Leave out --scopes, or --for-agent.');
  if (!forAgent && !scopes) throw new CommandError('The option --scopes <scopes> is missing. Name one or more of read,write,manage.');
  const expiresDay = expires ?? (forAgent && dayOf(now + agentDays * 86_400_000, zone));
  return {
    scopes: scopes ?? ['read'],
    description: description ?? (forAgent ? 'Agent' : ''),
    ...(expiresDay !== undefined && { expiresDay }),
  };
}

/** As most clients read it. */
const getAgentConfiguration = (token: string, { settings: { service } }: CommandContext) => ({
  mcpServers: {
    'affiliate-program': {
      type: 'http',
      url: `${service.url.replace(/\/+$/, '') || 'http://127.0.0.1:8080'}/mcp`,
      headers: { Authorization: `Bearer ${token}` },
    },
  },
});

function describeConfiguration(configuration: object, { id }: ApiKey, { settings }: CommandContext): string[] {
  return [
    'Paste this into the configuration of the agent:',
    JSON.stringify(configuration, null, 2),
    ...(settings.service.url === '' ? ['The setting service.url is empty: put the address of this service into url.'] : []),
    ...(settings.addons.agents ? [] : ['The add-on is inactive. Activate it: affiliate settings set addons.agents true']),
    `To take the key away: affiliate key revoke ${id}`,
  ];
}

/** The API's own record, so that scripts read the same fields from both. */
type KeyRecord = ReturnType<typeof keyView>;

const keyRecord = (key: ApiKey, user: User, { settings, now }: CommandContext): KeyRecord =>
  keyView(key, user, { caller: operatorAs(user), settings, now });

const noLimit = { page: 1, perPage: 1_000_000_000 };

const list = ({ user }: { user?: string }): Promise<CommandResult> =>
  withExistingDatabase(async (context) => {
    const listed = await context.database.read(async (db) => {
      const filter = { today: context.today, ...(user !== undefined && { userId: (await getUser(db.users, user)).id }) };
      const { items: keys } = await db.keys.page(filter, noLimit);
      const owners = await db.users.byIds([...new Set(keys.map(({ userId }) => userId))]);
      const byId = new Map(owners.map((owner) => [owner.id, owner]));
      return keys.map((key) => ({ key, record: keyRecord(key, byId.get(key.userId) ?? systemCaller.user, context) }));
    });
    return { json: listed.map(({ record }) => record), text: keyTable(listed, context) };
  });

const colors = { active: 'green', expired: 'yellow', revoked: 'dim' } as const;
const status: TableColumn = { name: 'STATUS', color: (cell) => colors[cell as KeyRecord['status']] };

function keyTable(keys: readonly { key: ApiKey; record: KeyRecord }[], { now, zone }: CommandContext): string {
  if (keys.length === 0) return 'There are no keys. affiliate key create creates one.';
  const rows = keys.map(({ key, record }) => [
    String(record.id),
    `${record.key_prefix}…`,
    record.user.login ?? '-',
    record.scopes.join(','),
    record.status,
    formatAge(key.lastUsedAt, now, zone),
    record.date_expires?.slice(0, 10) ?? 'never',
    record.description,
  ]);
  return formatTable([numberColumn('ID'), 'TOKEN', 'USER', 'SCOPES', status, 'LAST USED', 'EXPIRES', 'DESCRIPTION'], rows);
}

const revoke = (id: number): Promise<CommandResult> =>
  withContext(async ({ database, now }) => {
    const key = await database.write(async (transaction) => {
      const found = await transaction.keys.byId(id);
      if (!found) throw new CommandError(`There is no key ${id}. ${listHint}`);
      const owner = await transaction.users.byId(found.userId);
      await revokeKey(transaction, owner ? operatorAs(owner) : systemCaller, id, now);
      return found;
    });
    return { json: { id, revoked: true }, text: `Key ${id} (${key.prefix}…) is revoked.` };
  });
