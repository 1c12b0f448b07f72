import { isDeepStrictEqual } from 'node:util';
import { type ContractDocument, listOperations, type OperationObject } from './document.ts';

/** What a caller could do under the released contract and can no longer do, by the fields of our own, which Redocly does not know. */
export interface Narrowing {
  /** Of the operation or webhook, in the bundle. */
  pointer: string;
  field: keyof Facts;
  message: string;
}

type Facts = Partial<
  Pick<OperationObject, 'x-access' | 'x-access-when' | 'x-scope' | 'x-scope-when' | 'x-csrf-when' | 'x-edition' | 'x-add-ons'>
>;
type Told = Generator<Omit<Narrowing, 'pointer'>>;

const scopes = ['none', 'read', 'write', 'manage'];

/** Looks at what both contracts have. What is gone altogether is for Redocly to tell. */
export function findNarrowings(released: ContractDocument, current: ContractDocument): Narrowing[] {
  const before = factsByPointer(released);
  return [...factsByPointer(current)].flatMap(([pointer, now]) => {
    const then = before.get(pointer);
    const told = then ? [...fewerCallers(then, now), ...moreAsked(then, now), ...fewerSites(then, now)] : [];
    return told.map(({ field, message }) => ({ pointer, field, message }));
  });
}

function factsByPointer(contract: ContractDocument): Map<string, Facts> {
  const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
  const operations = [...listOperations(contract)].map(({ path, method, operation }) => ({
    pointer: `#/paths/${escaped(path)}/${method}`,
    facts: operation as Facts,
  }));
  const webhooks = Object.entries(contract.webhooks).map(([event, { post }]) => ({
    pointer: `#/webhooks/${escaped(event)}/post`,
    facts: post as Facts,
  }));
  return new Map([...operations, ...webhooks].map(({ pointer, facts }) => [pointer, facts]));
}

function* fewerCallers(then: Facts, now: Facts): Told {
  const always = lost(then['x-access'], now['x-access']);
  if (always.length > 0) yield { field: 'x-access', message: `No longer lets ${always.join(', ')} call.` };
  for (const row of [...(then['x-access-when'] ?? []), ...(now['x-access-when'] ?? [])]) {
    const accessIn = (facts: Facts) => facts['x-access-when']?.find((other) => isSameCase(other, row))?.access ?? facts['x-access'];
    const levels = lost(accessIn(then), accessIn(now)).filter((level) => !always.includes(level));
    const message = `No longer lets ${levels.join(', ')} call while ${row.setting} is ${JSON.stringify(row.equals)}.`;
    if (levels.length > 0) yield { field: 'x-access-when', message };
  }
}

function* moreAsked(then: Facts, now: Facts): Told {
  const before = then['x-scope'] ?? 'none';
  const [was, is] = [rank(before), rank(now['x-scope'])];
  if (is > was) yield { field: 'x-scope', message: `Raised from ${before} to ${now['x-scope']}.` };
  for (const row of now['x-scope-when'] ?? []) {
    const earlier = then['x-scope-when']?.find((other) => isSameCase(other, row))?.scope;
    const message = `Wants the scope ${row.scope} when ${row.parameter} is ${JSON.stringify(row.equals)}; it was ${earlier ?? before}.`;
    if (rank(row.scope) > Math.max(was, rank(earlier))) yield { field: 'x-scope-when', message };
  }
  for (const row of now['x-csrf-when'] ?? []) {
    const message = `Wants the CSRF header when ${row.parameter} is ${JSON.stringify(row.equals)}.`;
    if (!then['x-csrf-when']?.some((other) => isSameCase(other, row))) yield { field: 'x-csrf-when', message };
  }
}

function* fewerSites(then: Facts, now: Facts): Told {
  const edition = now['x-edition'];
  if (edition !== undefined && edition !== then['x-edition'])
    yield { field: 'x-edition', message: `Exists in the ${edition} edition alone.` };
  const addOns = (now['x-add-ons'] ?? []).filter((addOn) => !then['x-add-ons']?.includes(addOn));
  if (addOns.length > 0) yield { field: 'x-add-ons', message: `Needs ${addOns.join(', ')}, which it did not.` };
}

const lost = (levels: string[] = [], kept: string[] = []): string[] => levels.filter((level) => !includes(kept, level));

/** `public` is everybody, and `user` is everybody who is identified. */
const includes = (levels: string[], level: string): boolean =>
  levels.includes(level) || levels.includes('public') || (levels.includes('user') && level !== 'public');

const rank = (scope = 'none'): number => scopes.indexOf(scope);

interface Case {
  setting?: string;
  parameter?: string;
  equals: unknown;
}

const isSameCase = (one: Case, other: Case): boolean =>
  one.setting === other.setting && one.parameter === other.parameter && isDeepStrictEqual(one.equals, other.equals);
