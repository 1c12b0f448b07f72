import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { CommandError } from '../terminal/errors.ts';

// What people type about a user, looked at before it reaches storage. Each refusal says what would do.

export function login(given: string): string {
  if (/^[A-Za-z0-9._@-]{1,60}$/.test(given)) return given;
  throw new CommandError(`The login "${given}" is refused: 1 to 60 letters, digits or any of . _ @ - are allowed.`);
}

export function email(given: string): string {
  if (given.length <= 254 && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(given)) return given;
  throw new CommandError(`"${given}" is not an email address. Write it like ada@example.com.`);
}

/** For display names, and for the names that people give to application passwords: one line, because they end up in mails and tables. */
export function oneLine(what: string, given: string, longest: number): string {
  if (given.trim() !== '' && given.length <= longest && !/[\p{Cc}\u2028\u2029]/u.test(given)) return given;
  throw new CommandError(`The ${what} must be 1 to ${longest} characters on one line.`);
}

const shortestPassword = 8;

/** The first line of the stream. A password is never an argument: arguments stand in the process list and in the shell's history. */
export async function passwordFrom(stream: Readable): Promise<string> {
  const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
  let password = '';
  for await (const line of lines) {
    password = line;
    break;
  }
  // Whoever feeds the pipe may leave it open, and would keep this process waiting for more.
  stream.destroy();
  if (password.length >= shortestPassword) return password;
  throw new CommandError(`The password must have at least ${shortestPassword} characters, in the first line of standard input.`);
}
