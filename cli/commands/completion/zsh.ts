import { groupsOf, quoted } from './bash.ts';
import type { Expected, Vocabulary, Word } from './vocabulary.ts';

export const zshCompletion = (vocabularies: readonly Vocabulary[]): string => `#compdef affiliate
# Completion of affiliate for zsh, made by: affiliate completion zsh
_affiliate() {
  local route=''
  local -i i
  local -a commands options
  for ((i = 2; i < CURRENT; i++)); do
    case "$route \${words[i]}" in
${indented(vocabularies.flatMap(step), 6)}
      # Nothing follows what is no command.
      *) case "$route" in ${groupsOf(vocabularies)}) [[ "\${words[i]}" == -* ]] || return 1 ;; esac ;;
    esac
  done
  # --option=value: what stands before the value is kept.
  local previous="\${words[CURRENT-1]}" typed="\${words[CURRENT]}"
  if compset -P 1 '--*='; then previous="\${typed%%=*}"; fi
  case "$route $previous" in
${indented(vocabularies.flatMap(values), 4)}
  esac
  case "$route" in
${indented(vocabularies.map(place), 4)}
  esac
  if (( $#commands )); then _describe -t commands 'command' commands; fi
  if (( $#options )); then _describe -o -t options 'option' options; fi
}
# Loaded by fpath it is the function itself; sourced, it says what it is for.
if [[ "\${funcstack[1]}" == _affiliate ]]; then _affiliate "$@"; else compdef _affiliate affiliate; fi`;

const indented = (lines: readonly string[], spaces: number): string => lines.map((line) => ' '.repeat(spaces) + line).join('\n');

const step = ({ route, commands }: Vocabulary): string[] =>
  commands.map(({ name }) => `${quoted(`${route} ${name}`)}) route=${quoted(`${route} ${name}`.trim())} ;;`);

const values = ({ route, options }: Vocabulary): string[] =>
  options.flatMap(({ name, value }) => (value === null ? [] : [`${quoted(`${route} ${name}`)}) ${expected(value)}; return ;;`]));

function expected({ choices, isFile }: Expected): string {
  if (isFile) return '_files';
  return choices.length > 0 ? `compadd -- ${choices.map(quoted).join(' ')}` : "_message 'a value'";
}

/** `name:what it does`, where a colon of the text would end it. */
const described = ({ name, description }: Word): string => quoted(`${name}:${description.replaceAll(':', '\\:')}`);

function place({ route, commands, options, argument }: Vocabulary): string {
  const parts = [`options=(${options.map(described).join(' ')})`];
  if (commands.length > 0) parts.push(`commands=(${commands.map(described).join(' ')})`);
  if (argument.isFile || argument.choices.length > 0) parts.push(expected(argument));
  return `${quoted(route)}) ${parts.join('; ')} ;;`;
}
