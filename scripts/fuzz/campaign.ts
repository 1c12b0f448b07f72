import type { Contract } from '../../server/contract/contract.ts';
import { fuzzLifecycles, lifecycles } from '../../test/fuzz/lifecycles.ts';
import { fuzzOperation } from '../../test/fuzz/run.ts';
import type { FuzzOptions, Tally } from '../../test/fuzz/tally.ts';
import { newTally } from '../../test/fuzz/tally.ts';
import { openWorld, type World } from '../../test/fuzz/world.ts';
import { dropPostgres, makePostgres, temporaryFolder } from '../../test/support/postgres.ts';

type EngineName = 'sqlite' | 'postgres';

let files = 0;

async function freshUrl(engine: EngineName): Promise<string> {
  if (engine === 'postgres') return makePostgres();
  files += 1;
  return `sqlite:${temporaryFolder('fuzz-')}/${files}.db`;
}

/**
 * Tries one operation in a world of its own, so that it does alone what it does among all others. The ledger is proved when the world ends.
 * `whileItLasts` is called before that, where something failed.
 */
export async function tryOperation(
  contract: Contract,
  engine: EngineName,
  operationId: string,
  options: FuzzOptions,
  whileItLasts: (tally: Tally) => Promise<void>,
): Promise<Tally> {
  const url = await freshUrl(engine);
  const world = await openWorld(url);
  const tally = await inWorld(world, contract, operationId, options);
  if (tally.failures.length > 0) await whileItLasts(tally);
  await world.stop().catch((error: unknown) => {
    const { seed } = options;
    const faults = [error instanceof Error ? error.message : String(error)];
    tally.failures.push({ operationId, seed, what: 'afterwards', caller: 'everybody', faults, curl: '' });
  });
  if (engine === 'postgres') await dropPostgres(url);
  return tally;
}

function inWorld(world: World, contract: Contract, operationId: string, options: FuzzOptions): Promise<Tally> {
  if (operationId === lifecycles) return fuzzLifecycles(world, contract, options);
  const operation = contract.operations.find((one) => one.operationId === operationId);
  return operation ? fuzzOperation(world, contract, operation, options) : Promise.resolve(newTally(operationId));
}
