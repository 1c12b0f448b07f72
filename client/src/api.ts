import { createFinalURL, createQuerySerializer, defaultPathSerializer } from 'openapi-fetch';
import type { Connection } from './connection.ts';
import { ApiError, noAnswer } from './errors.ts';
import type { FeedEvent, FeedRecord } from './events.ts';

/** A page of a collection. */
export interface Page<Item> {
  readonly items: Item[];
  /** Of the whole collection. */
  readonly total: number;
  readonly totalPages: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with every answer before it is read, also with an error: for its status and headers. */
  readonly onResponse?: (response: Response) => void;
}

interface KeyedOptions extends CallOptions {
  /** Made for you when not given. Give one of your own to ask again for the same after a crash. */
  readonly idempotencyKey?: string;
}

interface Described {
  parameters: { query?: unknown; path?: unknown; header?: unknown };
  requestBody?: unknown;
  responses: object;
}

type Has<Part> = [NonNullable<Part>] extends [never] ? false : true;
type Id<Operation extends Described> =
  Has<Operation['parameters']['path']> extends true
    ? [id: NonNullable<Operation['parameters']['path']>[keyof Operation['parameters']['path']]]
    : [];
type Json<Body> = Body extends { content: { 'application/json': infer Value } } ? Value : never;
type Query<Given> = Has<Given> extends false ? [] : undefined extends Given ? [query?: NonNullable<Given>] : [query: Given];
type Body<Given> = Has<Given> extends false ? [] : undefined extends Given ? [body?: Json<NonNullable<Given>>] : [body: Json<Given>];
type Options<Operation extends Described> = Has<Operation['parameters']['header']> extends true ? KeyedOptions : CallOptions;
type Success<Responses> = { [Status in keyof Responses & (200 | 201)]: Json<Responses[Status]> }[keyof Responses & (200 | 201)];
type Answer<Value> = Value extends (infer Item)[] ? Page<Item extends FeedRecord ? FeedEvent : Item> : Value;

/** The id in the path, then the query or the body, then the options; each only where the operation has it. */
export type Call<Operation> = Operation extends Described
  ? (
      ...args: [
        ...Id<Operation>,
        ...Query<Operation['parameters']['query']>,
        ...Body<Operation['requestBody']>,
        options?: Options<Operation>,
      ]
    ) => Promise<Answer<Success<Operation['responses']>>>
  : never;

// Several values in one parameter: `event=payout_paid,referral`.
const querySerializer = createQuerySerializer<Record<string, unknown>>({ array: { style: 'form', explode: false } });
const pathSerializer = defaultPathSerializer;

/** The route as generated/client.ts writes it: `POST /{id}/status?`. */
export function callOf({ baseUrl, fetch }: Connection, resource: string, route: string): (...args: unknown[]) => Promise<unknown> {
  const [, method = '', path = '', takesInput, takesKey] = /(\w+) ?([^?]*)(\??)(.?)/.exec(route) ?? [];
  return async (...args) => {
    const id = path.includes('{') ? args.shift() : undefined;
    const input = takesInput ? (args.shift() as Record<string, unknown> | undefined) : undefined;
    const { onResponse, idempotencyKey = newKey(), signal = null } = (args[0] ?? {}) as KeyedOptions;
    const params = { path: { id }, query: method === 'GET' && input ? input : {} };
    const url = createFinalURL(`/${resource}${path}`, { baseUrl, params, querySerializer, pathSerializer });
    const request = new Request(url, { method, signal, ...(method !== 'GET' && input && { body: JSON.stringify(input) }) });
    if (request.body) request.headers.set('Content-Type', 'application/json');
    if (takesKey) request.headers.set('Idempotency-Key', idempotencyKey);
    const fail = (cause: unknown): never => {
      throw noAnswer(request, cause);
    };
    const response = await fetch(request).catch(fail);
    onResponse?.(response);
    return read(response, await response.text().catch(fail));
  };
}

/** Also where a page is not served over HTTPS, and `randomUUID` does not exist. */
const newKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

function read(response: Response, text: string): unknown {
  const value = parsed(text);
  if (!response.ok || value === undefined) throw new ApiError(response, value);
  const count = (name: string): number => Number.parseInt(response.headers.get(name) ?? '', 10);
  return Array.isArray(value) ? { items: value, total: count('X-Svc-Total'), totalPages: count('X-Svc-TotalPages') } : value;
}

/** Undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
