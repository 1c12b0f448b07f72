import { existsSync } from 'node:fs';
import { bundleContract, requireLoadable } from './document.ts';
import { runRedocly } from './redocly.ts';
import { findYamlFailures, formatYamlFailure } from './yaml-failure.ts';

export const contractRoot = 'openapi/openapi.yaml';
export const ignoreFile = '.redocly.lint-ignore.yaml';

export interface LintOutput {
  ok: boolean;
  stdout: string;
  stderr: string;
}

const failed = (stderr: string): LintOutput => ({ ok: false, stdout: '', stderr: `${stderr}\n` });

/** What Redocly finds in the files of a folder, as it prints it; in the contract also what the service would refuse when it starts. */
export async function lintFolder(folder: string, args: string[], isColored = false): Promise<LintOutput> {
  const failures = findYamlFailures(folder);
  if (failures.length > 0) return failed(failures.map(formatYamlFailure).join('\n'));
  return runRedocly(['lint', ...args], { isColored });
}

/** Without `loads`, what the service would refuse is left out. */
export async function lintContract({ isColored = false, loads = true } = {}): Promise<LintOutput> {
  if (existsSync(ignoreFile))
    return failed(`${ignoreFile} silences rules of the contract. Delete it and fix what they find; to change a rule, edit redocly.yaml.`);
  const linted = await lintFolder('openapi', ['main', '--config', 'redocly.yaml'], isColored);
  if (!linted.ok || !loads) return linted;
  return requireLoadable(await bundleContract(contractRoot)).then(
    () => linted,
    (error: Error) => failed(error.message),
  );
}

/** It reads generated/, which may be missing or be no code. */
export const isServiceImportable = (): Promise<boolean> =>
  import('../../server/contract/contract.ts').then(
    () => true,
    () => false,
  );
