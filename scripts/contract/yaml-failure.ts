import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { redoclyFolder } from './redocly.ts';

/** The parser that Redocly uses. */
const { load } = createRequire(path.join(redoclyFolder, 'package.json'))('js-yaml') as { load(text: string): unknown };

/** A YAML file that cannot be read as it is meant, and where. */
export interface YamlFailure {
  file: string;
  line: number;
  column: number;
  sentence: string;
}

export const formatYamlFailure = ({ file, line, column, sentence }: YamlFailure): string => `${file}:${line}:${column}  ${sentence}`;

/**
 * What is wrong with the files of a folder, before Redocly reads them: it would report the consequences instead, a dozen for each. The first
 * mistake of syntax alone, or else every file that the tools would not read and every reference to a file that is not there.
 */
export function findYamlFailures(folder: string): YamlFailure[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.ya?ml$/.test(name));
  const files = names.map((name) => path.join(folder, name)).toSorted();
  const failures: YamlFailure[] = [];
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const mistake = findMistake(text);
    if (mistake) return [{ file, ...mistake }];
    failures.push(...findUnreadable(file), ...findDangling(file, text, files));
  }
  return failures;
}

const findUnreadable = (file: string): YamlFailure[] =>
  file.endsWith('.yml')
    ? [{ file, line: 1, column: 1, sentence: `The tools read .yaml alone. Name it ${path.basename(file, '.yml')}.yaml.` }]
    : [];

/** References to files that were deleted, moved or misspelt. */
function findDangling(file: string, text: string, files: readonly string[]): YamlFailure[] {
  return text.split('\n').flatMap((line, at) =>
    [...line.matchAll(/(?<=\$ref: *['"]?)(?!#|https?:)[^\s,'"}#]+/g)].flatMap(({ 0: reference, index }) => {
      const target = path.join(path.dirname(file), reference);
      if (existsSync(target)) return [];
      const moved = files.find((other) => path.basename(other) === path.basename(target));
      const remedy = moved ? `There is ${moved}: refer to that.` : 'Restore the file, or remove the reference.';
      return [{ file, line: at + 1, column: index + 1, sentence: `There is no file ${target}. ${remedy}` }];
    }),
  );
}

function findMistake(text: string): Omit<YamlFailure, 'file'> | null {
  if (text.replaceAll(/#.*$/gm, '').trim() === '')
    return { line: 1, column: 1, sentence: 'The file is empty. Write what it is named after, or delete it and the references to it.' };
  try {
    const key = findKeyWithoutColon(load(text));
    if (key === undefined) return null;
    const before = text.slice(0, text.indexOf(key)).split('\n');
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, sentence: `A colon is missing in "${key}".` };
  } catch (error) {
    const { reason, mark } = error as { reason: string; mark: { line: number; column: number } };
    return { line: mark.line + 1, column: mark.column + 1, sentence: `This is no YAML: ${reason}.` };
  }
}

/** Their keys are data, which may have spaces. */
const data = new Set(['example', 'examples', 'value', 'default', 'const', 'enum']);

/** `{ type string }` is valid YAML with the key "type string" and no value, and `user { $ref: … }` has the key "user { $ref". */
function findKeyWithoutColon(part: unknown): string | undefined {
  if (typeof part !== 'object' || part === null) return undefined;
  for (const [key, value] of Object.entries(part)) {
    if (/\s/.test(key) && (value === null || /[{[]/.test(key))) return key;
    const within = data.has(key) ? undefined : findKeyWithoutColon(value);
    if (within !== undefined) return within;
  }
  return undefined;
}
