import { createFinalURL, createQuerySerializer } from 'openapi-fetch';
import { type CalledOperations, routes } from '../../generated/client.ts';
import { type ApiOptions, type Connection, connect } from './connection.ts';
import { ApiError, noResponseError } from './errors.ts';
import type { FeedEvent, FeedRecord } from './events.ts';

/** A page of a collection. */
export interface Page<Item> {
  readonly items: Item[];
  /** The number of items in the whole collection. */
  readonly total: number;
  readonly totalPages: number;
  /** The field whose value no two items share. Absent if the items have none. */
  readonly key?: string;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with every response before it is read, also with an error: for its status and headers. */
  readonly onResponse?: (response: Response) => void;
  /** Tries a change without saving: the same checks and the same result, except that a new record has no id and secrets read `dry-run`. */
  readonly dryRun?: boolean;
}

interface IdempotentCallOptions extends CallOptions {
  /** A new one for each call by default. Pass your own to repeat the same request after a crash. */
  readonly idempotencyKey?: string;
}

interface OperationTypes {
  parameters: { query?: unknown; path?: unknown; header?: unknown };
  requestBody?: unknown;
  responses: object;
}

type Has<Part> = [NonNullable<Part>] extends [never] ? false : true;
/** In the order of the path: `/affiliates/{user_id}/keys/{id}` takes the user first. */
type Ids<Path, Route> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? [id: NonNullable<Path>[Name & keyof NonNullable<Path>], ...Ids<Path, Rest>]
  : [];
type Json<Body> = Body extends { content: { 'application/json': infer Value } } ? Value : never;
type Query<Type> = Has<Type> extends false ? [] : undefined extends Type ? [query?: NonNullable<Type>] : [query: Type];
type Body<Type> = Has<Type> extends false ? [] : undefined extends Type ? [body?: Json<NonNullable<Type>>] : [body: Json<Type>];
type Options<Route> = Route extends `${string}!` ? IdempotentCallOptions : CallOptions;
/** Every status of a success that the contract may declare. */
type Successes<Responses> = keyof Responses & (200 | 201 | 202 | 203 | 204 | 205 | 206);
type Result<Responses> = { [Status in Successes<Responses>]: Success<Responses[Status]> }[Successes<Responses>];
type Success<Response> =
  Response extends Collection<infer Item>
    ? Page<Item extends FeedRecord ? FeedEvent : Item>
    : Response extends { content: object }
      ? Json<Response>
      : undefined;
type Collection<Item> = { headers: { 'X-Svc-Total': unknown }; content: { 'application/json': Item[] } };

/** The ids in the path, the query, the body, then the options; each only if the operation has it. */
export type Call<Operation, Route> = Operation extends OperationTypes
  ? (
      ...args: [
        ...Ids<Operation['parameters']['path'], Route>,
        ...Query<Operation['parameters']['query']>,
        ...Body<Operation['requestBody']>,
        options?: Options<Route>,
      ]
    ) => Promise<Result<Operation['responses']>>
  : never;

type Routes = typeof routes;

/**
 * Every operation of the contract by its resource: `api.coupons.get(17)`. `baseUrl` and `fetch`, which sends the credentials and retries, are what
 * `createClient<paths>(api)` of openapi-fetch needs for calls by path.
 */
export type Api = Connection & {
  readonly [Resource in keyof CalledOperations]: {
    readonly [Name in keyof CalledOperations[Resource]]: Call<
      CalledOperations[Resource][Name],
      Resource extends keyof Routes ? Routes[Resource][Name & keyof Routes[Resource]] : never
    >;
  };
};

export function createApi(options: ApiOptions = {}): Api {
  const connection = connect(options);
  const resources = Object.entries(routes).map(([resource, calls]) => [
    resource,
    Object.fromEntries(Object.entries(calls).map(([name, route]) => [name, createCall(connection, resource, route)])),
  ]);
  // The table and the types are generated from the same contract.
  return { ...connection, ...Object.fromEntries(resources) } as Api;
}

// Several values in one parameter: `event=payout_paid,referral`.
const querySerializer = createQuerySerializer<Record<string, unknown>>({ array: { style: 'form', explode: false } });
// The parameters of the path are inserted below.
const pathSerializer = String;

/** The route has the form of generated/client.ts: `POST /{id}/status+`. */
export function createCall({ baseUrl, fetch }: Connection, resource: string, route: string): (...args: unknown[]) => Promise<unknown> {
  const [, method = '', path = '', takesQuery, takesBody, takesKey, key] = /(\w+) ?([^?+!#]*)(\??)(\+?)(!?)#?(.*)/.exec(route) ?? [];
  return async (...args) => {
    const pathname = path.replace(/\{\w+\}/g, () => encodeURIComponent(String(args.shift())));
    const query = takesQuery ? ((args.shift() ?? {}) as Record<string, unknown>) : {};
    const body = takesBody ? args.shift() : undefined;
    const { onResponse, dryRun = false, idempotencyKey = newIdempotencyKey(), signal = null } = (args[0] ?? {}) as IdempotentCallOptions;
    const url = createFinalURL(`${dryRun ? '/dry-run' : ''}/${toPath(resource)}${pathname}`, {
      baseUrl,
      params: { query },
      querySerializer,
      pathSerializer,
    });
    const request = new Request(url, { method, signal, ...(body !== undefined && { body: JSON.stringify(body) }) });
    if (request.body) request.headers.set('Content-Type', 'application/json');
    if (takesKey) request.headers.set('Idempotency-Key', idempotencyKey);
    const fail = (cause: unknown): never => {
      throw noResponseError(request, cause);
    };
    const response = await fetch(request).catch(fail);
    onResponse?.(response);
    return readResult(response, await response.text().catch(fail), key);
  };
}

/** `payout-runs` for `payoutRuns`. */
const toPath = (resource: string): string => resource.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Works on pages without HTTPS too, where `randomUUID` does not exist. */
const newIdempotencyKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

function readResult(response: Response, text: string, key: string | undefined): unknown {
  if (response.status === 204) return undefined;
  const value = parseJson(text);
  if (!response.ok || value === undefined) throw new ApiError(response, value);
  const { headers } = response;
  const total = headers.get('X-Svc-Total');
  if (total === null) return value;
  return { items: value, total: Number(total), totalPages: Number(headers.get('X-Svc-TotalPages')), ...(key && { key }) };
}

/** Returns undefined if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
