import { runSteps, script, tool } from './steps.ts';

await runSteps([
  script('generated/ follows from the contract', 'scripts/generate.ts', '--check'),
  script('the contract breaks no client of the released one', 'scripts/breaking-changes.ts'),
  tool('types', 'tsc', '--noEmit', '-p', 'tsconfig.json'),
  tool('every import keeps to its room', 'depcruise', '--config', '.dependency-cruiser.cjs', '.'),
  tool('nothing is unused', 'knip', '--no-progress'),
]);
