import { runSteps, script, tool, types } from './shared/steps.ts';

await runSteps([
  script('generated/ follows from the contract', 'scripts/generate.ts', '--check'),
  script('docs/reference/ follows from the code', 'scripts/generate/references.ts', '--check'),
  script('the contract breaks no client of the released one', 'scripts/contract/breaking-changes.ts'),
  types,
  tool('types of the pages', 'tsc', '--noEmit', '-p', 'web/tsconfig.json'),
  tool('every import keeps to its room', 'depcruise', '--config', '.dependency-cruiser.cjs', '.'),
  tool('nothing is unused', 'knip', '--no-progress'),
]);
