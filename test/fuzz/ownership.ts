import type { Attempt } from './attempt.ts';
import type { FuzzFixture } from './fixture.ts';
import { type RequestPlan, valuesIn } from './request-plan.ts';

interface Owner {
  readonly record: 'affiliate' | 'coupon' | 'adjustment' | 'payout';
  readonly in: 'path' | 'query' | 'body' | 'rows';
  readonly name?: string;
}

/** Faults of the response to a valid request that follow from the owner of its record, and from whether the record exists. */
export function ownershipFaults({ plan, request }: Attempt, status: number, body: unknown, fixture: FuzzFixture): string[] {
  const { id } = valuesIn(plan, 'path');
  const isDeleted = plan.operation.path.startsWith('/webhooks/{id}') && fixture.deletedWebhooks.has(Number(id));
  if (isDeleted) return status === 404 || status === 400 ? [] : [`Webhook ${String(id)} is deleted, and answers ${status}.`];
  if (isForeign(plan, fixture) && status < 300) return [`The record belongs to another user, and the status is ${status} instead of 404.`];
  const isHidden = status === 404 && mustExist(plan, fixture);
  return [...(isHidden ? ['The record exists for this caller, and the status is 404.'] : []), ...rowFaults(plan, request.method, body)];
}

const ownerRule = ({ operation }: RequestPlan): Owner | undefined => (operation as unknown as { 'x-owner'?: Owner })['x-owner'];

function ownerOf(plan: RequestPlan, fixture: FuzzFixture): number | undefined {
  const rule = ownerRule(plan);
  if (!rule || rule.in === 'rows') return undefined;
  return fixture.owners.get(`${rule.record}s ${String(valuesIn(plan, rule.in)[rule.name ?? ''])}`);
}

/** The caller is neither admin nor owner, nor upline of the owner where the contract admits it. */
function isForeign(plan: RequestPlan, fixture: FuzzFixture): boolean {
  const owner = ownerOf(plan, fixture);
  const { identity } = plan.caller;
  if (owner === undefined || identity.kind !== 'authenticated' || identity.isAdmin) return false;
  const { trail, upline } = fixture.users;
  const isAbove = identity.userId === upline.id && owner === trail.id && plan.operation['x-access']?.includes('upline');
  return identity.userId !== owner && !isAbove;
}

/** An admin must find every existing record. Of a record within another one it is not known whether it exists. */
function mustExist(plan: RequestPlan, { records }: FuzzFixture): boolean {
  const { identity } = plan.caller;
  const [, kind = '', parameter, ...rest] = plan.operation.path.split('/');
  const ids: readonly (number | string)[] | undefined = records[kind as keyof typeof records];
  return (
    parameter === '{id}' &&
    !rest.some((part) => part.startsWith('{')) &&
    identity.kind === 'authenticated' &&
    identity.isAdmin &&
    (ids?.includes(Number(valuesIn(plan, 'path')['id'])) ?? false)
  );
}

/** A list that shows callers their own records only. */
function rowFaults(plan: RequestPlan, method: string, body: unknown): string[] {
  const { identity } = plan.caller;
  if (ownerRule(plan)?.in !== 'rows' || method === 'HEAD' || identity.kind !== 'authenticated' || identity.isAdmin || !Array.isArray(body))
    return [];
  const ownerOfRow = ({ user, user_id }: { user?: { id: number }; user_id?: number }): number | undefined => user?.id ?? user_id;
  const others = body.filter((row) => ownerOfRow(row) !== identity.userId);
  return others.length > 0 ? [`The list shows ${others.length} records of others.`] : [];
}
