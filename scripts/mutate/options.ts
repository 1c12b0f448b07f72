import { parseArgs } from 'node:util';
import { UsageError, withUsageError } from '../shared/usage.ts';
import { type Subject, subjects } from './targets.ts';

export interface Options {
  subjects: readonly Subject[];
  jobs: number;
  json: boolean;
}

export const help = `npm run mutate                        changes money, auth and guard code in small ways; a test ought to fail each time
npm run mutate -- --file domain/money.ts --file server/auth

  --file <path>       only this file, or the files of this folder; can be given several times
  --jobs <n>          so many files at a time: 1 by default
  --json              one JSON document on standard output, nothing else
  --help              this page
What survives and may is listed with a reason in scripts/mutate/accepted.json. Exits with 1 when anything else survives.`;

function read(args: string[]) {
  const [one, flag] = [{ type: 'string' } as const, { type: 'boolean' } as const];
  const options = { file: { ...one, multiple: true }, jobs: one, json: flag, help: flag } as const;
  return withUsageError(() => parseArgs({ args, options })).values;
}

function chosen(given: string): readonly Subject[] {
  const found = subjects.filter(({ file }) => file === given || file.startsWith(`${given.replace(/\/$/, '')}/`));
  if (found.length > 0) return found;
  throw new UsageError(`${given} is not among what is mutated. There are:\n${subjects.map(({ file }) => `  ${file}`).join('\n')}`);
}

export function optionsFrom(args: string[]): Options | 'help' {
  const { file, jobs = '1', json = false, help: asksForHelp } = read(args);
  if (asksForHelp) return 'help';
  if (!/^[1-9]\d?$/.test(jobs)) throw new UsageError(`--jobs must be a whole number from 1 to 99, not "${jobs}".`);
  return { subjects: file ? [...new Set(file.flatMap(chosen))] : subjects, jobs: Number(jobs), json };
}
