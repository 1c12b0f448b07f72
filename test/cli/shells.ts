import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { type CommandCompletions, completionScripts } from '../../cli/commands/completion.ts';

/** Completes every line with a real shell, which reads the script from a file in the folder. */
type Complete = (lines: readonly string[], folder: string, completions: readonly CommandCompletions[]) => Map<string, string[]>;

export const shells: Record<'bash' | 'zsh' | 'fish', Complete> = { bash: completedByBash, zsh: completedByZsh, fish: completedByFish };

export const isInstalled = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;

/** Standard output of the shell, run in the folder of the script. */
function runShell(shell: string, args: readonly string[], folder: string): string {
  const { stdout, stderr, status } = spawnSync(shell, args, { cwd: folder, encoding: 'utf8', timeout: 60_000 });
  expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
  return stdout;
}

const quoted = (text: string): string => `'${text}'`;

/** As bash splits a line: an equals sign is a word. The last word is the one to complete. */
const wordsOf = (line: string): string[] => line.split(/ |(?==)|(?<==)/);

function completedByBash(lines: readonly string[], folder: string, completions: readonly CommandCompletions[]): Map<string, string[]> {
  writeFileSync(path.join(folder, 'completion.bash'), completionScripts.bash(completions));
  const ask = lines.map((line) => {
    const words = wordsOf(line).map(quoted);
    return `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; $registered; (IFS='|'; echo "\${COMPREPLY[*]}")`;
  });
  const script = ['source ./completion.bash', 'registered=$(complete -p affiliate | sed "s/.*-F \\([^ ]*\\) .*/\\1/")', ...ask].join('\n');
  const answers = runShell('bash', ['--norc', '-c', script], folder).trimEnd().split('\n');
  return new Map(lines.map((line, at) => [line, (answers[at] ?? '').split('|').filter((word) => word !== '')]));
}

/** `complete -C` of fish prints whole words, sorted. */
function completedByFish(lines: readonly string[], folder: string, completions: readonly CommandCompletions[]): Map<string, string[]> {
  writeFileSync(path.join(folder, 'completion.fish'), completionScripts.fish(completions));
  const ask = lines.map((line) => `complete -C ${quoted(line)}; echo .`);
  const answers = runShell('fish', ['--no-config', '-c', ['source ./completion.fish', ...ask].join('\n')], folder).split('.\n');
  const words = (answer = ''): string[] =>
    answer
      .split('\n')
      .filter(Boolean)
      .map((row) => row.replace(/\t.*/, '').replace(/^--\w+=/, ''));
  return new Map(lines.map((line, at) => [line, words(answers[at])]));
}

/**
 * zsh completes in an interactive shell only: the lines are typed into a pseudo-terminal, each followed by a tab, and a wrapper around `compadd`
 * records the candidates. zsh finds the script by its name in fpath, as the help describes.
 */
function completedByZsh(lines: readonly string[], folder: string, completions: readonly CommandCompletions[]): Map<string, string[]> {
  writeFileSync(path.join(folder, '_affiliate'), completionScripts.zsh(completions));
  writeFileSync(path.join(folder, 'typed'), lines.map((line) => `${line}\n`).join(''));
  writeFileSync(path.join(folder, 'typing.zsh'), typing);
  const answers = runShell('zsh', ['-f', 'typing.zsh'], folder).split('.\n');
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
