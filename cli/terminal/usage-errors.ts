import type { Argument, Command, CommanderError, Option } from 'commander';
import { asSentence } from './refusal.ts';
import { commandNamed } from './unknown-words.ts';

/**
 * What is wrong with the words that were given, and how to write them. Commander says the first only: "error: unknown option '--logn'" and, on
 * a second line, "(Did you mean --login?)".
 */
export function misuse({ code, message }: CommanderError, given: readonly string[], program: Command): string {
  const found = commandNamed(given, program);
  const [problem = '', suggestion] = message.replace(/^error: /, '').split(/\n\(|\)$/);
  const sentence = asSentence(problem.charAt(0).toUpperCase() + problem.slice(1));
  if (suggestion) return `${sentence} ${suggestion}`;
  return (rewritten[code] ?? ((said) => said))(sentence, found);
}

type Rewrite = (sentence: string, found: Found) => string;

interface Found {
  command: Command;
  /** As it is typed: `affiliate key create`. */
  words: string;
}

const rewritten: Record<string, Rewrite> = {
  'commander.help': (_sentence, found) => `That is half a command: ${contentsOf(found)} See ${found.words} --help.`,
  'commander.unknownCommand': (sentence, found) => `${sentence} ${contentsOf(found)}`,
  'commander.unknownOption': (sentence, { words }) => `${sentence} ${words} --help lists them.`,
  'commander.excessArguments': (sentence, found) => `${sentence.replace(/ Expected .*/, '')} ${usageOf(found)}`,
  'commander.missingArgument': (sentence, found) => `${missing(sentence, found)} ${usageOf(found)}`,
  'commander.missingMandatoryOptionValue': (sentence, found) => `${sentence} ${usageOf(found)}`,
  'commander.optionMissingArgument': (sentence, { command }) => needingValue(sentence, command),
  'commander.invalidArgument': (sentence) =>
    sentence.replace(/^Command-argument value ('.*?') is invalid for argument '(.*?)'/, '$1 is invalid for <$2>'),
};

/** What a group has, so that nobody has to look it up. Of all that there is, help is the better list. */
const contentsOf = ({ command, words }: Found): string =>
  command.parent ? `${words} has ${command.commands.map((below) => below.name()).join(', ')}.` : `${words} --help lists them.`;

const usageOf = ({ command, words }: Found): string => `Write ${[words, ...neededBy(command)].join(' ')}; --help has examples.`;

const neededBy = ({ options, registeredArguments }: Command): string[] => [
  ...registeredArguments.map((argument) => (argument.required ? `<${argument.name()}>` : `[${argument.name()}]`)),
  ...options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags),
];

function missing(sentence: string, { command }: Found): string {
  const name = /'(.*?)'/.exec(sentence)?.[1];
  return `<${name}> is missing${explained(command.registeredArguments.find((argument) => argument.name() === name))}.`;
}

function needingValue(sentence: string, { options }: Command): string {
  const flags = /'(.*?)'/.exec(sentence)?.[1];
  return `${flags} is given without its value${explained(options.find((candidate) => candidate.flags === flags))}.`;
}

function explained(
  { description = '', argChoices = [] }: Pick<Option, 'description' | 'argChoices'> | Argument = { description: '' },
): string {
  const choices = argChoices.length > 0 ? ` (${argChoices.join(', ')})` : '';
  return description ? `: ${description}${choices}` : choices;
}
