import fc from 'fast-check';
import type { Contract } from '../../server/contract/contract.ts';
import type { ContractOperation } from '../../server/contract/document.ts';
import { type Attempt, validAttempt } from './attempt.ts';
import { findFaults } from './find-faults.ts';
import type { FuzzFixture } from './fixture.ts';
import { count, createTally, FaultError, type FuzzFailure, type FuzzOptions, type FuzzTally, seedFor } from './fuzz-tally.ts';
import { mutatedAttempts } from './mutations.ts';
import { valuesIn } from './request-plan.ts';
import { validPlans } from './valid-plans.ts';
import { send, toText, type WireReply } from './wire.ts';

/** Tries one operation with valid and with mutated requests, as every kind of caller. */
export async function fuzzOperation(
  fixture: FuzzFixture,
  contract: Contract,
  operation: ContractOperation,
  options: FuzzOptions,
): Promise<FuzzTally> {
  const tally = createTally(operation.operationId);
  // Reads use nothing up.
  if (operation.method !== 'get') await fixture.refill();
  const kinds = {
    valid: validPlans(contract, operation, fixture).map(validAttempt),
    mutated: mutatedAttempts(contract, operation, fixture),
  };
  for (const kind of ['valid', 'mutated'] as const) {
    const property = fc.asyncProperty(kinds[kind], async (attempt) => {
      tally[kind] += 1;
      const faults = await sendAndCheck(attempt, fixture, contract, tally);
      if (faults.length > 0) throw new FaultError(faults);
    });
    const outcome = await fc.check(property, { seed: seedFor(options.seed, operation.operationId, kind), numRuns: options.runs });
    const [attempt] = outcome.counterexample ?? [];
    if (attempt) tally.failures.push(failureOf(attempt, outcome.errorInstance, options.seed));
  }
  return tally;
}

async function sendAndCheck(attempt: Attempt, fixture: FuzzFixture, contract: Contract, tally: FuzzTally): Promise<string[]> {
  const dry = await sendDry(attempt, fixture);
  const replies = await send(fixture.service.origin, attempt.request);
  count(tally.kinds, attempt.what);
  for (const { status } of replies) count(tally.statuses, status);
  const faults = [...findFaults(attempt, replies, contract, fixture), ...dryRunFaults(dry, replies[0])];
  if (deletesWebhook(attempt) && replies[0]?.status === 200) fixture.deletedWebhooks.add(Number(valuesIn(attempt.plan, 'path')['id']));
  // Callers of later requests may be among those that were disabled.
  if (attempt.plan.operation.operationId === 'post_affiliates_id_status') await fixture.enableAffiliates();
  return faults;
}

/** The same request, tried before. Undefined where the operation has no dry run. */
async function sendDry({ plan, request, expected }: Attempt, fixture: FuzzFixture): Promise<WireReply | undefined> {
  const { 'x-dry-run': hasDryRun } = plan.operation as { 'x-dry-run'?: boolean };
  if (!hasDryRun || expected.kind === 'unreadable' || !request.target.startsWith(`${plan.apiRoot}/`)) return undefined;
  const target = `${plan.apiRoot}/dry-run${request.target.slice(plan.apiRoot.length)}`;
  const [reply] = await send(fixture.service.origin, { ...request, target });
  return reply;
}

const codeIn = (reply: WireReply | undefined): unknown => /"code":"(\w+)"/.exec(reply?.text ?? '')?.[1];

/** It must come out as the call that is made afterwards. */
function dryRunFaults(dry: WireReply | undefined, real: WireReply | undefined): string[] {
  if (!dry || !real) return [];
  const [tried, called] = [dry, real].map((reply) => (reply.status < 400 ? `${reply.status}` : `${reply.status} ${codeIn(reply)}`));
  return tried === called ? [] : [`Its dry run was answered ${tried}, and the call ${called}.`];
}

const deletesWebhook = ({ plan, expected }: Attempt): boolean =>
  plan.operation.operationId === 'delete_webhooks_id' && expected.kind === 'accepted';

function failureOf({ plan, what, request }: Attempt, error: unknown, seed: number): FuzzFailure {
  return {
    operationId: plan.operation.operationId,
    seed,
    what,
    caller: plan.caller.name,
    faults: error instanceof FaultError ? error.faults : [String(error)],
    sent: toText(request),
  };
}
