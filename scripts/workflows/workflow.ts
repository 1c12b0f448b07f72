import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** One Arazzo file, as far as it is shown to people. */
export interface Story {
  /** As in `key-life`. */
  name: string;
  file: string;
  title: string;
  summary: string;
  /** The inputs without which it cannot be told. */
  needs: readonly string[];
  steps: readonly Step[];
}

export interface Step {
  id: string;
  description: string;
}

const folder = 'openapi/workflows';
const ending = '.arazzo.yaml';

export const allStories = (): Story[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .toSorted()
    .map((name) => readStory(path.join(folder, name)));

/** Read by its lines, which all stories have alike: Redocly has a parser of YAML, the project has none. */
export function readStory(file: string): Story {
  const text = readFileSync(file, 'utf8');
  return {
    name: path.basename(file, ending),
    file,
    title: /^ {2}title: (.+)$/m.exec(text)?.[1] ?? '',
    summary: /^ {2}summary: (.+)$/m.exec(text)?.[1] ?? '',
    needs: [...new Set([...text.matchAll(/\$inputs\.(\w+)/g)].map(([, input = '']) => input))],
    steps: [...text.matchAll(/^ +- stepId: (\S+)\n +description: (.+)$/gm)].map(([, id = '', description = '']) => ({ id, description })),
  };
}
