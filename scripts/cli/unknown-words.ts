import type { Command } from 'commander';

const helpFlags = ['--help', '-h'];

/**
 * Commander answers `affiliate kye --help` and `affiliate help kye` with the help of everything. These are the words without the wish
 * for help, on which it says that there is no such command, and which one is near; null where they name a command.
 */
export function unknownCommandIn(given: readonly string[], program: Command): string[] | null {
  const isHelp = given[0] === 'help';
  if (!isHelp && !given.some((word) => helpFlags.includes(word))) return null;
  const words = given.slice(isHelp ? 1 : 0).filter((word) => !word.startsWith('-'));
  let command = program;
  for (const [index, word] of words.entries()) {
    if (command.commands.length === 0 || word === 'help') return null;
    const next = command.commands.find((candidate) => candidate.name() === word);
    if (!next) return words.slice(0, index + 1);
    command = next;
  }
  return null;
}
