import { isDeepStrictEqual } from 'node:util';
import { listErrorCodes } from '../generate/operations.ts';
import { type ContractDocument, listOperations, type OperationObject, type ReferenceObject, resolveReference } from './document.ts';
import { escapeKey, type Narrowing } from './narrowed-access.ts';

type Node = Readonly<Record<string, unknown>>;
type Direction = (then: unknown, now: unknown, node: Node) => boolean;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const entriesOf = (value: unknown): [string, unknown][] => Object.entries(isNode(value) ? value : {});
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const wasAbsent: Direction = (then) => then === undefined;
const isRemoved: Direction = (_then, now) => now === undefined;
const isTurnedOn: Direction = (_then, now) => now === true;
const always: Direction = () => true;
const hasFewer: Direction = (then, now) => listOf(now).every((item) => listOf(then).includes(item));
const keepsEntries: Direction = (then, now) => {
  const kept = new Map(entriesOf(now).map(([name, entry]) => [name, withoutDescription(entry)]));
  return entriesOf(then).every(([name, entry]) => isDeepStrictEqual(withoutDescription(entry), kept.get(name)));
};

/**
 * The directions of a change that take nothing from a client; every other change of an `x-` field counts as breaking. What each site serves
 * follows from these fields, so no document of another edition, or without an add-on, loses anything unseen.
 */
const harmless: Readonly<Record<string, Direction>> = {
  'x-edition': isRemoved,
  'x-add-ons': hasFewer,
  'x-admin-only': isRemoved,
  'x-dry-run': isTurnedOn,
  'x-secret': isTurnedOn,
  'x-tool': (then, now) => then === undefined || (then as Node)['name'] === (now as Node | undefined)?.['name'],
  'x-import-kind': wasAbsent,
  'x-key': wasAbsent,
  'x-import-only': keepsEntries,
  'x-value-availability': (then, now, { enum: values }) =>
    entriesOf(now).every(
      ([value, needs]) => isDeepStrictEqual(needs, (then as Node | undefined)?.[value]) || !listOf(values).includes(value),
    ),
  'x-transitions': (then, now) =>
    then === undefined ||
    (isDeepStrictEqual({ ...(then as Node), rows: 0 }, { ...(now as Node | undefined), rows: 0 }) &&
      listOf((then as Node)['rows']).every((row) =>
        listOf((now as Node | undefined)?.['rows']).some((other) => isDeepStrictEqual(row, other)),
      )),
  'x-access-levels': keepsEntries,
  'x-add-on-catalog': keepsEntries,
  // Words for people, and fields that only lint and the types of handlers read.
  'x-absent': always,
  'x-extends': always,
  'x-set-by': always,
};

/** findNarrowings compares these of operations and webhooks; codes are compared by operation and status. */
const comparedElsewhere = new Set([
  'x-access',
  'x-access-when',
  'x-scope',
  'x-scope-when',
  'x-csrf-when',
  'x-confirm-password',
  'x-error-codes',
]);

/** What a part describes: what clients send, what they receive as a webhook, a header of a response, or something else. */
type Role = 'request' | 'delivery' | 'header' | 'other';

const ofRemovedField: Partial<Record<Role, string>> = {
  request: 'A request that sends it is accepted, and it is ignored from now on.',
  delivery: 'Deliveries no longer have this field.',
};

const data = new Set(['example', 'examples', 'enum', 'const', 'default', 'required', 'value', 'security', 'tags']);

/**
 * What Redocly's diff does not see: changes of `x-` fields, of defaults, of error codes, of fields that a request no longer has, and of headers that a
 * response or a delivery no longer always has. Redocly compares the rest. A component is compared once, where it is written.
 */
