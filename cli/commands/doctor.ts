import type { Command } from 'commander';
import { type Check, ok } from '../doctor/check.ts';
import { configurationIn } from '../doctor/configuration.ts';
import { checkDatabase } from '../doctor/database.ts';
import { checkDisk, checkNode, checkPrivacy, checkTimeZones } from '../doctor/host.ts';
import { checkCertificate, checkClock, checkDataFolder, checkHttps, checkMasterKey, checkSiteModule } from '../doctor/machine.ts';
import { checkMailServer, checkMetricsPort, checkPort } from '../doctor/network.ts';
import { type CommandResult, printResult } from '../terminal/output.ts';
import { type Column, formatTable } from '../terminal/table.ts';

const examples = `
Changes nothing. Exits with 1 when there is a problem, with 0 when there are warnings only.

Example
  affiliate doctor --json`;

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('look for what is wrong with this installation, and say what to do')
    .addHelpText('after', examples)
    .action(printResult(doctor));
}

async function doctor(): Promise<CommandResult> {
  const checks = await examine(Date.now());
  const problems = checks.filter(({ state }) => state === 'problem').length;
  const json = { ok: problems === 0, checks };
  const failure = `Problems found: ${problems}.`;
  return { json, text: formatTable([state, { name: '' }, { name: '' }], checks.map(cellsOf)), ...(problems > 0 && { failure }) };
}

/** What is wrong with the configuration hides everything else: nothing else is known then. */
async function examine(now: number): Promise<Check[]> {
  const configuration = configurationIn(process.env);
  if (Array.isArray(configuration)) return configuration;
  return [
    ok('configuration', `The environment variables make sense; the environment is ${configuration.environment}.`),
    checkNode(),
    checkTimeZones(),
    checkDataFolder(configuration),
    ...checkDisk(configuration),
    ...checkPrivacy(configuration),
    checkMasterKey(configuration),
    checkHttps(configuration),
    ...checkCertificate(configuration, now),
    await checkSiteModule(configuration),
    checkClock(now),
    await checkPort(configuration),
    ...(await checkMetricsPort(configuration)),
    await checkMailServer(configuration),
    ...(await checkDatabase(configuration, now)),
  ];
}

const colors = { ok: 'green', warning: 'yellow', problem: 'red' } as const;

const state: Column = { name: '', color: (cell) => colors[cell.trimEnd() as Check['state']] };

const cellsOf = (check: Check): string[] => [check.state.padEnd(7), check.name, check.message];
