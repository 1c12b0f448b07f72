import type { Command } from 'commander';
import { type ApiKey, scopeOrder } from '../../domain/keys/key.ts';
import { createKey, revokeKey } from '../../domain/keys/manage.ts';
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
    .requiredOption('--scopes <scopes>', 'one or more of read,write,manage', parseScopes)
    .option('--expires <day>', 'the last day on which it works, YYYY-MM-DD of the store (default: never)', calendarDay('--expires'))
    .option('--description <text>', 'what it is for, at most 200 characters', parseDescription)
    .addHelpText(
      'after',
      examples(
        'affiliate key create --user ada --scopes read,write,manage',
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
  scopes: Scope[];
  expires?: string;
  description?: string;
}

const create = ({ user: name, scopes, expires, description = '' }: CreateKeyOptions): Promise<CommandResult> =>
  withContext(async (context) => {
    const { database, now, zone } = context;
    const { key, user, token } = await database.write(async (transaction) => {
      const owner = operatorAs(await getUser(transaction.users, name));
      const request = { scopes, description, ...(expires !== undefined && { expiresDay: expires }) };
      return createKey(transaction, owner, request, { now, zone, random: systemRandom });
    });
    const text = `${token}\n\nKey ${key.id} of ${user.login} (${key.scopes.join(', ')}). Keep the token now: it cannot be shown again.`;
    return { json: { ...keyRecord(key, user, context), token }, text };
  });

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
