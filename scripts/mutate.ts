/** `npm run mutate`: mutation tests of the code that guards money and access. */

import { classifySurvivors, describeSurvivor, formatReport, jsonReport, readAccepted } from './mutate/report.ts';
import { createSandbox, type MutantResult, runMutants } from './mutate/run-mutants.ts';
import { help, type MutateOptions, optionsFrom, type Target } from './mutate/targets.ts';
import { runCommand, showProgress } from './shared/usage.ts';

const accepted = readAccepted();

function print(line: string): void {
  showProgress('');
  console.error(line);
}

/** Runs one file after another from the queue. */
async function runQueue(queue: Target[], results: MutantResult[]): Promise<void> {
  const sandbox = createSandbox();
  for (let target = queue.shift(); target; target = queue.shift()) {
    const { file } = target;
    const start = performance.now();
    const ofFile = await runMutants(sandbox, target, (result, done, total) => {
      // Printed at once, because a whole run takes an hour.
      if (classifySurvivors([result], accepted).open.length > 0) print(describeSurvivor(result));
      showProgress(`${file}: ${done} of ${total}`);
    });
    const killed = ofFile.filter(({ verdict }) => verdict.kind === 'killed').length;
    print(`${file}: ${killed} of ${ofFile.length} killed, ${Math.round((performance.now() - start) / 1000)} s`);
    results.push(...ofFile);
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

async function run({ targets, jobs, json }: MutateOptions): Promise<void> {
  const results: MutantResult[] = [];
  const queue = [...targets];
  await Promise.all(Array.from({ length: Math.min(jobs, queue.length) }, () => runQueue(queue, results)));
  const survivors = classifySurvivors(results, accepted);
  console.log(json ? JSON.stringify(jsonReport(results, survivors), null, 2) : formatReport(results, survivors));
  if (survivors.open.length > 0) process.exitCode = 1;
}

await runCommand(help, () => optionsFrom(process.argv.slice(2)), run);
