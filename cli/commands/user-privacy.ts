import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { eraseUser } from '../../domain/privacy/erase-user.ts';
import { exportPerson } from '../../domain/privacy/export-person.ts';
import { type PersonalSection, personalSections } from '../../domain/privacy/personal-data.ts';
import type { Repositories } from '../../domain/repositories.ts';
import type { User } from '../../domain/users/user.ts';
import { readConfiguration } from '../../server/configuration.ts';
import { invoiceFolder } from '../../server/invoices/invoice-files.ts';
import { removeMailFiles } from '../../server/mail/mail-files.ts';
import { type CommandContext, withExistingDatabase } from '../context.ts';
import { getUser, systemCaller } from '../operator.ts';
import { PrivateFile, resolveNewFile } from '../payout-files/private-file.ts';
import { formatQuantity } from '../terminal/format.ts';
import { examples } from '../terminal/help.ts';
import { CommandError, type CommandResult, formatError, onInterrupt, printResult } from '../terminal/output.ts';
import { openPayoutSecrets } from './payout-file.ts';

const eraseHelp = `
Refused while the user has a balance or an open payout, and for the last administrator. --forfeit books the balance to the store.

Prints what is erased and what stays. On a terminal it asks first. It cannot be undone. On SQLite the file of the database is written anew, so
that nothing is left in it: other writes wait meanwhile. Backups and log files are not changed: docs/guides/privacy.md.

Examples
  affiliate user erase ada
  affiliate user erase ada --forfeit --yes`;

export function addUserPrivacy(user: Command): void {
  user
    .command('export')
    .argument('<login>', 'the user: login or email')
    .description('write everything that is stored about a user, with payout destinations, to a new file')
    .requiredOption('--out <file>', 'the file to write; only its owner can read it')
    .addHelpText('after', examples('affiliate user export ada --out ada.json'))
    .action(printResult(exportUser));
  user
    .command('erase')
    .argument('<login>', 'the user: login or email')
    .description('erase a person; what accounting needs stays under the number of the user')
    .option('--forfeit', 'book the balance of the user to the store')
    .option('--yes', 'do not ask')
    .addHelpText('after', eraseHelp)
    .action(printResult(erase));
}

async function exportUser(name: string, { out }: { out: string }): Promise<CommandResult> {
  const file = resolveNewFile(out, 'personal data');
  return withExistingDatabase(async ({ database, now, zone, settings }) => {
    const user = await database.read(({ users }) => getUser(users, name));
    const { decrypt } = (await openPayoutSecrets(database))('payout_details');
    const target = new PrivateFile(file);
    const release = onInterrupt(() => target.discard());
    try {
      await target.writeAll(exportPerson(database, user, { zone, now, decrypt, currency: settings.store.currency }));
      target.complete();
    } catch (error) {
      target.discard();
      throw error instanceof CommandError ? error : new CommandError(`${file} could not be written: ${formatError(error)}`);
    } finally {
      release();
    }
    const { id, login } = user;
    return { json: { id, login, file }, text: `Everything that is stored about ${login} was written to ${file}.` };
  });
}

type Counts = Record<PersonalSection, number>;

async function countSections({ personalData }: Repositories, { id }: User): Promise<Counts> {
  const counts: [PersonalSection, number][] = [];
  for (const section of personalSections) counts.push([section, await personalData.count(section, id)]);
  return Object.fromEntries(counts) as Counts;
}

/** Both lists, as docs/guides/privacy.md explains them. */
const describeLists = ({ id }: User, counts: Counts) => ({
  erased: [
    'login, e-mail address, name, profile, groups and custom fields',
    'password, second factor, known browsers, payout details and their destination, confirmation links',
    formatQuantity(counts.applications, 'application'),
    `${formatQuantity(counts.keys, 'key')}, ${formatQuantity(counts.application_passwords, 'application password')}, ${formatQuantity(counts.sessions, 'session')}`,
    `${formatQuantity(counts.mails, 'mail')}, and their files in DATA_DIR/mail`,
    `notes of ${formatQuantity(counts.adjustments, 'adjustment')}, and the label of the payout method`,
    'texts about the user in the feed and in webhook deliveries, and stored payout files with the user',
  ],
  stays: [
    `the number of the user, ${id}, the date of registration, and the place in the tree of affiliates`,
    `${formatQuantity(counts.coupons, 'coupon')} with their codes, and counts of clicks`,
    `${formatQuantity(counts.orders, 'order')}, ${formatQuantity(counts.movements, 'row')} of the ledger, ${formatQuantity(counts.payouts, 'payout')}, and the amounts of adjustments`,
    `${formatQuantity(counts.invoices, 'invoice')}, with their files in ${invoiceFolder(readConfiguration(process.env))}`,
    'backups and log files of the past',
  ],
});

interface EraseOptions {
  forfeit?: true;
  yes?: true;
}

async function erase(name: string, options: EraseOptions): Promise<CommandResult> {
  return withExistingDatabase(async (context) => {
    const { database } = context;
    const { user, lists } = await database.read(async (db) => {
      const found = await getUser(db.users, name);
      return { user: found, lists: describeLists(found, await countSections(db, found)) };
    });
    const listed = `Erased:\n${formatList(lists.erased)}\nStays:\n${formatList(lists.stays)}`;
    if (!options.yes && process.stdin.isTTY) await confirm(`${listed}\nErase ${user.login}? It cannot be undone. Type yes: `);
    const login = await eraseInTransaction(context, user, options);
    const leftover = await compact(context);
    return {
      json: { id: user.id, login, ...lists },
      text: `${listed}\nUser ${user.id} is erased, and called ${login} from now on.`,
      ...(leftover !== null && { failure: leftover }),
    };
  });
}

const formatList = (lines: readonly string[]): string => lines.map((line) => `  - ${line}`).join('\n');

async function confirm(question: string): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(question).finally(() => terminal.close());
  if (answer.trim() !== 'yes') throw new CommandError('Nothing was erased.');
}

const eraseInTransaction = ({ database, now, settings }: CommandContext, { id, login }: User, { forfeit }: EraseOptions): Promise<string> =>
  database.write(async (transaction) => {
    const user = await transaction.users.byId(id);
    if (user?.login !== login) throw new CommandError(`${login} was erased or changed meanwhile. Nothing was erased.`);
    const { currency } = settings.store;
    const erasure = await eraseUser(transaction, user, { now, userId: systemCaller.user.id, currency, forfeits: forfeit === true });
    // Before the commit: where a file cannot be removed, nothing is erased, and the command can be repeated.
    await removeMailFiles(readConfiguration(process.env).dataDir, erasure.mailIds);
    return erasure.login;
  });

/** Returns what is left to do, or null. */
async function compact({ database }: CommandContext): Promise<string | null> {
  try {
    await database.compact();
    return null;
  } catch (error) {
    return `The user is erased, but the file of the database could not be written anew, so parts of deleted rows may still be in it: ${formatError(error)} Stop the service, and run VACUUM on the file.`;
  }
}
