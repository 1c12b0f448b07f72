/**
 * `npm run generate`: writes generated/ from openapi/, if lint accepts it. With `--check` it only compares. With `--release` it compares, then
 * makes the bundle the contract that `npm run check` compares later changes with, openapi/released.json.
 */
import { bundleContract } from './contract/document.ts';
import { contractRoot, isServiceImportable, lintContract } from './contract/lint-contract.ts';
import { releaseContract } from './contract/release.ts';
import { generateFiles } from './generate/files.ts';
import { requireCurrent, updateFolder } from './generate/stale-files.ts';
import { runSteps, script } from './shared/steps.ts';
import { runScript } from './shared/usage.ts';

let loads = true;

async function requireAccepted(): Promise<void> {
  loads = await isServiceImportable();
  const { ok, stdout, stderr } = await lintContract({ loads });
  if (!ok) throw new Error(`${stdout}${stderr}\nLint refuses the contract, so nothing is written.`.trim());
}

await runScript(async () => {
  const derived = { folder: 'generated', source: 'openapi/', contents: await generateFiles(await bundleContract(contractRoot)) };
  if (!process.argv.includes('--release')) {
    await updateFolder(derived, requireAccepted);
    // In another process: this one remembers that the import failed.
    if (!loads) await runSteps([script('the service loads the contract', 'scripts/lint.ts', 'contract')]);
    return;
  }
  requireCurrent(derived, 'openapi/released.json stays as it was.');
  const version = await releaseContract(process.argv.includes('--unpublished'));
  console.log(`openapi/released.json is now ${version}; commit it with the release`);
});
