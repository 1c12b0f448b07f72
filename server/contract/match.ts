import type { ContractOperation } from './document.ts';

export type Match =
  | { readonly found: true; readonly operation: ContractOperation; readonly params: Record<string, string> }
  | { readonly found: false; readonly allow: readonly string[] };

export type Matcher = (method: string, path: string) => Match;

interface Route {
  readonly names: readonly string[];
  readonly operations: Map<string, ContractOperation>;
}

interface Branch {
  readonly fixed: Map<string, Branch>;
  parameter?: Branch;
  route?: Route;
}

const noRoute: Match = { found: false, allow: [] };

/** Compiles the operations once: openapi-backend's own matching rebuilds its list and its expressions for every request. */
export function compileMatcher(operations: readonly ContractOperation[], apiRoot: string): Matcher {
  const root: Branch = { fixed: new Map() };
  for (const operation of operations) plant(root, operation);

  return (method, path) => {
    const segments = segmentsUnder(apiRoot, path);
    if (!segments) return noRoute;
    const values: string[] = [];
    const route = find(root, segments, 0, values);
    return route ? answer(route, method, values) : noRoute;
  };
}

function plant(root: Branch, operation: ContractOperation): void {
  const names: string[] = [];
  let branch = root;
  for (const segment of operation.path.split('/').slice(1)) {
    const name = parameterName(segment, operation.path);
    if (name !== undefined) names.push(name);
    branch = name === undefined ? fixedBranch(branch, segment) : (branch.parameter ??= { fixed: new Map() });
  }
  branch.route ??= { names, operations: new Map() };
  branch.route.operations.set(operation.method.toUpperCase(), operation);
}

function parameterName(segment: string, path: string): string | undefined {
  const name = /^\{([^{}]+)\}$/.exec(segment)?.[1];
  if (name === undefined && /[{}]/.test(segment)) throw new Error(`${path}: a path parameter must be a whole segment.`);
  return name;
}

function fixedBranch(parent: Branch, segment: string): Branch {
  const branch: Branch = parent.fixed.get(segment) ?? { fixed: new Map() };
  parent.fixed.set(segment, branch);
  return branch;
}

/** Trailing slashes are ignored, as openapi-backend does. */
function segmentsUnder(apiRoot: string, path: string): string[] | undefined {
  if (!path.startsWith(apiRoot) || path[apiRoot.length] !== '/') return undefined;
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return end <= apiRoot.length ? undefined : path.slice(apiRoot.length + 1, end).split('/');
}

/**
 * Finds the path before it looks at the method, and a fixed segment wins: DELETE /webhooks/events is a wrong method on the
 * catalog, never the deletion of a webhook called "events".
 */
function find(branch: Branch, segments: readonly string[], at: number, values: string[]): Route | undefined {
  const segment = segments[at];
  if (segment === undefined) return branch.route;
  const fixed = branch.fixed.get(segment);
  const route = fixed && find(fixed, segments, at + 1, values);
  if (route || !branch.parameter || segment === '') return route;
  values.push(segment);
  const further = find(branch.parameter, segments, at + 1, values);
  if (!further) values.pop();
  return further;
}

function answer(route: Route, method: string, values: readonly string[]): Match {
  const operation = route.operations.get(method === 'HEAD' ? 'GET' : method);
  if (!operation) return { found: false, allow: [...route.operations.keys()].toSorted() };
  const params: Record<string, string> = {};
  for (const [at, name] of route.names.entries()) {
    const value = decode(values[at] ?? '');
    if (value === undefined) return noRoute;
    params[name] = value;
  }
  return { found: true, operation, params };
}

function decode(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
