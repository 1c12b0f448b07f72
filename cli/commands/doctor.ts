import type { Command } from 'commander';
import { type Check, ok } from '../doctor/check.ts';
import { checkConfiguration } from '../doctor/configuration.ts';
import { checkDatabase } from '../doctor/database.ts';
import * as machine from '../doctor/machine.ts';
import { checkMailServer, checkMetricsPort, checkPort } from '../doctor/network.ts';
import { type CommandResult, printResult } from '../terminal/output.ts';
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

/** Nothing else can be checked with an invalid configuration. */
async function runChecks(now: number): Promise<Check[]> {
  const configuration = checkConfiguration(process.env);
  if (Array.isArray(configuration)) return configuration;
  return [
    ok('configuration', `The environment variables are valid; the environment is ${configuration.environment}.`),
    machine.checkNode(),
    machine.checkTimeZones(),
    machine.checkDataFolder(configuration),
    ...machine.checkDisk(configuration),
    ...machine.checkPrivacy(configuration),
    machine.checkMasterKey(configuration),
    machine.checkHttps(configuration),
    ...machine.checkCertificate(configuration, now),
    await machine.checkSiteModule(configuration),
    machine.checkClock(now),
    await checkPort(configuration),
    ...(await checkMetricsPort(configuration)),
    await checkMailServer(configuration),
    ...(await checkDatabase(configuration, now)),
  ];
}
