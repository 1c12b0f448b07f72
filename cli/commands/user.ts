import { type Command, Option } from 'commander';
import { localDateTime } from '../../domain/dates.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { Transaction } from '../../domain/unit-of-work.ts';
import { createUser } from '../../domain/users/create.ts';
import { disableUser, enableUser } from '../../domain/users/disable.ts';
import { setPassword } from '../../domain/users/password.ts';
import { switchOffSecondFactor } from '../../domain/users/second-factor.ts';
import { type Account, isEmailAddress, isLogin, type Role, roles, type User } from '../../domain/users/user.ts';
import { buildProgram } from '../../site/program.ts';
import { withContext, withExistingDatabase } from '../context.ts';
import { getUser, systemCaller } from '../operator.ts';
import { examples } from '../terminal/help.ts';
import { CommandError, type CommandResult, printResult, singleLine } from '../terminal/output.ts';
import { readPasswordHash } from '../terminal/read-password.ts';
import { formatTable, numberColumn, type TableColumn } from '../terminal/table.ts';
import { addAppPassword } from './app-password.ts';
import { addUserPrivacy } from './user-privacy.ts';

const createExamples = `
Without a password, the user can use keys and application passwords, but not the sign-in page.

Examples
  affiliate user create --login ada --email ada@example.com --role administrator --password
  printf '%s' "$PASSWORD" | affiliate user create --login bob --email bob@example.com --password-stdin`;

export function addUser(program: Command): void {
  const user = program.command('user').description('the users of the program');
  user
    .command('create')
    .description('create a user')
    .requiredOption('--login <login>', '1 to 60 letters, digits or any of . _ @ -', parseLogin)
    .requiredOption('--email <address>', 'the address for mails', parseEmail)
    .option('--display-name <name>', 'the public name (default: the login)', singleLine('display name', 250))
    .addOption(new Option('--role <role>', 'the role, which decides about permissions').choices(roles).default('customer'))
    .addOption(new Option('--password', 'ask for the password for the sign-in page, on the terminal').conflicts('passwordStdin'))
    .option('--password-stdin', 'read the password for the sign-in page from the first line of standard input')
    .addHelpText('after', createExamples)
    .action(printResult(create));
  addAppPassword(user);
  user
    .command('password')
    .argument('<login>', 'the user: login or email')
    .description('set the password for the sign-in page, asked for on the terminal; ends all sessions of the user')
    .option('--password-stdin', 'read it from the first line of standard input')
    .addHelpText(
      'after',
      examples('affiliate user password ada', 'affiliate user password ada@example.com --password-stdin < password.txt'),
    )
    .action(printResult(changePassword));
  user
    .command('list')
    .description('all users, by id')
    .addHelpText('after', examples('affiliate user list', 'affiliate user list --json'))
    .action(printResult(list));
  user
    .command('disable')
    .argument('<login>', 'the user: login or email')
    .description('refuse the keys and passwords of a user, and end all sessions')
    .addHelpText('after', examples('affiliate user disable ada'))
    .action(printResult(disable));
  user
    .command('enable')
    .argument('<login>', 'the user: login or email')
    .description('let a disabled user in again; keys and application passwords that were not revoked work again')
    .addHelpText('after', examples('affiliate user enable ada'))
    .action(printResult(enable));
  user
    .command('reset-second-factor')
    .argument('<login>', 'the user: login or email')
    .description('remove the second factor and the recovery codes of a user who has lost them; a mail tells the user')
    .addHelpText('after', examples('affiliate user reset-second-factor ada'))
    .action(printResult(resetSecondFactor));
  addUserPrivacy(user);
}

function parseLogin(login: string): string {
  if (isLogin(login)) return login;
  throw new CommandError(`The login "${login}" is not allowed: use 1 to 60 letters, digits or any of . _ @ -`);
}

function parseEmail(address: string): string {
  if (isEmailAddress(address)) return address;
  throw new CommandError(`"${address}" is not an email address. Write it like ada@example.com.`);
}

