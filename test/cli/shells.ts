import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { bashCompletion } from '../../cli/commands/completion/bash.ts';
import { fishCompletion } from '../../cli/commands/completion/fish.ts';
import type { Vocabulary } from '../../cli/commands/completion/vocabulary.ts';
import { zshCompletion } from '../../cli/commands/completion/zsh.ts';

/** Every line completed by one real shell, which has read the script from a file in this folder. */
type Complete = (lines: readonly string[], folder: string, vocabulary: readonly Vocabulary[]) => Map<string, string[]>;

export const shells: Record<'bash' | 'zsh' | 'fish', Complete> = { bash: completedByBash, zsh: completedByZsh, fish: completedByFish };

export const isInstalled = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;

/** What the shell prints when it runs this, in the folder of the script. */
function told(shell: string, args: readonly string[], folder: string): string {
  const { stdout, stderr, status } = spawnSync(shell, args, { cwd: folder, encoding: 'utf8', timeout: 60_000 });
  expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
  return stdout;
}

const quoted = (text: string): string => `'${text}'`;

/** As bash itself takes a line apart: an equals sign is a word. The last word is the one that is being typed. */
const wordsOf = (line: string): string[] => line.split(/ |(?==)|(?<==)/);

function completedByBash(lines: readonly string[], folder: string, vocabulary: readonly Vocabulary[]): Map<string, string[]> {
  writeFileSync(path.join(folder, 'completion.bash'), bashCompletion(vocabulary));
  const ask = lines.map((line) => {
    const words = wordsOf(line).map(quoted);
    return `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; $registered; (IFS='|'; echo "\${COMPREPLY[*]}")`;
  });
  const script = ['source ./completion.bash', 'registered=$(complete -p affiliate | sed "s/.*-F \\([^ ]*\\) .*/\\1/")', ...ask].join('\n');
  const answers = told('bash', ['--norc', '-c', script], folder).trimEnd().split('\n');
  return new Map(lines.map((line, at) => [line, (answers[at] ?? '').split('|').filter((word) => word !== '')]));
}

/** fish can be asked. It gives the whole word, and sorts. */
function completedByFish(lines: readonly string[], folder: string, vocabulary: readonly Vocabulary[]): Map<string, string[]> {
  writeFileSync(path.join(folder, 'completion.fish'), fishCompletion(vocabulary));
  const ask = lines.map((line) => `complete -C ${quoted(line)}; echo .`);
  const answers = told('fish', ['--no-config', '-c', ['source ./completion.fish', ...ask].join('\n')], folder).split('.\n');
  const words = (answer = ''): string[] =>
    answer
      .split('\n')
      .filter(Boolean)
      .map((row) => row.replace(/\t.*/, '').replace(/^--\w+=/, ''));
  return new Map(lines.map((line, at) => [line, words(answers[at])]));
}

/**
 * zsh completes for somebody who types, and for nobody else: a terminal is made, the lines are typed into it, each with a tab, and what would be
 * offered is written down. Here the script is found by its name, as the help tells.
 */
function completedByZsh(lines: readonly string[], folder: string, vocabulary: readonly Vocabulary[]): Map<string, string[]> {
  writeFileSync(path.join(folder, '_affiliate'), zshCompletion(vocabulary));
  writeFileSync(path.join(folder, 'typed'), lines.map((line) => `${line}\n`).join(''));
  writeFileSync(path.join(folder, 'typing.zsh'), typing);
  const answers = told('zsh', ['-f', 'typing.zsh'], folder).split('.\n');
  const words = (answer = ''): string[] =>
    answer
      .split('\n')
      .filter(Boolean)
      .map((word) => word.replaceAll('\\', ''));
  return new Map(lines.map((line, at) => [line, words(answers[at])]));
}

const typing = `zmodload zsh/zpty
: > offered
zpty child 'zsh -f -i'
zpty -w child 'PS1=; fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; setopt no_beep'
zpty -w child 'compadd() { if (( \${@[(I)-(O|A|D)*]} )); then builtin compadd "$@"; return; fi; local -a hits; builtin compadd -A hits "$@"; (( $#hits )) && print -rl -- $hits >> offered; builtin compadd "$@" }'
zpty -w child 'offer() { zle complete-word; BUFFER=; print . >> offered }; zle -N offer; bindkey "^I" offer; : > ready'
until [[ -e ready ]]; do zpty -r -t child drained; sleep 0.02; done
integer typed=0
while IFS= read -r line; do
  zpty -n -w child "$line"$'\\t'
  typed+=1
  until (( $(grep -c '^\\.$' offered) >= typed )); do zpty -r -t child drained; sleep 0.02; done
done < typed
zpty -d child
cat offered
`;
