import type { Expected, OptionWord, Vocabulary } from './vocabulary.ts';

const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;

export const fishCompletion = (
  vocabularies: readonly Vocabulary[],
): string => `# Completion of affiliate for fish, made by: affiliate completion fish
function __affiliate_is_at
  set -l words (commandline -opc)
  set -e words[1]
  set -l route
  for word in $words
    switch "$route $word"
      case ${vocabularies.flatMap(({ route, commands }) => commands.map(({ name }) => quoted(`${route} ${name}`))).join(' ')}
        set -a route $word
      case '* -*'
      case '*'
        # Nothing follows what is no command.
        contains -- "$route" ${vocabularies.flatMap(({ route, commands }) => (commands.length > 0 ? [quoted(route)] : [])).join(' ')}; and return 1
    end
  end
  test "$route" = "$argv"
end
complete -c affiliate -f
${vocabularies.flatMap(linesOf).join('\n')}`;

function linesOf({ route, commands, options, argument }: Vocabulary): string[] {
  const here = `complete -c affiliate -n ${quoted(`__affiliate_is_at ${route}`.trim())}`;
  return [
    ...commands.map(({ name, description }) => `${here} -a ${quoted(name)} -d ${quoted(description)}`),
    ...options.map((option) => `${here} -l ${option.name.replace(/^--/, '')}${valueOf(option)} -d ${quoted(option.description)}`),
    ...(argument.isFile || argument.choices.length > 0 ? [`${here}${expected(argument)}`] : []),
  ];
}

const valueOf = ({ value }: OptionWord): string => (value === null ? '' : ` ${value.isFile ? '-r' : '-x'}${expected(value)}`);

function expected({ choices, isFile }: Expected): string {
  if (isFile) return ' -F';
  return choices.length > 0 ? ` -a ${quoted(choices.join(' '))}` : '';
}
