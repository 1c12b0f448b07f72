import type { ContractOperation } from './document.ts';

export type Match =
  | { readonly found: true; readonly operation: ContractOperation; readonly params: Record<string, string> }
  | { readonly found: false; readonly allow: readonly string[] };

export type Matcher = (method: string, path: string) => Match;

interface Route {
  readonly names: readonly string[];
  readonly operations: Map<string, ContractOperation>;
}

interface RouteNode {
  readonly fixed: Map<string, RouteNode>;
  parameter?: RouteNode;
  route?: Route;
}

const noMatch: Match = { found: false, allow: [] };

/** A tree of path segments. openapi-backend's own matching rebuilds its list and its regular expressions for every request. */
export function compileMatcher(operations: readonly ContractOperation[], apiRoot: string): Matcher {
  const root: RouteNode = { fixed: new Map() };
  for (const operation of operations) insert(root, operation);

  return (method, path) => {
    const segments = segmentsUnder(apiRoot, path);
    if (!segments) return noMatch;
    const values: string[] = [];
    const route = findRoute(root, segments, 0, values);
    return route ? toMatch(route, method, values) : noMatch;
  };
}

function insert(root: RouteNode, operation: ContractOperation): void {
  const names: string[] = [];
  let node = root;
  for (const segment of operation.path.split('/').slice(1)) {
    const name = parameterName(segment, operation.path);
    if (name !== undefined) names.push(name);
    node = name === undefined ? fixedChild(node, segment) : (node.parameter ??= { fixed: new Map() });
  }
  node.route ??= { names, operations: new Map() };
  node.route.operations.set(operation.method.toUpperCase(), operation);
}

function parameterName(segment: string, path: string): string | undefined {
  const name = /^\{([^{}]+)\}$/.exec(segment)?.[1];
  if (name === undefined && /[{}]/.test(segment)) throw new Error(`${path}: a path parameter must be a whole segment.`);
  return name;
}

function fixedChild(parent: RouteNode, segment: string): RouteNode {
  const node: RouteNode = parent.fixed.get(segment) ?? { fixed: new Map() };
  parent.fixed.set(segment, node);
  return node;
}

/** Trailing slashes are ignored, as openapi-backend does. */
function segmentsUnder(apiRoot: string, path: string): string[] | undefined {
  if (!path.startsWith(apiRoot) || path[apiRoot.length] !== '/') return undefined;
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return end <= apiRoot.length ? undefined : path.slice(apiRoot.length + 1, end).split('/');
}

/**
 * Matches the path before the method, and a fixed segment before a parameter: DELETE /webhooks/events is a wrong method on the catalog,
 * never the deletion of a webhook called "events".
 */
function findRoute(node: RouteNode, segments: readonly string[], at: number, values: string[]): Route | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.route;
  const fixed = node.fixed.get(segment);
  const route = fixed && findRoute(fixed, segments, at + 1, values);
  if (route || !node.parameter || segment === '') return route;
  values.push(segment);
  const further = findRoute(node.parameter, segments, at + 1, values);
  if (!further) values.pop();
  return further;
}

function toMatch(route: Route, method: string, values: readonly string[]): Match {
  const operation = route.operations.get(method === 'HEAD' ? 'GET' : method);
  if (!operation) return { found: false, allow: allowedMethods(route) };
  const params: Record<string, string> = {};
  for (const [at, name] of route.names.entries()) {
    const value = decode(values[at] ?? '');
    if (value === undefined) return noMatch;
    params[name] = value;
  }
  return { found: true, operation, params };
}

const allowedMethods = ({ operations }: Route): string[] => [...operations.keys(), ...(operations.has('GET') ? ['HEAD'] : [])].toSorted();

function decode(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
