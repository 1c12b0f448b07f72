import type { Command } from 'commander';
import { type Configuration, readConfiguration } from '../../server/configuration.ts';
import { type Answer, answering } from './answer.ts';
import { type Check, ok, problem } from './check.ts';
import { checkDatabase } from './doctor-database.ts';
import { checkCertificate, checkClock, checkDataFolder, checkHttps, checkMasterKey, checkSiteModule } from './doctor-machine.ts';
import { sentenceOf } from './refusal.ts';
import { colored } from './table.ts';

const examples = `
Changes nothing. Exits with 1 when there is a problem, with 0 when there are warnings only.

Example
  affiliate doctor --json`;

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('look for what is wrong with this installation, and say what to do')
    .addHelpText('after', examples)
    .action(answering(doctor));
}

async function doctor(): Promise<Answer> {
  const checks = await examine(Date.now());
  const problems = checks.filter(({ state }) => state === 'problem').length;
  const json = { ok: problems === 0, checks };
  const failure = `Problems found: ${problems}.`;
  return { json, text: checks.map(lineOf).join('\n'), ...(problems > 0 && { failure }) };
}

/** What is wrong with the configuration hides everything else: nothing else is known then. */
async function examine(now: number): Promise<Check[]> {
  let configuration: Configuration;
  try {
    configuration = readConfiguration(process.env);
  } catch (error) {
    return [problem('configuration', sentenceOf(error))];
  }
  return [
    ok('configuration', `The environment variables make sense; the environment is ${configuration.environment}.`),
    checkDataFolder(configuration),
    checkMasterKey(configuration),
    checkHttps(configuration),
    ...checkCertificate(configuration, now),
    await checkSiteModule(configuration),
    checkClock(now),
    ...(await checkDatabase(configuration, now)),
  ];
}

const colors = { ok: 'green', warning: 'yellow', problem: 'red' } as const;

const lineOf = ({ name, state, message }: Check): string => `${colored(colors[state], state.padEnd(7))}  ${name.padEnd(13)}  ${message}`;
