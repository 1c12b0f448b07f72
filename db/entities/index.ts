import type { EntitySchema, MixedList } from 'typeorm';
import { clickDays, clicks, clickTotals } from './clicks.ts';
import { coupons } from './coupons.ts';
import { idempotencyKeys, keyProof, migrations, settings, settingsVersion, windowCounters } from './engine.ts';
import { events } from './events.ts';
import { couponDays, couponTotals } from './figures.ts';
import { ledger } from './ledger.ts';
import { mails } from './mails.ts';
import { lifetimeLinks, orderShares, orders } from './orders.ts';
import { payoutDays, payoutDetails, payouts } from './payouts.ts';
import { affiliateTotals, programDays, programStanding, programTotals, programVersions } from './program-totals.ts';
import { registrations } from './registrations.ts';
import { apiKeys, appPasswords, sessions, users } from './users.ts';
import { webhookAttempts, webhookDeliveries, webhookHealth, webhooks } from './webhooks.ts';

/**
 * One entity per table. A new column of a coupon takes: a migration in db/migrations, its line in db/entities/coupons.ts, its property in
 * domain/coupons/coupon.ts and, where the API shows it, the contract in openapi/ with the view in handlers/views. Column lists and row
 * mappers of hand-written SQL derive from the entity (db/sql/projection.ts), and test/db/entities.test.ts compares entities with tables.
 */
export const entities: MixedList<EntitySchema> = [
  affiliateTotals,
  apiKeys,
  appPasswords,
  clickDays,
  clicks,
  clickTotals,
  couponDays,
  coupons,
  couponTotals,
  events,
  idempotencyKeys,
  keyProof,
  ledger,
  lifetimeLinks,
  mails,
  migrations,
  orderShares,
  orders,
  payoutDays,
  payoutDetails,
  payouts,
  programDays,
  programStanding,
  programTotals,
  programVersions,
  registrations,
  sessions,
  settings,
  settingsVersion,
  users,
  webhookAttempts,
  webhookDeliveries,
  webhookHealth,
  webhooks,
  windowCounters,
];
