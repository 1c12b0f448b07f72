import type { OperationId } from '../generated/operations.ts';

/**
 * Operations that the contract has and the service does not. They are not served: 404 `rest_no_route`, and absent from `/openapi`.
 * The compiler wants a handler for every operation that is not in this list, and no handler for one that is.
 */
export const notYetBuilt = [] as const satisfies OperationId[];

export type NotYetBuilt = (typeof notYetBuilt)[number];
export type Built = Exclude<OperationId, NotYetBuilt>;
