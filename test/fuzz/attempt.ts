import type fc from 'fast-check';
import type { Refusal } from './gate.ts';
import { type Plan, written } from './plan.ts';
import type { WireRequest } from './wire.ts';

/** What must come of a request, once its caller is let in. */
export type Expectation =
  /** It is valid: whatever it is answered, it is not refused as invalid, unless a documented rule says so. */
  | { readonly kind: 'accepted' }
  /** It is not. `params` are named in the answer. */
  | ({ readonly kind: 'refused'; readonly params?: readonly string[] } & Refusal)
  /** It leads nowhere, whoever asks. */
  | { readonly kind: 'no route' }
  /** It is no HTTP, or none that a server may read. */
  | { readonly kind: 'unreadable' }
  /** The contract has no word about it; no harm must come of it, and nothing must be done. */
  | { readonly kind: 'turned away' };

/** One request, with what is wrong with it and what must come of it. */
export interface Attempt {
  readonly plan: Plan;
  readonly what: string;
  readonly request: WireRequest;
  readonly expected: Expectation;
}

export const validAttempt = (plan: Plan): Attempt => ({
  plan,
  what: plan.spelling.isForm && plan.hasBody ? 'valid, as a form' : 'valid',
  request: written(plan),
  expected: { kind: 'accepted' },
});

export const invalidParams = (...params: string[]): Expectation => ({ kind: 'refused', status: 400, code: 'rest_invalid_param', params });

/** A way to spoil a valid request, where there is one for it. */
export type Mutation = (plan: Plan) => fc.Arbitrary<Attempt> | undefined;
