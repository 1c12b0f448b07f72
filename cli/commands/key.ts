import type { Command } from 'commander';
import { createKey } from '../../domain/keys/create.ts';
import type { ApiKey } from '../../domain/keys/key.ts';
import { revokeKey } from '../../domain/keys/revoke.ts';
import type { Stores } from '../../domain/ports.ts';
import { systemRandom } from '../../domain/random.ts';
import { type CommandContext, withContext, withExistingDatabase } from '../context.ts';
import { operatorAs, systemCaller } from '../operator.ts';
import { CommandError } from '../terminal/errors.ts';
import { type CommandResult, printResult } from '../terminal/output.ts';
import { description, expiresDay, keyId, scopes } from './key-input.ts';
import { keyRecord, keyTable, type ListedKey } from './key-table.ts';
import { userNamed } from './known-users.ts';

const createExamples = `
Examples
  affiliate key create --user ada --scopes read,write,manage
  affiliate key create --user ada --scopes read --expires 2030-12-31 --description "order feed"`;

const listExamples = `
Examples
  affiliate key list
  affiliate key list --user ada --json`;

const revokeExamples = `
Example
  affiliate key revoke 3`;

export function addKey(program: Command): void {
  const key = program.command('key').description('the API keys');
  key
    .command('create')
    .description('create a key and show its token, this once only')
    .requiredOption('--user <login>', 'whose key it is: login or email')
    .requiredOption('--scopes <scopes>', 'one or more of read,write,manage')
    .option('--expires <day>', 'the last day on which it works, YYYY-MM-DD of the store (default: never)')
    .option('--description <text>', 'what it is for, at most 200 characters')
    .addHelpText('after', createExamples)
    .action(printResult(create));
  key
    .command('list')
    .description('all keys, newest first')
    .option('--user <login>', 'those of one user: login or email')
    .addHelpText('after', listExamples)
    .action(printResult(list));
  key
    .command('revoke')
    .argument('<id>', 'as affiliate key list shows it')
    .description('revoke a key, at once and for good')
    .addHelpText('after', revokeExamples)
    .action(printResult(revoke));
}

interface CreateOptions {
  user: string;
  scopes: string;
  expires?: string;
  description?: string;
}

async function create(options: CreateOptions): Promise<CommandResult> {
  const request = {
    scopes: scopes(options.scopes),
    description: description(options.description ?? ''),
    ...(options.expires !== undefined && { expiresDay: expiresDay(options.expires) }),
  };
  return withContext(async (session) => {
    const { key, user, token } = await session.database.write(async (transaction) => {
      const owner = operatorAs(await userNamed(transaction.users, options.user));
      return createKey(transaction, owner, request, { now: session.now, zone: session.zone, random: systemRandom });
    });
    const text = `${token}\n\nKey ${key.id} of ${user.login} (${key.scopes.join(', ')}). Keep the token now: it cannot be shown again.`;
    return { json: { ...keyRecord(key, user, session), token }, text };
  });
}

const list = ({ user }: { user?: string }): Promise<CommandResult> =>
  withExistingDatabase(async (session) => {
    const listed = await session.database.read(async (stores) => {
      const userId = user === undefined ? undefined : (await userNamed(stores.users, user)).id;
      return withUsers(await allKeys(stores, { today: session.today, ...(userId !== undefined && { userId }) }), stores, session);
    });
    return { json: listed.map(({ record }) => record), text: keyTable(listed, session) };
  });

/** Page by page, inside one read: the collection cannot move meanwhile. */
async function allKeys({ keys }: Stores, filter: Parameters<Stores['keys']['page']>[0]): Promise<ApiKey[]> {
  const perPage = 500;
  const found: ApiKey[] = [];
  for (let page = 1; ; page += 1) {
    const { items, total } = await keys.page(filter, { page, perPage });
    found.push(...items);
    if (page * perPage >= total) return found;
  }
}

async function withUsers(keys: ApiKey[], { users }: Stores, session: CommandContext): Promise<ListedKey[]> {
  const owners = await users.byIds([...new Set(keys.map(({ userId }) => userId))]);
  const byId = new Map(owners.map((owner) => [owner.id, owner]));
  return keys.map((key) => ({ key, record: keyRecord(key, byId.get(key.userId) ?? systemCaller.user, session) }));
}

async function revoke(given: string): Promise<CommandResult> {
  const id = keyId(given);
  return withContext(async ({ database, now }) => {
    const key = await database.write(async (transaction) => {
      const found = await transaction.keys.byId(id);
      if (!found) throw new CommandError(`There is no key ${id}. affiliate key list shows them.`);
      const owner = await transaction.users.byId(found.userId);
      await revokeKey(transaction, owner ? operatorAs(owner) : systemCaller, id, now);
      return found;
    });
    return { json: { id, revoked: true }, text: `Key ${id} (${key.prefix}…) is revoked.` };
  });
}
