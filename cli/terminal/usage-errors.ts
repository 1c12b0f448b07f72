import type { Argument, Command, CommanderError, Option } from 'commander';
import { toSentence } from './output.ts';

interface FoundCommand {
  command: Command;
  /** As it is typed: `affiliate key create`. */
  words: string;
  /** The words after the program's name when the last of them is not a command; else empty. */
  unknown: string[];
}

/** The command that the first arguments name. For an unknown command, the group in which it was looked up. */
function findCommand(args: readonly string[], program: Command): FoundCommand {
  let command = program;
  const words = [program.name()];
  for (const word of args.filter((candidate) => candidate !== 'help' && !candidate.startsWith('-'))) {
    const next = command.commands.find((candidate) => candidate.name() === word);
    if (!next) return { command, words: words.join(' '), unknown: command.commands.length > 0 ? [...words.slice(1), word] : [] };
    command = next;
    words.push(word);
  }
  return { command, words: words.join(' '), unknown: [] };
}

/**
 * Commander answers `affiliate kye --help`, `affiliate help kye` and `affiliate key help kye` with the help of another command. Returns the
 * arguments without the request for help, so that commander reports the unknown command with a suggestion; null when the command exists.
 */
export function unknownCommandArgs(args: readonly string[], program: Command): string[] | null {
  const isHelp = args.slice(0, 2).includes('help') || args.some((word) => word === '--help' || word === '-h');
  const { unknown } = isHelp ? findCommand(args, program) : { unknown: [] };
  return unknown.length > 0 ? unknown : null;
}

/**
 * One line that says what is wrong with the arguments and how to write them. Commander says only the first: "error: unknown option '--logn'"
 * and, on a second line, "(Did you mean --login?)".
 */
export function describeUsageError({ code, message }: CommanderError, args: readonly string[], program: Command): string {
  const [problem = '', suggestion] = message.replace(/^error: /, '').split(/\n\(|\)$/);
  const sentence = toSentence(problem.charAt(0).toUpperCase() + problem.slice(1));
  if (suggestion) return `${sentence} ${suggestion}`;
  return rewrites[code]?.(sentence, findCommand(args, program)) ?? sentence;
}

const rewrites: Record<string, (sentence: string, found: FoundCommand) => string> = {
  'commander.help': (_sentence, found) => `The command is incomplete: ${listSubcommands(found)} See ${found.words} --help.`,
  'commander.unknownCommand': (sentence, found) => `${sentence} ${listSubcommands(found)}`,
  'commander.unknownOption': (sentence, { words }) => `${sentence} ${words} --help lists them.`,
  'commander.excessArguments': (sentence, found) => `${sentence.replace(/ Expected .*/, '')} ${describeUsage(found)}`,
  'commander.missingArgument': (sentence, found) => {
    const name = quotedIn(sentence);
    const argument = found.command.registeredArguments.find((candidate) => candidate.name() === name);
    return `<${name}> is missing${describeValue(argument)}. ${describeUsage(found)}`;
  },
  'commander.missingMandatoryOptionValue': (sentence, found) => `${sentence} ${describeUsage(found)}`,
  'commander.optionMissingArgument': (sentence, { command }) => {
    const flags = quotedIn(sentence);
    return `${flags} needs a value${describeValue(command.options.find((candidate) => candidate.flags === flags))}.`;
  },
  'commander.invalidArgument': (sentence) =>
    sentence.replace(/^Command-argument value ('.*?') is invalid for argument '(.*?)'/, '$1 is invalid for <$2>'),
};

const quotedIn = (sentence: string): string | undefined => /'(.*?)'/.exec(sentence)?.[1];

/** The subcommands of a group. For the program itself help is the better list. */
const listSubcommands = ({ command, words }: FoundCommand): string =>
  command.parent ? `${words} has ${command.commands.map((child) => child.name()).join(', ')}.` : `${words} --help lists them.`;

function describeUsage({ command: { options, registeredArguments }, words }: FoundCommand): string {
  const required = [
    ...registeredArguments.map((argument) => (argument.required ? `<${argument.name()}>` : `[${argument.name()}]`)),
    ...options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags),
  ];
  return `Write ${[words, ...required].join(' ')}; --help has examples.`;
}

function describeValue(value: Option | Argument | undefined): string {
  const { description = '', argChoices = [] } = value ?? {};
  const choices = argChoices.length > 0 ? ` (${argChoices.join(', ')})` : '';
  return description ? `: ${description}${choices}` : choices;
}
