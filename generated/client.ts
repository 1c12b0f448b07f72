// Generated from openapi/ by `npm run generate`. Do not edit: change the YAML and generate again.

import type { operations } from './api.d.ts';

/** Method and path below the resource. `?`: has a query. `+`: has a body. `!`: accepts an Idempotency-Key. `#id`: the key of the records. */
export const routes = {
  me: { get: 'GET', payoutDetails: 'GET /payout-details', replacePayoutDetails: 'PUT /payout-details+', updateProfile: 'PATCH /profile+' },
  affiliates: {
    list: 'GET ?#id',
    get: 'GET /{id}',
    clicks: 'GET /{id}/clicks?',
    invitation: 'POST /{id}/invitation',
    stats: 'GET /{id}/stats?',
    setStatus: 'POST /{id}/status+',
  },
  coupons: {
    list: 'GET ?#id',
    get: 'GET /{id}',
    stats: 'GET /{id}/stats?',
    orders: 'GET /{id}/orders?#order_id',
    explanation: 'GET /{id}/orders/{order_id}/explanation',
  },
  orders: { list: 'GET ?#order_id' },
  adjustments: { list: 'GET ?#id', create: 'POST +!' },
  payouts: { list: 'GET ?#id', create: 'POST +!', get: 'GET /{id}', setStatus: 'POST /{id}/status+', history: 'GET /{id}/history?' },
  payoutRuns: { create: 'POST +' },
  payoutBatches: { list: 'GET ?#id', create: 'POST +', get: 'GET /{id}', setStatus: 'POST /{id}/status+' },
  registrations: { list: 'GET ?#id', get: 'GET /{id}', preview: 'POST /{id}/preview+', setStatus: 'POST /{id}/status+' },
  clicks: { stats: 'GET /stats?' },
  events: { list: 'GET ?#id' },
  reports: { summary: 'GET /summary?' },
  keys: { list: 'GET ?#id', create: 'POST +', delete: 'DELETE /{id}' },
  webhooks: {
    list: 'GET ?#id',
    create: 'POST +',
    events: 'GET /events?#event',
    deliveries: 'GET /{id}/deliveries?#id',
    replay: 'POST /{id}/deliveries/{delivery}/replay',
    test: 'POST /{id}/test',
    update: 'PATCH /{id}+',
    delete: 'DELETE /{id}',
  },
  store: {
    orders: 'POST /orders+',
    clicks: 'POST /clicks+',
    registrations: 'POST /registrations+',
    affiliates: 'POST /affiliates+',
    coupons: 'POST /coupons+',
    payoutDetails: 'POST /payout-details+',
    deliveries: 'GET /connections/{id}/deliveries?#id',
    replaceSecret: 'PUT /connections/{id}/secret+',
    deleteConnection: 'DELETE /connections/{id}',
    connections: 'GET /connections?#id',
    createConnection: 'POST /connections+',
  },
  risk: { signals: 'GET /signals?#id', signal: 'GET /signals/{id}', setStatus: 'POST /signals/{id}/status+' },
  settings: { list: 'GET ?#path', update: 'PATCH +#path' },
  openapi: { get: 'GET' },
} as const;

