import { isDeepStrictEqual } from 'node:util';
import { type ContractDocument, listOperations, type OperationObject } from './document.ts';

/** A change that takes something from callers of the released contract, and that Redocly's diff ignores. */
export interface Narrowing {
  /** Of the object in the bundle, such as an operation. */
  pointer: string;
  field: string;
  message: string;
}

type AccessFields = Partial<
  Pick<OperationObject, 'x-access' | 'x-access-when' | 'x-scope' | 'x-scope-when' | 'x-csrf-when' | 'x-confirm-password'>
>;
type Narrowings = Generator<Omit<Narrowing, 'pointer'>>;

const scopes = ['none', 'read', 'write', 'manage'];

export const escapeKey = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** Compares who may call the operations that both contracts have; Redocly's diff reports the removed ones. */
export function findNarrowings(released: ContractDocument, current: ContractDocument): Narrowing[] {
  const before = fieldsByPointer(released);
  return [...fieldsByPointer(current)].flatMap(([pointer, now]) => {
    const then = before.get(pointer);
    const found = then ? [...compareAccess(then, now), ...compareRequirements(then, now)] : [];
    return found.map((narrowing) => ({ pointer, ...narrowing }));
  });
}

function fieldsByPointer(contract: ContractDocument): Map<string, AccessFields> {
  const operations = [...listOperations(contract)].map(
    ({ path, method, operation }) => [`#/paths/${escapeKey(path)}/${method}`, operation as AccessFields] as const,
  );
  return new Map(operations);
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
  const [confirmed, confirms] = [then['x-confirm-password'], now['x-confirm-password']];
  if (confirms && !confirmed) yield { field: 'x-confirm-password', message: 'Requires a confirmed password, which it did not before.' };
  if (confirms === 'code' && confirmed === true)
    yield { field: 'x-confirm-password', message: 'Requires a code of callers with a second factor, which it did not before.' };
}

const findLost = (before: string[] = [], after: string[] = []): string[] => before.filter((level) => !includes(after, level));

/** `public` includes every level, `user` every identified caller, and `admin` every administrator. */
const includes = (levels: string[], level: string): boolean =>
  levels.includes(level) ||
  levels.includes('public') ||
  (levels.includes('user') && level !== 'public') ||
  (levels.includes('admin') && level === 'administrator');

const rank = (scope = 'none'): number => scopes.indexOf(scope);

interface Condition {
  setting?: string;
  parameter?: string;
  equals: unknown;
}

const isSameCondition = (one: Condition, other: Condition): boolean =>
  one.setting === other.setting && one.parameter === other.parameter && isDeepStrictEqual(one.equals, other.equals);
