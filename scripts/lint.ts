import { runSteps, script, tool } from './shared/steps.ts';

await runSteps([
  script('the contract keeps its rules', 'scripts/lint-contract.ts'),
  script('the stories keep theirs', 'scripts/workflows/lint.ts'),
  tool('the code keeps its rules', 'oxlint', '--deny-warnings'),
  tool('the code is formatted', 'biome', 'check', '--error-on-warnings'),
]);
