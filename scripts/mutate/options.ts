import { flag, list, parseNumber, parseOptions, text } from '../shared/options.ts';
import { UsageError } from '../shared/usage.ts';
import { type Target, targets } from './targets.ts';

export interface Options {
  targets: readonly Target[];
  jobs: number;
  json: boolean;
}

export const help = `npm run mutate                        changes money, auth and guard code in small ways; a test should fail each time
npm run mutate -- --file domain/money.ts --file server/auth

  --file <path>       only this file, or the files of this folder; may be repeated
  --jobs <n>          files at a time, 1 by default
  --json              one JSON document on standard output, nothing else
  --help              this page
Survivors that are right are listed with a reason in scripts/mutate/accepted.json. Exits with 1 when any other mutant survives.`;

function targetsAt(path: string): readonly Target[] {
  const found = targets.filter(({ file }) => file === path || file.startsWith(`${path.replace(/\/$/, '')}/`));
  if (found.length > 0) return found;
  throw new UsageError(`${path} is not mutated. These files are:\n${targets.map(({ file }) => `  ${file}`).join('\n')}`);
}

export function optionsFrom(args: string[]): Options | 'help' {
  const { values } = parseOptions({ args, options: { file: list, jobs: text, json: flag, help: flag } });
  if (values.help) return 'help';
  return {
    targets: values.file ? [...new Set(values.file.flatMap(targetsAt))] : targets,
    jobs: parseNumber('jobs', values.jobs, 1, { min: 1, max: 99, isWhole: true }),
    json: values.json ?? false,
  };
}
