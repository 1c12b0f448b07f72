import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { bashCompletion } from '../../scripts/cli/completion-bash.ts';
import { fishCompletion } from '../../scripts/cli/completion-fish.ts';
import { zshCompletion } from '../../scripts/cli/completion-zsh.ts';
import { createProgram } from '../../scripts/cli/program.ts';
import { vocabularyOf } from '../../scripts/cli/vocabulary.ts';
import { Machine } from './command-line.ts';

const vocabulary = vocabularyOf(createProgram());
const isInstalled = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;

/** As bash itself takes a line apart: an equals sign is a word. The last word is the one that is being typed. */
const wordsOf = (line: string): string[] => line.split(/ |(?==)|(?<==)/);

/** Every line completed by one real bash, with the function that the script registers for the command. */
function completedByBash(lines: readonly string[], folder: string): Map<string, string[]> {
  writeFileSync(path.join(folder, 'completion.bash'), bashCompletion(vocabulary));
  const ask = lines.map((line) => {
    const words = wordsOf(line).map((word) => `'${word}'`);
    return `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; $registered; (IFS='|'; echo "\${COMPREPLY[*]}")`;
  });
  const script = ['source ./completion.bash', 'registered=$(complete -p affiliate | sed "s/.*-F \\([^ ]*\\) .*/\\1/")', ...ask].join('\n');
  const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-c', script], { cwd: folder, encoding: 'utf8' });
  expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
  const answers = stdout.trimEnd().split('\n');
  return new Map(lines.map((line, at) => [line, (answers[at] ?? '').split('|').filter((word) => word !== '')]));
}

const expected: [line: string, words: string[]][] = [
  ['affiliate rep', ['report']],
  ['affiliate key ', ['create', 'list', 'revoke', 'help']],
  ['affiliate key l', ['list']],
  ['affiliate webhook d', ['deliveries']],
  ['affiliate key create --sc', ['--scopes']],
  ['affiliate key create --user ada --ex', ['--expires']],
  ['affiliate key create --user ', []],
  ['affiliate report --j', ['--json']],
  ['affiliate report --', ['--from', '--to', '--top', '--ascii', '--json', '--help']],
  ['affiliate openapi --edition ', ['free', 'pro']],
  ['affiliate openapi --edition=p', ['pro']],
  ['affiliate openapi --edition=', ['free', 'pro']],
  ['affiliate user create --role a', ['administrator', 'affiliate']],
  ['affiliate payout resolve 7 --as p', ['pending', 'paid']],
  ['affiliate export ', ['user', 'coupon', 'order', 'click', 'registration', 'payout_details']],
  ['affiliate export order --out two', ['two words.ndjson']],
  ['affiliate import ord', ['orders.csv']],
  ['affiliate import orders.csv --kind c', ['coupon', 'click']],
  ['affiliate completion ', ['bash', 'zsh', 'fish']],
  ['affiliate nonsense x', []],
];

describe('affiliate completion', () => {
  it('prints the script alone, or in a document for scripts', async () => {
    const machine = new Machine();
    const [text, document] = await Promise.all([machine.text('completion', 'bash'), machine.json('completion', 'zsh')]);
    expect(text).to.equal(`${bashCompletion(vocabulary)}\n`);
    expect(document).to.deep.equal({ shell: 'zsh', script: zshCompletion(vocabulary) });
  });

  it('knows every command, subcommand and option of the program', () => {
    const routes = vocabulary.map(({ route }) => route);
    expect(routes).to.include.members(['', 'serve', 'report', 'key create', 'settings unset', 'completion']);
    for (const script of [bashCompletion(vocabulary), zshCompletion(vocabulary), fishCompletion(vocabulary)])
      for (const { route, options } of vocabulary) {
        expect(script).to.include(route);
        for (const { name } of options) expect(script, name).to.include(name.replace('--', ''));
      }
  });

  describe('in a real bash', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'completion-'));
    let completed: Map<string, string[]>;
    before(function () {
      if (!isInstalled('bash')) this.skip();
      for (const file of ['orders.csv', 'two words.ndjson']) writeFileSync(path.join(folder, file), '');
      completed = completedByBash(
        expected.map(([line]) => line),
        folder,
      );
    });
    after(() => rmSync(folder, { recursive: true }));

    for (const [line, words] of expected)
      it(`completes "${line}" to ${words.length === 0 ? 'nothing' : words.join(', ')}`, () => {
        expect(completed.get(line)).to.deep.equal(words);
      });
  });

  for (const [shell, script] of [
    ['zsh', zshCompletion(vocabulary)],
    ['fish', fishCompletion(vocabulary)],
  ] as const)
    it(`is a script that ${shell} can read (skipped where there is no ${shell})`, function () {
      if (!isInstalled(shell)) this.skip();
      const { status, stderr } = spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' });
      expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    });
});
