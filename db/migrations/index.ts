import { createUsers } from './20261115000100-create-users.ts';
import { createApiKeys } from './20261115000200-create-api-keys.ts';
import { createAppPasswords } from './20261115000300-create-app-passwords.ts';
import { createSessions } from './20261115000400-create-sessions.ts';
import { createCoupons } from './20261115000500-create-coupons.ts';
import { createSettings } from './20261115000600-create-settings.ts';
import { createEvents } from './20261115000700-create-events.ts';
import { createWindowCounters } from './20261115000800-create-window-counters.ts';
import { createOrders } from './20261115000900-create-orders.ts';
import { createLedger } from './20261115001000-create-ledger.ts';
import { createFigures } from './20261115001100-create-figures.ts';
import { createClicks } from './20261115001200-create-clicks.ts';
import { createRegistrations } from './20261115001300-create-registrations.ts';
import { createMails } from './20261115001400-create-mails.ts';
import { createPayoutDetails } from './20261115001500-create-payout-details.ts';
import { indexOrdersByCommission } from './20261115001600-index-orders-by-commission.ts';
import { indexFiguresForReports } from './20261115001700-index-figures-for-reports.ts';
import { createPayouts } from './20261115001800-create-payouts.ts';
import { createIdempotencyKeys } from './20261115001900-create-idempotency-keys.ts';
import { createWebhooks } from './20261115002000-create-webhooks.ts';
import { createWebhookDeliveries } from './20261115002010-create-webhook-deliveries.ts';
import { sendMailsInAttempts } from './20261115002100-send-mails-in-attempts.ts';
import { sealLedger } from './20261115002200-seal-ledger.ts';
import { keepProgramTotals } from './20261115002300-keep-program-totals.ts';
import { indexWhatWasGivenUp } from './20261115002400-index-what-was-given-up.ts';
import { createKeyProof } from './20261115002500-create-key-proof.ts';
import { keepDaysOfProgram } from './20261115002600-keep-days-of-program.ts';
import { deleteStoredRefusals } from './20261116000100-delete-stored-refusals.ts';
import { disableUsers } from './20261116000200-disable-users.ts';
import type { Migration } from './migration.ts';

/** In the order in which they run. A released migration is never changed; a further one corrects it. */
export const migrations: readonly Migration[] = [
  createUsers,
  createApiKeys,
  createAppPasswords,
  createSessions,
  createCoupons,
  createSettings,
  createEvents,
  createWindowCounters,
  createOrders,
  createLedger,
  createFigures,
  createClicks,
  createRegistrations,
  createMails,
  createPayoutDetails,
  indexOrdersByCommission,
  indexFiguresForReports,
  createPayouts,
  createIdempotencyKeys,
  createWebhooks,
  createWebhookDeliveries,
  sendMailsInAttempts,
  sealLedger,
  keepProgramTotals,
  indexWhatWasGivenUp,
  createKeyProof,
  keepDaysOfProgram,
  deleteStoredRefusals,
  disableUsers,
];
