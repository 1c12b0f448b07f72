import { expect } from 'chai';
import { type Command } from 'commander';
import { createProgram } from '../../cli/program.ts';

const leavesOf = (command: Command): Command[] => (command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf));
const routeOf = (command: Command): string[] => (command.parent ? [...routeOf(command.parent), command.name()] : []);

/** The help page, as it is written to a pipe. */
function helpOf(command: Command): string {
  const pieces: string[] = [];
  const { writeOut } = command.configureOutput();
  const { write } = process.stdout;
  process.stdout.write = ((text: string) => pieces.push(text) > 0) as typeof write;
  try {
    command.configureOutput({ writeOut: writeOut as (text: string) => void }).outputHelp();
  } finally {
    process.stdout.write = write;
  }
  return pieces.join('');
}

/** `A=b affiliate key list --user ada | jq` is `key list --user ada`. */
const wordsOf = (example: string): string[] =>
  (/(?:^|[ (])affiliate ([^|>)]*)/.exec(example)?.[1] ?? '')
    .replaceAll(/"[^"]*"|'[^']*'|\$\([^)]*\)?/g, 'x')
    .trim()
    .split(/ +/);

describe('the help of every command', () => {
  const leaves = leavesOf(createProgram());

  for (const command of leaves) {
    const route = routeOf(command);
    const page = helpOf(command);
    const examples = (page.split(/^Examples?$/m)[1] ?? '').split('\n').filter((line) => /^ {2}\S/.test(line));

    it(`${route.join(' ')}: has one to three valid examples`, () => {
      expect(examples.length, page).to.be.within(1, 3);
      for (const example of examples) {
        const words = wordsOf(example);
        expect(words.slice(0, route.length), example).to.deep.equal(route);
        expect(command.parseOptions(words.slice(route.length)).unknown, example).to.deep.equal([]);
      }
    });

    it(`${route.join(' ')}: has --json, a sentence that describes it, and no line wider than 80 columns`, () => {
      expect(page)
        .to.match(/^ {2}--json +print one JSON document, for scripts$/m)
        .and.match(/^Usage: .*\n\n[A-Z]/);
      const prose = page.split('\n').filter((line) => !line.startsWith('  '));
      for (const line of prose) expect(line.length, line).to.be.at.most(80);
    });
  }
});