export function findLostPromises(released: ContractDocument, current: ContractDocument): Narrowing[] {
  const found: Narrowing[] = [];
  const calls = [...listOperations(released)].map(({ operation }) => operation);
  const sent = listComponents(released, calls);
  const delivered = listComponents(
    released,
    Object.values(released.webhooks).map(({ post }) => post),
  );
  const report = (pointer: string, field: string, message: string): void => void found.push({ pointer, field, message });

  const compare = (then: Node, now: Node, pointer: string, role: Role): void => {
    const isSameReference = then['$ref'] !== undefined && then['$ref'] === now['$ref'];
    const [before, after] = isSameReference ? [then, now] : [resolve(released, then), resolve(current, now)];
    const fields = new Set([...Object.keys(before), ...Object.keys(after)].filter((key) => key.startsWith('x-')));
    for (const field of fields) {
      if (comparedElsewhere.has(field) || isDeepStrictEqual(before[field], after[field])) continue;
      if (!harmless[field]?.(before[field], after[field], before)) report(pointer, field, describe(before[field], after[field]));
    }
    if (role === 'request' && !isDeepStrictEqual(before['default'], after['default']))
      report(pointer, 'default', describe(before['default'], after['default']));
    if (before['required'] === true && after['required'] !== true) {
      if (role === 'header') report(pointer, 'required', 'The header may be missing from now on.');
      if (role === 'delivery' && before['in'] === 'header') report(pointer, 'required', 'Deliveries may lack the header from now on.');
    }
    const kept = (after['properties'] ?? {}) as Node;
    const message = ofRemovedField[role];
    for (const [name] of entriesOf(message ? before['properties'] : {}))
      if (message && !(name in kept)) report(`${pointer}/properties`, escapeKey(name), message);
    for (const [key, part] of entriesOf(before)) {
      const other = after[key];
      if (data.has(key) || key.startsWith('x-') || !isNode(part) || !isNode(other)) continue;
      const below = role === 'header' ? 'other' : role;
      if (key === 'parameters' && Array.isArray(part)) compareParameters(part, listOf(other) as Node[], `${pointer}/parameters`, role);
      else if (key === 'headers') compareEach(part, other, `${pointer}/${key}`, 'header');
      else if (key === 'properties') compareEach(part, other, `${pointer}/${key}`, below);
      else compare(part, other, `${pointer}/${escapeKey(key)}`, key === 'requestBody' && below === 'other' ? 'request' : below);
    }
  };
  const compareEach = (then: Node, now: Node, pointer: string, role: Role | ((name: string) => Role)): void => {
    for (const [name, part] of entriesOf(then)) {
      const other = now[name];
      const ofOne = typeof role === 'function' ? role(name) : role;
      if (isNode(part) && isNode(other)) compare(part, other, `${pointer}/${escapeKey(name)}`, ofOne);
    }
  };
  const compareParameters = (then: Node[], now: Node[], pointer: string, role: Role): void => {
    const nameOf = (contract: ContractDocument, parameter: Node): string => {
      const { in: place, name } = resolve(contract, parameter);
      return `${String(place)} ${String(name)}`;
    };
    for (const parameter of then) {
      const at = now.findIndex((other) => nameOf(current, other) === nameOf(released, parameter));
      if (at >= 0) compare(parameter, now[at] as Node, `${pointer}/${at}`, role === 'delivery' ? role : 'request');
      else if (role === 'delivery')
        report(pointer, escapeKey(String(resolve(released, parameter)['name'])), 'Deliveries no longer have this header.');
    }
  };

  const { paths, webhooks, components, ...root } = released as unknown as Record<string, Node>;
  const now = current as unknown as Record<string, Node>;
  compare({ ...root }, { ...now, paths: undefined, webhooks: undefined, components: undefined }, '#', 'other');
  for (const [path, item] of entriesOf(paths))
    compareEach(item as Node, (now['paths']?.[path] ?? {}) as Node, `#/paths/${escapeKey(path)}`, 'other');
  for (const [event, item] of entriesOf(webhooks))
    compareEach(item as Node, (now['webhooks']?.[event] ?? {}) as Node, `#/webhooks/${escapeKey(event)}`, 'delivery');
  for (const [section, parts] of entriesOf(components)) {
    const roleOf = (name: string): Role => {
      const reference = `#/components/${section}/${escapeKey(name)}`;
      if (section === 'headers') return 'header';
      if (sent.has(reference)) return 'request';
      return delivered.has(reference) ? 'delivery' : 'other';
    };
    if (section !== 'examples') compareEach(parts as Node, (now['components']?.[section] ?? {}) as Node, `#/components/${section}`, roleOf);
  }
  return [...found, ...findLostCodes(released, current)];
}

const resolve = (contract: ContractDocument, node: Node): Node => resolveReference(contract, node as ReferenceObject | object) as Node;

const withoutDescription = (entry: unknown): unknown => (isNode(entry) ? { ...entry, description: undefined } : entry);

/** Of two maps only the entries that differ. */
function describe(then: unknown, now: unknown): string {
  if (then === undefined) return `Is ${JSON.stringify(now)} from now on; it was not there before.`;
  if (now === undefined) return `Was ${JSON.stringify(then)} and is gone.`;
  const differing = (of: unknown, other: unknown): unknown =>
    isNode(of) && !Array.isArray(of) && isNode(other)
      ? Object.fromEntries(entriesOf(of).filter(([name, entry]) => !isDeepStrictEqual(entry, other[name])))
      : of;
  return `Was ${JSON.stringify(differing(then, now))} and is ${JSON.stringify(differing(now, then))}.`;
}

/** What the parameters and bodies of these consist of. */
function listComponents(
  contract: ContractDocument,
  messages: readonly Pick<OperationObject, 'parameters' | 'requestBody'>[],
): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    if (!isNode(node)) return;
    const { $ref } = node;
    if (typeof $ref === 'string' && !found.has($ref)) {
      found.add($ref);
      visit(resolve(contract, { $ref }));
    }
    // A property may have the name of a field that holds data.
    for (const [key, part] of entriesOf(node)) if (!data.has(key)) visit(key === 'properties' && isNode(part) ? Object.values(part) : part);
  };
  for (const { parameters, requestBody } of messages) visit([parameters, requestBody]);
  return found;
}

/** One for each code, at the first operation that no longer answers it: a code of a shared response belongs to many. */
function findLostCodes(released: ContractDocument, current: ContractDocument): Narrowing[] {
  const now = new Map(
    [...listOperations(current)].map(({ path, method, operation }) => [`${method} ${path}`, listErrorCodes(current, operation)]),
  );
  const lost = new Map<string, string[]>();
  for (const { path, method, operation } of listOperations(released)) {
    const codes = now.get(`${method} ${path}`);
    if (!codes) continue;
    for (const [status, before] of Object.entries(listErrorCodes(released, operation)))
      for (const code of before.filter((one) => !codes[status]?.includes(one))) {
        const title = `No longer answers ${status} ${code}`;
        lost.set(title, [...(lost.get(title) ?? []), `#/paths/${escapeKey(path)}/${method}`]);
      }
  }
  return [...lost].map(([title, [pointer = '', ...others]]) => ({
    pointer,
    field: 'x-error-codes',
    message: others.length === 0 ? `${title}.` : `${title}, nor do ${others.length} other operations.`,
  }));
}
