/** `npm run lint`. With the argument `contract` or `workflows` it prints what Redocly finds there and runs nothing else. */
import { existsSync, readdirSync } from 'node:fs';
import { runRedocly } from './contract/redocly.ts';
import { findYamlFailure, formatYamlFailure } from './contract/yaml-failure.ts';
import { runSteps, script, tool } from './shared/steps.ts';

const ignoreFile = '.redocly.lint-ignore.yaml';

async function lintByRedocly(folder: string, args: string[]): Promise<void> {
  // Redocly writes to a pipe here, so it cannot detect the terminal itself.
  const isColored = process.stdout.isTTY && process.stdout.hasColors();
  const { ok, stdout, stderr } = await runRedocly(['lint', ...args], { isColored });
  const failure = ok ? null : findYamlFailure(folder);
  if (!failure) process.stdout.write(stdout);
  process.stderr.write(failure ? `${formatYamlFailure(failure)}\n` : stderr);
  process.exitCode = ok ? 0 : 1;
}

async function lintContract(): Promise<void> {
  if (!existsSync(ignoreFile)) return lintByRedocly('openapi', ['main', '--config', 'redocly.yaml']);
  console.error(`${ignoreFile} silences rules of the contract. Delete it and fix what they find; to change a rule, edit redocly.yaml.`);
  process.exitCode = 1;
}

function lintWorkflows(): Promise<void> {
  const folder = 'openapi/workflows';
  const files = readdirSync(folder).filter((name) => name.endsWith('.arazzo.yaml'));
  return lintByRedocly(folder, [...files.map((name) => `${folder}/${name}`), '--config', `${folder}/redocly.yaml`]);
}

const [, , part] = process.argv;
if (part === 'contract') await lintContract();
else if (part === 'workflows') await lintWorkflows();
else
  await runSteps([
    script('the contract keeps its rules', 'scripts/lint.ts', 'contract'),
    script('the workflows keep their rules', 'scripts/lint.ts', 'workflows'),
    tool('the code keeps its rules', 'oxlint', '--deny-warnings'),
    tool('the code is formatted', 'biome', 'check', '--error-on-warnings'),
  ]);
