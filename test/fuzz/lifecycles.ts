import fc from 'fast-check';
import type { Contract } from '../../server/contract/contract.ts';
import { curlLine } from './curl.ts';
import { seedFor } from './seeds.ts';
import { count, type Failure, Faulty, type FuzzOptions, newTally, type Tally } from './tally.ts';
import { send, type WireRequest } from './wire.ts';
import type { World } from './world.ts';

/** The name under which it is told, and asked for with `--operation`. */
export const lifecycles = 'deleted_stays_gone';

interface Thing {
  readonly id: number;
  /** Of a key. */
  readonly token?: string;
  isGone: boolean;
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

/** Makes, uses and deletes things in any order: what was deleted is never found, listed, or made again under its old id. */
export async function fuzzLifecycles(world: World, contract: Contract, options: FuzzOptions): Promise<Tally> {
  const tally = newTally(lifecycles);
  await world.refill();
  let last: WireRequest | undefined;
  const property = fc.asyncProperty(actions, async (taken) => {
    const life = new Life(world, contract, (request, status) => {
      last = request;
      tally.valid += 1;
      count(tally.statuses, status);
    });
    for (const { step, which } of taken) {
      count(tally.kinds, step);
      await life.take(step, which);
    }
  });
  const outcome = await fc.check(property, { seed: seedFor(options.seed, lifecycles), numRuns: Math.ceil(options.runs / 10) });
  const [taken] = outcome.counterexample ?? [];
  if (taken) tally.failures.push(failureOf(taken, outcome.errorInstance, options.seed, last ? curlLine(world.service.origin, last) : ''));
  return tally;
}

function failureOf(taken: readonly { step: Step }[], error: unknown, seed: number, curl: string): Failure {
  const what = taken.map(({ step }) => step).join(', ');
  const faults = error instanceof Faulty ? error.faults : [String(error)];
  return { operationId: lifecycles, seed, what, caller: 'boss', faults, curl };
}

class Life {
  readonly #world: World;
  readonly #contract: Contract;
  readonly #tell: (request: WireRequest, status: number) => void;
  readonly #webhooks: Thing[] = [];
  readonly #keys: Thing[] = [];

  constructor(world: World, contract: Contract, tell: (request: WireRequest, status: number) => void) {
    [this.#world, this.#contract, this.#tell] = [world, contract, tell];
  }

  async take(step: Step, which: number): Promise<void> {
    const [verb, kind] = step.split(' ') as [string, string];
    if (verb === 'make') return this.#make(kind === 'key' ? this.#keys : this.#webhooks, kind);
    if (verb === 'list') return this.#list(kind);
    const things = kind === 'key' ? this.#keys : this.#webhooks;
    const thing = things[which % Math.max(things.length, 1)];
    return thing ? this.#touch(step, thing) : undefined;
  }

  async #make(things: Thing[], kind: string): Promise<void> {
    const json = kind === 'key' ? {} : { url: this.#world.receiverUrl, events: ['*'] };
    const { status, body } = await this.#call('POST', kind === 'key' ? '/keys' : '/webhooks', json);
    expected(status, 201);
    const { id, token } = body as { id: number; token?: string };
    if (things.some((thing) => thing.id === id)) throw new Faulty([`A new ${kind} got the id ${id} of an earlier one.`]);
    things.push({ id, isGone: false, ...(token !== undefined && { token }) });
  }

  async #touch(step: Step, thing: Thing): Promise<void> {
    const found = thing.isGone ? 404 : 200;
    const { id, token = '' } = thing;
    if (step === 'change webhook') expected((await this.#call('PATCH', `/webhooks/${id}`, { status: 'disabled' })).status, found);
    if (step === 'test webhook') expected((await this.#call('POST', `/webhooks/${id}/test`)).status, found);
    if (step === 'delete webhook') expected((await this.#call('DELETE', `/webhooks/${id}`)).status, found);
    // Decision 3: revoking is idempotent, and nobody is let in by a revoked key.
    if (step === 'revoke key') expected((await this.#call('DELETE', `/keys/${id}`)).status, 200);
    if (step === 'use key') expected((await this.#call('GET', '/me', undefined, token)).status, thing.isGone ? 401 : 200);
    if (step === 'delete webhook' || step === 'revoke key') thing.isGone = true;
  }

  async #list(kind: string): Promise<void> {
    const isKeys = kind === 'keys';
    const { body } = await this.#call('GET', isKeys ? '/keys?status=active&per_page=100' : '/webhooks?per_page=100');
    const listed = new Set((body as Thing[]).map(({ id }) => id));
    const undead = (isKeys ? this.#keys : this.#webhooks).filter(({ id, isGone }) => isGone && listed.has(id));
    if (undead.length > 0) throw new Faulty(undead.map(({ id }) => `${id} is gone, and in the list of ${kind}.`));
  }

  async #call(method: string, path: string, json?: unknown, token?: string): Promise<{ status: number; body: unknown }> {
    const key = token === undefined ? this.#world.adminHeaders : [['Authorization', `Bearer ${token}`] as const];
    const body = json === undefined ? null : Buffer.from(JSON.stringify(json));
    const headers = [...key, ...(body ? [['Content-Type', 'application/json'] as const] : [])];
    const request: WireRequest = { method, target: `${this.#contract.apiRoot}${path}`, headers, body, isChunked: false };
    const [reply] = await send(this.#world.service.origin, request);
    if (!reply) throw new Faulty(['The connection was closed without an answer.']);
    this.#tell(request, reply.status);
    const match = this.#contract.match(method, request.target.split('?')[0] ?? '');
    const answer = { ...reply, body: JSON.parse(reply.text) as unknown };
    const faults = match.found ? this.#contract.checkResponse(match.operation.operationId, answer) : ['There is no such operation.'];
    if (faults.length > 0) throw new Faulty(faults);
    return answer;
  }
}

function expected(status: number, wanted: number): void {
  if (status !== wanted) throw new Faulty([`The status is ${status} instead of ${wanted}.`]);
}
