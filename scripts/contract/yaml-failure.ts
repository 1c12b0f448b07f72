import { readdirSync, readFileSync } from 'node:fs';
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

/** The first YAML file of the folder with a mistake of syntax. It replaces what Redocly reports then: a dozen consequences. */
export function findYamlFailure(folder: string): YamlFailure | null {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));
  for (const name of files.toSorted()) {
    const file = path.join(folder, name);
    const found = findMistake(readFileSync(file, 'utf8'));
    if (found) return { file, ...found };
  }
  return null;
}

function findMistake(text: string): Omit<YamlFailure, 'file'> | null {
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

/** `{ type string }` is valid YAML with the key "type string" and no value, and `user { $ref: … }` has the key "user { $ref". */
function findKeyWithoutColon(part: unknown): string | undefined {
  if (typeof part !== 'object' || part === null) return undefined;
  for (const [key, value] of Object.entries(part)) {
    if (/\s/.test(key) && (value === null || /[{[]/.test(key))) return key;
    const within = findKeyWithoutColon(value);
    if (within !== undefined) return within;
  }
  return undefined;
}