export interface CalledOperations {
  me: {
    /** Show who is calling. `GET /me`, operation get_me. */
    get: operations['get_me'];
    /** Show how you are paid. `GET /me/payout-details`, operation get_me_payout_details. */
    payoutDetails: operations['get_me_payout_details'];
    /** Save how you are paid. `PUT /me/payout-details`, operation put_me_payout_details. */
    replacePayoutDetails: operations['put_me_payout_details'];
    /** Change your profile. `PATCH /me/profile`, operation patch_me_profile. */
    updateProfile: operations['patch_me_profile'];
  };
  affiliates: {
    /** List affiliates. `GET /affiliates`, operation get_affiliates. */
    list: operations['get_affiliates'];
    /** Read an affiliate. `GET /affiliates/{id}`, operation get_affiliates_id. */
    get: operations['get_affiliates_id'];
    /** Count an affiliate's clicks and conversions. `GET /affiliates/{id}/clicks`, operation get_affiliates_id_clicks. */
    clicks: operations['get_affiliates_id_clicks'];
    /** Invite an affiliate to set a password. `POST /affiliates/{id}/invitation`, operation post_affiliates_id_invitation. */
    invitation: operations['post_affiliates_id_invitation'];
    /** Total an affiliate's coupons. `GET /affiliates/{id}/stats`, operation get_affiliates_id_stats. */
    stats: operations['get_affiliates_id_stats'];
    /** Disable or enable an affiliate's account. `POST /affiliates/{id}/status`, operation post_affiliates_id_status. */
    setStatus: operations['post_affiliates_id_status'];
  };
  coupons: {
    /** List coupons. `GET /coupons`, operation get_coupons. */
    list: operations['get_coupons'];
    /** Read a coupon. `GET /coupons/{id}`, operation get_coupons_id. */
    get: operations['get_coupons_id'];
    /** Total a coupon's orders. `GET /coupons/{id}/stats`, operation get_coupons_id_stats. */
    stats: operations['get_coupons_id_stats'];
    /** List a coupon's orders. `GET /coupons/{id}/orders`, operation get_coupons_id_orders. */
    orders: operations['get_coupons_id_orders'];
    /** Explain the commission of an order. `GET /coupons/{id}/orders/{order_id}/explanation`, operation get_coupons_id_orders_order_id_explanation. */
    explanation: operations['get_coupons_id_orders_order_id_explanation'];
  };
  orders: {
    /** List orders. `GET /orders`, operation get_orders. */
    list: operations['get_orders'];
  };
  adjustments: {
    /** List bonuses and corrections. `GET /adjustments`, operation get_adjustments. */
    list: operations['get_adjustments'];
    /** Add a bonus or a correction. `POST /adjustments`, operation post_adjustments. */
    create: operations['post_adjustments'];
  };
  payouts: {
    /** List payouts. `GET /payouts`, operation get_payouts. */
    list: operations['get_payouts'];
    /** Request a payout. `POST /payouts`, operation post_payouts. */
    create: operations['post_payouts'];
    /** Read a payout. `GET /payouts/{id}`, operation get_payouts_id. */
    get: operations['get_payouts_id'];
    /** Change the status of a payout. `POST /payouts/{id}/status`, operation post_payouts_id_status. */
    setStatus: operations['post_payouts_id_status'];
    /** List the status changes of a payout. `GET /payouts/{id}/history`, operation get_payouts_id_history. */
    history: operations['get_payouts_id_history'];
  };
  payoutRuns: {
    /** Request the payouts of many coupons. `POST /payout-runs`, operation post_payout_runs. */
    create: operations['post_payout_runs'];
  };
  payoutBatches: {
    /** List payout batches. `GET /payout-batches`, operation get_payout_batches. */
    list: operations['get_payout_batches'];
    /** Create a payout batch. `POST /payout-batches`, operation post_payout_batches. */
    create: operations['post_payout_batches'];
    /** Read a payout batch. `GET /payout-batches/{id}`, operation get_payout_batches_id. */
    get: operations['get_payout_batches_id'];
    /** Settle or cancel a payout batch. `POST /payout-batches/{id}/status`, operation post_payout_batches_id_status. */
    setStatus: operations['post_payout_batches_id_status'];
  };
  registrations: {
    /** List applications. `GET /registrations`, operation get_registrations. */
    list: operations['get_registrations'];
    /** Read an application. `GET /registrations/{id}`, operation get_registrations_id. */
    get: operations['get_registrations_id'];
    /** Preview the mail of a decision. `POST /registrations/{id}/preview`, operation post_registrations_id_preview. */
    preview: operations['post_registrations_id_preview'];
    /** Accept or decline an application. `POST /registrations/{id}/status`, operation post_registrations_id_status. */
    setStatus: operations['post_registrations_id_status'];
  };
  clicks: {
    /** Count clicks and conversions. `GET /clicks/stats`, operation get_clicks_stats. */
    stats: operations['get_clicks_stats'];
  };
  events: {
    /** Follow the change feed. `GET /events`, operation get_events. */
    list: operations['get_events'];
  };
  reports: {
    /** Sum up the program. `GET /reports/summary`, operation get_reports_summary. */
    summary: operations['get_reports_summary'];
  };
  keys: {
    /** List API keys. `GET /keys`, operation get_keys. */
    list: operations['get_keys'];
    /** Create an API key. `POST /keys`, operation post_keys. */
    create: operations['post_keys'];
    /** Revoke an API key. `DELETE /keys/{id}`, operation delete_keys_id. */
    delete: operations['delete_keys_id'];
  };
  webhooks: {
    /** List webhooks. `GET /webhooks`, operation get_webhooks. */
    list: operations['get_webhooks'];
    /** Create a webhook. `POST /webhooks`, operation post_webhooks. */
    create: operations['post_webhooks'];
    /** List the events to subscribe to. `GET /webhooks/events`, operation get_webhooks_events. */
    events: operations['get_webhooks_events'];
    /** List the deliveries of a webhook. `GET /webhooks/{id}/deliveries`, operation get_webhooks_id_deliveries. */
    deliveries: operations['get_webhooks_id_deliveries'];
    /** Send a delivery again. `POST /webhooks/{id}/deliveries/{delivery}/replay`, operation post_webhooks_id_deliveries_delivery_replay. */
    replay: operations['post_webhooks_id_deliveries_delivery_replay'];
    /** Send a test delivery. `POST /webhooks/{id}/test`, operation post_webhooks_id_test. */
    test: operations['post_webhooks_id_test'];
    /** Change a webhook. `PATCH /webhooks/{id}`, operation patch_webhooks_id. */
    update: operations['patch_webhooks_id'];
    /** Delete a webhook. `DELETE /webhooks/{id}`, operation delete_webhooks_id. */
    delete: operations['delete_webhooks_id'];
  };
  store: {
    /** Record orders. `POST /store/orders`, operation post_store_orders. */
    orders: operations['post_store_orders'];
    /** Record clicks. `POST /store/clicks`, operation post_store_clicks. */
    clicks: operations['post_store_clicks'];
    /** Record applications. `POST /store/registrations`, operation post_store_registrations. */
    registrations: operations['post_store_registrations'];
    /** Record affiliates. `POST /store/affiliates`, operation post_store_affiliates. */
    affiliates: operations['post_store_affiliates'];
    /** Record coupons. `POST /store/coupons`, operation post_store_coupons. */
    coupons: operations['post_store_coupons'];
    /** Record payout details. `POST /store/payout-details`, operation post_store_payout_details. */
    payoutDetails: operations['post_store_payout_details'];
    /** List what the shop sent. `GET /store/connections/{id}/deliveries`, operation get_store_connections_id_deliveries. */
    deliveries: operations['get_store_connections_id_deliveries'];
    /** Set the secret that the shop signs with. `PUT /store/connections/{id}/secret`, operation put_store_connections_id_secret. */
    replaceSecret: operations['put_store_connections_id_secret'];
    /** Disconnect the shop. `DELETE /store/connections/{id}`, operation delete_store_connections_id. */
    deleteConnection: operations['delete_store_connections_id'];
    /** List the connections to the shop. `GET /store/connections`, operation get_store_connections. */
    connections: operations['get_store_connections'];
    /** Connect the shop. `POST /store/connections`, operation post_store_connections. */
    createConnection: operations['post_store_connections'];
  };
  risk: {
    /** List risk signals. `GET /risk/signals`, operation get_risk_signals. */
    signals: operations['get_risk_signals'];
    /** Read a risk signal. `GET /risk/signals/{id}`, operation get_risk_signals_id. */
    signal: operations['get_risk_signals_id'];
    /** Decide about a risk signal. `POST /risk/signals/{id}/status`, operation post_risk_signals_id_status. */
    setStatus: operations['post_risk_signals_id_status'];
  };
  settings: {
    /** List the settings. `GET /settings`, operation get_settings. */
    list: operations['get_settings'];
    /** Change settings. `PATCH /settings`, operation patch_settings. */
    update: operations['patch_settings'];
  };
  openapi: {
    /** Read this document. `GET /openapi`, operation get_openapi. */
    get: operations['get_openapi'];
  };
}

