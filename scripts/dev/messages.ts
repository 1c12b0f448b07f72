import type { Problem } from './problem.ts';

const inColour = process.stdout.isTTY && process.stdout.hasColors();
const paint =
  (code: number) =>
  (text: string): string =>
    inColour ? `\u001B[${code}m${text}\u001B[0m` : text;
const red = paint(31);
const green = paint(32);
const dim = paint(2);

/** More than fits on a screen helps nobody: the first ones are often the reason for the others. */
const mostShown = 20;

export const say = (line: string): void => void process.stdout.write(`${line}\n`);

export const sayGood = (line: string): void => say(green(line));

export const sayBad = (line: string): void => say(red(line));

export const sayAside = (line: string): void => say(dim(line));

/** `file:line:column  sentence  (rule)`, which terminals and editors make a link of. */
export function sayProblems(problems: readonly Problem[]): void {
  for (const { file, line, column, sentence, rule, causes } of problems.slice(0, mostShown)) {
    say(`${file}:${line}:${column}  ${sentence}${rule === null ? '' : dim(`  (${rule})`)}`);
    for (const cause of causes) say(`    ${dim('the contract:')} ${cause}`);
  }
  if (problems.length > mostShown) sayAside(`and ${problems.length - mostShown} more`);
}

export const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`;