interface CreateUserOptions {
  login: string;
  email: string;
  displayName?: string;
  role: Role;
  password?: true;
  passwordStdin?: true;
}

async function create({ login, email, displayName = login, role, ...options }: CreateUserOptions): Promise<CommandResult> {
  const passwordHash = options.password || options.passwordStdin ? await readPasswordHash({ login, email }, options) : null;
  return withContext(async ({ database, now, zone }) => {
    const fields = { login, email, displayName, role, passwordHash, registeredAt: now };
    const user = await database.write((transaction) => createUser(transaction, fields));
    return { json: userRecord({ ...user, disabledAt: null }, zone), text: `User ${user.id} was created: ${user.login}, ${user.role}.` };
  });
}

async function changePassword(name: string, options: { passwordStdin?: true }): Promise<CommandResult> {
  return withContext(async ({ database }) => {
    const user = await database.read(({ users }) => getUser(users, name));
    const hash = await readPasswordHash(user, options);
    await database.write((transaction) => setPassword(transaction, user.id, hash));
    const { login } = user;
    return { json: { login }, text: `The password of ${login} is set. It is for the sign-in page, at /sign-in.` };
  });
}

const list = (): Promise<CommandResult> =>
  withExistingDatabase(async ({ database, zone }) => {
    const users = (await database.read((db) => db.users.accounts())).map((user) => userRecord(user, zone));
    const rows = users.map(({ id, date_registered: registered, ...user }) => [
      String(id),
      user.login,
      user.email,
      user.display_name,
      user.role,
      user.status,
      registered.replace('T', ' '),
    ]);
    return { json: users, text: formatTable([numberColumn('ID'), 'LOGIN', 'EMAIL', 'NAME', 'ROLE', status, 'REGISTERED'], rows) };
  });

const status: TableColumn = { name: 'STATUS', color: (cell) => (cell === 'disabled' ? 'yellow' : 'green') };

const userRecord = ({ id, login, email, displayName, role, registeredAt, disabledAt }: Account, zone: string) => ({
  id,
  login,
  email,
  display_name: displayName,
  role,
  status: disabledAt === null ? ('active' as const) : ('disabled' as const),
  date_registered: localDateTime(registeredAt, zone),
});

type Change = (transaction: Transaction<Repositories>, user: User, context: { now: number; userId: number }) => Promise<boolean>;

const changeUser = (name: string, change: Change): Promise<{ user: User; isChanged: boolean }> =>
  withContext(({ database, now }) =>
    database.write(async (transaction) => {
      const user = await getUser(transaction.users, name);
      return { user, isChanged: await change(transaction, user, { now, userId: systemCaller.user.id }) };
    }),
  );

async function resetSecondFactor(name: string): Promise<CommandResult> {
  const { user, isChanged } = await withContext(({ database, now, settings }) =>
    database.write(async (transaction) => {
      const found = await getUser(transaction.users, name);
      return { user: found, isChanged: await switchOffSecondFactor(transaction, found, { now, sender: buildProgram(settings) }) };
    }),
  );
  const { id, login } = user;
  const text = isChanged
    ? `The second factor of ${login} is removed: the password alone is enough to sign in. A mail to ${user.email} says so.`
    : `${login} has no second factor.`;
  return { json: { id, login, is_changed: isChanged }, text };
}

async function disable(name: string): Promise<CommandResult> {
  const { user, isChanged } = await changeUser(name, disableUser);
  const text = isChanged
    ? `${user.login} is disabled: sessions are ended, keys and passwords are refused. affiliate user enable ${user.login} undoes it.`
    : `${user.login} was disabled before.`;
  return { json: { id: user.id, login: user.login, status: 'disabled' }, text };
}

async function enable(name: string): Promise<CommandResult> {
  const { user, isChanged } = await changeUser(name, enableUser);
  const text = isChanged
    ? `${user.login} is enabled. Keys and application passwords that were not revoked work again.`
    : `${user.login} was not disabled.`;
  return { json: { id: user.id, login: user.login, status: 'active' }, text };
}
