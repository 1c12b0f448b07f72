const { availableParallelism } = require('node:os');

module.exports = {
  // Tests allocate many short-lived objects: a larger young generation takes 6 % of the CPU time away.
  'node-option': ['import=tsx', 'max-semi-space-size=32'],
  require: ['test/support/run.ts'],
  reporter: 'test/support/reporter.cjs',
  // Far more than any test takes: it ends those that hang, also on a machine that is busy with other things.
  timeout: 180_000,
  // With --parallel, as `npm test` runs them. One more than there are cores: many files wait for processes and clocks.
  jobs: availableParallelism() + 1,
};
