/** `npm run lint`. With the argument `contract` or `workflows` it prints what Redocly finds there and runs nothing else. */
import { readdirSync } from 'node:fs';
import { type LintOutput, lintContract, lintFolder } from './contract/lint-contract.ts';
import { runSteps, script, tool } from './shared/steps.ts';

// Redocly writes to a pipe here, so it cannot detect the terminal itself.
const isColored = process.stdout.isTTY && process.stdout.hasColors();

function print({ ok, stdout, stderr }: LintOutput): void {
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = ok ? 0 : 1;
}

function lintWorkflows(): Promise<LintOutput> {
  const folder = 'openapi/workflows';
  const files = readdirSync(folder).filter((name) => name.endsWith('.arazzo.yaml'));
  return lintFolder(folder, [...files.map((name) => `${folder}/${name}`), '--config', `${folder}/redocly.yaml`], isColored);
}

const [, , part] = process.argv;
if (part === 'contract') print(await lintContract({ isColored }));
else if (part === 'workflows') print(await lintWorkflows());
else
  await runSteps([
    script('the contract keeps its rules', 'scripts/lint.ts', 'contract'),
    script('the workflows keep their rules', 'scripts/lint.ts', 'workflows'),
    tool('the code keeps its rules', 'oxlint', '--deny-warnings'),
    tool('the code is formatted', 'biome', 'check', '--error-on-warnings'),
  ]);
