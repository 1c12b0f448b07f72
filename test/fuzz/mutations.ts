import fc from 'fast-check';
import type { Contract } from '../../server/contract/contract.ts';
import type { ContractOperation } from '../../server/contract/document.ts';
import { type Attempt, invalidParams, type Mutation } from './attempt.ts';
import { bodyMutations } from './body-mutations.ts';
import { type Given, type Plan, type Spot, spotsOf, written } from './plan.ts';
import { validPlans } from './valid-plans.ts';
import { wireMutations } from './wire-mutations.ts';
import type { World } from './world.ts';
import { wrongText, wrongValue } from './wrong-values.ts';

/** Requests that are wrong in one thing, which is known. */
export function mutatedAttempts(contract: Contract, operation: ContractOperation, world: World): fc.Arbitrary<Attempt> {
  const spots = spotsOf(operation);
  const mutations = [...spots.flatMap((spot) => spotMutations(spot)), ...bodyMutations(operation), ...wireMutations(contract, operation)];
  return fc
    .tuple(validPlans(contract, operation, world), fc.nat(mutations.length - 1))
    .chain(([plan, chosen]) => mutations[chosen]?.(plan) ?? mutations.at(-1)?.(plan) ?? fc.constant(null))
    .filter((attempt) => attempt !== null);
}

/** Each stands for its place in the choice: what matters most is tried most. */
function spotMutations(spot: Spot): Mutation[] {
  const wrong = spoiled(spot);
  const isText = spot.place === 'query' || spot.place === 'body';
  const severalTimes = isText && spot.schema.type !== 'array' ? [twice(spot), asList(spot)] : [];
  return [wrong, wrong, wrong, ...severalTimes, ...(spot.isRequired && spot.place === 'body' ? [missing(spot)] : [])];
}

const isSame = (one: Spot, other: Spot): boolean => one.place === other.place && one.name === other.name;

const without = (plan: Plan, spot: Spot): Plan => ({ ...plan, given: plan.given.filter((given) => !isSame(given.spot, spot)) });

const withGiven = (plan: Plan, given: Given): Plan => ({ ...plan, given: [...without(plan, given.spot).given, given] });

const attempt = (what: string, plan: Plan, spot: Spot): Attempt => ({
  plan,
  what,
  request: written(plan),
  expected: invalidParams(spot.name),
});

const isInJson = (spot: Spot, { spelling }: Plan): boolean => spot.place === 'body' && !spelling.isForm;

/** What a request line can hold together with all else, in its longest spelling. */
const longestText = 2500;

/** Where a text could stand: a path has no empty segment, and a header no control characters and no space around it. */
const isPossibleAt = ({ place }: Spot, text: string): boolean => {
  if (place !== 'body' && Buffer.byteLength(text) > longestText) return false;
  if (place === 'path') return text !== '';
  return place !== 'header' || (!/[^\x20-\x7e]/.test(text) && text.trim() === text);
};

function spoiled(spot: Spot): Mutation {
  return (plan) => {
    if (isInJson(spot, plan))
      return wrongValue(spot.schema).map((value) => attempt('a wrong value', withGiven(plan, { spot, value }), spot));
    const texts = wrongText(spot.schema, spot.isCommaList, (text) => isPossibleAt(spot, text));
    return texts?.map((text) => attempt('a wrong text', withGiven(plan, { spot, value: text, pairs: [[spot.name, text]] }), spot));
  };
}

const exampleOf = ({ example }: Spot): string => String(example ?? 1);

/** Decision 1: a scalar is given once. */
function twice(spot: Spot): Mutation {
  return (plan) => {
    if (isInJson(spot, plan)) return undefined;
    const text = exampleOf(spot);
    const pairs = [1, 2].map(() => [spot.name, text] as const);
    return fc.constant(attempt('given twice', withGiven(plan, { spot, value: text, pairs }), spot));
  };
}

function asList(spot: Spot): Mutation {
  return (plan) => {
    if (isInJson(spot, plan)) return undefined;
    const value = exampleOf(spot);
    return fc.constantFrom('[]', '[0]', '[7]').map((suffix) => {
      const pairs = [[`${spot.name}${suffix}`, value] as const];
      return attempt('given as a list', withGiven(plan, { spot, value, pairs }), spot);
    });
  };
}

function missing(spot: Spot): Mutation {
  return (plan) => fc.constant(attempt('a required field left out', without(plan, spot), spot));
}
