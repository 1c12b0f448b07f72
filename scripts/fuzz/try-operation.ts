import type { Contract } from '../../server/contract/contract.ts';
import { openFuzzFixture } from '../../test/fuzz/fixture.ts';
import { fuzzOperation } from '../../test/fuzz/fuzz-operation.ts';
import type { FuzzOptions, FuzzTally } from '../../test/fuzz/fuzz-tally.ts';
import { fuzzLifecycles, lifecycles } from '../../test/fuzz/lifecycles.ts';
import { operationOf } from '../../test/support/contract.ts';
import { dropPostgres, makePostgres, temporaryFolder } from '../../test/support/postgres.ts';
import type { EngineName } from '../shared/options.ts';

/**
 * Fuzzes one operation in a fixture of its own, so that it repeats when it runs alone. Closing the fixture verifies the ledger. `onFailure`
 * is called before that, while the service still runs.
 */
export async function tryOperation(
  contract: Contract,
  engine: EngineName,
  operationId: string,
  options: FuzzOptions,
  onFailure: (tally: FuzzTally) => Promise<void>,
): Promise<FuzzTally> {
  const url = engine === 'postgres' ? await makePostgres() : `sqlite:${temporaryFolder('fuzz-')}/fuzz.db`;
  const fixture = await openFuzzFixture(url);
  const tally =
    operationId === lifecycles
      ? await fuzzLifecycles(fixture, contract, options)
      : await fuzzOperation(fixture, contract, operationOf(contract, operationId), options);
  if (tally.failures.length > 0) await onFailure(tally);
  await fixture.stop().catch((error: unknown) => {
    const faults = [error instanceof Error ? error.message : String(error)];
    tally.failures.push({ operationId, seed: options.seed, what: 'afterwards', caller: 'all callers', faults, curl: '' });
  });
  if (engine === 'postgres') await dropPostgres(url);
  return tally;
}
