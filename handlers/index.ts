import * as affiliates from './affiliates.ts';
import * as clicks from './clicks.ts';
import type { HandlerContext } from './context.ts';
import * as contract from './contract.ts';
import type { Handlers } from './contract-types.ts';
import * as coupons from './coupons.ts';
import * as events from './events.ts';
import * as identity from './identity.ts';
import * as keys from './keys.ts';
import * as payouts from './payouts.ts';
import * as registrations from './registrations.ts';
import * as reports from './reports.ts';
import * as webhooks from './webhooks.ts';

/** The handler of every operation. Does not compile while one is missing. */
export const handlers = {
  ...affiliates,
  ...clicks,
  ...contract,
  ...coupons,
  ...events,
  ...identity,
  ...keys,
  ...payouts,
  ...registrations,
  ...reports,
  ...webhooks,
} satisfies Handlers<HandlerContext>;
