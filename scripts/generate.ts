/**
 * `npm run generate`: writes generated/ from openapi/. With `--check` it only compares. With `--release` it compares, then copies the
 * bundle to openapi/released.json, the contract that `npm run check` compares later changes with.
 */
import { copyFileSync } from 'node:fs';
import { bundleContract } from './contract/document.ts';
import { generateFiles } from './generate/files.ts';
import { requireCurrent, updateFolder } from './generate/stale-files.ts';
import { runScript } from './shared/usage.ts';

await runScript(async () => {
  const contract = await bundleContract('openapi/openapi.yaml');
  const derived = { folder: 'generated', source: 'openapi/', contents: await generateFiles(contract) };
  if (!process.argv.includes('--release')) return updateFolder(derived);
  requireCurrent(derived, 'openapi/released.json stays as it was.');
  copyFileSync('generated/openapi.json', 'openapi/released.json');
  console.log(`openapi/released.json is now ${contract.info.version}; commit it with the release`);
});
