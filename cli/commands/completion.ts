import { Argument, type Command } from 'commander';
import { type CommandResult, printResult } from '../terminal/output.ts';

const examples = `
Prints a script that completes commands, options and values in the shell. It completes the command affiliate, which a global installation
has, or an alias: alias affiliate='npx affiliate'.

Examples
  source <(affiliate completion bash)
  affiliate completion zsh > ~/.zfunc/_affiliate
  affiliate completion fish > ~/.config/fish/completions/affiliate.fish`;

export function addCompletion(program: Command): void {
  const complete = async (shell: keyof typeof completionScripts): Promise<CommandResult> => {
    const script = completionScripts[shell](listCompletions(program));
    return { json: { shell, script }, text: script };
  };
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(completionScripts)))
    .description('print a script that completes commands and options in your shell')
    .addHelpText('after', examples)
    .action(printResult(complete));
}

/** Everything that can be typed after one command. `route` is `key create`; empty for the program itself. */
function describeCommand(command: Command, route: string) {
  const help = command.createHelp();
  return {
    route,
    commands: help.visibleCommands(command).map((child) => ({ name: child.name(), description: child.description() })),
    options: help.visibleOptions(command).map(({ long, short, description, required, optional, argChoices = [], flags }) => ({
      name: long ?? short ?? '',
      description,
      // Null for a flag.
      value: required || optional ? { choices: argChoices, isFile: flags.includes('<file>') } : null,
    })),
    // No command has more than one argument that can be completed.
    argument: {
      choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
      isFile: command.registeredArguments.some((argument) => argument.name() === 'file'),
    },
  };
}

export type CommandCompletions = ReturnType<typeof describeCommand>;
type CompletionOption = CommandCompletions['options'][number];
type CompletionValue = CommandCompletions['argument'];

/** The completions of the program and of all its commands. */
export const listCompletions = (command: Command, route = ''): CommandCompletions[] => [
  describeCommand(command, route),
  ...command.commands.flatMap((child) => listCompletions(child, `${route} ${child.name()}`.trim())),
];

/** Within single quotes only the quote itself has a meaning. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const quoteForFish = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;

const indent = (lines: readonly string[], spaces: number): string => lines.map((line) => ' '.repeat(spaces) + line).join('\n');

/** Case branches for bash and zsh: from a command to its subcommand. */
const routeBranches = (all: readonly CommandCompletions[]): string[] =>
  all.flatMap(({ route, commands }) =>
    commands.map(({ name }) => `${quote(`${route} ${name}`)}) route=${quote(`${route} ${name}`.trim())} ;;`),
  );

/** A pattern for bash and zsh: the routes that a subcommand must follow. */
const groupPattern = (all: readonly CommandCompletions[]): string =>
  all
    .filter(({ commands }) => commands.length > 0)
    .map(({ route }) => quote(route))
    .join('|');

/** Case branches for bash and zsh: after an option that has a value. */
const valueBranches = (all: readonly CommandCompletions[], complete: (value: CompletionValue) => string): string[] =>
  all.flatMap(({ route, options }) =>
    options.flatMap(({ name, value }) => (value === null ? [] : [`${quote(`${route} ${name}`)}) ${complete(value)} ;;`])),
  );

/** For bash 3.2, which some systems still have, and later. */
const bashCompletion = (
  all: readonly CommandCompletions[],
): string => `# Completion of affiliate for bash, made by: affiliate completion bash
_affiliate() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" route='' words='' options='' files='' i
  # bash splits --option=value into three words.
  if [[ $cur == '=' ]]; then cur=''; elif [[ $prev == '=' ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$route \${COMP_WORDS[i]}" in
${indent(routeBranches(all), 6)}
      # No completions after an unknown command.
      *) case "$route" in ${groupPattern(all)}) [[ \${COMP_WORDS[i]} == -* ]] || return 0 ;; esac ;;
    esac
  done
  case "$route $prev" in
${indent(
  valueBranches(all, ({ choices, isFile }) => (isFile ? 'files=1' : `words=${quote(choices.join(' '))}`)),
  4,
)}
    *)
      case "$route" in
${indent(all.map(bashWords), 8)}
      esac
      if [[ $cur == -* || -z "$words$files" ]]; then words="$options"; files=''; fi
      ;;
  esac
  if [[ -n $files ]]; then
    local IFS=$'\\n'
    compopt -o filenames 2> /dev/null
    COMPREPLY=($(compgen -f -- "$cur"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  fi
}
complete -F _affiliate affiliate`;

