import { type OperationId, operations } from '../../generated/operations.ts';

/** Add-ons beyond the specification. */
const offByDefault = ['store', 'insights', 'management', 'risk', 'agents'];

/** The operations of a site without settings. */
export const servedByDefault = (Object.keys(operations) as OperationId[]).filter(
  (id) => !operations[id].addOns.some((addOn) => offByDefault.includes(addOn)),
);
