import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { types } from '../../scripts/shared/steps.ts';

describe('the compiler', () => {
  it('accepts the project, and finds every mistake that the type tests under test/types make on purpose', () => {
    const { command, args } = types;
    const run = spawnSync(command, args, { encoding: 'utf8' });
    expect(run.status, run.stdout).to.equal(0);
  });
});
