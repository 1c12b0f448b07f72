import type { OperationId } from '../generated/operations.ts';

/**
 * Operations that the contract has and the service does not. They are not served: 404 `rest_no_route`, and absent from `/openapi`.
 * The compiler wants a handler for every operation that is not in this list, and no handler for one that is.
 */
export const notYetBuilt = [
  'get_payouts',
  'post_payouts',
  'get_payouts_id',
  'post_payouts_id_status',
  'get_webhooks',
  'post_webhooks',
  'patch_webhooks_id',
  'delete_webhooks_id',
  'post_webhooks_id_test',
  'get_webhooks_events',
] as const satisfies OperationId[];

export type NotYetBuilt = (typeof notYetBuilt)[number];
export type Built = Exclude<OperationId, NotYetBuilt>;
