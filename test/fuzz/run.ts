import fc from 'fast-check';
import type { Contract } from '../../server/contract/contract.ts';
import type { ContractOperation } from '../../server/contract/document.ts';
import { type Attempt, validAttempt } from './attempt.ts';
import { curlLine } from './curl.ts';
import { faultsOf } from './judge.ts';
import { mutatedAttempts } from './mutations.ts';
import { valuesIn } from './plan.ts';
import { seedFor } from './seeds.ts';
import { count, type Failure, Faulty, type FuzzOptions, newTally, type Tally } from './tally.ts';
import { validPlans } from './valid-plans.ts';
import { send } from './wire.ts';
import type { World } from './world.ts';

/** Tries one operation with valid and with mutated requests, as every kind of caller. */
export async function fuzzOperation(world: World, contract: Contract, operation: ContractOperation, options: FuzzOptions): Promise<Tally> {
  const tally = newTally(operation.operationId);
  await world.refill();
  const kinds = {
    valid: validPlans(contract, operation, world).map(validAttempt),
    mutated: mutatedAttempts(contract, operation, world),
  };
  for (const kind of ['valid', 'mutated'] as const) {
    const property = fc.asyncProperty(kinds[kind], async (attempt) => {
      tally[kind] += 1;
      const faults = await tried(attempt, world, contract, tally);
      if (faults.length > 0) throw new Faulty(faults);
    });
    const outcome = await fc.check(property, { seed: seedFor(options.seed, operation.operationId, kind), numRuns: options.runs });
    const [attempt] = outcome.counterexample ?? [];
    if (attempt) tally.failures.push(failureOf(attempt, outcome.errorInstance, options.seed, world));
  }
  return tally;
}

async function tried(attempt: Attempt, world: World, contract: Contract, tally: Tally): Promise<string[]> {
  const replies = await send(world.service.origin, attempt.request);
  count(tally.kinds, attempt.what);
  count(tally.callers, attempt.plan.caller.name);
  for (const { status } of replies) count(tally.statuses, status);
  const faults = faultsOf(attempt, replies, contract, world);
  if (deletes(attempt) && replies[0]?.status === 200) world.gone.add(Number(valuesIn(attempt.plan, 'path')['id']));
  return faults;
}

const deletes = ({ plan, expected }: Attempt): boolean =>
  plan.operation.operationId === 'delete_webhooks_id' && expected.kind === 'accepted';

function failureOf({ plan, what, request }: Attempt, error: unknown, seed: number, { service }: World): Failure {
  return {
    operationId: plan.operation.operationId,
    seed,
    what,
    caller: plan.caller.name,
    faults: error instanceof Faulty ? error.faults : [String(error)],
    curl: curlLine(service.origin, request),
  };
}
