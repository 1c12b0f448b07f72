import type { operations as api } from '../generated/api.d.ts';
import type { OperationId, operations, ServerHeader } from '../generated/operations.ts';

// The contract, read as types: what a handler is given and what it may answer. All of it follows from generated/.

/** Turns off the `[name: string]: unknown` that openapi-typescript adds to headers, so that the declared names remain. */
type DeclaredKeys<T> = keyof { [Key in keyof T as string extends Key ? never : number extends Key ? never : Key]: true };
type Declared<T> = Pick<T, DeclaredKeys<T>>;

/** Shows a computed type as the object it is, in editors and messages. */
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
export type BodyOf<Id extends OperationId> = JsonBody<Id> extends undefined ? undefined : WithDefaults<JsonBody<Id>, Defaults<Id>['body']>;

/** A request that passed the contract: every value has its type, every default is filled in. */
export interface ApiRequest<Id extends OperationId> {
  path: PathOf<Id>;
  query: QueryOf<Id>;
  headers: HeadersOf<Id>;
  body: BodyOf<Id>;
}

type Answers<Id extends OperationId> = api[Id]['responses'];
export type StatusOf<Id extends OperationId> = keyof Answers<Id> & number;
export type ResponseBody<Id extends OperationId, Status extends StatusOf<Id>> = Answers<Id>[Status] extends {
  content: { 'application/json': infer Body };
}
  ? Body
  : never;

/** The headers an answer must carry, without those that the server puts on every one. */
type HandlerHeaders<Id extends OperationId, Status extends StatusOf<Id>> = Answers<Id>[Status] extends { headers: infer Headers }
  ? Omit<Declared<Headers>, ServerHeader>
  : never;

type HeaderPart<Headers> = keyof Headers extends never ? { headers?: never } : { headers: Plain<Headers> };

/** What a handler may answer: a declared status with its body and its required headers. */
export type HandlerResponse<Id extends OperationId> = {
  [Status in StatusOf<Id>]: {
    status: Status;
    body: ResponseBody<Id, Status>;
    /** It follows from the data, the settings, the caller and the store's day alone, so it may be given again while none of them changes. */
    cacheable?: boolean;
    /** The body is one and the same object for all who are given it: its text is made once, compressed, and asked for by its tag. */
    shared?: boolean;
  } & HeaderPart<HandlerHeaders<Id, Status>>;
}[StatusOf<Id>];

/** Implements one operation. `Context` is what the server hands to every handler: the caller and the services. */
export type Handler<Id extends OperationId, Context = unknown> = (
  request: ApiRequest<Id>,
  context: Context,
) => Promise<HandlerResponse<Id>>;

/** One handler for each of these operations; all of the contract's unless told otherwise. */
export type Handlers<Context = unknown, Ids extends OperationId = OperationId> = { [Id in Ids]: Handler<Id, Context> };
