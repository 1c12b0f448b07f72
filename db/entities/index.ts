import { EntitySchema } from 'typeorm';
import * as adjustments from './adjustments.ts';
import * as clicks from './clicks.ts';
import * as connections from './connections.ts';
import * as coupons from './coupons.ts';
import * as engine from './engine.ts';
import * as events from './events.ts';
import * as figures from './figures.ts';
import * as ledger from './ledger.ts';
import * as mails from './mails.ts';
import * as orders from './orders.ts';
import * as payouts from './payouts.ts';
import * as programTotals from './program-totals.ts';
import * as registrations from './registrations.ts';
import * as risk from './risk.ts';
import * as storePayments from './store-payments.ts';
import * as users from './users.ts';
import * as webhooks from './webhooks.ts';

/**
 * One entity per table. A new column of a coupon takes: a migration in db/migrations, its line in db/entities/coupons.ts, its property in
 * domain/coupons/coupon.ts and, where the API shows it, the contract in openapi/ with the view in handlers/views. Column lists and row
 * mappers of hand-written SQL derive from the entity (db/sql/projection.ts), and test/db/entities.test.ts compares entities with tables.
 */
export const entities: EntitySchema[] = [
  adjustments,
  clicks,
  connections,
  coupons,
  engine,
  events,
  figures,
  ledger,
  mails,
  orders,
  payouts,
  programTotals,
  registrations,
  risk,
  storePayments,
  users,
  webhooks,
]
  .flatMap((file): unknown[] => Object.values(file))
  .filter((value) => value instanceof EntitySchema);
