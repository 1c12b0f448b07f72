import type fc from 'fast-check';
import type { Refusal } from './expected-refusal.ts';
import { type RequestPlan, toWireRequest } from './request-plan.ts';
import type { WireRequest } from './wire.ts';

/** What the service must do with a request whose caller has access. */
export type Expectation =
  /** Valid: the response may be an error, but no validation error unless a documented rule allows it. */
  | { readonly kind: 'accepted' }
  /** Invalid. The response names `params`. */
  | ({ readonly kind: 'refused'; readonly params?: readonly string[] } & Refusal)
  /** No route, for every caller. */
  | { readonly kind: 'no route' }
  /** Not HTTP, or HTTP that a server must not parse. */
  | { readonly kind: 'unreadable' }
  /** Undefined by the contract: any 4xx, and no effect. */
  | { readonly kind: 'rejected' };

/** One request, how it was mutated, and what is expected. */
export interface Attempt {
  readonly plan: RequestPlan;
  readonly what: string;
  readonly request: WireRequest;
  readonly expected: Expectation;
}

export const validAttempt = (plan: RequestPlan): Attempt => ({
  plan,
  what: plan.encoding.isForm && plan.hasBody ? 'valid, as a form' : 'valid',
  request: toWireRequest(plan),
  expected: { kind: 'accepted' },
});

export const invalidParams = (...params: string[]): Expectation => ({ kind: 'refused', status: 400, code: 'rest_invalid_param', params });

/** Makes a valid request invalid; undefined where it does not apply. */
export type Mutation = (plan: RequestPlan) => fc.Arbitrary<Attempt> | undefined;
