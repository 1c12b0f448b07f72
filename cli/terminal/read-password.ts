import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { systemRandom } from '../../domain/random.ts';
import { hashPassword } from '../../domain/users/password.ts';
import { findPasswordProblem } from '../../domain/users/password-rules.ts';
import type { User } from '../../domain/users/user.ts';
import { CommandError } from './output.ts';

interface PasswordOptions {
  passwordStdin?: true;
}

/**
 * The hash of a password for this user: asked for on the terminal, or the first line of standard input. A password is never an argument: the
 * process list and the shell's history show arguments.
 */
export async function readPasswordHash(user: Pick<User, 'login' | 'email'>, { passwordStdin }: PasswordOptions): Promise<string> {
  const password = passwordStdin ? await readFirstLine() : await askTwice();
  const problem = await findPasswordProblem(password, user);
  if (problem !== null) throw new CommandError(`The password ${problem}`);
  return hashPassword(password, systemRandom);
}

async function readFirstLine(): Promise<string> {
  const { stdin } = process;
  const lines = createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY });
  let password = '';
  for await (const line of lines) {
    password = line;
    break;
  }
  // An open pipe would keep the process waiting.
  stdin.destroy();
  return password;
}

/** Nothing of what is typed is shown. The questions go to standard error: standard output is for the result. */
async function askTwice(): Promise<string> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY)
    throw new CommandError('There is no terminal to ask for the password. Give it on standard input, with --password-stdin.');
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silence, terminal: true, historySize: 0 });
  lines.once('SIGINT', () => {
    // Restores the terminal.
    lines.close();
    stderr.write('\n');
    process.kill(process.pid, 'SIGINT');
  });
  const typed = lines[Symbol.asyncIterator]();
  const ask = async (question: string): Promise<string> => {
    stderr.write(question);
    const { value, done } = await typed.next();
    stderr.write('\n');
    if (done) throw new CommandError('No password was entered.');
    return value;
  };
  try {
    const password = await ask('New password: ');
    if (password === (await ask('The same again: '))) return password;
    throw new CommandError('The two passwords differ. Nothing was changed.');
  } finally {
    lines.close();
  }
}
