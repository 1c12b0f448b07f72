import fc from 'fast-check';
import type { Contract } from '../../server/contract/contract.ts';
import type { ContractOperation } from '../../server/contract/document.ts';
import { type Attempt, invalidParams, type Mutation } from './attempt.ts';
import { bodyMutations } from './body-mutations.ts';
import type { FuzzFixture } from './fixture.ts';
import { type InputField, type InputValue, inputFieldsOf, type RequestPlan, toWireRequest } from './request-plan.ts';
import { validPlans } from './valid-plans.ts';
import { wireMutations } from './wire-mutations.ts';
import { wrongText, wrongValue } from './wrong-values.ts';

/** Requests with exactly one mistake. */
export function mutatedAttempts(contract: Contract, operation: ContractOperation, fixture: FuzzFixture): fc.Arbitrary<Attempt> {
  const fields = inputFieldsOf(operation);
  const mutations = [
    ...fields.flatMap((field) => fieldMutations(field)),
    ...bodyMutations(operation),
    ...wireMutations(contract, operation),
  ];
  return fc
    .tuple(validPlans(contract, operation, fixture), fc.nat(mutations.length - 1))
    .chain(([plan, chosen]) => mutations[chosen]?.(plan) ?? mutations.at(-1)?.(plan) ?? fc.constant(null))
    .filter((attempt) => attempt !== null);
}

/** Listed several times to be chosen more often. */
function fieldMutations(field: InputField): Mutation[] {
  const wrongInput = wrong(field);
  const isText = field.location === 'query' || field.location === 'body';
  const severalTimes = isText && field.schema.type !== 'array' ? [twice(field), asList(field)] : [];
  const mutations = [wrongInput, wrongInput, wrongInput, ...severalTimes];
  return [...mutations, ...(field.isRequired && field.location === 'body' ? [missing(field)] : [])].map(
    (mutate): Mutation =>
      (plan) =>
        field.isAdminOnly && !isByAdmin(plan) ? undefined : mutate(plan),
  );
}

const isByAdmin = ({ caller: { identity } }: RequestPlan): boolean => identity.kind === 'authenticated' && identity.isAdmin;

const isSame = (one: InputField, other: InputField): boolean => one.location === other.location && one.name === other.name;

const without = (plan: RequestPlan, field: InputField): RequestPlan => ({
  ...plan,
  values: plan.values.filter((input) => !isSame(input.field, field)),
});

const withInput = (plan: RequestPlan, input: InputValue): RequestPlan => ({
  ...plan,
  values: [...without(plan, input.field).values, input],
});

const attempt = (what: string, plan: RequestPlan, field: InputField): Attempt => ({
  plan,
  what,
  request: toWireRequest(plan),
  expected: invalidParams(field.name),
});

const isInJson = (field: InputField, { encoding }: RequestPlan): boolean => field.location === 'body' && !encoding.isForm;

/** What fits into a request line in its longest encoding. */
const longestText = 2500;

/** Whether HTTP can carry the text there: a path has no empty segment, a header no control characters and no space around it. */
const isPossibleAt = ({ location }: InputField, text: string): boolean => {
  if (location !== 'body' && Buffer.byteLength(text) > longestText) return false;
  if (location === 'path') return text !== '';
  return location !== 'header' || (!/[^\x20-\x7e]/.test(text) && text.trim() === text);
};

function wrong(field: InputField): Mutation {
  return (plan) => {
    if (isInJson(field, plan))
      return wrongValue(field.schema)
        .filter((value) => value !== field.omitted)
        .map((value) => attempt('a wrong value', withInput(plan, { field, value }), field));
    const texts = wrongText(field.schema, field.isCommaList, (text) => text !== field.omitted && isPossibleAt(field, text));
    return texts?.map((text) => attempt('a wrong text', withInput(plan, { field, value: text, pairs: [[field.name, text]] }), field));
  };
}

const exampleOf = ({ example }: InputField): string => String(example ?? 1);

/** A scalar must not be repeated. */
function twice(field: InputField): Mutation {
  return (plan) => {
    if (isInJson(field, plan)) return undefined;
    const text = exampleOf(field);
    const pairs = [1, 2].map(() => [field.name, text] as const);
    return fc.constant(attempt('given twice', withInput(plan, { field, value: text, pairs }), field));
  };
}

function asList(field: InputField): Mutation {
  return (plan) => {
    if (isInJson(field, plan)) return undefined;
    const value = exampleOf(field);
    return fc.constantFrom('[]', '[0]', '[7]').map((suffix) => {
      const pairs = [[`${field.name}${suffix}`, value] as const];
      return attempt('given as a list', withInput(plan, { field, value, pairs }), field);
    });
  };
}

function missing(field: InputField): Mutation {
  return (plan) => fc.constant(attempt('a required field left out', without(plan, field), field));
}
