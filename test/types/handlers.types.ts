// Compiled, never run: each `@ts-expect-error` is a mistake that the compiler must find. When one compiles, `npm run check` fails.
import type { components } from '../../generated/api.d.ts';
import type { ApiRequest, Handler, HandlerResponse, Handlers } from '../../handlers/contract-types.ts';

declare const payout: components['schemas']['Payout'];
declare const created: components['schemas']['PayoutCreated'];
declare const key: components['schemas']['Key'];
declare const anyHandler: <Id extends keyof Handlers>() => Handler<Id>;

// A handler is given typed, coerced values, with defaults filled in.
export const readsTypedValues: Handler<'get_keys'> = async ({ query }) => {
  const page: number = query.page;
  const status: 'active' | 'revoked' | 'expired' | undefined = query.status;
  return { status: 200, body: [key], headers: { 'X-Svc-Total': page, 'X-Svc-TotalPages': status === undefined ? 1 : 0 } };
};
export const pathIsANumber = (request: ApiRequest<'get_payouts_id'>): number => request.path.id;
export const bodyDefaultsAreThere = (request: ApiRequest<'post_keys'>): ('read' | 'write' | 'manage')[] => request.body.scopes;
export const noBodyWhereThereIsNone = (request: ApiRequest<'get_me'>): undefined => request.body;
// @ts-expect-error an optional parameter without a default may be missing
export const mayBeMissing = (request: ApiRequest<'get_keys'>): number => request.query.user_id;
// @ts-expect-error the contract has no such parameter
export const unknownParameter = (request: ApiRequest<'get_keys'>) => request.query.user;

// Both answers of POST /payouts, each with its own body and headers.
export const replies: HandlerResponse<'post_payouts'>[] = [
  { status: 201, body: created },
  { status: 200, body: payout, headers: { 'X-Svc-Existing': 1 } },
];
// @ts-expect-error 200 means "existing" and must say so in a header
export const forgottenHeader: HandlerResponse<'post_payouts'> = { status: 200, body: payout };
// @ts-expect-error a collection must carry both totals
export const forgottenTotal: HandlerResponse<'get_keys'> = { status: 200, body: [key], headers: { 'X-Svc-Total': 1 } };
// @ts-expect-error the contract declares no 202
export const undeclaredStatus: HandlerResponse<'post_payouts'> = { status: 202, body: payout };
// @ts-expect-error a status takes its own body: 201 tells whether a gateway was called
export const bodyOfAnotherStatus: HandlerResponse<'post_payouts'> = { status: 201, body: payout };
// @ts-expect-error money is a number
export const wrongField: HandlerResponse<'get_payouts_id'> = { status: 200, body: { ...payout, amount: '32.38' } };
// @ts-expect-error `processing` never leaves the service
export const wrongEnum: HandlerResponse<'get_payouts_id'> = { status: 200, body: { ...payout, status: 'processing' } };
// @ts-expect-error every key of a record is always present
export const missingField: HandlerResponse<'delete_keys_id'> = { status: 200, body: {} };

// The set of handlers is complete, and holds nothing else.
export const complete = { get_me: anyHandler<'get_me'>(), get_keys: anyHandler<'get_keys'>() } satisfies Handlers<
  unknown,
  'get_me' | 'get_keys'
>;
// @ts-expect-error get_keys is missing
export const missingHandler = { get_me: anyHandler<'get_me'>() } satisfies Handlers<unknown, 'get_me' | 'get_keys'>;
// @ts-expect-error the contract has no get_nothing
export const unknownHandler = { get_me: anyHandler<'get_me'>(), get_nothing: anyHandler<'get_me'>() } satisfies Handlers<unknown, 'get_me'>;
// @ts-expect-error one operation's handler does not stand in for another's
export const swappedHandler = { get_me: anyHandler<'get_keys'>() } satisfies Handlers<unknown, 'get_me'>;
