import type { Expected, Vocabulary } from './vocabulary.ts';

/** Within single quotes nothing has a meaning but the quote itself. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** For bash from 3.2 on, which is what some systems still have. */
export const bashCompletion = (
  vocabularies: readonly Vocabulary[],
): string => `# Completion of affiliate for bash, made by: affiliate completion bash
_affiliate() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" route='' words='' options='' files='' i
  # --option=value comes in three words.
  if [[ $cur == '=' ]]; then cur=''; elif [[ $prev == '=' ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$route \${COMP_WORDS[i]}" in
${indented(vocabularies.flatMap(step), 6)}
      # Nothing follows what is no command.
      *) case "$route" in ${groupsOf(vocabularies)}) [[ \${COMP_WORDS[i]} == -* ]] || return 0 ;; esac ;;
    esac
  done
  case "$route $prev" in
${indented(vocabularies.flatMap(values), 4)}
    *)
      case "$route" in
${indented(vocabularies.map(place), 8)}
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

const indented = (lines: readonly string[], spaces: number): string => lines.map((line) => ' '.repeat(spaces) + line).join('\n');

/** How one word leads from a command to the next. */
const step = ({ route, commands }: Vocabulary): string[] =>
  commands.map(({ name }) => `${quoted(`${route} ${name}`)}) route=${quoted(`${route} ${name}`.trim())} ;;`);

/** The routes after which a command must come, as one pattern. */
export const groupsOf = (vocabularies: readonly Vocabulary[]): string =>
  vocabularies
    .filter(({ commands }) => commands.length > 0)
    .map(({ route }) => quoted(route))
    .join('|');

/** What comes after an option that takes a value; for one that is typed freely, nothing. */
const values = ({ route, options }: Vocabulary): string[] =>
  options.flatMap(({ name, value }) => (value === null ? [] : [`${quoted(`${route} ${name}`)}) ${expected(value)} ;;`]));

const expected = ({ choices, isFile }: Expected): string => (isFile ? 'files=1' : `words=${quoted(choices.join(' '))}`);

const place = ({ route, commands, options, argument }: Vocabulary): string => {
  const words = [...commands.map(({ name }) => name), ...argument.choices].join(' ');
  const parts = [`options=${quoted(options.map(({ name }) => name).join(' '))}`];
  if (words !== '') parts.push(`words=${quoted(words)}`);
  if (argument.isFile) parts.push('files=1');
  return `${quoted(route)}) ${parts.join('; ')} ;;`;
};