/** The codes of every operation, by status. */
export interface ErrorCodes {
  400: 'rest_invalid_param' | 'rest_invalid_json' | 'svc_api_no_affiliate' | 'svc_api_payouts_disabled' | 'svc_api_no_balance' | 'svc_api_below_threshold' | 'svc_api_no_payout_details' | 'svc_api_method_disabled' | 'svc_api_invoice_required' | 'svc_api_no_change' | 'svc_api_invalid_transition' | 'svc_api_already_accepted' | 'svc_api_coupon_required' | 'svc_api_log_disabled' | 'svc_api_no_events' | 'svc_api_invalid_url' | 'svc_api_no_fields';
  401: 'svc_api_unauthorized' | 'svc_api_invalid_key' | 'svc_api_invalid_key_user' | 'svc_api_https_required';
  403: 'svc_api_forbidden' | 'svc_api_insufficient_scope' | 'svc_api_csrf_failed' | 'svc_api_key_wrong_namespace' | 'svc_api_confirm_password' | 'svc_api_cannot_manage_user' | 'svc_api_requests_disabled' | 'svc_api_cannot_create_for_user' | 'svc_api_cannot_manage_key';
  404: 'svc_api_not_found' | 'rest_no_route';
  409: 'svc_api_conflict' | 'svc_api_no_service_url' | 'svc_api_in_progress' | 'svc_api_not_created' | 'svc_api_insufficient_unpaid' | 'svc_api_no_coupon_code' | 'svc_api_not_updated';
  413: 'rest_body_too_large';
  415: 'rest_unsupported_media_type';
  422: 'svc_api_idempotency_mismatch';
  429: 'svc_api_rate_limited' | 'svc_api_too_many_auth_failures' | 'svc_api_throttled' | 'svc_api_too_many_streams';
  500: 'svc_api_db_error' | 'svc_api_no_entropy';
  501: 'svc_api_unavailable';
  502: 'svc_api_delivery_failed';
  503: 'svc_api_overloaded' | 'svc_api_db_unreachable';
}

