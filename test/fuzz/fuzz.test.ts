import { expect } from 'chai';
import { operations } from '../../generated/operations.ts';
import { operationOf, theContract } from '../support/contract.ts';
import { mainlyOn } from '../support/engines.ts';
import { type FuzzFixture, openFuzzFixture } from './fixture.ts';
import { fuzzOperation } from './fuzz-operation.ts';
import { describeFailure } from './fuzz-tally.ts';

// A fixed seed and few requests. `npm run fuzz` sends many, with another seed each time.
const options = { seed: 20_261_115, runs: 1 };

mainlyOn('sqlite', (engine) => {
  describe('requests generated from the contract', () => {
    let fixture: FuzzFixture;
    before(async () => {
      fixture = await openFuzzFixture(await engine.freshUrl());
    });
    after(() => fixture.stop());

    for (const operationId of Object.keys(operations))
      it(`get the right response from ${operationId}: valid ones are not rejected, invalid ones not accepted, and none causes a 5xx`, async () => {
        const contract = await theContract();
        const tally = await fuzzOperation(fixture, contract, operationOf(contract, operationId), options);
        const { failures } = tally;
        expect(failures, failures.map((failure) => describeFailure(failure, options, engine.name)).join('\n')).to.have.length(0);
        expect([tally.valid, tally.mutated]).to.deep.equal([options.runs, options.runs]);
      });
  });
});
