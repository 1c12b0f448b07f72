import type { Command } from 'commander';

/** Everything that can be typed after one command. */
export interface Vocabulary {
  /** `key create`; empty for the program itself. */
  route: string;
  commands: Word[];
  options: OptionWord[];
  argument: Expected;
}

export interface Word {
  name: string;
  description: string;
}

export interface OptionWord extends Word {
  /** Null for a flag. */
  value: Expected | null;
}

/** What a value is completed to. */
export interface Expected {
  choices: readonly string[];
  isFile: boolean;
}

/** The words of the program and of all its commands, read from the program itself. */
export function vocabularyOf(command: Command, route = ''): Vocabulary[] {
  const own = { route, commands: commandsOf(command), options: optionsOf(command), argument: argumentOf(command) };
  return [own, ...command.commands.flatMap((child) => vocabularyOf(child, `${route} ${child.name()}`.trim()))];
}

const commandsOf = (command: Command): Word[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .map((child) => ({ name: child.name(), description: child.description() }));

const optionsOf = (command: Command): OptionWord[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .map(({ long, short, description, required, optional, argChoices, flags }) => ({
      name: long ?? short ?? '',
      description,
      value: required || optional ? { choices: argChoices ?? [], isFile: flags.includes('<file>') } : null,
    }));

/** No command takes more than one argument that could be completed. */
function argumentOf(command: Command): Expected {
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  return { choices, isFile: command.registeredArguments.some((argument) => argument.name() === 'file') };
}
