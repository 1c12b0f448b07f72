import { get_adjustments, post_adjustments } from './adjustments.ts';
import {
  get_affiliates,
  get_affiliates_id,
  get_affiliates_id_clicks,
  get_affiliates_id_stats,
  post_affiliates_id_invitation,
  post_affiliates_id_status,
} from './affiliates.ts';
import { get_clicks_stats } from './clicks.ts';
import type { HandlerContext } from './context.ts';
import { get_openapi } from './contract.ts';
import type { Handlers } from './contract-types.ts';
import {
  get_coupons,
  get_coupons_id,
  get_coupons_id_orders,
  get_coupons_id_orders_order_id_explanation,
  get_coupons_id_stats,
  get_orders,
} from './coupons.ts';
import { get_events, get_events_stream } from './events.ts';
import { get_me, patch_me_profile } from './identity.ts';
import { delete_keys_id, get_keys, post_keys } from './keys.ts';
import { get_payout_batches, get_payout_batches_id, post_payout_batches, post_payout_batches_id_status } from './payout-batches.ts';
import {
  get_me_payout_details,
  get_payouts,
  get_payouts_id,
  get_payouts_id_history,
  post_payout_runs,
  post_payouts,
  post_payouts_id_status,
  put_me_payout_details,
} from './payouts.ts';
import { get_registrations, get_registrations_id, post_registrations_id_preview, post_registrations_id_status } from './registrations.ts';
import { get_reports_summary } from './reports.ts';
import { get_risk_signals, get_risk_signals_id, post_risk_signals_id_status } from './risk.ts';
import { get_settings, patch_settings } from './settings.ts';
import {
  post_store_affiliates,
  post_store_clicks,
  post_store_coupons,
  post_store_orders,
  post_store_payout_details,
  post_store_registrations,
} from './store.ts';
import {
  delete_store_connections_id,
  get_store_connections,
  get_store_connections_id_deliveries,
  post_store_connections,
  put_store_connections_id_secret,
} from './store-connections.ts';
import {
  delete_webhooks_id,
  get_webhooks,
  get_webhooks_events,
  get_webhooks_id_deliveries,
  patch_webhooks_id,
  post_webhooks,
  post_webhooks_id_deliveries_delivery_replay,
  post_webhooks_id_test,
} from './webhooks.ts';

/** The handler of every operation. Does not compile while one is missing. */
export const handlers = {
  get_me,
  get_me_payout_details,
  put_me_payout_details,
  patch_me_profile,
  get_affiliates,
  get_affiliates_id,
  get_affiliates_id_clicks,
  post_affiliates_id_invitation,
  get_affiliates_id_stats,
  post_affiliates_id_status,
  get_coupons,
  get_coupons_id,
  get_coupons_id_stats,
  get_coupons_id_orders,
  get_coupons_id_orders_order_id_explanation,
  get_clicks_stats,
  get_events,
  get_events_stream,
  get_reports_summary,
  get_orders,
  get_adjustments,
  post_adjustments,
  get_payouts,
  post_payouts,
  get_payouts_id,
  post_payouts_id_status,
  get_payouts_id_history,
  post_payout_runs,
  get_payout_batches,
  post_payout_batches,
  get_payout_batches_id,
  post_payout_batches_id_status,
  get_registrations,
  get_registrations_id,
  post_registrations_id_preview,
  post_registrations_id_status,
  get_keys,
  post_keys,
  delete_keys_id,
  get_webhooks,
  post_webhooks,
  patch_webhooks_id,
  delete_webhooks_id,
  get_webhooks_id_deliveries,
  post_webhooks_id_deliveries_delivery_replay,
  post_webhooks_id_test,
  get_webhooks_events,
  post_store_orders,
  post_store_clicks,
  post_store_registrations,
  post_store_affiliates,
  post_store_coupons,
  post_store_payout_details,
  get_store_connections_id_deliveries,
  put_store_connections_id_secret,
  delete_store_connections_id,
  get_store_connections,
  post_store_connections,
  get_risk_signals,
  get_risk_signals_id,
  post_risk_signals_id_status,
  get_settings,
  patch_settings,
  get_openapi,
} satisfies Handlers<HandlerContext>;
