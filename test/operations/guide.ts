import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The first block of commands under a heading of the operators' guide, so that what is tested is what they are told. */
export function commandsUnder(heading: string): string {
  const guide = readFileSync(path.join(root, 'docs/guides/run-in-production.md'), 'utf8');
  const [, section] = guide.split(`\n### ${heading}\n`);
  const [, block] = /```bash\n(.*?)```/s.exec(section ?? '') ?? [];
  if (block === undefined) throw new Error(`The guide has no commands under "${heading}".`);
  return block;
}
