import { type Command, Option } from 'commander';
import { localDateTime } from '../../domain/dates.ts';
import { systemRandom } from '../../domain/random.ts';
import { appPasswordHash, newAppPassword } from '../../domain/users/app-password.ts';
import { createUser } from '../../domain/users/create.ts';
import { hashPassword } from '../../domain/users/password.ts';
import { setPassword } from '../../domain/users/set-password.ts';
import { type Role, roles, type User } from '../../domain/users/user.ts';
import { type CommandContext, withContext, withExistingDatabase } from '../context.ts';
import { type CommandResult, printResult } from '../terminal/output.ts';
import { formatTable, numberColumn } from '../terminal/table.ts';
import { allUsers, userNamed } from './known-users.ts';
import { email, login, oneLine, passwordFrom } from './user-input.ts';

const createExamples = `
Without a password they can use keys and application passwords, but not the sign-in page.

Examples
  affiliate user create --login ada --email ada@example.com --role administrator
  printf '%s' "$PASSWORD" | affiliate user create --login bob --email bob@example.com --password-stdin`;

const passwordExamples = `
Example
  affiliate user app-password ada --name "nightly report"`;

const signInExamples = `
Examples
  echo 'a long sentence' | affiliate user password ada --password-stdin
  affiliate user password ada@example.com --password-stdin < password.txt`;

const listExamples = `
Examples
  affiliate user list
  affiliate user list --json`;

export function addUser(program: Command): void {
  const user = program.command('user').description('the users of the program');
  user
    .command('create')
    .description('create a user')
    .requiredOption('--login <login>', '1 to 60 letters, digits or any of . _ @ -')
    .requiredOption('--email <address>', 'where mails go')
    .option('--display-name <name>', 'what others read (default: the login)')
    .addOption(new Option('--role <role>', 'what they may do').choices(roles).default('customer'))
    .option('--password-stdin', 'the password for the sign-in page is the first line of standard input')
    .addHelpText('after', createExamples)
    .action(printResult(create));
  user
    .command('app-password')
    .argument('<login>', 'whose: login or email')
    .description('create an application password for HTTP Basic')
    .requiredOption('--name <name>', 'what it is for')
    .addHelpText('after', passwordExamples)
    .action(printResult(makeAppPassword));
  user
    .command('password')
    .argument('<login>', 'whose: login or email')
    .description('set the password for the sign-in page; whoever is signed in with the old one is signed out')
    .requiredOption('--password-stdin', 'it is the first line of standard input')
    .addHelpText('after', signInExamples)
    .action(printResult(changePassword));
  user.command('list').description('all users, by id').addHelpText('after', listExamples).action(printResult(list));
}

interface CreateOptions {
  login: string;
  email: string;
  displayName?: string;
  role: Role;
  passwordStdin?: true;
}

async function create(options: CreateOptions): Promise<CommandResult> {
  const asked = {
    login: login(options.login),
    email: email(options.email),
    displayName: oneLine('display name', options.displayName ?? options.login, 250),
    role: options.role,
    passwordHash: options.passwordStdin ? await hashPassword(await passwordFrom(process.stdin), systemRandom) : null,
  };
  return withContext(async (session) => {
    const user = await session.database.write((transaction) => createUser(transaction, { ...asked, registeredAt: session.now }));
    return { json: view(user, session), text: `User ${user.id} was made: ${user.login}, ${user.role}.` };
  });
}

async function makeAppPassword(of: string, options: { name: string }): Promise<CommandResult> {
  const name = oneLine('name', options.name, 100);
  const password = newAppPassword(systemRandom);
  return withContext(async ({ database, now }) => {
    const user = await database.write(async ({ users, appPasswords }) => {
      const owner = await userNamed(users, of);
      await appPasswords.insert({ userId: owner.id, name, hash: appPasswordHash(password), createdAt: now });
      return owner;
    });
    const text = `${password}\n\nThe application password "${name}" of ${user.login}. Keep it now: it cannot be shown again.`;
    return { json: { login: user.login, name, password }, text };
  });
}

async function changePassword(of: string): Promise<CommandResult> {
  const hash = await hashPassword(await passwordFrom(process.stdin), systemRandom);
  return withContext(async ({ database }) => {
    const { login } = await database.write(async (transaction) => {
      const user = await userNamed(transaction.users, of);
      await setPassword(transaction, user.id, hash);
      return user;
    });
    return { json: { login }, text: `The password of ${login} is set. It is for the sign-in page, at /sign-in.` };
  });
}

const list = (): Promise<CommandResult> =>
  withExistingDatabase(async (session) => {
    const users = (await session.database.read(allUsers)).map((user) => view(user, session));
    const rows = users.map((user) => [
      String(user.id),
      user.login,
      user.email,
      user.display_name,
      user.role,
      user.date_registered.replace('T', ' '),
    ]);
    return { json: users, text: formatTable([numberColumn('ID'), 'LOGIN', 'EMAIL', 'NAME', 'ROLE', 'REGISTERED'], rows) };
  });

const view = ({ id, login, email, displayName, role, registeredAt }: User, { zone }: CommandContext) => ({
  id,
  login,
  email,
  display_name: displayName,
  role,
  date_registered: localDateTime(registeredAt, zone),
});
