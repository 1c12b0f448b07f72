import { runSteps, script, tool, typeCheck } from './shared/steps.ts';

await runSteps([
  script('generated/ follows from the contract', 'scripts/generate.ts', '--check'),
  script('docs/reference/ and the README follow from code and benchmarks', 'scripts/generate/references.ts', '--check'),
  script('the contract breaks no client of the released one', 'scripts/contract/breaking-changes.ts'),
  script('a journey walks what the pages promise', 'scripts/check/promises.ts'),
  typeCheck,
  tool('types of the pages', 'tsc', '--noEmit', '-p', 'web/tsconfig.json'),
  tool('every import keeps to its layer', 'depcruise', '--config', '.dependency-cruiser.cjs', '.'),
  tool('nothing is unused', 'knip', '--no-progress'),
]);
