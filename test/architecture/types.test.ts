import { spawnSync } from 'node:child_process';
import { expect } from 'chai';

describe('the compiler', () => {
  it('accepts the project, and finds every mistake that the type tests under test/types make on purpose', () => {
    const run = spawnSync('node_modules/.bin/tsc', ['--noEmit', '-p', 'tsconfig.json'], { encoding: 'utf8' });
    expect(run.status, run.stdout).to.equal(0);
  });
});
