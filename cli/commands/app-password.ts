import type { Command } from 'commander';
import { localDateTime } from '../../domain/dates.ts';
import { ApiError } from '../../domain/errors.ts';
import { systemRandom } from '../../domain/random.ts';
import { createAppPassword, revokeAppPassword } from '../../domain/users/app-password.ts';
import type { AppPassword } from '../../domain/users/user.ts';
import { withContext, withExistingDatabase } from '../context.ts';
import { getUser, systemCaller } from '../operator.ts';
import { formatAge } from '../terminal/format.ts';
import { examples } from '../terminal/help.ts';
import { CommandError, type CommandResult, calendarDay, printResult, recordId, singleLine } from '../terminal/output.ts';
import { formatTable, numberColumn } from '../terminal/table.ts';

const listHint = 'affiliate user app-passwords <login> shows them.';
const userId = systemCaller.user.id;

/** The commands for application passwords, below `affiliate user`. */
export function addAppPassword(user: Command): void {
  user
    .command('app-password')
    .argument('<login>', 'the user: login or email')
    .description('create an application password for HTTP Basic')
    .requiredOption('--name <name>', 'what it is for', singleLine('name', 100))
    .option('--expires <day>', 'the last day on which it works, YYYY-MM-DD of the store (default: never)', calendarDay('--expires'))
    .addHelpText(
      'after',
      examples(
        'affiliate user app-password ada --name "nightly report"',
        'affiliate user app-password ada --name audit --expires 2030-12-31',
      ),
    )
    .action(printResult(create));
  user
    .command('app-passwords')
    .argument('<login>', 'the user: login or email')
    .description('the application passwords of a user, oldest first')
    .addHelpText('after', examples('affiliate user app-passwords ada', 'affiliate user app-passwords ada --json'))
    .action(printResult(list));
  user
    .command('revoke-app-password')
    .argument('<login>', 'the user: login or email')
    .argument('<id>', 'as affiliate user app-passwords shows it', recordId('application password', listHint))
    .description('revoke an application password, at once and for good')
    .addHelpText('after', examples('affiliate user revoke-app-password ada 3'))
    .action(printResult(revoke));
}

interface CreateOptions {
  name: string;
  expires?: string;
}

const create = (login: string, { name, expires }: CreateOptions): Promise<CommandResult> =>
  withContext(async ({ database, now, today }) => {
    if (expires !== undefined && expires < today) throw new CommandError(`--expires must not be before today, ${today}.`);
    const { owner, id, password } = await database.write(async (transaction) => {
      const user = await getUser(transaction.users, login);
      const request = { name, expiresDay: expires ?? null };
      return { owner: user, ...(await createAppPassword(transaction, user, request, { now, userId, random: systemRandom })) };
    });
    const text = `${password}\n\nThe application password "${name}" of ${owner.login}. Keep it now: it cannot be shown again.`;
    return { json: { id, login: owner.login, name, password }, text };
  });

const list = (login: string): Promise<CommandResult> =>
  withExistingDatabase(async ({ database, now, zone }) => {
    const { owner, passwords } = await database.read(async ({ users, appPasswords }) => {
      const user = await getUser(users, login);
      return { owner: user, passwords: await appPasswords.ofUser(user.id) };
    });
    const rows = passwords.map(({ id, name, createdAt, lastUsedAt, expiresDay }) => [
      String(id),
      name,
      localDateTime(createdAt, zone).replace('T', ' '),
      formatAge(lastUsedAt, now, zone),
      expiresDay ?? 'never',
    ]);
    const table = formatTable([numberColumn('ID'), 'NAME', 'CREATED', 'LAST USED', 'EXPIRES'], rows);
    const text = rows.length > 0 ? table : `${owner.login} has no application passwords. affiliate user app-password creates one.`;
    return { json: passwords.map((password) => passwordRecord(password, zone)), text };
  });

const passwordRecord = ({ id, name, createdAt, lastUsedAt, expiresDay }: AppPassword, zone: string) => ({
  id,
  name,
  date_created: localDateTime(createdAt, zone),
  last_used: lastUsedAt === null ? null : localDateTime(lastUsedAt, zone),
  date_expires: expiresDay === null ? null : `${expiresDay}T23:59:59`,
});

const revoke = (login: string, id: number): Promise<CommandResult> =>
  withContext(async ({ database, now }) => {
    const { owner, name } = await database.write(async (transaction) => {
      const user = await getUser(transaction.users, login);
      const revoked = await revokeAppPassword(transaction, user, id, { now, userId }).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        throw new CommandError(`${user.login} has no application password ${id}. ${listHint}`);
      });
      return { owner: user, name: revoked.name };
    });
    return { json: { id, revoked: true }, text: `The application password ${id} ("${name}") of ${owner.login} is revoked.` };
  });
