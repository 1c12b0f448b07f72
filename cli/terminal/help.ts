import type { Command, Help } from 'commander';
import { colored } from './terminal.ts';
import { reflowed } from './wrapping.ts';

/** Longer lines are hard to read, however wide the terminal is. */
const widest = 110;
const withoutTerminal = 80;

const helpWidth = (): number =>
  Math.min(widest, process.stdout.isTTY && process.stdout.columns > 0 ? process.stdout.columns : withoutTerminal);

/** `make a key` stands in lists; above a page of its own it is a sentence. */
const asSentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1).replace(/\.?$/, '.');

const style: Partial<Help> = {
  commandDescription: (command: Command) => asSentence(command.description()),
  styleTitle: (title) => colored('bold', title),
};

const headings = /^(Examples?)$/gm;

/** How help looks: as wide as the terminal, with headings that stand out. */
export const withHelpLook = (program: Command): Command =>
  program.configureHelp(style).configureOutput({
    getOutHelpWidth: helpWidth,
    // What colours are for is decided in one place.
    getOutHasColors: () => true,
    writeOut: (text) => {
      process.stdout.write(reflowed(text, helpWidth()).replaceAll(headings, (heading) => colored('bold', heading)));
    },
  });
