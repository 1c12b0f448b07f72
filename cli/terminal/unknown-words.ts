import type { Command } from 'commander';

const helpFlags = ['--help', '-h'];

/** The command that the first words name, and those words. Of one that is not known, the group that it was looked for in. */
export function commandNamed(given: readonly string[], program: Command): { command: Command; words: string; rest: readonly string[] } {
  let command = program;
  const words = [program.name()];
  for (const word of given.filter((candidate) => candidate !== 'help' && !candidate.startsWith('-'))) {
    const next = command.commands.find((candidate) => candidate.name() === word);
    if (!next) return { command, words: words.join(' '), rest: command.commands.length > 0 ? [...words.slice(1), word] : [] };
    command = next;
    words.push(word);
  }
  return { command, words: words.join(' '), rest: [] };
}

/**
 * Commander answers `affiliate kye --help`, `affiliate help kye` and `affiliate key help kye` with the help of something else. These are the
 * words without the wish for help, on which it says that there is no such command, and which one is near; null where they name a command.
 */
export function unknownCommandIn(given: readonly string[], program: Command): string[] | null {
  const isHelp = given.slice(0, 2).includes('help') || given.some((word) => helpFlags.includes(word));
  const { rest } = isHelp ? commandNamed(given, program) : { rest: [] };
  return rest.length > 0 ? [...rest] : null;
}