function bashWords({ route, commands, options, argument }: CommandCompletions): string {
  const words = [...commands.map(({ name }) => name), ...argument.choices].join(' ');
  const parts = [`options=${quote(options.map(({ name }) => name).join(' '))}`];
  if (words !== '') parts.push(`words=${quote(words)}`);
  if (argument.isFile) parts.push('files=1');
  return `${quote(route)}) ${parts.join('; ')} ;;`;
}

const zshCompletion = (all: readonly CommandCompletions[]): string => `#compdef affiliate
# Completion of affiliate for zsh, made by: affiliate completion zsh
_affiliate() {
  local route=''
  local -i i
  local -a commands options
  for ((i = 2; i < CURRENT; i++)); do
    case "$route \${words[i]}" in
${indent(routeBranches(all), 6)}
      # No completions after an unknown command.
      *) case "$route" in ${groupPattern(all)}) [[ "\${words[i]}" == -* ]] || return 1 ;; esac ;;
    esac
  done
  # --option=value: the part before the value is kept.
  local previous="\${words[CURRENT-1]}" typed="\${words[CURRENT]}"
  if compset -P 1 '--*='; then previous="\${typed%%=*}"; fi
  case "$route $previous" in
${indent(
  valueBranches(all, (value) => `${zshValue(value)}; return`),
  4,
)}
  esac
  case "$route" in
${indent(all.map(zshWords), 4)}
  esac
  if (( $#commands )); then _describe -t commands 'command' commands; fi
  if (( $#options )); then _describe -o -t options 'option' options; fi
}
# Loaded by fpath, this file is the function itself; sourced, it registers it.
if [[ "\${funcstack[1]}" == _affiliate ]]; then _affiliate "$@"; else compdef _affiliate affiliate; fi`;

function zshValue({ choices, isFile }: CompletionValue): string {
  if (isFile) return '_files';
  return choices.length > 0 ? `compadd -- ${choices.map(quote).join(' ')}` : "_message 'a value'";
}

function zshWords({ route, commands, options, argument }: CommandCompletions): string {
  // `name:description`; a colon within the description is escaped.
  const describe = ({ name, description }: { name: string; description: string }): string =>
    quote(`${name}:${description.replaceAll(':', '\\:')}`);
  const parts = [`options=(${options.map(describe).join(' ')})`];
  if (commands.length > 0) parts.push(`commands=(${commands.map(describe).join(' ')})`);
  if (argument.isFile || argument.choices.length > 0) parts.push(zshValue(argument));
  return `${quote(route)}) ${parts.join('; ')} ;;`;
}

const fishCompletion = (
  all: readonly CommandCompletions[],
): string => `# Completion of affiliate for fish, made by: affiliate completion fish
function __affiliate_is_at
  set -l words (commandline -opc)
  set -e words[1]
  set -l route
  for word in $words
    switch "$route $word"
      case ${all.flatMap(({ route, commands }) => commands.map(({ name }) => quoteForFish(`${route} ${name}`))).join(' ')}
        set -a route $word
      case '* -*'
      case '*'
        # No completions after an unknown command.
        contains -- "$route" ${all.flatMap(({ route, commands }) => (commands.length > 0 ? [quoteForFish(route)] : [])).join(' ')}; and return 1
    end
  end
  test "$route" = "$argv"
end
complete -c affiliate -f
${all.flatMap(fishLines).join('\n')}`;

function fishLines({ route, commands, options, argument }: CommandCompletions): string[] {
  const prefix = `complete -c affiliate -n ${quoteForFish(`__affiliate_is_at ${route}`.trim())}`;
  const flags = ({ value }: CompletionOption): string => (value === null ? '' : ` ${value.isFile ? '-r' : '-x'}${fishValue(value)}`);
  return [
    ...commands.map(({ name, description }) => `${prefix} -a ${quoteForFish(name)} -d ${quoteForFish(description)}`),
    ...options.map((option) => `${prefix} -l ${option.name.slice(2)}${flags(option)} -d ${quoteForFish(option.description)}`),
    ...(argument.isFile || argument.choices.length > 0 ? [prefix + fishValue(argument)] : []),
  ];
}

function fishValue({ choices, isFile }: CompletionValue): string {
  if (isFile) return ' -F';
  return choices.length > 0 ? ` -a ${quoteForFish(choices.join(' '))}` : '';
}

export const completionScripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };
