import type { EventSelection } from '../domain/events/event.ts';
import type { operations as api } from '../generated/api.d.ts';
import type { OperationId, operations, ServerHeader } from '../generated/operations.ts';

// The contract as types: the request and the responses of each operation, derived from generated/.

/** Removes the `[name: string]: unknown` that openapi-typescript adds to headers, so that the declared names remain. */
type DeclaredKeys<T> = keyof { [Key in keyof T as string extends Key ? never : number extends Key ? never : Key]: true };
type Declared<T> = Pick<T, DeclaredKeys<T>>;

/** Shows a computed type as a plain object in editors and error messages. */
type Plain<T> = { [Key in keyof T]: T[Key] };

type Defaults<Id extends OperationId> = (typeof operations)[Id]['defaults'];
type WithDefaults<T, Filled> = Plain<Omit<T, keyof Filled> & Required<Pick<T, keyof Filled & keyof T>>>;

type Parameters<Id extends OperationId, Place extends 'path' | 'query' | 'header'> = [NonNullable<api[Id]['parameters'][Place]>] extends [
  never,
]
  ? Record<never, never>
  : NonNullable<api[Id]['parameters'][Place]>;

type JsonBody<Id extends OperationId> = [NonNullable<api[Id]['requestBody']>] extends [never]
  ? undefined
  : NonNullable<api[Id]['requestBody']> extends { content: { 'application/json': infer Body } }
    ? Body
    : never;

export type PathOf<Id extends OperationId> = Parameters<Id, 'path'>;
export type QueryOf<Id extends OperationId> = WithDefaults<Parameters<Id, 'query'>, Defaults<Id>['query']>;
export type HeadersOf<Id extends OperationId> = Parameters<Id, 'header'>;
/** A list of records is checked for its length alone: the handler validates each record by itself. */
export type BodyOf<Id extends OperationId> =
  JsonBody<Id> extends undefined
    ? undefined
    : JsonBody<Id> extends readonly unknown[]
      ? Readonly<Record<string, unknown>>[]
      : WithDefaults<JsonBody<Id>, Defaults<Id>['body']>;

/** A validated request: every value has its type, every default is filled in. */
export interface ApiRequest<Id extends OperationId> {
  path: PathOf<Id>;
  query: QueryOf<Id>;
  headers: HeadersOf<Id>;
  body: BodyOf<Id>;
}

type Responses<Id extends OperationId> = api[Id]['responses'];
export type StatusOf<Id extends OperationId> = keyof Responses<Id> & number;
export type ResponseBody<Id extends OperationId, Status extends StatusOf<Id>> = Responses<Id>[Status] extends {
  content: { 'application/json': infer Body };
}
  ? Body
  : never;

/** The headers a response must have, without those that the server adds to every one. */
type HandlerHeaders<Id extends OperationId, Status extends StatusOf<Id>> = Responses<Id>[Status] extends { headers: infer Headers }
  ? Omit<Declared<Headers>, ServerHeader>
  : never;

type HeaderPart<Headers> = keyof Headers extends never ? { headers?: never } : { headers: Plain<Headers> };

/** A stream is sent by the server, as long as the connection is open. */
type BodyPart<Id extends OperationId, Status extends StatusOf<Id>> = Responses<Id>[Status] extends {
  content: { 'text/event-stream': unknown };
}
  ? { stream: EventSelection; body?: never }
  : { body: ResponseBody<Id, Status>; stream?: never };

/** What a handler may return: a declared status with its body and its required headers. */
export type HandlerResponse<Id extends OperationId> = {
  [Status in StatusOf<Id>]: {
    status: Status;
    /** It follows from the data, the settings, the caller and the store's day alone, so the response cache may serve it again. */
    cacheable?: boolean;
    /** The body is the same object for many callers: it is serialized and compressed once, and sent with an ETag. */
    shared?: boolean;
  } & BodyPart<Id, Status> &
    HeaderPart<HandlerHeaders<Id, Status>>;
}[StatusOf<Id>];

/** Implements one operation. */
export type Handler<Id extends OperationId, Context = unknown> = (
  request: ApiRequest<Id>,
  context: Context,
) => Promise<HandlerResponse<Id>>;

/** One handler for each operation, by default of all in the contract. */
export type Handlers<Context = unknown, Ids extends OperationId = OperationId> = { [Id in Ids]: Handler<Id, Context> };
