import fc from 'fast-check';
import type { Contract } from '../../server/contract/contract.ts';
import type { FuzzFixture } from './fixture.ts';
import { count, createTally, FaultError, type FuzzFailure, type FuzzOptions, type FuzzTally, seedFor } from './fuzz-tally.ts';
import { send, toText, type WireRequest } from './wire.ts';

/** Its name in reports and for `--operation`. */
export const lifecycles = 'deleted_stays_gone';

interface Resource {
  readonly id: number;
  /** Of a key. */
  readonly token?: string;
  isDeleted: boolean;
}

const steps = [
  'make webhook',
  'delete webhook',
  'change webhook',
  'test webhook',
  'list webhooks',
  'make key',
  'revoke key',
  'use key',
  'list keys',
] as const;
type Step = (typeof steps)[number];

const actions = fc.array(fc.record({ step: fc.constantFrom(...steps), which: fc.nat(5) }), { minLength: 1, maxLength: 20, size: 'max' });

/** Creates, uses and deletes keys and webhooks in any order: a deleted one is never found or listed again, and its id is never reused. */
export async function fuzzLifecycles(fixture: FuzzFixture, contract: Contract, options: FuzzOptions): Promise<FuzzTally> {
  const tally = createTally(lifecycles);
  await fixture.refill();
  let last: WireRequest | undefined;
  const property = fc.asyncProperty(actions, async (sequence) => {
    const run = new LifecycleRun(fixture, contract, (request, status) => {
      last = request;
      tally.valid += 1;
      count(tally.statuses, status);
    });
    for (const { step, which } of sequence) {
      count(tally.kinds, step);
      await run.runStep(step, which);
    }
  });
  const outcome = await fc.check(property, { seed: seedFor(options.seed, lifecycles), numRuns: Math.ceil(options.runs / 10) });
  const [sequence] = outcome.counterexample ?? [];
  if (sequence) tally.failures.push(failureOf(sequence, outcome.errorInstance, options.seed, last ? toText(last) : ''));
  return tally;
}

function failureOf(sequence: readonly { step: Step }[], error: unknown, seed: number, request: string): FuzzFailure {
  const what = sequence.map(({ step }) => step).join(', ');
  const faults = error instanceof FaultError ? error.faults : [String(error)];
  return { operationId: lifecycles, seed, what, caller: 'boss', faults, request };
}

class LifecycleRun {
  readonly #fixture: FuzzFixture;
  readonly #contract: Contract;
  readonly #onReply: (request: WireRequest, status: number) => void;
  readonly #webhooks: Resource[] = [];
  readonly #keys: Resource[] = [];

  constructor(fixture: FuzzFixture, contract: Contract, onReply: (request: WireRequest, status: number) => void) {
    [this.#fixture, this.#contract, this.#onReply] = [fixture, contract, onReply];
  }

  async runStep(step: Step, which: number): Promise<void> {
    const [verb, kind] = step.split(' ') as [string, string];
    if (verb === 'make') return this.#make(kind === 'key' ? this.#keys : this.#webhooks, kind);
    if (verb === 'list') return this.#list(kind);
    const resources = kind === 'key' ? this.#keys : this.#webhooks;
    const resource = resources[which % Math.max(resources.length, 1)];
    return resource ? this.#touch(step, resource) : undefined;
  }

  async #make(resources: Resource[], kind: string): Promise<void> {
    const json = kind === 'key' ? {} : { url: this.#fixture.receiverUrl, events: ['*'] };
    const { status, body } = await this.#call('POST', kind === 'key' ? '/keys' : '/webhooks', json);
    expectStatus(status, 201);
    const { id, token } = body as { id: number; token?: string };
    if (resources.some((resource) => resource.id === id)) throw new FaultError([`A new ${kind} got the id ${id} of an earlier one.`]);
    resources.push({ id, isDeleted: false, ...(token !== undefined && { token }) });
  }

  async #touch(step: Step, resource: Resource): Promise<void> {
    const found = resource.isDeleted ? 404 : 200;
    const { id, token = '' } = resource;
    if (step === 'change webhook') expectStatus((await this.#call('PATCH', `/webhooks/${id}`, { status: 'disabled' })).status, found);
    if (step === 'test webhook') expectStatus((await this.#call('POST', `/webhooks/${id}/test`)).status, found);
    if (step === 'delete webhook') expectStatus((await this.#call('DELETE', `/webhooks/${id}`)).status, found);
    // Revoking is idempotent.
    if (step === 'revoke key') expectStatus((await this.#call('DELETE', `/keys/${id}`)).status, 200);
    if (step === 'use key') expectStatus((await this.#call('GET', '/me', undefined, token)).status, resource.isDeleted ? 401 : 200);
    if (step === 'delete webhook' || step === 'revoke key') resource.isDeleted = true;
  }

  async #list(kind: string): Promise<void> {
    const isKeys = kind === 'keys';
    const { body } = await this.#call('GET', isKeys ? '/keys?status=active&per_page=100' : '/webhooks?per_page=100');
    const listed = new Set((body as Resource[]).map(({ id }) => id));
    const deletedButListed = (isKeys ? this.#keys : this.#webhooks).filter(({ id, isDeleted }) => isDeleted && listed.has(id));
    if (deletedButListed.length > 0)
      throw new FaultError(deletedButListed.map(({ id }) => `${id} is deleted, and in the list of ${kind}.`));
  }

  async #call(method: string, path: string, json?: unknown, token?: string): Promise<{ status: number; body: unknown }> {
    const key = token === undefined ? this.#fixture.adminHeaders : [['Authorization', `Bearer ${token}`] as const];
    const body = json === undefined ? null : Buffer.from(JSON.stringify(json));
    const headers = [...key, ...(body ? [['Content-Type', 'application/json'] as const] : [])];
    const request: WireRequest = { method, target: `${this.#contract.apiRoot}${path}`, headers, body, isChunked: false };
    const [reply] = await send(this.#fixture.service.origin, request);
    if (!reply) throw new FaultError(['The connection was closed without a response.']);
    this.#onReply(request, reply.status);
    const match = this.#contract.match(method, request.target.split('?')[0] ?? '');
    const response = { ...reply, body: JSON.parse(reply.text) as unknown };
    const faults = match.found ? this.#contract.checkResponse(match.operation.operationId, response) : ['There is no such operation.'];
    if (faults.length > 0) throw new FaultError(faults);
    return response;
  }
}

function expectStatus(status: number, wanted: number): void {
  if (status !== wanted) throw new FaultError([`The status is ${status} instead of ${wanted}.`]);
}
