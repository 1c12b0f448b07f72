import { OpenAPIRouter, type Operation, type Request } from 'openapi-backend';
import type { ContractRequest } from './read-request.ts';

type Endpoint = Pick<Request, 'method' | 'path'>;

interface Route {
  /** `coupons`, `{id}`, `orders`. */
  readonly segments: readonly string[];
  readonly parameters: readonly { readonly at: number; readonly name: string }[];
  /** By method in upper case. */
  readonly operations: Map<string, Operation>;
}

const isParameter = (segment: string): boolean => segment.startsWith('{');

/**
 * openapi-backend's router lists all operations again and compiles their patterns again with every request, and parses a request three
 * times. This one does each once. It also differs where the library would match too much: a path is matched before its method, and a fixed
 * segment before a parameter, so DELETE /webhooks/events is a wrong method and never the deletion of a webhook called "events". A path
 * with a trailing slash is another path.
 */
export class ContractRouter extends OpenAPIRouter {
  // Without `security`: the hooks decide access by `x-access`, and the library would create ten promises for each scheme with every request.
  readonly #operations = super.getOperations().map((operation) => ({ ...operation, security: [] }));
  readonly #byId = new Map(this.#operations.map((operation) => [operation.operationId, operation]));
  readonly #routes = createRoutes(this.#operations);
  readonly #routesByPath = new Map(this.#routes.map((route) => [`/${route.segments.join('/')}`, route]));
  readonly #root = this.apiRoot.replace(/\/$/, '');

  override getOperations(): Operation[] {
    return this.#operations;
  }

  override getOperation(operationId: string): Operation | undefined {
    return this.#byId.get(operationId);
  }

  /** Method in upper case; the path still percent-encoded, without the query. openapi-backend reads the number in the error. */
  override matchOperation(endpoint: Endpoint): Operation | undefined;
  override matchOperation(endpoint: Endpoint, strict: boolean): Operation;
  override matchOperation({ method, path }: Endpoint, strict = false): Operation | undefined {
    const route = this.#findRoute(path);
    const operation = route?.operations.get(method === 'HEAD' ? 'GET' : method);
    if (!operation && strict) throw new Error(route ? '405-methodNotAllowed' : '404-notFound');
    return operation;
  }

  /** The methods of all operations at the path, for the header Allow. */
  allowedMethods(path: string): string[] {
    const methods = [...(this.#findRoute(path)?.operations.keys() ?? [])];
    return [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].toSorted();
  }

  /** Adds the parameters of the path. The query and the body are read by the validator, after access is decided. */
  override parseRequest(request: ContractRequest, operation?: Operation): ContractRequest {
    const { parameters = [] } = (operation && this.#routesByPath.get(operation.path)) ?? {};
    const segments = parameters.length === 0 ? undefined : this.#split(request.path);
    for (const { at, name } of parameters) request.params[name] = decodeURIComponent(segments?.[at] ?? '');
    return request;
  }

  #findRoute(path: string): Route | undefined {
    const segments = this.#split(path);
    return segments && this.#routes.find((route) => matches(route.segments, segments));
  }

  /** Undefined outside of the API root and for a path that cannot be decoded. After a trailing slash is an empty segment, which no route has. */
  #split(path: string): string[] | undefined {
    const { length } = this.#root;
    return path.startsWith(this.#root) && path[length] === '/' && isDecodable(path) ? path.slice(length + 1).split('/') : undefined;
  }
}

/** Fixed segments before parameters, from the left, so that the first route that matches is the most specific one. */
function createRoutes(operations: readonly Operation[]): Route[] {
  const routes = [...new Set(operations.map(({ path }) => path))].map((path) => {
    const own = operations.filter((operation) => operation.path === path);
    const segments = toSegments(path);
    return {
      segments,
      parameters: segments.flatMap((segment, at) => (isParameter(segment) ? [{ at, name: segment.slice(1, -1) }] : [])),
      operations: new Map(own.map((operation) => [operation.method.toUpperCase(), operation])),
    };
  });
  const order = ({ segments }: Route): string => segments.map((segment) => (isParameter(segment) ? '1' : '0')).join('');
  return routes.sort((one, other) => order(one).localeCompare(order(other)));
}

function toSegments(path: string): string[] {
  const segments = path.split('/').slice(1);
  if (segments.some((segment) => /[{}]/.test(segment) && !/^\{[^{}]+\}$/.test(segment)))
    throw new Error(`${path}: a path parameter must be a whole segment.`);
  return segments;
}

const matches = (template: readonly string[], segments: readonly string[]): boolean =>
  template.length === segments.length &&
  template.every((segment, at) => (isParameter(segment) ? segments[at] !== '' : segment === segments[at]));

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
