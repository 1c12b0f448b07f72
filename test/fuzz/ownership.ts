import type { Attempt } from './attempt.ts';
import { type Plan, valuesIn } from './plan.ts';
import type { World } from './world.ts';

interface Owner {
  readonly record: 'affiliate' | 'coupon' | 'payout';
  readonly in: 'path' | 'query' | 'body' | 'rows';
  readonly name?: string;
}

/** What is wrong with the answer to a valid request, seen from whose record it names, and whether that is still there. */
export function ownershipFaults({ plan, request }: Attempt, status: number, body: unknown, world: World): string[] {
  const { id } = valuesIn(plan, 'path');
  const isGone = plan.operation.path.startsWith('/webhooks/{id}') && world.gone.has(Number(id));
  if (isGone) return status === 404 || status === 400 ? [] : [`Webhook ${String(id)} is deleted, and answers ${status}.`];
  if (isForeign(plan, world) && status < 300) return [`The record belongs to somebody else, and the status is ${status} instead of 404.`];
  const isHidden = status === 404 && isThere(plan, world);
  return [...(isHidden ? ['The record is there for this caller, and the status is 404.'] : []), ...rowFaults(plan, request.method, body)];
}

const ownerRule = ({ operation }: Plan): Owner | undefined => (operation as unknown as { 'x-owner'?: Owner })['x-owner'];

function ownerOf(plan: Plan, world: World): number | undefined {
  const rule = ownerRule(plan);
  if (!rule || rule.in === 'rows') return undefined;
  return world.owners.get(`${rule.record}s ${String(valuesIn(plan, rule.in)[rule.name ?? ''])}`);
}

/** The caller is neither an admin, nor the owner, nor above the owner where that is enough. */
function isForeign(plan: Plan, world: World): boolean {
  const owner = ownerOf(plan, world);
  const { identity } = plan.caller;
  if (owner === undefined || identity.kind !== 'known' || identity.isAdmin) return false;
  const { trail, upline } = world.people;
  const isAbove = identity.userId === upline.id && owner === trail.id && plan.operation['x-access']?.includes('upline');
  return identity.userId !== owner && !isAbove;
}

/** Admins find everything that is known to be there. */
function isThere(plan: Plan, { records }: World): boolean {
  const { identity } = plan.caller;
  const [, kind = '', parameter] = plan.operation.path.split('/');
  const ids: number[] | undefined = records[kind as keyof typeof records];
  return (
    parameter === '{id}' && identity.kind === 'known' && identity.isAdmin && (ids?.includes(Number(valuesIn(plan, 'path')['id'])) ?? false)
  );
}

/** A list that shows everybody their own records. */
function rowFaults(plan: Plan, method: string, body: unknown): string[] {
  const { identity } = plan.caller;
  if (ownerRule(plan)?.in !== 'rows' || method === 'HEAD' || identity.kind !== 'known' || identity.isAdmin || !Array.isArray(body))
    return [];
  const others = body.filter(({ user }: { user: { id: number } }) => user.id !== identity.userId);
  return others.length > 0 ? [`The list shows ${others.length} records of others.`] : [];
}
