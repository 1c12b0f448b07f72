import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { completionScripts, listCompletions } from '../../cli/commands/completion.ts';
import { createProgram } from '../../cli/program.ts';
import { Machine } from './machine.ts';
import { isInstalled, shells } from './shells.ts';

const completions = listCompletions(createProgram());
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
  ['affiliate nonsense r', []],
  ['affiliate key nonsense cr', []],
];

describe('affiliate completion', () => {
  it('prints only the script, or one JSON document with it', async () => {
    const machine = new Machine();
    const [text, document] = await Promise.all([machine.text('completion', 'bash'), machine.json('completion', 'zsh')]);
    expect(text).to.equal(`${completionScripts.bash(completions)}\n`);
    expect(document).to.deep.equal({ shell: 'zsh', script: completionScripts.zsh(completions) });
  });

  it('lists every command, subcommand and option of the program', () => {
    const routes = completions.map(({ route }) => route);
    expect(routes).to.include.members(['', 'serve', 'report', 'key create', 'settings unset', 'completion']);
    for (const script of Object.values(completionScripts).map((create) => create(completions)))
      for (const { route, options } of completions) {
        expect(script).to.include(route);
        for (const { name } of options) expect(script, name).to.include(name.replace('--', ''));
      }
  });

  for (const [shell, complete] of Object.entries(shells))
    describe(`in a real ${shell} (skipped where it is not installed)`, () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'completion-'));
      let completed: Map<string, string[]>;
      before(function () {
        if (!isInstalled(shell)) this.skip();
        for (const file of ['orders.csv', 'two words.ndjson']) writeFileSync(path.join(folder, file), '');
        completed = complete(
          expected.map(([line]) => line),
          folder,
          completions,
        );
      });
      after(() => rmSync(folder, { recursive: true }));

      for (const [line, words] of expected)
        it(`completes "${line}" to ${words.length === 0 ? 'nothing' : words.join(', ')}`, () => {
          expect(completed.get(line)).to.have.members(words);
        });
    });

  it('prints a script that zsh can also source, as bash does (skipped without zsh)', function () {
    if (!isInstalled('zsh')) this.skip();
    const script = 'autoload -Uz compinit; compinit -u -D; source =(cat); print $_comps[affiliate]';
    const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', script], { input: completionScripts.zsh(completions), encoding: 'utf8' });
    expect([stdout, stderr]).to.deep.equal(['_affiliate\n', '']);
  });
});
