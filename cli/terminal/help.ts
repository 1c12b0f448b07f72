import { type Command, Help } from 'commander';
import { colorize, screenWidth } from './text.ts';

/** Longer lines are hard to read, even where the terminal has room. */
const maxWidth = 110;
const widthWithoutTerminal = 80;

function helpWidth(): number {
  const columns = screenWidth();
  return columns === Infinity ? widthWithoutTerminal : Math.min(maxWidth, columns);
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Wraps help to the terminal's width and highlights headings. */
export const configureHelp = (program: Command): Command =>
  program
    .configureHelp({
      // In lists it is `create a key`; at the top of its own page, a sentence.
      commandDescription: (command: Command) => capitalize(command.description().replace(/\.?$/, '.')),
      styleTitle: (title) => colorize('bold', title),
    })
    .configureOutput({
      getOutHelpWidth: helpWidth,
      // `colorize` decides.
      getOutHasColors: () => true,
      writeOut: (text) => {
        process.stdout.write(reflow(text, helpWidth()).replaceAll(/^(Examples?)$/gm, (heading) => colorize('bold', heading)));
      },
    });

/** The last part of a help page. */
export const examples = (...commands: string[]): string =>
  `\n${commands.length === 1 ? 'Example' : 'Examples'}\n${commands.map((command) => `  ${command}`).join('\n')}`;

const wrapper = Object.assign(new Help(), { minWidthToWrap: 1 });

/** Wraps paragraphs to the width. Indented lines stay as they are: examples are copied. */
export function reflow(text: string, width: number): string {
  const lines: string[] = [];
  let isParagraph = false;
  for (const line of text.split('\n')) {
    const isProse = /^\S/.test(line) && !/^[^.]{1,30}:$|^Examples?$/.test(line);
    if (isProse && isParagraph) lines.push(`${lines.pop()} ${line}`);
    else lines.push(line);
    isParagraph = isProse;
  }
  return lines.map((line) => (/^\S/.test(line) ? wrapper.boxWrap(line, width) : line)).join('\n');
}
