import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { typeCheck } from '../../scripts/shared/steps.ts';

describe('the TypeScript compiler', () => {
  it('accepts the project, and finds every deliberate mistake in the type tests under test/types', () => {
    const { command, args } = typeCheck;
    const run = spawnSync(command, args, { encoding: 'utf8' });
    expect(run.status, run.stdout).to.equal(0);
  });
});
