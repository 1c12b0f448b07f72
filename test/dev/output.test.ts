import path from 'node:path';
import { expect } from 'chai';
import { readFailure } from '../../scripts/dev/output.ts';

describe('a log line of the service that npm run dev serves', () => {
  const line = (stack: string) =>
    JSON.stringify({ level: 50, err: { type: 'TypeError', message: 'x is "undefined"', stack }, msg: 'a request failed' });
  const here = path.resolve('handlers/identity.ts');

  it('with an error is its message at file, line and column of the first frame in the project', () => {
    const stack = `TypeError: x\n    at JSON.parse (<anonymous>)\n    at parse (${path.resolve('node_modules/koa/lib/index.js')}:1:2)\n    at get_me (${here}:17:22)\n    at async next (${here}:9:5)`;
    const problem = { file: 'handlers/identity.ts', line: 17, column: 22, sentence: 'TypeError: x is "undefined"' };
    expect(readFailure(line(stack))).to.deep.include(problem);
    expect(readFailure(line(`TypeError: x\n    at async file://${here}:17:22`))).to.deep.include(problem);
  });

  it('without an error, or without a place in the project, stays as it is', () => {
    for (const other of ['{"level":40,"msg":"slow"}', '{ half', 'text', line('TypeError: x\n    at node:internal/x:1:2')])
      expect(readFailure(other), other).to.equal(null);
  });
});
