import { isDeepStrictEqual } from 'node:util';
import { type ContractDocument, listOperations, type OperationObject } from './document.ts';

/** A change of an `x-` field that takes something from callers of the released contract. Redocly's diff ignores these fields. */
export interface Narrowing {
  /** Of the operation or webhook in the bundle. */
  pointer: string;
  field: keyof AccessFields;
  message: string;
}

type AccessFields = Partial<
  Pick<
    OperationObject,
    'x-access' | 'x-access-when' | 'x-scope' | 'x-scope-when' | 'x-csrf-when' | 'x-confirm-password' | 'x-edition' | 'x-add-ons'
  >
>;
type Narrowings = Generator<Omit<Narrowing, 'pointer'>>;

const scopes = ['none', 'read', 'write', 'manage'];

/** Compares operations and webhooks that both contracts have; Redocly's diff reports the removed ones. */
export function findNarrowings(released: ContractDocument, current: ContractDocument): Narrowing[] {
  const before = fieldsByPointer(released);
  return [...fieldsByPointer(current)].flatMap(([pointer, now]) => {
    const then = before.get(pointer);
    const found = then ? [...compareAccess(then, now), ...compareRequirements(then, now), ...compareAvailability(then, now)] : [];
    return found.map((narrowing) => ({ pointer, ...narrowing }));
  });
}

function fieldsByPointer(contract: ContractDocument): Map<string, AccessFields> {
  const escape = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
  const operations = [...listOperations(contract)].map(
    ({ path, method, operation }) => [`#/paths/${escape(path)}/${method}`, operation as AccessFields] as const,
  );
  const webhooks = Object.entries(contract.webhooks).map(
    ([event, { post }]) => [`#/webhooks/${escape(event)}/post`, post as AccessFields] as const,
  );
  return new Map([...operations, ...webhooks]);
}

function* compareAccess(then: AccessFields, now: AccessFields): Narrowings {
  const always = findLost(then['x-access'], now['x-access']);
  if (always.length > 0) yield { field: 'x-access', message: `No longer lets ${always.join(', ')} call.` };
  for (const row of [...(then['x-access-when'] ?? []), ...(now['x-access-when'] ?? [])]) {
    const accessIn = (fields: AccessFields) =>
      fields['x-access-when']?.find((other) => isSameCondition(other, row))?.access ?? fields['x-access'];
    const levels = findLost(accessIn(then), accessIn(now)).filter((level) => !always.includes(level));
    const message = `No longer lets ${levels.join(', ')} call while ${row.setting} is ${JSON.stringify(row.equals)}.`;
    if (levels.length > 0) yield { field: 'x-access-when', message };
  }
}

function* compareRequirements(then: AccessFields, now: AccessFields): Narrowings {
  const before = then['x-scope'] ?? 'none';
  const [was, is] = [rank(before), rank(now['x-scope'])];
  if (is > was) yield { field: 'x-scope', message: `Raised from ${before} to ${now['x-scope']}.` };
  for (const row of now['x-scope-when'] ?? []) {
    const earlier = then['x-scope-when']?.find((other) => isSameCondition(other, row))?.scope;
    const message = `Requires the scope ${row.scope} when ${row.parameter} is ${JSON.stringify(row.equals)}; it was ${earlier ?? before}.`;
    if (rank(row.scope) > Math.max(was, rank(earlier))) yield { field: 'x-scope-when', message };
  }
  for (const row of now['x-csrf-when'] ?? []) {
    const message = `Requires the CSRF header when ${row.parameter} is ${JSON.stringify(row.equals)}.`;
    if (!then['x-csrf-when']?.some((other) => isSameCondition(other, row))) yield { field: 'x-csrf-when', message };
  }
  if (now['x-confirm-password'] && !then['x-confirm-password'])
    yield { field: 'x-confirm-password', message: 'Requires a confirmed password, which it did not before.' };
}

function* compareAvailability(then: AccessFields, now: AccessFields): Narrowings {
  const edition = now['x-edition'];
  if (edition !== undefined && edition !== then['x-edition'])
    yield { field: 'x-edition', message: `Exists in the ${edition} edition only.` };
  const addOns = (now['x-add-ons'] ?? []).filter((addOn) => !then['x-add-ons']?.includes(addOn));
  if (addOns.length > 0) yield { field: 'x-add-ons', message: `Requires ${addOns.join(', ')}, which it did not before.` };
}

const findLost = (before: string[] = [], after: string[] = []): string[] => before.filter((level) => !includes(after, level));

/** `public` includes every level, and `user` every identified caller. */
const includes = (levels: string[], level: string): boolean =>
  levels.includes(level) || levels.includes('public') || (levels.includes('user') && level !== 'public');

const rank = (scope = 'none'): number => scopes.indexOf(scope);

interface Condition {
  setting?: string;
  parameter?: string;
  equals: unknown;
}

const isSameCondition = (one: Condition, other: Condition): boolean =>
  one.setting === other.setting && one.parameter === other.parameter && isDeepStrictEqual(one.equals, other.equals);
