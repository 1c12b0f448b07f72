import fc from 'fast-check';
import { type Engine, onAnyEngine } from '../support/engines.ts';
import { arbitraryActions } from './payout-actions.ts';
import { PayoutFixture } from './payout-fixture.ts';
import { ModelRun } from './payout-model-run.ts';

/** PROVE_RUNS: number of sequences on each engine. */
const numberOfRuns = Number(process.env['PROVE_RUNS'] ?? 2);
const stepsPerRun = 30;

/** The ledger is verified after every step, so the database is replaced before it grows. */
const runsPerDatabase = 50;

/** Resolves to the number of steps. Where one fails, fast-check prints the seed and the shortest sequence. */
async function checkProperty(engine: Engine): Promise<number> {
  let fixture: PayoutFixture | undefined;
  let [runs, steps] = [0, 0];
  const currentFixture = async (): Promise<PayoutFixture> => {
    if (fixture && runs % runsPerDatabase !== 0) return fixture;
    await fixture?.service.stop();
    fixture = await PayoutFixture.open(engine);
    return fixture;
  };
  const property = fc.asyncProperty(arbitraryActions(stepsPerRun), async (actions) => {
    const run = await ModelRun.start(await currentFixture());
    runs += 1;
    for (const action of actions) await run.runAction(action);
    steps += run.steps;
  });
  try {
    await fc.assert(property, { numRuns: numberOfRuns, endOnFailure: false });
    return steps;
  } finally {
    await fixture?.service.stop();
  }
}

onAnyEngine((engine) => {
  describe('sequences of payout operations with failing writes', () => {
    it('have the responses, balances, events and mails of a small model, and the ledger verifies after every step', async function () {
      this.timeout(180_000 + numberOfRuns * 10_000);
      const steps = await checkProperty(engine);
      console.log(`        ${numberOfRuns} runs, ${steps} steps`);
    });
  });
});
