import { createUsers } from './2026111800001-create-users.ts';
import { createSettings } from './2026111800002-create-settings.ts';
import { createEvents } from './2026111800003-create-events.ts';
import { createCoupons } from './2026111800004-create-coupons.ts';
import { createOrders } from './2026111800005-create-orders.ts';
import { createLedger } from './2026111800006-create-ledger.ts';
import { createFigures } from './2026111800007-create-figures.ts';
import { createClicks } from './2026111800008-create-clicks.ts';
import { createProgramTotals } from './2026111800009-create-program-totals.ts';
import { createRegistrations } from './2026111800010-create-registrations.ts';
import { createMails } from './2026111800011-create-mails.ts';
import { createPayouts } from './2026111800012-create-payouts.ts';
import { createPayoutBatches } from './2026111800013-create-payout-batches.ts';
import { createInvoices } from './2026111800014-create-invoices.ts';
import { createWebhooks } from './2026111800015-create-webhooks.ts';
import { createStoreConnections } from './2026111800016-create-store-connections.ts';
import { createLogos } from './2026111800017-create-logos.ts';
import { indexPayoutEvents } from './2026111800018-index-payout-events.ts';
import { createAdjustments } from './2026111800019-create-adjustments.ts';
import { createOrderDays } from './2026111800020-create-order-days.ts';
import { createSecondFactors } from './2026111800021-create-second-factors.ts';
import { indexPersonalEvents } from './2026111800022-index-personal-events.ts';
import { createStorePayments } from './2026111800023-create-store-payments.ts';
import { createRiskSignals } from './2026111800024-create-risk-signals.ts';
import { createWaitingReferrals } from './2026111800025-create-waiting-referrals.ts';
import { createConfirmations } from './2026111800026-create-confirmations.ts';
import { rankSharedDestinations } from './2026111900130-rank-shared-destinations.ts';
import { addCodeConfirmation } from './2026111900131-add-code-confirmation.ts';
import { addMailTopics } from './2026111900132-add-mail-topics.ts';
import { rememberEmailChanges } from './2026111900133-remember-email-changes.ts';
import { rememberCompletion } from './2026111900160-remember-completion.ts';
import { rememberForfeits } from './2026111900161-remember-forfeits.ts';
import { rememberConnections } from './2026111900162-remember-connections.ts';
import { indexBalanceSources } from './2026111900170-index-balance-sources.ts';
import { markOnlineApplications } from './2026111900210-mark-online-applications.ts';
import { rememberRepeats } from './2026111900220-remember-repeats.ts';
import type { MigrationClass } from './migration.ts';

/** One for each aggregate. A released migration is never changed; a further one corrects it. */
export const migrations: readonly MigrationClass[] = [
  createUsers,
  createSettings,
  createEvents,
  createCoupons,
  createOrders,
  createLedger,
  createFigures,
  createClicks,
  createProgramTotals,
  createRegistrations,
  createMails,
  createPayouts,
  createPayoutBatches,
  createInvoices,
  createWebhooks,
  createStoreConnections,
  createLogos,
  indexPayoutEvents,
  createAdjustments,
  createOrderDays,
  createSecondFactors,
  indexPersonalEvents,
  createStorePayments,
  createRiskSignals,
  createWaitingReferrals,
  createConfirmations,
  rankSharedDestinations,
  addCodeConfirmation,
  addMailTopics,
  rememberEmailChanges,
  rememberCompletion,
  rememberForfeits,
  rememberConnections,
  indexBalanceSources,
  markOnlineApplications,
  rememberRepeats,
];