export interface EventOfKind {
  referral: 'referral.created';
  commission_added: 'commission.added';
  commission_removed: 'commission.removed';
  mla_commission_added: 'commission.mla_added';
  mla_commission_removed: 'commission.mla_removed';
  registration: 'registration.created';
  registration_accept: 'registration.accepted';
  registration_decline: 'registration.declined';
  affiliate_created: 'affiliate.created';
  affiliate_updated: null;
  payout_request: 'payout.requested';
  payout_created: 'payout.created';
  payout_pending: 'payout.pending';
  payout_paid: 'payout.paid';
  payout_reversed: 'payout.reversed';
  payout_cancelled: 'payout.cancelled';
  payout_reopened: 'payout.reopened';
  payout_failed: 'payout.failed';
  payout_details: 'affiliate.payout_details_updated';
  api_key_created: null;
  api_key_revoked: null;
  webhook_created: null;
  webhook_disabled: null;
  coupon_transferred: null;
  user_disabled: null;
  user_enabled: null;
  app_password_created: null;
  app_password_revoked: null;
  ledger_sealed: null;
  settings_changed: null;
  risk_signal_opened: 'risk.signal_opened';
  risk_signal_decided: 'risk.signal_decided';
}

/** The kinds of the change feed. `EventOfKind` maps each to its webhook event. */
export type EventKind = keyof EventOfKind;
/** Every error code that an operation of the contract can return. */
export type ErrorCode = ErrorCodes[keyof ErrorCodes];
