import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type Command, Option } from 'commander';
import { localDateTime } from '../../domain/dates.ts';
import type { UserStore } from '../../domain/ports.ts';
import { systemRandom } from '../../domain/random.ts';
import { createUser } from '../../domain/users/create.ts';
import { appPasswordHash, generateAppPassword, hashPassword, setPassword } from '../../domain/users/password.ts';
import { isEmailAddress, isLogin, type Role, roles, type User } from '../../domain/users/user.ts';
import { withContext, withExistingDatabase } from '../context.ts';
import { CommandError } from '../terminal/errors.ts';
import { examples } from '../terminal/help.ts';
import { type CommandResult, printResult } from '../terminal/output.ts';
import { formatTable, numberColumn } from '../terminal/table.ts';

const createExamples = `
Without a password, the user can use keys and application passwords, but not the sign-in page.

Examples
  affiliate user create --login ada --email ada@example.com --role administrator
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
    .option('--password-stdin', 'read the password for the sign-in page from the first line of standard input')
    .addHelpText('after', createExamples)
    .action(printResult(create));
  user
    .command('app-password')
    .argument('<login>', 'the user: login or email')
    .description('create an application password for HTTP Basic')
    .requiredOption('--name <name>', 'what it is for', singleLine('name', 100))
    .addHelpText('after', examples('affiliate user app-password ada --name "nightly report"'))
    .action(printResult(createAppPassword));
  user
    .command('password')
    .argument('<login>', 'the user: login or email')
    .description('set the password for the sign-in page; ends all sessions of the user')
    .requiredOption('--password-stdin', 'read it from the first line of standard input')
    .addHelpText(
      'after',
      examples(
        `echo 'a long sentence' | affiliate user password ada --password-stdin`,
        'affiliate user password ada@example.com --password-stdin < password.txt',
      ),
    )
    .action(printResult(changePassword));
  user
    .command('list')
    .description('all users, by id')
    .addHelpText('after', examples('affiliate user list', 'affiliate user list --json'))
    .action(printResult(list));
}

function parseLogin(login: string): string {
  if (isLogin(login)) return login;
  throw new CommandError(`The login "${login}" is not allowed: use 1 to 60 letters, digits or any of . _ @ -`);
}

function parseEmail(address: string): string {
  if (isEmailAddress(address)) return address;
  throw new CommandError(`"${address}" is not an email address. Write it like ada@example.com.`);
}

/** A parser for names, which are printed in mails and tables. */
const singleLine =
  (what: string, maxLength: number) =>
  (text: string): string => {
    if (text.trim() !== '' && text.length <= maxLength && !/[\p{Cc}\u2028\u2029]/u.test(text)) return text;
    throw new CommandError(`The ${what} must be 1 to ${maxLength} characters on one line.`);
  };

const minPasswordLength = 8;

/** The hash of the stream's first line. A password is never an argument: the process list and the shell's history show arguments. */
async function hashPasswordFrom(stream: Readable): Promise<string> {
  const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
  let password = '';
  for await (const line of lines) {
    password = line;
    break;
  }
  // An open pipe would keep the process waiting.
  stream.destroy();
  if (password.length >= minPasswordLength) return hashPassword(password, systemRandom);
  throw new CommandError(`The password must have at least ${minPasswordLength} characters, in the first line of standard input.`);
}

export async function getUser(users: UserStore, loginOrEmail: string): Promise<User> {
  const user = await users.byLoginOrEmail(loginOrEmail);
  if (user) return user;
  throw new CommandError(`There is no user "${loginOrEmail}". affiliate user list shows them.`);
}

interface CreateUserOptions {
  login: string;
  email: string;
  displayName?: string;
  role: Role;
  passwordStdin?: true;
}

async function create({ login, email, displayName = login, role, passwordStdin }: CreateUserOptions): Promise<CommandResult> {
  const passwordHash = passwordStdin ? await hashPasswordFrom(process.stdin) : null;
  return withContext(async ({ database, now, zone }) => {
    const fields = { login, email, displayName, role, passwordHash, registeredAt: now };
    const user = await database.write((transaction) => createUser(transaction, fields));
    return { json: userRecord(user, zone), text: `User ${user.id} was created: ${user.login}, ${user.role}.` };
  });
}

function createAppPassword(login: string, { name }: { name: string }): Promise<CommandResult> {
  const password = generateAppPassword(systemRandom);
  return withContext(async ({ database, now }) => {
    const user = await database.write(async ({ users, appPasswords }) => {
      const owner = await getUser(users, login);
      await appPasswords.insert({ userId: owner.id, name, hash: appPasswordHash(password), createdAt: now });
      return owner;
    });
    const text = `${password}\n\nThe application password "${name}" of ${user.login}. Keep it now: it cannot be shown again.`;
    return { json: { login: user.login, name, password }, text };
  });
}

async function changePassword(name: string): Promise<CommandResult> {
  const hash = await hashPasswordFrom(process.stdin);
  return withContext(async ({ database }) => {
    const { login } = await database.write(async (transaction) => {
      const user = await getUser(transaction.users, name);
      await setPassword(transaction, user.id, hash);
      return user;
    });
    return { json: { login }, text: `The password of ${login} is set. It is for the sign-in page, at /sign-in.` };
  });
}

const noLimit = 1_000_000_000;

const list = (): Promise<CommandResult> =>
  withExistingDatabase(async ({ database, zone }) => {
    const users = (await database.read(({ exports }) => exports.users(0, noLimit))).map((user) => userRecord(user, zone));
    const rows = users.map(({ id, date_registered: registered, ...user }) => [
      ...[String(id), user.login, user.email, user.display_name, user.role],
      registered.replace('T', ' '),
    ]);
    return { json: users, text: formatTable([numberColumn('ID'), 'LOGIN', 'EMAIL', 'NAME', 'ROLE', 'REGISTERED'], rows) };
  });

const userRecord = ({ id, login, email, displayName, role, registeredAt }: Omit<User, 'parentId'>, zone: string) => ({
  ...{ id, login, email, display_name: displayName, role },
  date_registered: localDateTime(registeredAt, zone),
});
