import { Argument, type Command } from 'commander';
import { type CommandResult, printResult } from '../terminal/output.ts';
import { bashCompletion } from './completion/bash.ts';
import { fishCompletion } from './completion/fish.ts';
import { vocabularyOf } from './completion/vocabulary.ts';
import { zshCompletion } from './completion/zsh.ts';

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };
type Shell = keyof typeof scripts;

const examples = `
Prints a script that tells the shell which commands, options and values there are. It completes the command affiliate, which a global
installation has, or an alias: alias affiliate='npx affiliate'.

Examples
  source <(affiliate completion bash)
  affiliate completion zsh > ~/.zfunc/_affiliate
  affiliate completion fish > ~/.config/fish/completions/affiliate.fish`;

export function addCompletion(program: Command): void {
  const complete = async (shell: Shell): Promise<CommandResult> => {
    const script = scripts[shell](vocabularyOf(program));
    return { json: { shell, script }, text: script };
  };
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'which shell it is for').choices(Object.keys(scripts)))
    .description('print a script that completes commands and options in your shell')
    .addHelpText('after', examples)
    .action(printResult(complete));
}
