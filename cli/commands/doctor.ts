import type { Command } from 'commander';
import { type Configuration, ConfigurationError, readConfiguration } from '../../server/configuration.ts';
import { type Check, ok, problem } from '../doctor/check.ts';
import { checkDatabase } from '../doctor/database.ts';
import { checkServiceEnvironment, checkUser } from '../doctor/installation.ts';
import * as machine from '../doctor/machine.ts';
import { checkMailServer, checkMetricsPort, checkPort, checkServedCertificate } from '../doctor/network.ts';
import { type CommandResult, formatError, printResult } from '../terminal/output.ts';
import { formatTable, type TableColumn } from '../terminal/table.ts';

const examples = `
Changes nothing. Exits with 1 when there is a problem, with 0 when there are only warnings.

Example
  affiliate doctor --json`;

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check this installation for problems, and say what to do')
    .addHelpText('after', examples)
    .action(printResult(doctor));
}

const colors = { ok: 'green', warning: 'yellow', problem: 'red' } as const;
const state: TableColumn = { name: '', color: (cell) => colors[cell.trimEnd() as Check['state']] };

async function doctor(): Promise<CommandResult> {
  const checks = await runChecks(Date.now());
  const problems = checks.filter((check) => check.state === 'problem').length;
  const rows = checks.map((check) => [check.state.padEnd(7), check.name, check.message]);
  const failure = `Problems found: ${problems}.`;
  return { json: { ok: problems === 0, checks }, text: formatTable([state, '', ''], rows), ...(problems > 0 && { failure }) };
}

/** Nothing else can be checked with an invalid configuration, or in a folder of another user. */
async function runChecks(now: number): Promise<Check[]> {
  const configuration = checkConfiguration(process.env);
  if (Array.isArray(configuration)) return configuration;
  const folder = machine.checkDataFolder(configuration);
  if (!machine.isReachable(configuration)) return [folder, ...checkServiceEnvironment(process.env)];
  const placement = [folder, ...checkUser(configuration), ...checkServiceEnvironment(process.env)];
  const isMisplaced = placement.some(({ state: found }) => found !== 'ok');
  return [
    ok('configuration', `The environment variables are valid; the environment is ${configuration.environment}.`),
    machine.checkNode(),
    machine.checkTimeZones(),
    ...placement,
    ...machine.checkDisk(configuration),
    ...machine.checkPrivacy(configuration),
    machine.checkMasterKey(configuration),
    machine.checkHttps(configuration),
    ...machine.checkCertificate(configuration, now),
    await machine.checkSiteModule(configuration),
    machine.checkClock(now),
    await checkPort(configuration),
    ...(await checkServedCertificate(configuration)),
    ...(await checkMetricsPort(configuration)),
    await checkMailServer(configuration),
    ...(await checkDatabase(configuration, now, isMisplaced)),
  ];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The configuration, or all its errors: reads it again without each invalid variable. */
export function checkConfiguration(env: Environment): Configuration | Check[] {
  const problems: Check[] = [];
  for (let rest: Environment | undefined = env; rest; ) {
    try {
      const configuration = readConfiguration(rest);
      return problems.length === 0 ? configuration : problems;
    } catch (error) {
      problems.push(problem('configuration', formatError(error)));
      // The sentence begins with the name of the variable.
      rest = withoutVariable(rest, /^[A-Z_]+/.exec(error instanceof ConfigurationError ? error.message : '')?.[0]);
    }
  }
  return problems;
}

/** Without the variable and those that depend on it. Undefined if there is no such variable. */
function withoutVariable(env: Environment, name: string | undefined): Environment | undefined {
  if (name === undefined) return undefined;
  const baseName = (variable: string): string => (variable.startsWith('TLS_') ? 'TLS' : variable.replace(/_FILE$/, ''));
  const rest = Object.entries(env).filter(([other]) => baseName(other) !== baseName(name));
  return rest.length < Object.keys(env).length ? Object.fromEntries(rest) : undefined;
}
