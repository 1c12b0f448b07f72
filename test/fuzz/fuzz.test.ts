import { expect } from 'chai';
import { operations } from '../../generated/operations.ts';
import { operationOf, theContract } from '../support/contract.ts';
import { forEachEngine } from '../support/engines.ts';
import { fuzzLifecycles } from './lifecycles.ts';
import { fuzzOperation } from './run.ts';
import { type Tally, told } from './tally.ts';
import { openWorld, type World } from './world.ts';

// The bounded part. `npm run fuzz` looks longer, at other requests every time.
const options = { seed: 20_261_115, runs: 6 };

forEachEngine((engine) => {
  describe('requests made from the contract', () => {
    let world: World;
    before(async () => {
      world = await openWorld(await engine.freshUrl());
    });
    after(() => world.stop());

    const expectNoFailures = ({ failures }: Tally): void => {
      expect(failures, failures.map((failure) => told(failure, options, engine.name)).join('\n')).to.have.length(0);
    };

    for (const operationId of Object.keys(operations))
      it(`get the right answer from ${operationId}: valid ones are not refused, invalid ones not accepted, and nothing fails`, async () => {
        const contract = await theContract();
        const tally = await fuzzOperation(world, contract, operationOf(contract, operationId), options);
        expectNoFailures(tally);
        expect([tally.valid, tally.mutated]).to.deep.equal([options.runs, options.runs]);
      });

    it('never find what was deleted, whatever is made, used and deleted in between', async () => {
      const tally = await fuzzLifecycles(world, await theContract(), { ...options, runs: 120 });
      expectNoFailures(tally);
      expect([...tally.statuses.keys()]).to.include.members([200, 201, 404, 401]);
    });
  });
});
