import fc from 'fast-check';
import { type Engine, forEachEngine } from '../support/engines.ts';
import { anyActions } from './payout-actions.ts';
import { Site } from './payout-site.ts';
import { Trial } from './payout-trial.ts';

/** `PROVE_RUNS=2000 npx mocha test/faults/payouts-properties.test.ts` looks longer. */
const numberOfRuns = Number(process.env['PROVE_RUNS'] ?? 15);
const stepsOfARun = 30;

/** A database that is proved anew after every step should not have grown much. */
const runsOfASite = 50;

/** Gives the number of steps that were taken. When one of them goes wrong, fast-check prints the seed and the shortest way there. */
async function prove(engine: Engine): Promise<number> {
  let site: Site | undefined;
  let [runs, steps] = [0, 0];
  const siteOf = async (): Promise<Site> => {
    if (site && runs % runsOfASite !== 0) return site;
    await site?.service.stop();
    site = await Site.open(engine);
    return site;
  };
  const property = fc.asyncProperty(anyActions(stepsOfARun), async (actions) => {
    const trial = await Trial.begin(await siteOf());
    runs += 1;
    for (const action of actions) await trial.take(action);
    steps += trial.steps;
  });
  try {
    await fc.assert(property, { numRuns: numberOfRuns, endOnFailure: false });
    return steps;
  } finally {
    await site?.service.stop();
  }
}

forEachEngine((engine) => {
  describe('payouts, whatever happens to them and whatever fails on the way', () => {
    it('answer, pay, tell and mail as a model of a few lines does, and the ledger proves itself after every step', async function () {
      this.timeout(60_000 + numberOfRuns * 10_000);
      const steps = await prove(engine);
      console.log(`        ${numberOfRuns} runs, ${steps} steps`);
    });
  });
});
