// Generated from openapi/ by `npm run generate`. Do not edit: change the YAML and generate again.
export interface paths {
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show who is calling
         * @description Your user, how you were identified, your scopes, your own coupons, and which operations you may call here and now.
         */
        get: operations["get_me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/payout-details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show how you are paid
         * @description The methods that you can choose, with their fields, and what is saved. The destination itself is never returned.
         */
        get: operations["get_me_payout_details"];
        /**
         * Save how you are paid
         * @description Replaces what was saved, also for payouts that are pending. The destination is stored encrypted. A mail tells you of every change; saving the same
         *     again changes nothing.
         */
        put: operations["put_me_payout_details"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change your profile
         * @description Fields that are left out keep their value. An empty `phone` or `website` removes it.
         */
        patch: operations["patch_me_profile"];
        trace?: never;
    };
    "/affiliates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List affiliates
         * @description Users with at least one published coupon, with their newest coupons and the balances of all. The search covers login, email and
         *     display name.
         */
        get: operations["get_affiliates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/affiliates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an affiliate
         * @description With profile, groups and the figures of each coupon.
         */
        get: operations["get_affiliates_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/affiliates/{id}/clicks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count an affiliate's clicks and conversions
         * @description Those of all coupons that are assigned to the affiliate now. A visitor of several of them counts once in `unique_clicks`.
         */
        get: operations["get_affiliates_id_clicks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/affiliates/{id}/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invite an affiliate to set a password
         * @description Mails a link to a page where the affiliate sets a password. It works once, for 72 hours; a new one replaces it. At most three mails with a link are
         *     sent to an account in an hour.
         */
        post: operations["post_affiliates_id_invitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/affiliates/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Total an affiliate's coupons
         * @description All-time, or in a range of days. A fixed range is served from a cache until one of the coupons changes. Balances are always
         *     current.
         */
        get: operations["get_affiliates_id_stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/affiliates/{id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable or enable an affiliate's account
         * @description Disabling ends the sessions of the affiliate, and refuses keys and passwords until the account is enabled again. Coupons keep earning. Safe to repeat.
         */
        post: operations["post_affiliates_id_status"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/coupons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List coupons
         * @description Coupons that are assigned to an affiliate, or with `user_id=0` those that are not. The search covers the code.
         */
        get: operations["get_coupons"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/coupons/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a coupon
         * @description With its commission rates, referral link and figures.
         */
        get: operations["get_coupons_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/coupons/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Total a coupon's orders
         * @description All-time from the stored snapshot, or in a range of days. A refresh within a minute of the last one answers the stored figures
         *     with `source` set to `throttled`; it is an error only when nothing is stored.
         */
        get: operations["get_coupons_id_stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/coupons/{id}/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a coupon's orders
         * @description Newest first, with the commission of each. Never anything about the customer.
         */
        get: operations["get_coupons_id_orders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/coupons/{id}/orders/{order_id}/explanation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain the commission of an order
         * @description Recomputes the commission from the stored amounts and rates and says whether the stored figure agrees. Who was credited is fixed when the order is recorded, but
         *     what else could have been credited is not stored: candidates are found among the clicks and lifetime links as they are stored now, in the
         *     attribution window of today. They can differ from those at the moment of recording, and then the sentence of the candidate says so. Callers
         *     who are not admins see other affiliates' candidates and shares without names, codes or amounts, and no movements of their coupons.
         */
        get: operations["get_coupons_id_orders_order_id_explanation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orders
         * @description Orders of all coupons, newest first, with the commission of each. Admins see all, everybody else those of their own coupons. Never anything about
         *     the customer.
         */
        get: operations["get_orders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/adjustments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List bonuses and corrections
         * @description Newest first. Your own; admins see all.
         */
        get: operations["get_adjustments"];
        put?: never;
        /**
         * Add a bonus or a correction
         * @description Moves the amount into the coupon's unpaid balance, or out of it if the amount is below zero. The figures of orders, and so the statistics, stay as
         *     they are; `GET /reports/summary` has adjustments as a line of their own. The affiliate sees the note, here and in the event `commission_added`
         *     or `commission_removed`.
         *
         *     As after a refund, a correction may leave the unpaid balance below zero, and later commission makes up for it. What was requested before is not
         *     part of the unpaid balance any more, and stays as it is.
         *
         *     Send an `Idempotency-Key` such as `bonus-2026-11-coupon-301`, so that a lost answer books nothing twice: the same request with the same key gets
         *     the first answer.
         */
        post: operations["post_adjustments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payouts
         * @description Your own; admins see all. `from` and `to` apply to the day of the request.
         */
        get: operations["get_payouts"];
        put?: never;
        /**
         * Request a payout
         * @description Asks for the coupon's full unpaid balance; there are no partial amounts. Safe to repeat: if the coupon has an open request,
         *     that one is returned. The rules are those of the affiliate dashboard, checked in this order:
         *
         *     - `svc_api_payouts_disabled`: payouts are switched off.
         *     - `svc_api_requests_disabled`: affiliates cannot request payouts themselves. Not for admins.
         *     - `svc_api_no_affiliate`: the coupon is assigned to no affiliate.
         *     - `svc_api_no_balance`: the unpaid balance is zero or less.
         *     - `svc_api_below_threshold`: it is under the store's minimum. For admins too.
         *     - `svc_api_no_payout_details`: the affiliate has saved no payout details and the store requires them.
         *     - `svc_api_method_disabled`: the saved method is no longer available. Not for admins.
         *     - `svc_api_invoice_required`: the method needs an invoice, and none waits. Affiliates hand it in in the console; it cannot be uploaded here.
         *     - `svc_api_not_created`: all of this passed, and the site refused or the write failed.
         */
        post: operations["post_payouts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payouts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payout
         * @description The payout of another user answers 404.
         */
        get: operations["get_payouts_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payouts/{id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the status of a payout
         * @description Bookkeeping only: the amount moves between the pools as PayoutStatus says, the change is mailed and
         *     recorded as an event. No payment gateway is contacted.
         */
        post: operations["post_payouts_id_status"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payouts/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the status changes of a payout
         * @description Oldest first, beginning with the request. Admins also see who made each change. The payout of another user answers 404.
         */
        get: operations["get_payouts_id_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payout-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request the payouts of many coupons
         * @description Requests a payout for every coupon that has something to pay, in the order of their ids. Each is requested by itself, as by `POST /payouts`: by the same
         *     rules, and a refusal has the same error code and does not affect the others. A coupon whose request is open already is listed as `existing`, so
         *     a run can be repeated: nothing is requested twice.
         *
         *     A run lists at most 500 coupons, and fewer if payment gateways are slow: it begins no further request after 20 seconds. To continue, send the
         *     same again with `after` set to `next_after`, until that is null. With `preview: true` the answer is the same, but nothing is written.
         */
        post: operations["post_payout_runs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payout-batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payout batches
         * @description Newest first. A batch has the payouts that are paid by one file.
         */
        get: operations["get_payout_batches"];
        put?: never;
        /**
         * Create a payout batch
         * @description Moves the pending payouts that the format can pay to `created`, at most 1,000, and makes their file. The file has bank details, so this API does not return
         *     it: an admin downloads it in the console. Payouts that cannot be paid by the file are listed in `left_out`. If none can be paid, nothing changes
         *     (409 `svc_api_conflict`).
         */
        post: operations["post_payout_batches"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payout-batches/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payout batch
         * @description With its payouts, by id.
         */
        get: operations["get_payout_batches_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payout-batches/{id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Settle or cancel a payout batch
         * @description `paid`: its file was executed. Every payout that is still `created` is paid, except those in `failed`, whose amounts are unpaid again. Payments can
         *     also fail after the batch was paid: send `paid` again with their ids.
         *
         *     `cancel`: its file was not sent, or refused as a whole. Every payout that is still `created` is pending again. Refused if one of them was paid.
         *
         *     Each change has its movement, event and mail, as a change of a single payout. Payouts that were changed meanwhile stay as they are.
         */
        post: operations["post_payout_batches_id_status"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/registrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List applications
         * @description Newest first. The search covers login, email, display name and coupon code.
         */
        get: operations["get_registrations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/registrations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an application
         * @description With what was filled in on the store's form.
         */
        get: operations["get_registrations_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/registrations/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview the mail of a decision
         * @description The mail that the applicant gets if the application is decided so, with the message. Changes and sends nothing. It is refused where the decision would be, except
         *     by a hook of the site, which is not called.
         */
        post: operations["post_registrations_id_preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/registrations/{id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept or decline an application
         * @description Accepting makes the user an affiliate and creates the coupon, all or nothing. It cannot be undone here.
         */
        post: operations["post_registrations_id_status"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clicks/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count clicks and conversions
         * @description Admins may ask for all coupons; everybody else names one of their own in `coupon_id`.
         */
        get: operations["get_clicks_stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the change feed
         * @description With `after`: what came after that cursor, oldest first; send `X-Svc-Last-Event` of the answer as the next `after` and you see
         *     every event exactly once. Without: newest first, in pages.
         */
        get: operations["get_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the change feed
         * @description Server-sent events. Each event has the cursor as `id`, its kind as `event`, and the record of `GET /events` as `data`. The first block has
         *     only `retry` and the `id` of the position where the stream begins. Continue with `Last-Event-ID` or `cursor` after every end: you see every
         *     event exactly once. A comment is sent every 15 seconds. A stream ends after 15 minutes, when its credentials or the settings of the site
         *     change, and when more than 1 MiB waits to be read. An identity has at most 3 streams on a server process.
         */
        get: operations["get_events_stream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sum up the program
         * @description Totals, clicks and the best affiliates, all-time or in a range of days.
         */
        get: operations["get_reports_summary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Newest first, without the keys themselves.
         */
        get: operations["get_keys"];
        put?: never;
        /**
         * Create an API key
         * @description The token is in this answer and nowhere else. You need the capability to edit the user, and cannot give a scope that you lack.
         */
        post: operations["post_keys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description It stops working at once, on every node. Safe to repeat.
         */
        delete: operations["delete_keys_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Newest first, without their secrets.
         */
        get: operations["get_webhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description The signing secret is in this answer and nowhere else, and cannot be changed.
         */
        post: operations["post_webhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events to subscribe to
         * @description Those of the active add-ons.
         */
        get: operations["get_webhooks_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook
         * @description Newest first, each with its attempts and the beginning of the answers. Deliveries are kept for 30 days.
         */
        get: operations["get_webhooks_id_deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries/{delivery}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description Whatever its status, with all attempts of the schedule before it. It keeps its id, so a receiver that remembers ids drops what it had already. A
         *     disabled webhook gets nothing, so it is 409: make it active first.
         */
        post: operations["post_webhooks_id_deliveries_delivery_replay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test delivery
         * @description A signed `ping`, sent while you wait. It sets `last_delivery` and does not count toward the failure counter.
         */
        post: operations["post_webhooks_id_test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Waiting deliveries are dropped with it.
         */
        delete: operations["delete_webhooks_id"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description Its status, its events, or both. A disabled webhook gets nothing. Re-activating resets the failure counter, clears the last error and sends what was waiting when it was disabled (for up to 30 days); what happened in between is not sent.
         */
        patch: operations["patch_webhooks_id"];
        trace?: never;
    };
    "/store/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record orders
         * @description Orders of the store and their changes, in the order in which they happened. An order is credited to the visitor's lifetime link, else to the
         *     latest click within the attribution window, else to the coupon that it names. An order that is credited to none and names no coupon is
         *     ignored; one that names an unknown code is refused. Orders that arrive together are committed together.
         *     A record that is not valid is refused and does not affect others. Repeating a request changes nothing. Unknown fields are refused, too.
         *     What is answered is on disk.
         */
        post: operations["post_store_orders"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/clicks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record clicks
         * @description Visits through referral links. Send a click before the orders that it leads to. The same click again changes nothing.
         *     A record that is not valid is refused and does not affect others. Repeating a request changes nothing. Unknown fields are refused, too.
         *     What is answered is on disk.
         */
        post: operations["post_store_clicks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/registrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record applications
         * @description Applications from a form of the store.
         *     A record that is not valid is refused and does not affect others. Repeating a request changes nothing. Unknown fields are refused, too.
         *     What is answered is on disk.
         */
        post: operations["post_store_registrations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/affiliates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record affiliates
         * @description Users with the roles affiliate and customer. A record of an administrator or a manager is refused. An affiliate precedes those whom
         *     it recruited.
         *     A record that is not valid is refused and does not affect others. Repeating a request changes nothing. Unknown fields are refused, too.
         *     What is answered is on disk. A changed email address is told to the former one; the feed gets `affiliate_updated` with the names of the changed fields.
         */
        post: operations["post_store_affiliates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/coupons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record coupons
         * @description Coupons with their owners and rates. A coupon whose commission is not settled is not handed over to another owner; `affiliate import
         *     --transfer-balance` can do that.
         *     A record that is not valid is refused and does not affect others. Repeating a request changes nothing. Unknown fields are refused, too.
         *     What is answered is on disk.
         */
        post: operations["post_store_coupons"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/payout-details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record payout details
         * @description How affiliates are paid.
         *     A record that is not valid is refused and does not affect others. Repeating a request changes nothing. Unknown fields are refused, too.
         *     What is answered is on disk.
         */
        post: operations["post_store_payout_details"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/connections/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what the shop sent
         * @description Newest first, without payloads or anything about customers. Kept for 30 days, also after the connection has ended.
         */
        get: operations["get_store_connections_id_deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/connections/{id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the secret that the shop signs with
         * @description From now on only what is signed with this secret is accepted. Without `secret`, a new one is made for a shop that signs with one of yours; it is
         *     shown only in this answer.
         */
        put: operations["put_store_connections_id_secret"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/connections/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Disconnect the shop
         * @description Everything that the shop sends to this connection is refused from now on. Its log stays for 30 days. Then remove in the shop what you entered there.
         */
        delete: operations["delete_store_connections_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the connections to the shop
         * @description Newest first, without their secrets. At most one is not disconnected.
         */
        get: operations["get_store_connections"];
        put?: never;
        /**
         * Connect the shop
         * @description A program is attached to one shop: disconnect the former connection first. Needs the setting `service.url`, which the shop sends to. `steps` says what to
         *     do in the shop. A `secret` in the answer was made for a shop that signs with one of yours; it is shown only here.
         */
        post: operations["post_store_connections"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/risk/signals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List risk signals
         * @description Newest first. A signal says that something about an affiliate should be looked at, with its figures and evidence. A job computes signals
         *     from what is stored. None refuses anything by itself, but open and confirmed ones can hold money back until an admin has decided.
         */
        get: operations["get_risk_signals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/risk/signals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a risk signal
         * @description As in the list.
         */
        get: operations["get_risk_signals_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/risk/signals/{id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide about a risk signal
         * @description `dismissed`: there is nothing to it. Money is no longer held back, and the same kind stays quiet about this affiliate for 90 days, unless its
         *     `count` doubles. `confirmed`: there is. It stays, and holds money back as an open one does. `open`: to be looked at again; refused while another
         *     signal of the same affiliate and kind is open (409 `svc_api_conflict`, which names it).
         */
        post: operations["post_risk_signals_id_status"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the settings
         * @description All of them, in the order of the documentation, also those of inactive add-ons.
         */
        get: operations["get_settings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change settings
         * @description All of them change, or none. `null` resets a setting to its default. If one is refused, `data.params` names every path that is. All processes apply a change within a second. The feed gets one event `settings_changed` with the changed paths, without their values.
         */
        patch: operations["patch_settings"];
        trace?: never;
    };
    "/openapi": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read this document
         * @description What is served on this site, here and now. Public, unless the site restricts it to admins.
         */
        get: operations["get_openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "referral.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive referral.created
         * @description A referred order was attributed to an affiliate.
         */
        post: operations["webhook_referral_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "commission.added": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive commission.added
         * @description Commission was granted to an affiliate.
         */
        post: operations["webhook_commission_added"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "commission.removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive commission.removed
         * @description Commission was taken back from an affiliate.
         */
        post: operations["webhook_commission_removed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "commission.mla_added": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive commission.mla_added
         * @description A multi-level parent was granted a share of a recruit's commission.
         */
        post: operations["webhook_commission_mla_added"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "commission.mla_removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive commission.mla_removed
         * @description A multi-level parent's share was taken back.
         */
        post: operations["webhook_commission_mla_removed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "registration.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive registration.created
         * @description A person applied to the program.
         */
        post: operations["webhook_registration_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "registration.accepted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive registration.accepted
         * @description An application was accepted.
         */
        post: operations["webhook_registration_accepted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "registration.declined": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive registration.declined
         * @description An application was declined.
         */
        post: operations["webhook_registration_declined"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "affiliate.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive affiliate.created
         * @description A user became an affiliate.
         */
        post: operations["webhook_affiliate_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "affiliate.payout_details_updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive affiliate.payout_details_updated
         * @description An affiliate's payout details were updated.
         */
        post: operations["webhook_affiliate_payout_details_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout.requested": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive payout.requested
         * @description A payout was requested.
         */
        post: operations["webhook_payout_requested"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive payout.created
         * @description A payout was handed to its payment method.
         */
        post: operations["webhook_payout_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout.pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive payout.pending
         * @description A payout was put back to waiting.
         */
        post: operations["webhook_payout_pending"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout.paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive payout.paid
         * @description A payout was marked as paid.
         */
        post: operations["webhook_payout_paid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout.reversed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive payout.reversed
         * @description A paid payout was opened again.
         */
        post: operations["webhook_payout_reversed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive payout.cancelled
         * @description A payout was cancelled and its amount is unpaid again.
         */
        post: operations["webhook_payout_cancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout.reopened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive payout.reopened
         * @description A cancelled payout was opened again.
         */
        post: operations["webhook_payout_reopened"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive payout.failed
         * @description The bank or the payment provider could not pay a payout, or returned the money. Its amount is unpaid again, and its status reads `cancel`.
         */
        post: operations["webhook_payout_failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "risk.signal_opened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive risk.signal_opened
         * @description A risk signal was opened.
         */
        post: operations["webhook_risk_signal_opened"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "risk.signal_decided": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive risk.signal_decided
         * @description An admin dismissed, confirmed or opened a risk signal again.
         */
        post: operations["webhook_risk_signal_decided"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    ping: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive ping
         * @description A test delivery. It is sent by `POST /webhooks/{id}/test` alone and cannot be subscribed to.
         */
        post: operations["webhook_ping"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * @description A numeric identifier.
         * @example 42
         */
        Id: number;
        /** @description A user. Login and email are for admins and for the user alone. */
        User: {
            /** @example 42 */
            id: components["schemas"]["Id"];
            /**
             * @description The public name.
             * @example Trail Notes
             */
            display_name: string;
            /**
             * @description The name used to sign in.
             * @example trailnotes
             */
            login?: string;
            /**
             * @description The email address.
             * @example hello@trailnotes.example
             */
            email?: string;
        };
        /**
         * @description What an API key may do. `read` reads, `write` changes program data, `manage` administers access to the API, such as its keys.
         * @example read
         * @enum {string}
         */
        Scope: "read" | "write" | "manage";
        /** @description How you were identified. */
        MeAuth: {
            /**
             * @description What you sent.
             * @example api_key
             * @enum {string}
             */
            method: "api_key" | "basic" | "session";
            /**
             * @description The key. Null without one.
             * @example 12
             */
            key_id: components["schemas"]["Id"] | null;
            /**
             * @description The key's scopes. Null without a key: then your role is the only limit.
             * @example [
             *       "read"
             *     ]
             */
            scopes: components["schemas"]["Scope"][] | null;
        };
        /**
         * @description What a customer types. Not an identifier, because case does not matter and two coupons may share it.
         * @example TRAIL10
         */
        CouponCode: string;
        /**
         * @description Only a coupon with `publish` works in the shop.
         * @example publish
         * @enum {string}
         */
        CouponStatus: "publish" | "draft" | "private";
        /**
         * @description A moment in the store's time zone, without offset.
         * @example 2026-10-22T10:05:00
         */
        LocalDateTime: string;
        /**
         * @description Granted commission that was not paid yet and is not being paid. Below zero after a refund of paid commission.
         * @example 0
         */
        UnpaidCommission: number;
        /**
         * @description Commission of orders that are not cleared yet.
         * @example 8.99
         */
        PendingOrderCommission: number;
        /**
         * @description Commission that is being paid.
         * @example 0
         */
        PendingPayoutCommission: number;
        /**
         * @description Commission that was paid: of an affiliate what they got themselves, of a coupon what all its owners so far got.
         * @example 32.38
         */
        PaidCommission: number;
        /** @description An affiliate coupon with its balances. */
        Coupon: {
            /** @example 301 */
            id: components["schemas"]["Id"];
            code: components["schemas"]["CouponCode"];
            /**
             * @description The affiliate it is assigned to. 0 when it has none.
             * @example 42
             */
            user_id: number;
            status: components["schemas"]["CouponStatus"];
            /** @example 2026-03-02T09:15:00 */
            date_created: components["schemas"]["LocalDateTime"];
            unpaid_commission: components["schemas"]["UnpaidCommission"];
            pending_order_commission: components["schemas"]["PendingOrderCommission"];
            pending_payout_commission: components["schemas"]["PendingPayoutCommission"];
            paid_commission: components["schemas"]["PaidCommission"];
        };
        /**
         * @description The version of this API, as in `info.version`.
         * @example 2.0.0
         */
        ApiVersion: string;
        /**
         * @description The store's time zone, as the IANA database names it.
         * @example Europe/Berlin
         */
        Timezone: string;
        /**
         * @description The store's currency, ISO 4217.
         * @example EUR
         */
        Currency: string;
        /** @description The caller, as the service sees it. */
        Me: {
            user: components["schemas"]["User"];
            /**
             * @description An administrator or manager of the program.
             * @example false
             */
            is_admin: boolean;
            /**
             * @description You have the role `affiliate`, or a coupon is or was assigned to you.
             * @example true
             */
            is_affiliate: boolean;
            /**
             * @description The highest that applies.
             * @example affiliate
             * @enum {string}
             */
            access_level: "admin" | "affiliate" | "user";
            auth: components["schemas"]["MeAuth"];
            /** @description Your own coupons, newest first, at most 100 of them. Empty without the read scope. */
            coupons: components["schemas"]["Coupon"][];
            /**
             * @description What you may call here and now.
             * @example [
             *       "get_me",
             *       "get_payouts"
             *     ]
             */
            operations: string[];
            api_version: components["schemas"]["ApiVersion"];
            /**
             * @description The edition of this site.
             * @example pro
             * @enum {string}
             */
            edition: "free" | "pro";
            timezone: components["schemas"]["Timezone"];
            currency: components["schemas"]["Currency"];
        };
        /**
         * @description Identifies the error for programs. Codes of the service start with `svc_api_`, those of its REST layer with `rest_`.
         * @example svc_api_not_found
         */
        ErrorCode: string;
        /** @description What every error answer looks like. */
        Error: {
            code: components["schemas"]["ErrorCode"];
            /**
             * @description A sentence for people. It may change; the code does not.
             * @example Not found.
             */
            message: string;
            /** @description More about it. */
            data: {
                /**
                 * @description The HTTP status, repeated.
                 * @example 404
                 */
                status: number;
                /**
                 * @description What is wrong with which parameter.
                 * @example {
                 *       "per_page": "per_page must be between 1 and 100."
                 *     }
                 */
                params?: {
                    [key: string]: string;
                };
                /**
                 * @description Why the delivery failed.
                 * @example timeout
                 * @enum {string}
                 */
                failure?: "dns" | "tls" | "refused" | "timeout" | "blocked" | "other";
            };
        };
        /** @description An error that passes with time. */
        RetryError: {
            /** @example svc_api_rate_limited */
            code: components["schemas"]["ErrorCode"];
            /**
             * @description A sentence for people. It may change; the code does not.
             * @example Too many requests. Try again in a minute.
             */
            message: string;
            /** @description More about it. */
            data: {
                /**
                 * @description The HTTP status, repeated.
                 * @example 429
                 * @constant
                 */
                status: 429;
                /**
                 * @description Seconds to wait.
                 * @example 60
                 */
                retry_after: number;
            };
        };
        /** @description A refusal that has nothing to do with the request, and passes with time. */
        OverloadError: {
            /** @example svc_api_overloaded */
            code: components["schemas"]["ErrorCode"];
            /**
             * @description A sentence for people. It may change; the code does not.
             * @example The service has too much to do. Try again in a moment.
             */
            message: string;
            /** @description More about it. */
            data: {
                /**
                 * @description The HTTP status, repeated.
                 * @example 503
                 * @constant
                 */
                status: 503;
                /**
                 * @description Seconds to wait.
                 * @example 2
                 */
                retry_after: number;
            };
        };
        /**
         * @description How an affiliate is paid.
         * @example paypal
         * @enum {string}
         */
        MethodType: "paypal" | "banktransfer" | "stripeapi" | "wisebank" | "credit" | "custom";
        /** @description A field of payout details, from which a form can be made. */
        PayoutDetailsField: {
            /**
             * @description Its name in `details`.
             * @example email
             */
            name: string;
            /**
             * @description What people read.
             * @example E-mail address
             */
            label: string;
            /**
             * @description Whether it must be given.
             * @example true
             */
            required: boolean;
            /**
             * @description What the text must be.
             * @example email
             * @enum {string}
             */
            format: "text" | "email" | "iban" | "bic" | "country" | "currency";
            /**
             * @description The most characters that are accepted.
             * @example 254
             */
            max_length: number;
            /**
             * @description A sentence for people. Empty when the label says enough.
             * @example The address of your PayPal account.
             */
            hint: string;
        };
        /** @description A payout method that can be chosen. */
        ChoosableMethod: {
            method_type: components["schemas"]["MethodType"];
            /**
             * @description What the store calls it.
             * @example PayPal
             */
            label: string;
            /**
             * @description True when `details` may have any fields: those of `fields` are a suggestion then.
             * @example false
             */
            free_details: boolean;
            /** @description The fields of `details`. Empty when the method needs none. */
            fields: components["schemas"]["PayoutDetailsField"][];
        };
        /** @description What is saved about how you are paid. */
        SavedPayoutDetails: {
            /**
             * @description The label that was saved with the details, else the store's label of the method.
             * @example PayPal
             */
            method: string;
            method_type: components["schemas"]["MethodType"];
            /**
             * @description True when destination details are stored.
             * @example true
             */
            has_details: boolean;
            /**
             * @description Enough to recognise the destination: the last four characters, or an email address such as `h…@example.com`. Empty when there is none.
             * @example h…@trailnotes.example
             */
            hint: string;
        };
        /** @description How you are paid, and how you can be. */
        OwnPayoutDetails: {
            /** @description The methods that can be chosen. The store decides which. */
            methods: components["schemas"]["ChoosableMethod"][];
            /** @description What is saved. Null when nothing is. */
            saved: components["schemas"]["SavedPayoutDetails"] | null;
        };
        /** @description How you want to be paid. */
        PayoutDetailsChange: {
            method_type: components["schemas"]["MethodType"];
            /**
             * Format: single-line
             * @description What people read. By default the store's label of the method.
             * @example My bank
             */
            method?: string;
            /**
             * @description The destination, by the fields of the method. An empty object removes it.
             * @example {
             *       "email": "hello@trailnotes.example"
             *     }
             */
            details: {
                [key: string]: unknown;
            };
        };
        /** @description What to change in your profile. */
        ProfileChange: {
            /**
             * Format: single-line
             * @description The name that is shown.
             * @example Trail Notes
             */
            display_name?: string;
            /**
             * Format: single-line
             * @description The telephone number.
             * @example +49 30 901820
             */
            phone?: string;
            /**
             * Format: website
             * @description Where you publish.
             * @example https://trailnotes.example
             */
            website?: string;
        };
        /** @description What you say about yourself. */
        OwnProfile: {
            /**
             * @description The name that is shown.
             * @example Trail Notes
             */
            display_name: string;
            /**
             * @description The telephone number. Empty when not given.
             * @example +49 30 901820
             */
            phone: string;
            /**
             * @description Where you publish. Empty when not given.
             * @example https://trailnotes.example
             */
            website: string;
        };
        /**
         * @description Whether the affiliate can sign in and use keys.
         * @example active
         * @enum {string}
         */
        AccountStatus: "active" | "disabled";
        /** @description An affiliate with coupons and balances. Its id is its user's id. */
        Affiliate: {
            /** @example 42 */
            id: components["schemas"]["Id"];
            user: components["schemas"]["User"];
            /** @example 2026-03-02T09:15:00 */
            date_registered: components["schemas"]["LocalDateTime"];
            status?: components["schemas"]["AccountStatus"];
            /** @description The newest coupons assigned to the affiliate, at most 20. `GET /coupons` lists all of them. Balances are those of all coupons. */
            coupons: components["schemas"]["Coupon"][];
            unpaid_commission: components["schemas"]["UnpaidCommission"];
            pending_order_commission: components["schemas"]["PendingOrderCommission"];
            pending_payout_commission: components["schemas"]["PendingPayoutCommission"];
            paid_commission: components["schemas"]["PaidCommission"];
        };
        /**
         * @description Orders that count as sales, which are those in `processing`, `on-hold` and `completed`.
         * @example 3
         */
        OrdersCount: number;
        /**
         * @description Value of the goods before discount, without tax and shipping, less what was refunded.
         * @example 465.7
         */
        TotalSales: number;
        /**
         * @description What the customers saved.
         * @example 51.97
         */
        TotalDiscount: number;
        /**
         * @description Shipping paid by the customers.
         * @example 14.7
         */
        TotalShipping: number;
        /**
         * @description Commission of these orders, cleared or not.
         * @example 41.37
         */
        TotalCommission: number;
        /**
         * @description When the snapshot was last rebuilt from the order history. Null when it never was; order writes keep it current all the same.
         * @example 2026-11-01T06:00:00
         */
        LastRefreshed: string | null;
        /** @description All-time figures of a coupon, from the stored snapshot. */
        CouponTotals: {
            orders_count: components["schemas"]["OrdersCount"];
            total_sales: components["schemas"]["TotalSales"];
            total_discount: components["schemas"]["TotalDiscount"];
            total_shipping: components["schemas"]["TotalShipping"];
            total_commission: components["schemas"]["TotalCommission"];
            last_refreshed: components["schemas"]["LastRefreshed"];
        };
        /** @description A coupon with its balances and all-time figures. */
        CouponWithStats: {
            /** @example 301 */
            id: components["schemas"]["Id"];
            code: components["schemas"]["CouponCode"];
            /**
             * @description The affiliate it is assigned to. 0 when it has none.
             * @example 42
             */
            user_id: number;
            status: components["schemas"]["CouponStatus"];
            /** @example 2026-03-02T09:15:00 */
            date_created: components["schemas"]["LocalDateTime"];
            unpaid_commission: components["schemas"]["UnpaidCommission"];
            pending_order_commission: components["schemas"]["PendingOrderCommission"];
            pending_payout_commission: components["schemas"]["PendingPayoutCommission"];
            paid_commission: components["schemas"]["PaidCommission"];
            stats: components["schemas"]["CouponTotals"];
        };
        /**
         * @description An amount in the store's currency, as a plain number with that currency's own number of decimals. May be below zero for a balance.
         * @example 16.18
         */
        Money: number;
        /**
         * @description What the balances consist of, since the beginning: those of the program, of an affiliate or of a coupon. The amounts before `total` sum to
         *     it; it is also the sum of `unpaid_commission`, `pending_order_commission`, `pending_payout_commission` and `paid_commission`.
         */
        ReportBalances: {
            /**
             * @description Commission of orders that count as sales: `total_commission` without a range.
             * @example 41.37
             */
            referred_commission: components["schemas"]["Money"];
            /**
             * @description Shares of the commission of recruits.
             * @example 1.62
             */
            multi_level_commission: components["schemas"]["Money"];
            /**
             * @description Commission of orders with the status `pending`. They do not count as sales yet.
             * @example 0
             */
            awaiting_payment_commission: components["schemas"]["Money"];
            /**
             * @description What the store bears since coupons changed hands: changes of orders that were recorded before leave the new owner's balances as they are.
             *     Of an affiliate also what they were paid by coupons that are another's now, less what their coupons have paid to former owners.
             * @example 0
             */
            handed_over_commission: components["schemas"]["Money"];
            /**
             * @description Bonuses and corrections.
             * @example 25
             */
            adjusted_commission?: components["schemas"]["Money"];
            /**
             * @description What was booked to the store when affiliates were erased. Below zero.
             * @example -12.5
             */
            forfeited_commission?: components["schemas"]["Money"];
            /**
             * @description The sum of all balances.
             * @example 42.99
             */
            total: components["schemas"]["Money"];
        };
        /** @description What the affiliate says about itself. */
        AffiliateProfile: {
            /**
             * @description Empty when not given.
             * @example
             */
            phone: string;
            /**
             * @description Where the affiliate publishes.
             * @example https://trailnotes.example
             */
            website: string;
            /**
             * @description How the shop is promoted.
             * @example Gear reviews and a monthly newsletter
             */
            promote: string;
            /**
             * @description How the affiliate heard of the program.
             * @example Summit Weekly
             */
            referrer: string;
        };
        /**
         * @description The site's own fields, by name.
         * @example {
         *       "newsletter_readers": 4200
         *     }
         */
        CustomFields: {
            [key: string]: unknown;
        };
        /** @description How the affiliate is paid, as it was saved. The destination is never returned. */
        PayoutMethod: {
            /**
             * @description The label that was saved with the details, else the store's label of the method.
             * @example PayPal
             */
            method: string;
            method_type: components["schemas"]["MethodType"];
            /**
             * @description True when destination details are stored.
             * @example true
             */
            has_details: boolean;
        };
        /** @description A user, by name. */
        UserRef: {
            /** @example 42 */
            id: components["schemas"]["Id"];
            /**
             * @description The public name.
             * @example Trail Notes
             */
            display_name: string;
        };
        /** @description One affiliate, with profile, groups and figures of each coupon. */
        AffiliateDetail: {
            /** @example 42 */
            id: components["schemas"]["Id"];
            user: components["schemas"]["User"];
            /** @example 2026-03-02T09:15:00 */
            date_registered: components["schemas"]["LocalDateTime"];
            status?: components["schemas"]["AccountStatus"];
            /** @description The newest coupons assigned to the affiliate, at most 100. `GET /coupons` lists all of them. Balances are those of all coupons. */
            coupons: components["schemas"]["CouponWithStats"][];
            unpaid_commission: components["schemas"]["UnpaidCommission"];
            pending_order_commission: components["schemas"]["PendingOrderCommission"];
            pending_payout_commission: components["schemas"]["PendingPayoutCommission"];
            paid_commission: components["schemas"]["PaidCommission"];
            balances?: components["schemas"]["ReportBalances"];
            profile: components["schemas"]["AffiliateProfile"];
            /**
             * @description Groups the store sorts affiliates into.
             * @example [
             *       "bloggers"
             *     ]
             */
            groups: string[];
            custom_fields: components["schemas"]["CustomFields"];
            /**
             * @description Null when none is saved.
             * @example {
             *       "method": "PayPal",
             *       "method_type": "paypal",
             *       "has_details": true
             *     }
             */
            payout_method: components["schemas"]["PayoutMethod"] | null;
            /**
             * @description Who recruited the affiliate, by tier, from `T1`, the direct one, upwards. Empty when there are none.
             * @example {
             *       "T1": {
             *         "id": 17,
             *         "display_name": "Summit Weekly"
             *       }
             *     }
             */
            mla_parents?: {
                [key: string]: components["schemas"]["UserRef"];
            };
        };
        /**
         * Format: calendar-day
         * @description A calendar day of the store's time zone, as `YYYY-MM-DD`. A day that does not exist is refused.
         * @example 2026-10-01
         */
        Day: string;
        /**
         * @description The length of one step of a series.
         * @example month
         * @enum {string}
         */
        Interval: "day" | "week" | "month";
        /**
         * @description The first day that is counted. Null when the range is open at its start.
         * @example 2026-10-01
         */
        RangeStart: string | null;
        /**
         * @description The last day that is counted. Null when no range was asked for.
         * @example 2026-10-31
         */
        RangeEnd: string | null;
        /**
         * @description Visits through a referral link.
         * @example 40
         */
        Clicks: number;
        /**
         * @description Distinct visitors among them, within the range.
         * @example 32
         */
        UniqueClicks: number;
        /**
         * @description Clicks that an order of the same visitor followed within the attribution window.
         * @example 1
         */
        Conversions: number;
        /**
         * @description Conversions per hundred clicks, with two decimals. 0 without clicks.
         * @example 2.5
         */
        ConversionRate: number;
        /** @description The clicks of one step of a series. */
        ClickStep: {
            /**
             * @description The first day of the step.
             * @example 2026-10-01
             */
            from: components["schemas"]["Day"];
            /**
             * @description The last day of the step.
             * @example 2026-10-31
             */
            to: components["schemas"]["Day"];
            clicks: components["schemas"]["Clicks"];
            unique_clicks: components["schemas"]["UniqueClicks"];
            conversions: components["schemas"]["Conversions"];
            conversion_rate: components["schemas"]["ConversionRate"];
        };
        /** @description Clicks on an affiliate's links and what came of them. Never an address of a visitor. */
        AffiliateClicks: {
            /**
             * @description The affiliate.
             * @example 42
             */
            user_id: components["schemas"]["Id"];
            /**
             * @description The campaign asked for. Null for all.
             * @example autumn
             */
            campaign: string | null;
            from: components["schemas"]["RangeStart"];
            to: components["schemas"]["RangeEnd"];
            clicks: components["schemas"]["Clicks"];
            unique_clicks: components["schemas"]["UniqueClicks"];
            conversions: components["schemas"]["Conversions"];
            conversion_rate: components["schemas"]["ConversionRate"];
            /** @description The range in steps, oldest first. An all-time series ends today, or on the last day with figures if that is later. */
            series?: components["schemas"]["ClickStep"][];
        };
        /** @description A mail with a link to set a password. */
        Invitation: {
            /**
             * @description Where the mail is sent.
             * @example hello@trailnotes.example
             */
            email: string;
            /**
             * @description Until when the link works.
             * @example 2026-11-05T09:15:00
             */
            date_expires: components["schemas"]["LocalDateTime"];
        };
        /**
         * @description Where the figures come from: `cache` (stored snapshot or cached range), `live` (calculated for this call), `throttled` (a refresh was
         *     asked for within a minute of the last one; these are the stored figures).
         * @example cache
         * @enum {string}
         */
        Source: "cache" | "live" | "throttled";
        /** @description The sum over all the affiliate's coupons. Balances are always current. */
        AffiliateTotals: {
            orders_count: components["schemas"]["OrdersCount"];
            total_sales: components["schemas"]["TotalSales"];
            total_discount: components["schemas"]["TotalDiscount"];
            total_shipping: components["schemas"]["TotalShipping"];
            total_commission: components["schemas"]["TotalCommission"];
            unpaid_commission: components["schemas"]["UnpaidCommission"];
            pending_order_commission: components["schemas"]["PendingOrderCommission"];
            pending_payout_commission: components["schemas"]["PendingPayoutCommission"];
            paid_commission: components["schemas"]["PaidCommission"];
        };
        /** @description What one coupon adds to the affiliate's totals. */
        AffiliateCouponFigures: {
            /** @example 301 */
            id: components["schemas"]["Id"];
            code: components["schemas"]["CouponCode"];
            orders_count: components["schemas"]["OrdersCount"];
            total_sales: components["schemas"]["TotalSales"];
            total_discount: components["schemas"]["TotalDiscount"];
            total_commission: components["schemas"]["TotalCommission"];
        };
        /** @description The figures of one step of a series. */
        SalesStep: {
            /**
             * @description The first day of the step.
             * @example 2026-10-01
             */
            from: components["schemas"]["Day"];
            /**
             * @description The last day of the step.
             * @example 2026-10-31
             */
            to: components["schemas"]["Day"];
            orders_count: components["schemas"]["OrdersCount"];
            total_sales: components["schemas"]["TotalSales"];
            total_discount: components["schemas"]["TotalDiscount"];
            total_shipping: components["schemas"]["TotalShipping"];
            total_commission: components["schemas"]["TotalCommission"];
        };
        /** @description Totals across all coupons of an affiliate, all-time or in a range. */
        AffiliateStats: {
            /** @example 42 */
            user_id: components["schemas"]["Id"];
            from: components["schemas"]["RangeStart"];
            to: components["schemas"]["RangeEnd"];
            source: components["schemas"]["Source"];
            totals: components["schemas"]["AffiliateTotals"];
            /** @description The share of each of the newest coupons, at most 100. Totals and series are those of all coupons. */
            coupons: components["schemas"]["AffiliateCouponFigures"][];
            /** @description The range in steps, oldest first. An all-time series ends today, or on the last day with figures if that is later. */
            series?: components["schemas"]["SalesStep"][];
        };
        /** @description What the account of an affiliate shall be. */
        AffiliateStatusChange: {
            status: components["schemas"]["AccountStatus"];
        };
        /**
         * @description The id of a user. 0 for none.
         * @example 42
         */
        UserIdOrNone: number;
        /** @description What this coupon earns. The coupon's own rates where it has any, else the store's. */
        CommissionRates: {
            /**
             * @description The percentage that applies, of the goods after discount.
             * @example 10
             */
            percent: number;
            /**
             * @description The coupon's own percentage. Null when the store's applies.
             * @example null
             */
            percent_override: number | null;
            /**
             * @description A fixed amount for each order. Null when there is none.
             * @example null
             */
            fixed_per_order: number | null;
            /**
             * @description A fixed amount for each item sold. Null when there is none.
             * @example null
             */
            fixed_per_product: number | null;
        };
        /** @description What the customer gets. */
        Discount: {
            /**
             * @description What the amount is taken from.
             * @example percent
             * @enum {string}
             */
            type: "percent" | "fixed_cart" | "fixed_product";
            /**
             * @description Percent, or money in the store's currency.
             * @example 10
             */
            amount: number;
        };
        /** @description Whether you could request a payout of this coupon now. Absent for callers who may read the coupon but not request its payout. */
        PayoutEligibility: {
            /**
             * @description True when nothing prevents it.
             * @example false
             */
            eligible: boolean;
            /**
             * @description The error codes that a request would meet, as this caller. Empty when eligible.
             * @example [
             *       "svc_api_no_balance"
             *     ]
             */
            reasons: string[];
        };
        /** @description One coupon, with its commission rates, referral link and figures. */
        CouponDetail: {
            /** @example 301 */
            id: components["schemas"]["Id"];
            code: components["schemas"]["CouponCode"];
            /**
             * @description The affiliate it is assigned to. 0 when it has none.
             * @example 42
             */
            user_id: number;
            status: components["schemas"]["CouponStatus"];
            /** @example 2026-03-02T09:15:00 */
            date_created: components["schemas"]["LocalDateTime"];
            unpaid_commission: components["schemas"]["UnpaidCommission"];
            pending_order_commission: components["schemas"]["PendingOrderCommission"];
            pending_payout_commission: components["schemas"]["PendingPayoutCommission"];
            paid_commission: components["schemas"]["PaidCommission"];
            balances?: components["schemas"]["ReportBalances"];
            /**
             * @description The affiliate. Null when the coupon is unassigned.
             * @example {
             *       "id": 42,
             *       "display_name": "Trail Notes"
             *     }
             */
            user: components["schemas"]["User"] | null;
            /**
             * @description The address that credits this coupon: a referral link of this service (by id where the code consists of digits or is shared) where the site has them, otherwise the shop's address with `ref`.
             * @example https://fjell.example/?ref=TRAIL10
             */
            referral_url: string;
            commission: components["schemas"]["CommissionRates"];
            discount: components["schemas"]["Discount"];
            stats: components["schemas"]["CouponTotals"];
            payout_eligibility?: components["schemas"]["PayoutEligibility"];
        };
        /** @description Sales and commission of a coupon, all-time or in a range. Balances are always current. */
        CouponStats: {
            /** @example 301 */
            coupon_id: components["schemas"]["Id"];
            code: components["schemas"]["CouponCode"];
            from: components["schemas"]["RangeStart"];
            to: components["schemas"]["RangeEnd"];
            source: components["schemas"]["Source"];
            /**
             * @description Where `source` is `throttled`, the seconds until a refresh is possible. Null otherwise.
             * @example null
             */
            retry_after: number | null;
            /**
             * @description True when another published coupon has the same code. The figures are still this coupon's alone.
             * @example false
             */
            code_ambiguous: boolean;
            orders_count: components["schemas"]["OrdersCount"];
            total_sales: components["schemas"]["TotalSales"];
            total_discount: components["schemas"]["TotalDiscount"];
            total_shipping: components["schemas"]["TotalShipping"];
            total_commission: components["schemas"]["TotalCommission"];
            /**
             * @description All orders by status, including those that do not count as sales. Only statuses that occur.
             * @example {
             *       "completed": 2,
             *       "processing": 1
             *     }
             */
            status_counts: {
                [key: string]: number;
            };
            last_refreshed: components["schemas"]["LastRefreshed"];
            unpaid_commission: components["schemas"]["UnpaidCommission"];
            pending_order_commission: components["schemas"]["PendingOrderCommission"];
            pending_payout_commission: components["schemas"]["PendingPayoutCommission"];
            paid_commission: components["schemas"]["PaidCommission"];
            /** @description The range in steps, oldest first. An all-time series ends today, or on the last day with figures if that is later. */
            series?: components["schemas"]["SalesStep"][];
        };
        /**
         * @description The store's order status. `processing`, `on-hold` and `completed` count as sales.
         * @example completed
         * @enum {string}
         */
        OrderStatus: "pending" | "processing" | "on-hold" | "completed" | "failed" | "cancelled" | "refunded";
        /**
         * @description `pending` until the order is cleared, then `granted`; `reversed` when it is cancelled, failed or refunded in full.
         * @example granted
         * @enum {string}
         */
        CommissionStatus: "pending" | "granted" | "reversed";
        /** @description An order that a coupon referred. It never holds anything about the customer. */
        Order: {
            /**
             * @description The store's own number of the order.
             * @example 58213
             */
            order_id: components["schemas"]["Id"];
            /**
             * @description The id that the platform of the shop has for the payment, where ids are texts. Null elsewhere.
             * @example null
             */
            external_id?: string | null;
            /**
             * @description When the order was placed.
             * @example 2026-10-05T14:31:07
             */
            date: components["schemas"]["LocalDateTime"];
            status: components["schemas"]["OrderStatus"];
            /**
             * @description Value of the goods before discount, without tax and shipping.
             * @example 179.8
             */
            total: components["schemas"]["Money"];
            /**
             * @description What the customer saved.
             * @example 17.98
             */
            discount: components["schemas"]["Money"];
            /**
             * @description What the affiliate earns with it, after refunds. 0 once it is reversed.
             * @example 16.18
             */
            commission: components["schemas"]["Money"];
            currency: components["schemas"]["Currency"];
            commission_status: components["schemas"]["CommissionStatus"];
            /**
             * @description When the commission was granted. Null until then.
             * @example 2026-10-08T11:02:40
             */
            date_granted: components["schemas"]["LocalDateTime"] | null;
            /**
             * @description Refunded value of the goods, net of discount.
             * @example 0
             */
            refunded_amount: components["schemas"]["Money"];
            /**
             * @description What attributed the order to the affiliate.
             * @example referral_link
             * @enum {string}
             */
            credited_via: "coupon" | "referral_link" | "lifetime";
            /**
             * @description The campaign of the referral link. Null when there was none.
             * @example autumn
             */
            campaign: string | null;
        };
        /** @description A rate of the order and where it came from. */
        ExplanationRate: {
            /**
             * @description Which rate it is.
             * @example percent
             * @enum {string}
             */
            rate: "percent" | "fixed_per_order" | "fixed_per_product";
            /**
             * @description Percent, or money in the store's currency.
             * @example 10
             */
            value: number;
            /**
             * @description `coupon` or `store`: it is the rate that applies to this coupon now. `order`: another one applies now; this one applied when the order was recorded, or the
             *     store sent it with the order. `recurring`: the order is a renewal of a subscription, and has the percentage of renewals, or is beyond a limit.
             * @example store
             * @enum {string}
             */
            source: "coupon" | "store" | "order" | "recurring";
            /**
             * @description The same as a sentence.
             * @example Percentage: 10 %, the rate of the store.
             */
            text: string;
        };
        /** @description What the commission is computed from, as stored with the order. */
        ExplanationInputs: {
            currency: components["schemas"]["Currency"];
            /**
             * @description When the order was placed.
             * @example 2026-10-05T14:31:07
             */
            date: components["schemas"]["LocalDateTime"];
            status: components["schemas"]["OrderStatus"];
            commission_status: components["schemas"]["CommissionStatus"];
            /**
             * @description Value of the goods before discount, without tax and shipping.
             * @example 179.8
             */
            total: components["schemas"]["Money"];
            /**
             * @description What the customer saved.
             * @example 17.98
             */
            discount: components["schemas"]["Money"];
            /**
             * @description Refunded value of the goods, net of discount.
             * @example 0
             */
            refunded_amount: components["schemas"]["Money"];
            /**
             * @description The number of items sold.
             * @example 1
             */
            quantity: number;
            /** @description The rates, which were fixed when the order was recorded. */
            rates: components["schemas"]["ExplanationRate"][];
        };
        /** @description One step of the computation. */
        ExplanationStep: {
            /**
             * @description `net`: the goods after discount. `percent`, `fixed_per_order`, `fixed_per_product`: what each rate gives. `sum`: all of them. `refund`: what is left of the
             *     sum after a refund in part. `reversal`: the order was cancelled, failed or refunded in full. The commission is the amount of the last step.
             * @example percent
             * @enum {string}
             */
            step: "net" | "percent" | "fixed_per_order" | "fixed_per_product" | "sum" | "refund" | "reversal";
            /**
             * @description The result of the step, after rounding.
             * @example 16.18
             */
            amount: components["schemas"]["Money"];
            /**
             * @description The same as a sentence, with the rounding.
             * @example 10 % of 161.82 EUR is 16.182 EUR, rounded half up to 16.18 EUR.
             */
            text: string;
        };
        /** @description A lifetime link, a click or a coupon that could have been credited. */
        AttributionCandidate: {
            /**
             * @description What kind of candidate it is.
             * @example referral_link
             * @enum {string}
             */
            via: "coupon" | "referral_link" | "lifetime";
            /**
             * @description Whether the order was credited through it.
             * @example true
             */
            won: boolean;
            /**
             * @description Its coupon. Null when it belongs to another affiliate and you are not an admin.
             * @example 301
             */
            coupon_id: components["schemas"]["Id"] | null;
            /**
             * @description The code of its coupon. Null as the id.
             * @example TRAIL10
             */
            coupon: components["schemas"]["CouponCode"] | null;
            /** @description The affiliate of its coupon. Null as the id, and when the coupon has none. */
            user: components["schemas"]["UserRef"] | null;
            /**
             * @description When the click or the lifetime link was made. Null for a coupon.
             * @example 2026-10-05T14:20:00
             */
            date: components["schemas"]["LocalDateTime"] | null;
            /**
             * @description The campaign of the click. Null as the id, and when there was none.
             * @example autumn
             */
            campaign: string | null;
            /**
             * @description Why it won or lost.
             * @example The click of 5 Oct 2026, 14:20 through TRAIL10 won: it was the latest click before the order.
             */
            text: string;
        };
        /** @description Why the order was credited to this coupon. */
        Attribution: {
            /**
             * @description What attributed the order.
             * @example referral_link
             * @enum {string}
             */
            via: "coupon" | "referral_link" | "lifetime";
            /**
             * @description The same as a sentence.
             * @example A click on the referral link of TRAIL10 was credited.
             */
            text: string;
            /** @description What could have been credited: the lifetime link, the 20 latest clicks, and the coupon that was used. */
            candidates: components["schemas"]["AttributionCandidate"][];
        };
        /** @description What an affiliate above the owner of the coupon gets. Recipient and rate are fixed when the commission is granted for the first time. */
        ExplanationShare: {
            /**
             * @description 1 for who recruited the owner.
             * @example 1
             */
            tier: number;
            /**
             * @description The coupon that gets it. Null when the share is of another affiliate and you are not an admin.
             * @example 288
             */
            coupon_id: components["schemas"]["Id"] | null;
            /**
             * @description The code of that coupon. Null as the id.
             * @example SUMMIT10
             */
            coupon: components["schemas"]["CouponCode"] | null;
            /** @description The affiliate who gets it. Null as the id. */
            user: components["schemas"]["UserRef"] | null;
            /**
             * @description The part of the commission. Null as the id.
             * @example 5
             */
            percent: number | null;
            /**
             * @description The stored share, after refunds. Null as the id.
             * @example 0.81
             */
            amount: components["schemas"]["Money"] | null;
            /**
             * @description Whether the stored share is the one that is recomputed.
             * @example true
             */
            agrees: boolean;
            /**
             * @description The same as a sentence.
             * @example Tier 1, SUMMIT10 (288): 5 % of 16.18 EUR is 0.809 EUR, rounded half up to 0.81 EUR.
             */
            text: string;
        };
        /**
         * @description An account of the ledger: a balance of the coupon, the `store`, or `handed_over`, the store's account for orders that were recorded
         *     before their coupon changed hands.
         * @example unpaid
         * @enum {string}
         */
        LedgerAccount: "store" | "handed_over" | "pending_order" | "unpaid" | "pending_payout" | "paid";
        /** @description Commission that moved from one account of the ledger to another. */
        OrderMovement: {
            /**
             * @description When it moved.
             * @example 2026-10-08T11:02:40
             */
            date: components["schemas"]["LocalDateTime"];
            /**
             * @description The coupon whose commission it is.
             * @example 301
             */
            coupon_id: components["schemas"]["Id"];
            from: components["schemas"]["LedgerAccount"];
            to: components["schemas"]["LedgerAccount"];
            /**
             * @description How much.
             * @example 16.18
             */
            amount: components["schemas"]["Money"];
            /**
             * @description The same as a sentence.
             * @example Order 58213 was cleared: 16.18 EUR moved from being cleared to available.
             */
            text: string;
        };
        /** @description How the commission of an order came about, in numbers and in sentences. */
        CommissionExplanation: {
            /**
             * @description The store's own number of the order.
             * @example 58213
             */
            order_id: components["schemas"]["Id"];
            /**
             * @description The id that the platform of the shop has for the payment, where ids are texts. Null elsewhere.
             * @example null
             */
            external_id?: string | null;
            /**
             * @description The credited coupon.
             * @example 301
             */
            coupon_id: components["schemas"]["Id"];
            /**
             * @description The stored commission.
             * @example 16.18
             */
            commission: components["schemas"]["Money"];
            /**
             * @description The commission as the steps compute it now, from the inputs.
             * @example 16.18
             */
            recomputed: components["schemas"]["Money"];
            /**
             * @description Whether the two are equal.
             * @example true
             */
            agrees: boolean;
            inputs: components["schemas"]["ExplanationInputs"];
            /** @description From the price of the goods to the commission, in order. */
            steps: components["schemas"]["ExplanationStep"][];
            attribution: components["schemas"]["Attribution"];
            /** @description What the affiliates above get, nearest first. Empty until the commission is granted for the first time. */
            shares: components["schemas"]["ExplanationShare"][];
            /** @description The ledger movements of the order, oldest first, at most the last 100. */
            movements: components["schemas"]["OrderMovement"][];
        };
        /** @description An order of the program, with the coupon that referred it. It never holds anything about the customer. */
        ProgramOrder: {
            /**
             * @description The store's own number of the order.
             * @example 58213
             */
            order_id: components["schemas"]["Id"];
            /**
             * @description The id that the platform of the shop has for the payment, where ids are texts. Null elsewhere.
             * @example null
             */
            external_id?: string | null;
            /**
             * @description When the order was placed.
             * @example 2026-10-05T14:31:07
             */
            date: components["schemas"]["LocalDateTime"];
            status: components["schemas"]["OrderStatus"];
            /**
             * @description Value of the goods before discount, without tax and shipping.
             * @example 179.8
             */
            total: components["schemas"]["Money"];
            /**
             * @description What the customer saved.
             * @example 17.98
             */
            discount: components["schemas"]["Money"];
            /**
             * @description What the affiliate earns with it, after refunds. 0 once it is reversed.
             * @example 16.18
             */
            commission: components["schemas"]["Money"];
            currency: components["schemas"]["Currency"];
            commission_status: components["schemas"]["CommissionStatus"];
            /**
             * @description When the commission was granted. Null until then.
             * @example 2026-10-08T11:02:40
             */
            date_granted: components["schemas"]["LocalDateTime"] | null;
            /**
             * @description Refunded value of the goods, net of discount.
             * @example 0
             */
            refunded_amount: components["schemas"]["Money"];
            /**
             * @description What attributed the order to the affiliate.
             * @example referral_link
             * @enum {string}
             */
            credited_via: "coupon" | "referral_link" | "lifetime";
            /**
             * @description The campaign of the referral link. Null when there was none.
             * @example autumn
             */
            campaign: string | null;
            /**
             * @description The coupon that the order is credited to.
             * @example 301
             */
            coupon_id: components["schemas"]["Id"];
            coupon: components["schemas"]["CouponCode"];
            /**
             * @description The affiliate to whom the coupon is assigned. 0 when it has none.
             * @example 42
             */
            user_id: number;
        };
        /** @description A bonus or a correction of a coupon's unpaid balance. */
        Adjustment: {
            /** @example 7 */
            id: components["schemas"]["Id"];
            user: components["schemas"]["UserRef"];
            /** @example 301 */
            coupon_id: components["schemas"]["Id"];
            coupon_code: components["schemas"]["CouponCode"];
            /**
             * @description Above zero for a bonus, below zero for a correction.
             * @example 25
             */
            amount: components["schemas"]["Money"];
            /**
             * @description Why. The affiliate sees it.
             * @example Thank you for the trail guide.
             */
            note: string;
            /**
             * @description Who entered it. Null when that is not a user.
             * @example {
             *       "id": 1,
             *       "display_name": "Store Admin"
             *     }
             */
            by?: components["schemas"]["UserRef"] | null;
            /**
             * @description When it was entered.
             * @example 2026-11-02T08:00:00
             */
            date: components["schemas"]["LocalDateTime"];
        };
        /** @description A bonus or a correction. */
        AdjustmentRequest: {
            /**
             * @description A coupon of the affiliate.
             * @example 301
             */
            coupon_id: components["schemas"]["Id"];
            /**
             * @description In the store's currency, with at most its number of decimals. Not zero; below zero for a correction.
             * @example 25
             */
            amount: number;
            /**
             * Format: single-line
             * @description Why. The affiliate sees it.
             * @example Thank you for the trail guide.
             */
            note: string;
        };
        /**
         * @description `pending` (requested), `created` (handed to a payment method), `paid`, `cancel` (the amount is back in the unpaid balance).
         *
         *     An admin may move a payout from `pending` to `created`, `paid` or `cancel`; from `created` to `pending`, `paid` or `cancel`; from `paid` to
         *     `pending`, `created` or `cancel`; and from `cancel` to `pending` or `created`, as long as the unpaid balance still holds the amount
         *     (else 409 `svc_api_insufficient_unpaid`). A payout is opened again only while no other request of its coupon is open (else 409
         *     `svc_api_conflict`, which names that payout). While a payment gateway works on a payout, it reads `created` and cannot be changed.
         *
         *     A payout whose payment failed at the bank or the payment provider (event `payout.failed`) reads `cancel`. Its amount is unpaid again, and
         *     is requested with a new payout: this one cannot be opened again (400 `svc_api_invalid_transition`).
         * @example paid
         * @enum {string}
         */
        PayoutStatus: "pending" | "created" | "paid" | "cancel";
        /**
         * @description The label that was saved with the affiliate's details, else the store's label of the method. Empty when there are no details. With
         *     `method_type` and `has_details` it follows the saved details while the payout is `pending`; from `created` on it is what was used.
         * @example PayPal
         */
        PayoutMethodLabel: string;
        /**
         * @description The kind of payout method. Empty when the affiliate has saved none and the store does not ask for it.
         * @example paypal
         * @enum {string}
         */
        PayoutMethodType: "" | "paypal" | "banktransfer" | "stripeapi" | "wisebank" | "credit" | "custom";
        /** @description A payout of a coupon's commission. */
        Payout: {
            /** @example 501 */
            id: components["schemas"]["Id"];
            user: components["schemas"]["UserRef"];
            /** @example 301 */
            coupon_id: components["schemas"]["Id"];
            coupon_code: components["schemas"]["CouponCode"];
            /**
             * @description The coupon's full unpaid balance at the time of the request.
             * @example 32.38
             */
            amount: components["schemas"]["Money"];
            method: components["schemas"]["PayoutMethodLabel"];
            method_type: components["schemas"]["PayoutMethodType"];
            status: components["schemas"]["PayoutStatus"];
            /**
             * @description True when destination details are stored. They are never returned.
             * @example true
             */
            has_details: boolean;
            /**
             * @description Empty when the gateway gives none.
             * @example
             */
            transaction_id: string;
            /**
             * @description The invoice that was handed in for it. 0 when there is none.
             * @example 0
             */
            invoice_id: number;
            /**
             * @description When the payout was requested.
             * @example 2026-10-20T16:40:12
             */
            date: components["schemas"]["LocalDateTime"];
            /**
             * @description When it was settled; allocate it to a period by this. Null unless it is paid.
             * @example 2026-10-22T10:05:00
             */
            date_paid: components["schemas"]["LocalDateTime"] | null;
        };
        /** @description Asks for the full unpaid balance of a coupon. */
        PayoutRequest: {
            /** @example 301 */
            coupon_id: components["schemas"]["Id"];
        };
        /** @description The payout that was just requested. */
        PayoutCreated: {
            /** @example 501 */
            id: components["schemas"]["Id"];
            user: components["schemas"]["UserRef"];
            /** @example 301 */
            coupon_id: components["schemas"]["Id"];
            coupon_code: components["schemas"]["CouponCode"];
            /**
             * @description The coupon's full unpaid balance at the time of the request.
             * @example 32.38
             */
            amount: components["schemas"]["Money"];
            method: components["schemas"]["PayoutMethodLabel"];
            method_type: components["schemas"]["PayoutMethodType"];
            status: components["schemas"]["PayoutStatus"];
            /**
             * @description True when destination details are stored. They are never returned.
             * @example true
             */
            has_details: boolean;
            /**
             * @description Empty when the gateway gives none.
             * @example
             */
            transaction_id: string;
            /**
             * @description The invoice that was handed in for it. 0 when there is none.
             * @example 0
             */
            invoice_id: number;
            /**
             * @description When the payout was requested.
             * @example 2026-10-20T16:40:12
             */
            date: components["schemas"]["LocalDateTime"];
            /**
             * @description When it was settled; allocate it to a period by this. Null unless it is paid.
             * @example 2026-10-22T10:05:00
             */
            date_paid: components["schemas"]["LocalDateTime"] | null;
            /**
             * @description True when auto-accept moved it straight on, so that a real gateway may have been called.
             * @example false
             */
            gateway_triggered: boolean;
            /**
             * @description What the gateway had to say.
             * @example Handed over for the next batch.
             */
            gateway_notice?: string;
        };
        /** @description The status to move to. */
        PayoutStatusChange: {
            status: components["schemas"]["PayoutStatus"];
            /**
             * @description The status that you saw. If the payout has another one by now, and not the target either, nothing changes: 409 `svc_api_conflict`, which names the present one.
             * @example pending
             */
            from?: components["schemas"]["PayoutStatus"];
        };
        /** @description A change of a payout's status. */
        PayoutChange: {
            /**
             * @description The name of the event. It tells `payout.failed` from `payout.cancelled`, and `payout.reversed` from `payout.reopened`.
             * @example payout.paid
             */
            event: string;
            /** @description The status from then on. */
            status: components["schemas"]["PayoutStatus"];
            /**
             * @description Who made the change. Null for a payment gateway and for the command line.
             * @example {
             *       "id": 1,
             *       "display_name": "Store Admin"
             *     }
             */
            by?: components["schemas"]["UserRef"] | null;
            /**
             * @description The batch that the change was made with.
             * @example 7
             */
            batch_id?: components["schemas"]["Id"];
            /**
             * @description When it was changed.
             * @example 2026-10-22T10:05:00
             */
            date: components["schemas"]["LocalDateTime"];
        };
        /** @description Which payouts to request. Without fields, all that the rules allow. */
        PayoutRunRequest: {
            /**
             * @description Only coupons with at least this much to pay, in the store's currency.
             * @example 25
             */
            min_amount?: number;
            /** @description Only affiliates who are paid in this way. */
            method_type?: components["schemas"]["MethodType"];
            /**
             * @description Only these coupons.
             * @example [
             *       301,
             *       302
             *     ]
             */
            coupon_ids?: components["schemas"]["Id"][];
            /**
             * @description Only coupons with a higher id: `next_after` of the run that this one continues.
             * @example 301
             */
            after?: components["schemas"]["Id"];
            /**
             * @description Answers what a run would do and writes nothing.
             * @default false
             * @example true
             */
            preview?: boolean;
        };
        /** @description What became of one coupon of a run. */
        PayoutRunOutcome: {
            /** @example 301 */
            coupon_id: components["schemas"]["Id"];
            coupon_code: components["schemas"]["CouponCode"];
            /** @description The affiliate. Null when the coupon has none. */
            user: components["schemas"]["User"] | null;
            /**
             * @description The amount of the payout; of a refused one, what is unpaid.
             * @example 32.38
             */
            amount: components["schemas"]["Money"];
            /**
             * @description The label of the affiliate's payout method. Empty when none is saved.
             * @example PayPal
             */
            method: string;
            method_type: components["schemas"]["PayoutMethodType"];
            /**
             * @description `existing`: its request is open already.
             * @example requested
             * @enum {string}
             */
            outcome: "requested" | "existing" | "refused";
            /**
             * @description The payout. Null when it was refused, and for a request of a preview.
             * @example 501
             */
            payout_id: components["schemas"]["Id"] | null;
            /**
             * @description Why it was refused, as `POST /payouts` would say. Null otherwise.
             * @example null
             */
            code: components["schemas"]["ErrorCode"] | null;
            /**
             * @description What the affiliate owes over all coupons. 0 when nothing.
             * @example 0
             */
            debt: components["schemas"]["Money"];
            /**
             * @description The coupon's last payout if its payment failed. Null otherwise.
             * @example null
             */
            failed_payout_id: components["schemas"]["Id"] | null;
            /**
             * @description The same for people.
             * @example null
             */
            message: string | null;
        };
        /** @description What became of each coupon of a run. */
        PayoutRun: {
            /**
             * @description True when nothing was written.
             * @example false
             */
            preview: boolean;
            /**
             * @description How many payouts were requested.
             * @example 1
             */
            requested_count: number;
            /**
             * @description The sum of those.
             * @example 32.38
             */
            requested_amount: components["schemas"]["Money"];
            /**
             * @description Coupons with something to pay that come after those listed here.
             * @example 0
             */
            remaining: number;
            /**
             * @description Where the next run continues. Null when nothing remains.
             * @example null
             */
            next_after: components["schemas"]["Id"] | null;
            /** @description By coupon. */
            outcomes: components["schemas"]["PayoutRunOutcome"][];
        };
        /**
         * @description `sepa`: bank transfers in EUR, from the account of the settings `payouts.sepa`. `paypal`: PayPal Payouts. `wise-email`, `wise-saved`: Wise batch payments to e-mail
         *     addresses, or to saved recipients. `csv`: all methods.
         * @example paypal
         * @enum {string}
         */
        PayoutFileFormat: "sepa" | "paypal" | "wise-email" | "wise-saved" | "csv";
        /** @description Payouts that are paid by one file. */
        PayoutBatch: {
            /** @example 1 */
            id: components["schemas"]["Id"];
            format: components["schemas"]["PayoutFileFormat"];
            /**
             * @description `open`: its file waits to be executed.
             * @example open
             * @enum {string}
             */
            status: "open" | "paid" | "cancelled";
            /**
             * @description How many payouts it has.
             * @example 1
             */
            count: number;
            /**
             * @description The sum of its payouts.
             * @example 32.38
             */
            total: components["schemas"]["Money"];
            currency: components["schemas"]["Currency"];
            /**
             * @description The name under which its file was made.
             * @example payouts-paypal-2026-10-21.csv
             */
            file: string;
            /**
             * @description False when the command that made the file was interrupted.
             * @example true
             */
            file_complete: boolean;
            /**
             * @description When it was created.
             * @example 2026-10-21T09:00:00
             */
            date: components["schemas"]["LocalDateTime"];
            /**
             * @description When it was paid or cancelled. Null while it is open.
             * @example null
             */
            date_settled: components["schemas"]["LocalDateTime"] | null;
        };
        /** @description Which payouts to pay by one file. */
        PayoutBatchRequest: {
            format: components["schemas"]["PayoutFileFormat"];
            /**
             * @description Includes payouts of affiliates whose unpaid commission over all coupons is below zero.
             * @default false
             * @example false
             */
            despite_debt?: boolean;
            /**
             * @description Includes payouts of disabled affiliates.
             * @default false
             * @example false
             */
            despite_disabled?: boolean;
            /**
             * @description Includes payouts whose details were replaced after the request.
             * @default false
             * @example false
             */
            despite_changes?: boolean;
            /**
             * @description Includes payouts that a risk signal holds (setting `risk.hold_payouts`), or will hold after the next scan. Signals hold debts and replaced details, too: `despite_debt` and `despite_changes` are not needed then.
             * @default false
             * @example false
             */
            despite_signals?: boolean;
        };
        /** @description A payout of a batch. */
        PayoutBatchItem: {
            /** @example 501 */
            payout_id: components["schemas"]["Id"];
            /**
             * @description The affiliate.
             * @example 42
             */
            user_id: components["schemas"]["Id"];
            /**
             * @description The affiliate's public name.
             * @example Trail Notes
             */
            display_name: string;
            coupon_code: components["schemas"]["CouponCode"];
            /**
             * @description The amount of the payout.
             * @example 32.38
             */
            amount: components["schemas"]["Money"];
            status: components["schemas"]["PayoutStatus"];
        };
        /** @description A payout that a file does not pay. */
        LeftOutPayout: {
            /** @example 502 */
            payout_id: components["schemas"]["Id"];
            /**
             * @description Why.
             * @example The affiliate has saved no payout details.
             */
            reason: string;
            /**
             * @description The field of the request that includes it anyway. Null when nothing does.
             * @example null
             */
            override: ("despite_debt" | "despite_changes" | "despite_signals" | "despite_disabled") | null;
        };
        /** @description A batch that was created, and what its file cannot pay. */
        PayoutBatchCreated: {
            /** @example 1 */
            id: components["schemas"]["Id"];
            format: components["schemas"]["PayoutFileFormat"];
            /**
             * @description `open`: its file waits to be executed.
             * @example open
             * @enum {string}
             */
            status: "open" | "paid" | "cancelled";
            /**
             * @description How many payouts it has.
             * @example 1
             */
            count: number;
            /**
             * @description The sum of its payouts.
             * @example 32.38
             */
            total: components["schemas"]["Money"];
            currency: components["schemas"]["Currency"];
            /**
             * @description The name under which its file was made.
             * @example payouts-paypal-2026-10-21.csv
             */
            file: string;
            /**
             * @description False when the command that made the file was interrupted.
             * @example true
             */
            file_complete: boolean;
            /**
             * @description When it was created.
             * @example 2026-10-21T09:00:00
             */
            date: components["schemas"]["LocalDateTime"];
            /**
             * @description When it was paid or cancelled. Null while it is open.
             * @example null
             */
            date_settled: components["schemas"]["LocalDateTime"] | null;
            /** @description Its payouts, by id. At most 1,000 are listed. */
            payouts: components["schemas"]["PayoutBatchItem"][];
            /** @description Pending payouts of this method that the file does not pay. At most 500 are listed. */
            left_out: components["schemas"]["LeftOutPayout"][];
        };
        /** @description A batch with its payouts. */
        PayoutBatchDetail: {
            /** @example 1 */
            id: components["schemas"]["Id"];
            format: components["schemas"]["PayoutFileFormat"];
            /**
             * @description `open`: its file waits to be executed.
             * @example open
             * @enum {string}
             */
            status: "open" | "paid" | "cancelled";
            /**
             * @description How many payouts it has.
             * @example 1
             */
            count: number;
            /**
             * @description The sum of its payouts.
             * @example 32.38
             */
            total: components["schemas"]["Money"];
            currency: components["schemas"]["Currency"];
            /**
             * @description The name under which its file was made.
             * @example payouts-paypal-2026-10-21.csv
             */
            file: string;
            /**
             * @description False when the command that made the file was interrupted.
             * @example true
             */
            file_complete: boolean;
            /**
             * @description When it was created.
             * @example 2026-10-21T09:00:00
             */
            date: components["schemas"]["LocalDateTime"];
            /**
             * @description When it was paid or cancelled. Null while it is open.
             * @example null
             */
            date_settled: components["schemas"]["LocalDateTime"] | null;
            /** @description Its payouts, by id. At most 1,000 are listed. */
            payouts: components["schemas"]["PayoutBatchItem"][];
        };
        /** @description What became of the file of a batch. */
        PayoutBatchStatusChange: {
            /**
             * @description What became of it.
             * @example paid
             * @enum {string}
             */
            status: "paid" | "cancel";
            /**
             * @description Payouts that could not be paid. Only with `paid`.
             * @example [
             *       501
             *     ]
             */
            failed?: components["schemas"]["Id"][];
        };
        /**
         * @description Accepting is one-way; a declined application can still be accepted.
         * @example accepted
         * @enum {string}
         */
        RegistrationStatus: "pending" | "accepted" | "declined";
        /** @description The person who applied, as the application names them. */
        Applicant: {
            /**
             * @description The login that was asked for.
             * @example trailnotes
             */
            login: string;
            /**
             * @description Where the decision is sent.
             * @example hello@trailnotes.example
             */
            email: string;
            /**
             * @description The name for people.
             * @example Trail Notes
             */
            display_name: string;
        };
        /** @description An application to the program. */
        Registration: {
            /** @example 7 */
            id: components["schemas"]["Id"];
            /**
             * @description The applicant's user. Null until there is one.
             * @example {
             *       "id": 42,
             *       "display_name": "Trail Notes"
             *     }
             */
            user: components["schemas"]["User"] | null;
            applicant: components["schemas"]["Applicant"];
            /**
             * @description The code that was asked for. Empty when none.
             * @example TRAIL10
             */
            coupon_code: string;
            status: components["schemas"]["RegistrationStatus"];
            /**
             * @description The kind of application, as the store's form names it.
             * @example affiliate
             */
            type: string;
            /**
             * @description How the applicant will promote the shop.
             * @example Gear reviews and a monthly newsletter
             */
            promote: string;
            /**
             * @description How the applicant heard of the program.
             * @example Summit Weekly
             */
            referrer: string;
            /**
             * @description Where the applicant publishes.
             * @example https://trailnotes.example
             */
            website: string;
            custom_fields: components["schemas"]["CustomFields"];
            /**
             * @description What the applicant was told with the decision. Empty when nothing.
             * @example Welcome to the program!
             */
            message: string;
            /**
             * @description The coupon created on acceptance. Null until then.
             * @example 301
             */
            coupon_id: components["schemas"]["Id"] | null;
            /**
             * @description When it was sent.
             * @example 2026-03-01T18:20:00
             */
            date: components["schemas"]["LocalDateTime"];
            /**
             * @description When it was accepted. Null when it was not.
             * @example 2026-03-02T09:15:00
             */
            date_accepted: components["schemas"]["LocalDateTime"] | null;
            /**
             * @description When it was declined. Null when it was not.
             * @example null
             */
            date_declined: components["schemas"]["LocalDateTime"] | null;
            /**
             * @description The user who decided. Null until then.
             * @example 1
             */
            reviewed_by: components["schemas"]["Id"] | null;
        };
        /** @description A decision whose mail is previewed. */
        RegistrationPreview: {
            /**
             * @description The decision.
             * @example accepted
             * @enum {string}
             */
            status: "accepted" | "declined";
            /**
             * @description A message to the applicant.
             * @example Welcome to the program!
             */
            message?: string;
        };
        /** @description A name and an email address. */
        Mailbox: {
            /**
             * @description The name.
             * @example Trail Notes
             */
            name: string;
            /**
             * @description The email address.
             * @example hello@trailnotes.example
             */
            address: string;
        };
        /** @description The mail about a decision on an application, from the store to the applicant. It is also sent as HTML, with the same paragraphs. */
        RegistrationMail: {
            from: components["schemas"]["Mailbox"];
            to: components["schemas"]["Mailbox"];
            /**
             * @description The subject.
             * @example Fjell: your application was accepted
             */
            subject: string;
            /**
             * @description The mail as text, with the message.
             * @example Hello Trail Notes,
             *
             *     your application to the affiliate program of Fjell was accepted.
             */
            text: string;
        };
        /** @description A decision on an application. */
        RegistrationDecision: {
            /**
             * @description The decision.
             * @example accepted
             * @enum {string}
             */
            status: "accepted" | "declined";
            /**
             * @description A message to the applicant.
             * @example Welcome to the program!
             */
            message?: string;
            /**
             * @description Whether the applicant is told by email.
             * @default true
             * @example true
             */
            send_email?: boolean;
        };
        /** @description Clicks and what came of them. Never an address of a visitor. */
        ClickStats: {
            /**
             * @description The coupon asked for. Null for all.
             * @example 301
             */
            coupon_id: components["schemas"]["Id"] | null;
            /**
             * @description The campaign asked for. Null for all.
             * @example autumn
             */
            campaign: string | null;
            from: components["schemas"]["RangeStart"];
            to: components["schemas"]["RangeEnd"];
            clicks: components["schemas"]["Clicks"];
            unique_clicks: components["schemas"]["UniqueClicks"];
            conversions: components["schemas"]["Conversions"];
            conversion_rate: components["schemas"]["ConversionRate"];
            /** @description The range in steps, oldest first. An all-time series ends today, or on the last day with figures if that is later. */
            series?: components["schemas"]["ClickStep"][];
        };
        /**
         * @description A kind of the change feed.
         * @example referral
         * @enum {string}
         */
        EventKind: "referral" | "commission_added" | "commission_removed" | "mla_commission_added" | "mla_commission_removed" | "registration" | "registration_accept" | "registration_decline" | "affiliate_created" | "affiliate_updated" | "payout_request" | "payout_created" | "payout_pending" | "payout_paid" | "payout_reversed" | "payout_cancelled" | "payout_reopened" | "payout_failed" | "payout_details" | "api_key_created" | "api_key_revoked" | "webhook_created" | "webhook_disabled" | "coupon_transferred" | "user_disabled" | "user_enabled" | "app_password_created" | "app_password_revoked" | "ledger_sealed" | "settings_changed" | "risk_signal_opened" | "risk_signal_decided";
        /** @description Something that happened in the program. */
        Event: {
            /**
             * @description The position in the feed. Always growing.
             * @example 1004
             */
            id: components["schemas"]["Id"];
            event: components["schemas"]["EventKind"];
            /**
             * @description The event's dotted name. Null when it has none.
             * @example referral.created
             */
            type: string | null;
            /**
             * @description The id of what it is about.
             * @example 58412
             */
            event_id: components["schemas"]["Id"];
            /**
             * @description What it is about.
             * @example order
             * @enum {string}
             */
            object_type: "order" | "coupon" | "registration" | "user" | "payout" | "api_key" | "app_password" | "webhook" | "ledger_seal" | "site" | "risk_signal";
            /**
             * @description Who did it. 0 for the system.
             * @example 1
             */
            user_id: number;
            /**
             * @description A line for people.
             * @example Order 58412 was referred by TRAIL10.
             */
            info: string;
            /**
             * @description What `type` is about, as it was then. Null when there is nothing.
             * @example {
             *       "order_id": 58412,
             *       "coupon_id": 301,
             *       "coupon": "TRAIL10",
             *       "user_id": 42,
             *       "commission": 8.99
             *     }
             */
            data: {
                [key: string]: unknown;
            } | null;
            /**
             * @description When it happened.
             * @example 2026-10-22T10:05:00
             */
            date: components["schemas"]["LocalDateTime"];
        };
        /** @description The whole program. Balances are always current. */
        ReportTotals: {
            /**
             * @description Users with at least one published coupon.
             * @example 2
             */
            affiliates: number;
            /**
             * @description Published coupons that are assigned.
             * @example 2
             */
            coupons: number;
            orders_count: components["schemas"]["OrdersCount"];
            total_sales: components["schemas"]["TotalSales"];
            total_discount: components["schemas"]["TotalDiscount"];
            total_commission: components["schemas"]["TotalCommission"];
            /** @example 1.62 */
            unpaid_commission: components["schemas"]["UnpaidCommission"];
            pending_order_commission: components["schemas"]["PendingOrderCommission"];
            pending_payout_commission: components["schemas"]["PendingPayoutCommission"];
            paid_commission: components["schemas"]["PaidCommission"];
        };
        /** @description What is open now, and what was settled in the range. */
        ReportPayouts: {
            /**
             * @description Open requests now.
             * @example 0
             */
            pending_count: number;
            /**
             * @description The sum of the open requests.
             * @example 0
             */
            pending_amount: components["schemas"]["Money"];
            /**
             * @description Payouts settled in the range.
             * @example 1
             */
            paid_count: number;
            /**
             * @description The sum of those.
             * @example 32.38
             */
            paid_amount: components["schemas"]["Money"];
        };
        /** @description Clicks of all coupons. */
        ReportClicks: {
            clicks: components["schemas"]["Clicks"];
            conversions: components["schemas"]["Conversions"];
            conversion_rate: components["schemas"]["ConversionRate"];
        };
        /** @description What an affiliate brought in the range. */
        TopAffiliate: {
            /** @example 42 */
            user_id: components["schemas"]["Id"];
            user: components["schemas"]["User"];
            orders_count: components["schemas"]["OrdersCount"];
            total_sales: components["schemas"]["TotalSales"];
            total_commission: components["schemas"]["TotalCommission"];
        };
        /** @description The figures of the program in one step of a series. */
        ReportStep: {
            /**
             * @description The first day of the step.
             * @example 2026-10-01
             */
            from: components["schemas"]["Day"];
            /**
             * @description The last day of the step.
             * @example 2026-10-31
             */
            to: components["schemas"]["Day"];
            orders_count: components["schemas"]["OrdersCount"];
            total_sales: components["schemas"]["TotalSales"];
            total_discount: components["schemas"]["TotalDiscount"];
            total_commission: components["schemas"]["TotalCommission"];
            clicks: components["schemas"]["Clicks"];
            conversions: components["schemas"]["Conversions"];
        };
        /** @description The whole program, all-time or in a range. */
        ReportSummary: {
            /**
             * @description When these figures were calculated.
             * @example 2026-11-02T08:00:00
             */
            generated: components["schemas"]["LocalDateTime"];
            currency: components["schemas"]["Currency"];
            timezone: components["schemas"]["Timezone"];
            from: components["schemas"]["RangeStart"];
            to: components["schemas"]["RangeEnd"];
            totals: components["schemas"]["ReportTotals"];
            balances: components["schemas"]["ReportBalances"];
            payouts?: components["schemas"]["ReportPayouts"];
            clicks: components["schemas"]["ReportClicks"];
            /**
             * @description Applications waiting for a decision.
             * @example 0
             */
            pending_registrations: number;
            /** @description By commission, then by id. */
            top_affiliates: components["schemas"]["TopAffiliate"][];
            /** @description The range in steps, oldest first. An all-time series ends today, or on the last day with figures if that is later. */
            series?: components["schemas"]["ReportStep"][];
            /**
             * @description True when these figures come from a cache.
             * @example false
             */
            cached: boolean;
        };
        /** @description An API key, without the key itself. */
        Key: {
            /** @example 12 */
            id: components["schemas"]["Id"];
            /**
             * @description The user the key acts as.
             * @example 42
             */
            user_id: components["schemas"]["Id"];
            user: components["schemas"]["User"];
            /**
             * @description What the key is for.
             * @example Dashboard of Trail Notes
             */
            description: string;
            /**
             * @description The first 12 characters, to tell keys apart.
             * @example svc_01234567
             */
            key_prefix: string;
            /**
             * @description Always in the order read, write, manage.
             * @example [
             *       "read"
             *     ]
             */
            scopes: components["schemas"]["Scope"][];
            /**
             * @description Only an active key works.
             * @example active
             * @enum {string}
             */
            status: "active" | "revoked" | "expired";
            /**
             * @description When it was last used, to within about five minutes. Null if never.
             * @example 2026-11-01T07:45:00
             */
            last_used: components["schemas"]["LocalDateTime"] | null;
            /** @example 2026-03-05T12:00:00 */
            date_created: components["schemas"]["LocalDateTime"];
            /**
             * @description The last second in which it works. Null when it does not expire.
             * @example 2027-03-31T23:59:59
             */
            date_expires: components["schemas"]["LocalDateTime"] | null;
            /**
             * @description When it was revoked. Null when it was not.
             * @example null
             */
            date_revoked: components["schemas"]["LocalDateTime"] | null;
            /**
             * @description The user who created it.
             * @example 1
             */
            created_by: components["schemas"]["Id"];
        };
        /** @description A key to create. With no fields, a read-only key of your own. */
        KeyRequest: {
            /**
             * @description The user the key acts as. You by default.
             * @example 42
             */
            user_id?: components["schemas"]["Id"];
            /**
             * @description What the key is for.
             * @default
             * @example Dashboard of Trail Notes
             */
            description?: string;
            /**
             * @description What the key may do. Never more than you may.
             * @default [
             *       "read"
             *     ]
             * @example [
             *       "read"
             *     ]
             */
            scopes?: components["schemas"]["Scope"][];
            /**
             * @description The last day on which it works, in the store's time zone. Not before today.
             * @example 2027-03-31
             */
            expires?: components["schemas"]["Day"];
        };
        /** @description The new key. This is the only answer that holds the token. */
        KeyCreated: {
            /** @example 12 */
            id: components["schemas"]["Id"];
            /**
             * @description The user the key acts as.
             * @example 42
             */
            user_id: components["schemas"]["Id"];
            user: components["schemas"]["User"];
            /**
             * @description What the key is for.
             * @example Dashboard of Trail Notes
             */
            description: string;
            /**
             * @description The first 12 characters, to tell keys apart.
             * @example svc_01234567
             */
            key_prefix: string;
            /**
             * @description Always in the order read, write, manage.
             * @example [
             *       "read"
             *     ]
             */
            scopes: components["schemas"]["Scope"][];
            /**
             * @description Only an active key works.
             * @example active
             * @enum {string}
             */
            status: "active" | "revoked" | "expired";
            /**
             * @description When it was last used, to within about five minutes. Null if never.
             * @example 2026-11-01T07:45:00
             */
            last_used: components["schemas"]["LocalDateTime"] | null;
            /** @example 2026-03-05T12:00:00 */
            date_created: components["schemas"]["LocalDateTime"];
            /**
             * @description The last second in which it works. Null when it does not expire.
             * @example 2027-03-31T23:59:59
             */
            date_expires: components["schemas"]["LocalDateTime"] | null;
            /**
             * @description When it was revoked. Null when it was not.
             * @example null
             */
            date_revoked: components["schemas"]["LocalDateTime"] | null;
            /**
             * @description The user who created it.
             * @example 1
             */
            created_by: components["schemas"]["Id"];
            /**
             * @description The key. Keep it now; it is not stored and cannot be shown again.
             * @example svc_0123456789abcdef0123456789abcdef01234567
             */
            token: string;
            /**
             * @description A reminder to keep the token.
             * @example Keep this token now. It cannot be shown again.
             */
            notice: string;
        };
        /** @description The key no longer works, on any node. */
        KeyRevoked: {
            /**
             * @description True, even if it was revoked before.
             * @example true
             * @constant
             */
            revoked: true;
        };
        /** @description A subscription to program events, without its signing secret. */
        Webhook: {
            /** @example 5 */
            id: components["schemas"]["Id"];
            /**
             * @description A label for people. Empty when none.
             * @example Bookkeeping
             */
            name: string;
            /**
             * @description Where deliveries go.
             * @example https://books.fjell.example/hooks/affiliates
             */
            url: string;
            /**
             * @description The events it gets, or `*` for all.
             * @example [
             *       "referral.created",
             *       "commission.added"
             *     ]
             */
            events: string[];
            /**
             * @description A disabled webhook gets nothing.
             * @example active
             * @enum {string}
             */
            status: "active" | "disabled";
            /**
             * @description Failed attempts in a row. A success sets it to 0.
             * @example 0
             */
            failures: number;
            /**
             * @description The last attempt, tests included. Null before the first.
             * @example 2026-10-22T10:05:01
             */
            last_delivery: components["schemas"]["LocalDateTime"] | null;
            /**
             * @description What went wrong last. Empty when nothing.
             * @example
             */
            last_error: string;
            /** @example 2026-01-15T12:10:00 */
            date_created: components["schemas"]["LocalDateTime"];
        };
        /**
         * @description Names from `GET /webhooks/events`, or `["*"]` for all. Unknown names are dropped.
         * @example [
         *       "referral.created",
         *       "commission.added"
         *     ]
         */
        EventNames: string[];
        /** @description A webhook to create. */
        WebhookRequest: {
            /**
             * @description A label for people.
             * @default
             * @example Bookkeeping
             */
            name?: string;
            /**
             * @description HTTPS, on a public address, port 443 or 8443 unless the site allows more, without user name or password. Kept as a browser writes it, without its fragment.
             * @example https://books.fjell.example/hooks/affiliates
             */
            url: string;
            events: components["schemas"]["EventNames"];
        };
        /** @description The new webhook. This is the only answer that holds the signing secret. */
        WebhookCreated: {
            /** @example 5 */
            id: components["schemas"]["Id"];
            /**
             * @description A label for people. Empty when none.
             * @example Bookkeeping
             */
            name: string;
            /**
             * @description Where deliveries go.
             * @example https://books.fjell.example/hooks/affiliates
             */
            url: string;
            /**
             * @description The events it gets, or `*` for all.
             * @example [
             *       "referral.created",
             *       "commission.added"
             *     ]
             */
            events: string[];
            /**
             * @description A disabled webhook gets nothing.
             * @example active
             * @enum {string}
             */
            status: "active" | "disabled";
            /**
             * @description Failed attempts in a row. A success sets it to 0.
             * @example 0
             */
            failures: number;
            /**
             * @description There has been no delivery yet.
             * @example null
             */
            last_delivery: null;
            /**
             * @description What went wrong last. Empty when nothing.
             * @example
             */
            last_error: string;
            /** @example 2026-01-15T12:10:00 */
            date_created: components["schemas"]["LocalDateTime"];
            /**
             * @description Verifies the deliveries. Keep it now; it cannot be shown again or changed.
             * @example whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=
             */
            secret: string;
        };
        /** @description An event you can subscribe to. */
        WebhookEvent: {
            /**
             * @description The name to subscribe with.
             * @example commission.added
             */
            event: string;
            /**
             * @description When it is sent.
             * @example Commission was granted to an affiliate.
             */
            description: string;
        };
        /**
         * @description Names the delivery. Repeated attempts carry the same one, so remember it and drop repeats.
         * @example dlv_88
         */
        DeliveryId: string;
        /** @description One attempt to deliver an event. */
        WebhookAttempt: {
            /** @example 2026-10-22T10:05:01 */
            date: components["schemas"]["LocalDateTime"];
            /**
             * @description The receiver's HTTP status. Null when there was no answer.
             * @example 204
             */
            code: number | null;
            /**
             * @description Why there was no answer. Null when there was one.
             * @example null
             * @enum {string|null}
             */
            failure: "dns" | "tls" | "refused" | "timeout" | "blocked" | "other" | null;
            /**
             * @description What went wrong. Empty when nothing.
             * @example
             */
            error: string;
            /**
             * @description The first KiB of the answer as text. Empty when there was none.
             * @example
             */
            excerpt: string;
            /**
             * @description How long it took.
             * @example 84
             */
            milliseconds: number;
        };
        /** @description An event that is sent to a webhook, with its attempts. Kept for 30 days. */
        WebhookDelivery: {
            id: components["schemas"]["DeliveryId"];
            /** @example 5 */
            webhook_id: components["schemas"]["Id"];
            /**
             * @description The event.
             * @example commission.added
             */
            event: string;
            /**
             * @description `pending` until it has arrived, also while it is sent; `failed` after the last attempt.
             * @example delivered
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            /**
             * @description When the event happened.
             * @example 2026-10-22T10:05:00
             */
            date: components["schemas"]["LocalDateTime"];
            /**
             * @description When it is tried next. Null when there is nothing left to try.
             * @example null
             */
            next_attempt: components["schemas"]["LocalDateTime"] | null;
            /**
             * @description When it arrived or was given up. Null while it is pending.
             * @example 2026-10-22T10:05:01
             */
            date_finished: components["schemas"]["LocalDateTime"] | null;
            /** @description The newest 20, oldest first. A delivery that was sent again keeps those from before. */
            attempts: components["schemas"]["WebhookAttempt"][];
        };
        /** @description The delivery is sent again. */
        WebhookDeliveryReplayed: {
            id: components["schemas"]["DeliveryId"];
            /**
             * @description Always `pending`: it is sent in a moment.
             * @example pending
             * @constant
             */
            status: "pending";
        };
        /** @description The receiver answered. */
        WebhookTested: {
            /**
             * @description The receiver's HTTP status, whatever it is.
             * @example 204
             */
            code: number;
        };
        /** @description The webhook is gone. */
        WebhookDeleted: {
            /**
             * @description Always true.
             * @example true
             * @constant
             */
            deleted: true;
        };
        /** @description What to change. The URL and the secret stay; delete the webhook and create a new one instead. */
        WebhookChange: {
            /**
             * @description Re-activating resets the failure counter and clears the last error.
             * @example active
             * @enum {string}
             */
            status?: "active" | "disabled";
            /** @description Replaces the subscribed events entirely. */
            events?: components["schemas"]["EventNames"];
        };
        /**
         * @description An id that a new record gets if it is free.
         * @example 301
         */
        RecordId: number;
        /**
         * Format: moment
         * @description A moment. With an offset, or in the store's time zone without one; a day alone is its first second.
         * @example 2026-10-21T09:12:00
         */
        RecordDate: string;
        /**
         * Format: amount
         * @description An amount in the store's currency, with at most that currency's number of decimals.
         * @example 99.9
         */
        RecordAmount: number;
        /**
         * @description An order of the store, or its new state: sending an order again updates it. Coupon and rates are fixed when it is first recorded.
         *     An order whose number is known, but whose date is more than a day apart, is one of another shop and refused.
         */
        OrderRecord: {
            /**
             * @description The store's own number of the order. Larger ones are assigned by the service.
             * @example 58412
             */
            order_id: components["schemas"]["Id"];
            /**
             * @description The coupon that the customer used.
             * @example 301
             */
            coupon_id?: components["schemas"]["RecordId"];
            /**
             * @description The code that the customer used. Not read with `coupon_id`.
             * @example TRAIL10
             */
            coupon_code?: string;
            /**
             * @description When the order was placed.
             * @example 2026-10-21T09:12:00
             */
            date: components["schemas"]["RecordDate"];
            /** @example processing */
            status: components["schemas"]["OrderStatus"];
            /**
             * @description Value of the goods before discount, without tax and shipping.
             * @example 99.9
             */
            total: components["schemas"]["RecordAmount"];
            /**
             * @description What the customer saved.
             * @default 0
             * @example 9.99
             */
            discount?: components["schemas"]["RecordAmount"];
            /**
             * @description What shipping costs.
             * @default 0
             * @example 4.9
             */
            shipping?: components["schemas"]["RecordAmount"];
            /**
             * @description The tax.
             * @default 0
             * @example 19
             */
            tax?: components["schemas"]["RecordAmount"];
            /**
             * @description The number of products.
             * @default 1
             * @example 1
             */
            quantity?: number;
            /**
             * @description Refunded value of the goods, net of discount.
             * @default 0
             * @example 0
             */
            refunded_amount?: components["schemas"]["RecordAmount"];
            /**
             * @description The campaign. That of the referral link by default.
             * @example autumn
             */
            campaign?: string;
            /**
             * Format: visitor
             * @description The shop's random id of the visitor.
             * @example 3b0e7f52c1
             */
            visitor?: string;
            /**
             * @description The shop's id of the subscription that the order is a payment of. Later payments are credited as the first was.
             * @example sub_4821
             */
            subscription?: string;
            /**
             * @description The email of the customer. Compared with that of the affiliate, and never stored.
             * @example kim@example.com
             */
            customer_email?: string;
        };
        /**
         * @description What became of a record. `created`, `updated`: written. `unchanged`: it was there before, the same. `ignored`: it does not concern the program.
         *     `refused`: it is not valid, and nothing was written.
         * @example created
         * @enum {string}
         */
        RecordOutcome: "created" | "updated" | "unchanged" | "ignored" | "refused";
        /** @description The outcome of one order. Outcomes have the order of the orders. */
        StoreOrderOutcome: {
            outcome: components["schemas"]["RecordOutcome"];
            /**
             * @description The store's own number of the order. Null when nothing is stored.
             * @example 58412
             */
            id: components["schemas"]["Id"] | null;
            /**
             * @description Why it was refused or ignored. Null otherwise.
             * @example null
             */
            reason: string | null;
            /**
             * @description The coupon that is credited. Null when nothing is stored.
             * @example 301
             */
            coupon_id: components["schemas"]["Id"] | null;
            /**
             * @description What the affiliate earns with it. Null when nothing is stored.
             * @example 8.99
             */
            commission: components["schemas"]["Money"] | null;
        };
        /** @description A visit through a referral link. It names its coupon by `coupon_id` or `coupon_code`. */
        ClickRecord: {
            /**
             * @description The coupon of the link.
             * @example 301
             */
            coupon_id?: components["schemas"]["RecordId"];
            /**
             * @description The code of the link. Not read with `coupon_id`.
             * @example TRAIL10
             */
            coupon_code?: string;
            /**
             * @description When the visit began.
             * @example 2026-10-05T14:20:00
             */
            date: components["schemas"]["RecordDate"];
            /**
             * Format: visitor
             * @description The shop's random id of the visitor.
             * @example 3b0e7f52c1
             */
            visitor: string;
            /**
             * @description The campaign of the link.
             * @example autumn
             */
            campaign?: string;
            /**
             * @description The page that the link is on.
             * @example https://trailnotes.example/boots
             */
            referrer?: string;
            /**
             * @description The page of the shop that the link leads to.
             * @example /boots
             */
            landing_page?: string;
        };
        /** @description The outcome of one record. Outcomes have the order of the records. */
        StoreOutcome: {
            outcome: components["schemas"]["RecordOutcome"];
            /**
             * @description The id of the record here: of the application, the user or the coupon. Null for a click, and when nothing is stored.
             * @example 42
             */
            id: components["schemas"]["Id"] | null;
            /**
             * @description Why it was refused or ignored. Null otherwise.
             * @example null
             */
            reason: string | null;
        };
        /**
         * Format: login
         * @description The login of a user.
         * @example trailnotes
         */
        RecordLogin: string;
        /**
         * Format: email-address
         * @description Where mail reaches the user.
         * @example hello@trailnotes.example
         */
        RecordEmail: string;
        /**
         * @description An application to the program, to be decided by `POST /registrations/{id}/status`. The same email with the same date, or without a date with
         *     the same code, is the same application.
         */
        RegistrationRecord: {
            /** @example 8 */
            id?: components["schemas"]["RecordId"];
            /**
             * @description The login that the applicant asks for.
             * @example trailnotes
             */
            login: components["schemas"]["RecordLogin"];
            /**
             * @description Where mail reaches the applicant.
             * @example hello@trailnotes.example
             */
            email: components["schemas"]["RecordEmail"];
            /**
             * Format: single-line
             * @description The name that is shown.
             * @example Trail Notes
             */
            display_name: string;
            /**
             * Format: single-line
             * @description The code that the applicant asks for.
             * @example TRAIL10
             */
            coupon_code?: string;
            /**
             * @description How the applicant would promote the shop.
             * @example Gear reviews and a monthly newsletter
             */
            promote?: string;
            /**
             * @description How the applicant heard of the program.
             * @example Summit Weekly
             */
            referrer?: string;
            /**
             * Format: website
             * @description Where the applicant publishes.
             * @example https://trailnotes.example
             */
            website?: string;
            /**
             * Format: single-line
             * @description The kind of application.
             * @default affiliate
             * @example affiliate
             */
            type?: string;
            custom_fields?: components["schemas"]["CustomFields"];
            /**
             * @description When it was sent. Now by default.
             * @example 2026-03-01T18:20:00
             */
            date?: components["schemas"]["RecordDate"];
        };
        /**
         * @description A user of the store, found by login. Neither login nor email may be the login or email of another user.
         *     An existing login with another email is refused if that user has a password or joined online, unless the record has the `id` of that user.
         *     Fields that are left out keep their value. A user with the role `affiliate` or with a coupon is an affiliate.
         */
        AffiliateRecord: {
            /** @example 42 */
            id?: components["schemas"]["RecordId"];
            /** @example trailnotes */
            login: components["schemas"]["RecordLogin"];
            email: components["schemas"]["RecordEmail"];
            /**
             * Format: single-line
             * @description The name that is shown.
             * @example Trail Notes
             */
            display_name: string;
            /**
             * @description The role. New users are customers by default.
             * @example affiliate
             * @enum {string}
             */
            role?: "affiliate" | "customer";
            /**
             * @description When the account was made. Now by default.
             * @example 2026-03-02T09:15:00
             */
            date_registered?: components["schemas"]["RecordDate"];
            /** @description What the affiliate says about itself. */
            profile?: {
                /**
                 * @description The telephone number.
                 * @example
                 */
                phone?: string;
                /**
                 * Format: website
                 * @description Where the affiliate publishes.
                 * @example https://trailnotes.example
                 */
                website?: string;
                /**
                 * @description How the shop is promoted.
                 * @example Gear reviews and a monthly newsletter
                 */
                promote?: string;
                /**
                 * @description How the affiliate heard of the program.
                 * @example Summit Weekly
                 */
                referrer?: string;
            };
            /**
             * @description The groups of the store that the affiliate belongs to.
             * @example [
             *       "bloggers"
             *     ]
             */
            groups?: string[];
            custom_fields?: components["schemas"]["CustomFields"];
            /**
             * @description The login of the affiliate who recruited this one.
             * @example summitweekly
             */
            parent?: components["schemas"]["RecordLogin"];
        };
        /**
         * @description A coupon of the store, found by `id`, or by its code where that is unambiguous. Fields that are left out keep their value, and a new coupon has
         *     the store's rates. New rates apply to later orders.
         */
        CouponRecord: {
            /** @example 301 */
            id?: components["schemas"]["RecordId"];
            /**
             * Format: single-line
             * @description What a customer types.
             * @example TRAIL10
             */
            code: string;
            /**
             * @description The login of the affiliate.
             * @example trailnotes
             */
            user?: components["schemas"]["RecordLogin"];
            /** @example publish */
            status?: components["schemas"]["CouponStatus"];
            /**
             * @description When it was made. Now by default.
             * @example 2026-03-02T09:15:00
             */
            date_created?: components["schemas"]["RecordDate"];
            /**
             * Format: percent
             * @description The coupon's own percentage of the goods after discount. Null for the store's.
             * @example 10
             */
            percent?: number | null;
            /**
             * Format: amount
             * @description A fixed amount for each order. Null for the store's.
             * @example 0
             */
            fixed_per_order?: number | null;
            /**
             * Format: amount
             * @description A fixed amount for each product. Null for the store's.
             * @example 0
             */
            fixed_per_product?: number | null;
            /**
             * @description What the discount is taken from. A new coupon has percent.
             * @example percent
             * @enum {string}
             */
            discount_type?: "percent" | "fixed_cart" | "fixed_product";
            /**
             * @description Percent, or money, by `discount_type`.
             * @example 10
             */
            discount_amount?: number;
        };
        /** @description How an affiliate is paid. It replaces what was saved before. The destination is stored encrypted and never returned. */
        PayoutDetailsRecord: {
            /**
             * @description The login of the affiliate.
             * @example trailnotes
             */
            user: components["schemas"]["RecordLogin"];
            /**
             * Format: single-line
             * @description What people read.
             * @example PayPal
             */
            method: string;
            method_type: components["schemas"]["MethodType"];
            /**
             * @description The destination, by the fields of the method: `banktransfer` has `holder`, `iban`, `town` and `country` (ISO 3166), optionally `bic`, `street` and `postcode`; `paypal` has `email`; `wisebank` has `holder` and one of `email` and `recipient_id`, optionally `currency`. The others are free. An empty object removes the destination.
             * @example {
             *       "email": "hello@trailnotes.example"
             *     }
             */
            details: {
                [key: string]: unknown;
            };
        };
        /**
         * @description Names the connection. It is part of the address that the shop sends to.
         * @example 3f0c9a51d27e4b8896c1f0a45e7d2b63
         */
        StoreConnectionId: string;
        /** @description What the shop sent about an order, without its payload. */
        StoreNotification: {
            /** @example 93 */
            id: components["schemas"]["Id"];
            /** @example 2026-10-22T10:05:00 */
            date: components["schemas"]["LocalDateTime"];
            /**
             * @description What it is about. Empty when the shop did not say.
             * @example order.updated
             */
            topic: string;
            /**
             * @description The number of the order. Null when it names none.
             * @example 58213
             */
            order_id: number | null;
            /**
             * @description What became of the order.
             * @example updated
             * @enum {string}
             */
            outcome: "created" | "updated" | "unchanged" | "ignored" | "refused";
            /**
             * @description Why it was ignored or refused. Null otherwise.
             * @example null
             */
            reason: string | null;
        };
        /** @description The secret that the shop signs with. */
        StoreSecretChange: {
            /**
             * @description As the shop shows it. Left out: a new one is made, where the shop signs with one of yours.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c
             */
            secret?: string;
        };
        /**
         * @description The platform of the shop.
         * @example woocommerce
         * @enum {string}
         */
        StorePlatform: "woocommerce" | "shopify" | "stripe" | "paddle";
        /** @description A connection to the shop that sends its orders. This is the only answer that holds a secret that was made for it. */
        StoreConnectionSecured: {
            id: components["schemas"]["StoreConnectionId"];
            platform: components["schemas"]["StorePlatform"];
            /**
             * @description A label for people. Empty when none.
             * @example Fjell
             */
            name: string;
            /**
             * @description `without_secret`: everything is refused until the secret of the shop is set. `disconnected`: everything is refused.
             * @example active
             * @enum {string}
             */
            status: "active" | "without_secret" | "disconnected";
            /**
             * @description Where the shop sends to. Without its host while the setting `service.url` is empty.
             * @example https://affiliates.fjell.example/connect/3f0c9a51d27e4b8896c1f0a45e7d2b63
             */
            url: string;
            /** @example 2026-01-15T12:10:00 */
            date_created: components["schemas"]["LocalDateTime"];
            /**
             * @description The shop whose orders `affiliate store pull` reads. Null when none is set.
             * @example https://fjell.example
             */
            api_url: string | null;
            /**
             * @description When the last pull was complete. Null before the first.
             * @example 2026-10-22T03:00:00
             */
            last_pull: components["schemas"]["LocalDateTime"] | null;
            /** @description What to do in the shop. */
            steps: string[];
            /**
             * @description What to enter as the secret in the shop. Keep it now; it cannot be shown again. Null where none was made: you gave it, or the shop has its own.
             * @example J4fE0cYw7vXo2mJrQ1nL8tUaZ5sKd9bHgWi3PpRqVeE
             */
            secret: string | null;
        };
        /** @description The shop is disconnected. */
        StoreDisconnected: {
            /**
             * @description Always true.
             * @example true
             * @constant
             */
            disconnected: true;
        };
        /** @description A connection to the shop that sends its orders, without its secrets. */
        StoreConnection: {
            id: components["schemas"]["StoreConnectionId"];
            platform: components["schemas"]["StorePlatform"];
            /**
             * @description A label for people. Empty when none.
             * @example Fjell
             */
            name: string;
            /**
             * @description `without_secret`: everything is refused until the secret of the shop is set. `disconnected`: everything is refused.
             * @example active
             * @enum {string}
             */
            status: "active" | "without_secret" | "disconnected";
            /**
             * @description Where the shop sends to. Without its host while the setting `service.url` is empty.
             * @example https://affiliates.fjell.example/connect/3f0c9a51d27e4b8896c1f0a45e7d2b63
             */
            url: string;
            /** @example 2026-01-15T12:10:00 */
            date_created: components["schemas"]["LocalDateTime"];
            /**
             * @description The shop whose orders `affiliate store pull` reads. Null when none is set.
             * @example https://fjell.example
             */
            api_url: string | null;
            /**
             * @description When the last pull was complete. Null before the first.
             * @example 2026-10-22T03:00:00
             */
            last_pull: components["schemas"]["LocalDateTime"] | null;
            /** @description What to do in the shop. */
            steps: string[];
        };
        /** @description A shop to connect. */
        StoreConnectionRequest: {
            platform: components["schemas"]["StorePlatform"];
            /**
             * @description A label for people.
             * @default
             * @example Fjell
             */
            name?: string;
            /**
             * @description What the shop signs with, where you have it already.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c
             */
            secret?: string;
        };
        /**
         * @description `open` until an admin decides. `expired`: nothing new happened for 180 days. What happens again after that, or 90 days after it was dismissed,
         *     opens another signal.
         * @example open
         * @enum {string}
         */
        RiskStatus: "open" | "confirmed" | "dismissed" | "expired";
        /**
         * @description What the signal is about:
         *
         *     - `self_referral`: the customer's email is the affiliate's
         *     - `refund_rate`: much more of the sales is refunded or cancelled than of other affiliates
         *     - `refund_after_payout`: orders were refunded or cancelled soon after their commission was paid
         *     - `debt`: the unpaid commission over all coupons is below zero while money is requested
         *     - `details_changed`: the payment details or the email address were replaced shortly before money was requested, or after it
         *     - `shared_destination`: another affiliate has the same payment destination; of high severity for the one who saved it later, else low
         *     - `related_accounts`: another affiliate has the same email without its tag, the same website or the same invoice file
         *     - `code_without_click`: many more orders than before, most of them by a typed code without a click: a leaked code
         *     - `fast_conversion`: orders seconds after their click
         *     - `click_spike`: far more clicks in a day than before, and no order
         *     - `visitor_many_coupons`: orders of one visitor are credited to several coupons
         *     - `high_commission`: the commission of an order is a large part of what was paid for its goods
         * @example details_changed
         * @enum {string}
         */
        RiskKind: "self_referral" | "refund_rate" | "refund_after_payout" | "debt" | "details_changed" | "shared_destination" | "related_accounts" | "code_without_click" | "fast_conversion" | "click_spike" | "visitor_many_coupons" | "high_commission";
        /**
         * @description How much money may be at stake. It follows from the kind, except for `shared_destination`.
         * @example high
         * @enum {string}
         */
        RiskSeverity: "low" | "medium" | "high";
        /** @description One occurrence of what the signal is about. */
        RiskEvidence: {
            /**
             * @description What happened.
             * @example The payment details were replaced 5 hours before the request.
             */
            text: string;
            /**
             * @description The order. Null when it is about none.
             * @example null
             */
            order_id: components["schemas"]["Id"] | null;
            /**
             * @description The payment. Null when it is about none.
             * @example 502
             */
            payout_id: components["schemas"]["Id"] | null;
            /**
             * @description When it happened.
             * @example 2026-11-02T03:10:00
             */
            date: components["schemas"]["LocalDateTime"];
        };
        /** @description Something about an affiliate that should be looked at. */
        RiskSignal: {
            /** @example 1 */
            id: components["schemas"]["Id"];
            kind: components["schemas"]["RiskKind"];
            severity: components["schemas"]["RiskSeverity"];
            /**
             * @description The affiliate.
             * @example 42
             */
            user_id: components["schemas"]["Id"];
            /**
             * @description The coupon of the newest occurrence. Null when it is about none.
             * @example null
             */
            coupon_id: components["schemas"]["Id"] | null;
            status: components["schemas"]["RiskStatus"];
            /**
             * @description When it was opened.
             * @example 2026-11-02T08:05:00
             */
            date_opened: components["schemas"]["LocalDateTime"];
            /**
             * @description When a new occurrence was last found.
             * @example 2026-11-02T08:05:00
             */
            date_last_seen: components["schemas"]["LocalDateTime"];
            /**
             * @description How many occurrences were found.
             * @example 1
             */
            count: number;
            /**
             * @description What was found, with its figures.
             * @example Payment details were replaced within 72 hours before a request of money, or after it: 1 time.
             */
            text: string;
            /** @description The newest occurrences, newest first. */
            evidence: components["schemas"]["RiskEvidence"][];
            /**
             * @description What the admin who decided noted. Empty without a decision.
             * @example
             */
            note: string;
            /**
             * @description The user who decided. Null without a decision.
             * @example null
             */
            decided_by: components["schemas"]["Id"] | null;
            /**
             * @description When it was decided. Null without a decision.
             * @example null
             */
            date_decided: components["schemas"]["LocalDateTime"] | null;
        };
        /** @description A decision about a signal. */
        RiskDecision: {
            /**
             * @description The status to move to.
             * @example dismissed
             * @enum {string}
             */
            status: "dismissed" | "confirmed" | "open";
            /**
             * Format: single-line
             * @description Why. Only admins see it.
             * @default
             * @example She called before she changed her bank.
             */
            note?: string;
        };
        /** @description A setting of the program. */
        Setting: {
            /**
             * @description Its name.
             * @example commission.percent
             */
            path: string;
            /**
             * @description The value in effect.
             * @example 12
             */
            value: unknown;
            /**
             * @description The value after a reset.
             * @example 10
             */
            default: unknown;
            /**
             * @description What it does.
             * @example Percent of the goods after discount, unless the coupon has its own rate.
             */
            description: string;
            /**
             * @description What the value is in JSON.
             * @example number
             * @enum {string}
             */
            type: "boolean" | "integer" | "number" | "string" | "array" | "object";
            /**
             * @description The allowed values. Null when they are not a few words.
             * @example null
             */
            choices: string[] | null;
            /**
             * @description The allowed values in words that complete "It must be …".
             * @example a number from 0 to 100
             */
            allowed: string;
            /**
             * @description The smallest number, also of each entry of a list. Null when there is none.
             * @example 0
             */
            minimum: number | null;
            /**
             * @description The largest number, also of each entry of a list. Null when there is none.
             * @example 100
             */
            maximum: number | null;
            /**
             * @description The most characters of a text. Null when there is no such limit.
             * @example null
             */
            max_length: number | null;
            /**
             * @description A regular expression (ECMA-262, with the flag `u`). A text that does not match is refused, also as an entry of a list; one that does can still be refused. Null when there is none.
             * @example null
             */
            pattern: string | null;
            /**
             * @description Why it cannot change now. Null when it can.
             * @example null
             */
            locked: string | null;
        };
        /**
         * @description New values, by the paths of the settings. `null` resets one to its default.
         * @example {
         *       "store.name": "Fjell Outdoor",
         *       "store.completed_when": null
         *     }
         */
        SettingsChange: {
            [key: string]: unknown;
        };
        /** @description An OpenAPI 3.1 document. */
        OpenApiDocument: {
            /**
             * @description The version of OpenAPI.
             * @example 3.1.0
             * @constant
             */
            openapi: "3.1.0";
            /** @description The API's title, version and description. */
            info: {
                /**
                 * @description The name of the API.
                 * @example Affiliate Program API
                 */
                title: string;
                version: components["schemas"]["ApiVersion"];
                /**
                 * @description How to use it.
                 * @example A JSON REST API over the affiliate program of an online store.
                 */
                description: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * @description Every operation that is served here.
             * @example {
             *       "/me": {
             *         "get": {
             *           "operationId": "get_me"
             *         }
             *       }
             *     }
             */
            paths: {
                [key: string]: {
                    [key: string]: unknown;
                };
            };
        } & {
            [key: string]: unknown;
        };
        /**
         * @description A moment in UTC, as RFC 3339 writes it. Used in webhook deliveries only.
         * @example 2026-10-22T08:05:00Z
         */
        UtcDateTime: string;
        /**
         * @description The store's address, to tell several stores apart.
         * @example https://fjell.example
         */
        Site: string;
        /** @description A referred order. */
        ReferralData: {
            /** @example 58213 */
            order_id: components["schemas"]["Id"];
            /** @example 301 */
            coupon_id: components["schemas"]["Id"];
            coupon: components["schemas"]["CouponCode"];
            /**
             * @description The affiliate.
             * @example 42
             */
            user_id: components["schemas"]["Id"];
            /**
             * @description What the affiliate earns with it.
             * @example 16.18
             */
            commission: components["schemas"]["Money"];
        };
        /** @description A change of an affiliate's commission. */
        CommissionData: {
            /** @example 301 */
            coupon_id: components["schemas"]["Id"];
            coupon: components["schemas"]["CouponCode"];
            /**
             * @description The affiliate.
             * @example 42
             */
            user_id: components["schemas"]["Id"];
            /**
             * @description The difference, always above zero; the event's name says which way.
             * @example 16.18
             */
            amount: components["schemas"]["Money"];
            /**
             * @description Why.
             * @example Order 58213 was cleared.
             */
            note: string;
            /**
             * @description The order behind it. Null when there is none.
             * @example 58213
             */
            order_id: components["schemas"]["Id"] | null;
        };
        /** @description An application at the time of the event. */
        RegistrationData: {
            /** @example 7 */
            registration_id: components["schemas"]["Id"];
            /**
             * @description The applicant's user. 0 while there is none.
             * @example 42
             */
            user_id: number;
            /**
             * @description The code that was asked for. Empty when none.
             * @example TRAIL10
             */
            coupon_code: string;
            status: components["schemas"]["RegistrationStatus"];
            /**
             * @description The kind of application.
             * @example affiliate
             */
            type: string;
            /**
             * @description When it was sent.
             * @example 2026-03-01T18:20:00
             */
            date: components["schemas"]["LocalDateTime"];
        };
        /** @description A user who became an affiliate. */
        AffiliateCreatedData: {
            /** @example 42 */
            user_id: components["schemas"]["Id"];
            /**
             * @description The first coupon.
             * @example 301
             */
            coupon_id: components["schemas"]["Id"];
            coupon: components["schemas"]["CouponCode"];
            /**
             * @description All coupons of the affiliate.
             * @example [
             *       301
             *     ]
             */
            coupon_ids: components["schemas"]["Id"][];
        };
        /** @description Says that payout details changed, and nothing about what they are. */
        PayoutDetailsData: {
            /** @example 42 */
            user_id: components["schemas"]["Id"];
            method_type: components["schemas"]["MethodType"];
            /**
             * @description True when destination details are stored.
             * @example true
             */
            has_details: boolean;
        };
        /** @description A payout at the time of the event. Never its destination. */
        PayoutData: {
            /** @example 501 */
            payout_id: components["schemas"]["Id"];
            /**
             * @description The affiliate.
             * @example 42
             */
            user_id: components["schemas"]["Id"];
            /** @example 301 */
            coupon_id: components["schemas"]["Id"];
            /**
             * @description The amount of the payout.
             * @example 32.38
             */
            amount: components["schemas"]["Money"];
            /**
             * @description The label of the payout method at that time. Empty when there was none.
             * @example PayPal
             */
            method: string;
            method_type: components["schemas"]["PayoutMethodType"];
            status: components["schemas"]["PayoutStatus"];
            /**
             * @description When the payout was requested.
             * @example 2026-10-20T16:40:12
             */
            date: components["schemas"]["LocalDateTime"];
            /**
             * @description When it was settled. Null unless it is paid.
             * @example 2026-10-22T10:05:00
             */
            date_paid: components["schemas"]["LocalDateTime"] | null;
        };
        /** @description A signal at the time of the event. */
        RiskSignalData: {
            /** @example 1 */
            signal_id: components["schemas"]["Id"];
            kind: components["schemas"]["RiskKind"];
            severity: components["schemas"]["RiskSeverity"];
            /**
             * @description The affiliate.
             * @example 42
             */
            user_id: components["schemas"]["Id"];
            /**
             * @description The coupon of the newest occurrence. Null when it is about none.
             * @example null
             */
            coupon_id: components["schemas"]["Id"] | null;
            status: components["schemas"]["RiskStatus"];
            /**
             * @description How many occurrences were found.
             * @example 1
             */
            count: number;
        };
        /** @description The content of a test delivery. */
        PingData: {
            /**
             * @description A greeting.
             * @example This is a test delivery.
             */
            message: string;
        };
    };
    responses: {
        /** @description You are not identified. No credentials, or ones that are unknown, revoked, expired or sent over plain HTTP. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description You are identified but not permitted. Wrong role, missing scope, missing CSRF header, or a key used outside `/api/`. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such record, or it belongs to another user, or this endpoint is switched off. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Rate limited, throttled, or locked out after repeated failures to sign in. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RetryError"];
            };
        };
        /** @description The service failed. Nothing was changed. */
        ServerError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service has more to do than it can handle, or its database cannot be used at the moment. Try again after the time given. */
        Overloaded: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OverloadError"];
            };
        };
        /** @description The feature behind this endpoint is absent on this install. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A parameter is invalid, or the action is not possible now. */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than 1 MiB or has more than 10,000 JSON values or 64 levels, or it is a form of more than 64 KiB or 1,000 fields. */
        BodyTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is neither JSON nor a form. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Another request is under way, or the record changed in the meantime. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The `Idempotency-Key` was used with another body. */
        IdempotencyMismatch: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The delivery did not reach the receiver. `data.failure` says why. */
        DeliveryFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Any 2xx within 8 seconds counts as received. The body is ignored. */
        Delivered: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
    };
    parameters: {
        /**
         * @description Only those that contain this text, ignoring case.
         * @example trail
         */
        Search: string;
        /**
         * @description `published`: those with at least one published coupon. `any`: all affiliates, also those without a coupon.
         * @example any
         */
        AffiliateCoupons: "published" | "any";
        /**
         * @description `active`: those who can sign in. `disabled`: those who cannot.
         * @example disabled
         */
        AffiliateStatusFilter: components["schemas"]["AccountStatus"];
        /**
         * @description What to order by. By `id`, ascending, when not given.
         * @example unpaid_commission
         */
        AffiliateOrderby: "id" | "display_name" | "unpaid_commission" | "date_registered";
        /**
         * @description The direction, ascending when not given.
         * @example asc
         */
        OrderAscending: "asc" | "desc";
        /**
         * @description The page, from 1. One past the end is empty.
         * @example 1
         */
        Page: number;
        /**
         * @description Items on a page.
         * @example 20
         */
        PerPage: number;
        /**
         * @description The affiliate, which is its user id.
         * @example 42
         */
        AffiliateId: components["schemas"]["Id"];
        /**
         * @description Only clicks of this campaign.
         * @example autumn
         */
        Campaign: string;
        /**
         * @description The first day, in the store's time zone. Without `to`, the range ends today, so that a day in the future gives an empty range. After `to` it is refused.
         * @example 2026-10-01
         */
        From: components["schemas"]["Day"];
        /**
         * @description The last day, included. Alone it means everything up to it.
         * @example 2026-10-31
         */
        To: components["schemas"]["Day"];
        /**
         * @description Adds a series in steps of this length. Weeks start on Monday; the first and last step are cut to the range.
         * @example month
         */
        Interval: components["schemas"]["Interval"];
        /**
         * @description Only those of this user. 0 for those without an affiliate.
         * @example 42
         */
        CouponUserId: components["schemas"]["UserIdOrNone"];
        /**
         * @description Only coupons with this status. The published ones when not given.
         * @example publish
         */
        CouponStatusFilter: "publish" | "draft" | "private";
        /**
         * @description What to order by. Newest first when not given.
         * @example unpaid_commission
         */
        CouponOrderby: "id" | "code" | "unpaid_commission" | "date_created";
        /**
         * @description The direction, descending when not given.
         * @example desc
         */
        OrderDescending: "asc" | "desc";
        /**
         * @description The coupon.
         * @example 301
         */
        CouponId: components["schemas"]["Id"];
        /**
         * @description Rebuild the stored figures from the order history and save them, at most once a minute. Needs the write scope. Ignored with a range.
         * @example true
         */
        RefreshCoupon: boolean;
        /**
         * @description Only orders with this status.
         * @example completed
         */
        OrderStatusFilter: components["schemas"]["OrderStatus"];
        /**
         * @description Only orders whose commission has this status.
         * @example granted
         */
        CommissionStatusFilter: components["schemas"]["CommissionStatus"];
        /**
         * @description The store's own number of the order.
         * @example 58213
         */
        OrderId: components["schemas"]["Id"];
        /**
         * @description Only the order with this number or external id, and the orders of the coupons with this code, ignoring case. All must match as a whole.
         * @example TRAIL10
         */
        OrderSearch: string;
        /**
         * @description Only those of this coupon.
         * @example 301
         */
        FilterCouponId: components["schemas"]["Id"];
        /**
         * @description Only those of coupons that are assigned to this user now. For admins; ignored for everybody else, whatever its value.
         * @example 42
         */
        OrderUserId: components["schemas"]["Id"];
        /**
         * @description Only those of this user. For admins; ignored for everybody else, whatever its value.
         * @example 42
         */
        AdjustmentUserId: components["schemas"]["Id"];
        /**
         * @description A value of your choice. The same key and body within 24 hours replay the first answer that created or found a record; with another body
         *     the answer is 422 `svc_api_idempotency_mismatch`. While the first request is under way, the answer is 409 `svc_api_in_progress`. A refused
         *     request does not use up its key.
         * @example 5f0c2f3e-2c5b-4c39-8a83-9f6f6c1f7f0a
         */
        IdempotencyKey: string;
        /**
         * @description Only those of this user. For admins; ignored for everybody else, whatever its value.
         * @example 42
         */
        PayoutUserId: components["schemas"]["Id"];
        /**
         * @description Only payouts with this status.
         * @example paid
         */
        PayoutStatusFilter: components["schemas"]["PayoutStatus"];
        /**
         * @description What to order by. Newest first when not given.
         * @example date
         */
        PayoutOrderby: "id" | "date" | "date_paid" | "amount";
        /**
         * @description The payout.
         * @example 501
         */
        PayoutId: components["schemas"]["Id"];
        /**
         * @description The batch.
         * @example 1
         */
        PayoutBatchId: components["schemas"]["Id"];
        /**
         * @description Only applications with this status.
         * @example pending
         */
        RegistrationStatusFilter: components["schemas"]["RegistrationStatus"];
        /**
         * @description Only those of this user.
         * @example 42
         */
        FilterUserId: components["schemas"]["Id"];
        /**
         * @description The application.
         * @example 7
         */
        RegistrationId: components["schemas"]["Id"];
        /**
         * @description The cursor: only events after this one, oldest first. 0 for all. `page` is ignored with it.
         * @example 1003
         */
        After: number;
        /**
         * @description Only events of this kind, or of several separated by commas.
         * @example [
         *       "referral"
         *     ]
         */
        EventKinds: components["schemas"]["EventKind"][];
        /**
         * @description Only what this user did. 0 for the system.
         * @example 1
         */
        EventActor: number;
        /**
         * @description Only events after this one. 0 for all. Without it, and without `Last-Event-ID`: new events.
         * @example 1003
         */
        Cursor: number;
        /**
         * @description The `id` of the last event that you received, which browsers send by themselves when they reconnect. It wins over `cursor`.
         * @example 1003
         */
        LastEventId: number;
        /**
         * @description How many of the best affiliates to list.
         * @example 10
         */
        Top: number;
        /**
         * @description Recalculate the figures instead of using cached ones.
         * @example true
         */
        RefreshReport: boolean;
        /**
         * @description Only keys with this status.
         * @example active
         */
        KeyStatusFilter: "active" | "revoked" | "expired";
        /**
         * @description The API key.
         * @example 12
         */
        KeyId: components["schemas"]["Id"];
        /**
         * @description The webhook.
         * @example 5
         */
        WebhookId: components["schemas"]["Id"];
        /**
         * @description The delivery, as `id` in its record.
         * @example dlv_88
         */
        WebhookDeliveryId: string;
        /**
         * @description The connection.
         * @example 3f0c9a51d27e4b8896c1f0a45e7d2b63
         */
        StoreConnectionId: components["schemas"]["StoreConnectionId"];
        /**
         * @description Only those of orders without commission, because no click of their visitor is known and they name no coupon of an affiliate.
         * @example true
         */
        UnknownVisitor: boolean;
        /**
         * @description Only signals with this status.
         * @example open
         */
        RiskStatusFilter: components["schemas"]["RiskStatus"];
        /**
         * @description Only signals of this kind.
         * @example details_changed
         */
        RiskKindFilter: components["schemas"]["RiskKind"];
        /**
         * @description Only signals of this severity.
         * @example high
         */
        RiskSeverityFilter: components["schemas"]["RiskSeverity"];
        /**
         * @description The signal.
         * @example 1
         */
        RiskSignalId: components["schemas"]["Id"];
        /**
         * @description The event, as in the body.
         * @example commission.added
         */
        DeliveryEvent: string;
        /**
         * @description The delivery, as `id` in the body.
         * @example dlv_88
         */
        DeliveryNumber: string;
        /**
         * @description `t=<unix time>,v1=<hex>`. HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole text of the secret, `whsec_` included.
         * @example t=1792656300,v1=964a20da2c8d8cdda0d6f03905e0de2bdfd0dd73a9346696d688efa0f00c7d85
         */
        DeliverySignature: string;
        /**
         * @description The delivery, as Standard Webhooks names it.
         * @example dlv_88
         */
        StandardWebhookId: string;
        /**
         * @description Unix time of this attempt.
         * @example 1792656300
         */
        StandardWebhookTimestamp: string;
        /**
         * @description `v1,<base64>`. HMAC-SHA256 of `<id>.<timestamp>.<raw body>`, keyed with the bytes after `whsec_`. The public Standard Webhooks libraries verify it.
         * @example v1,9iPYm5c3U/T+VoJ9GC5vUspstKptNR+itOsogcFkClc=
         */
        StandardWebhookSignature: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Names this request in the service's log. Quote it when you report a problem.
         * @example 7b1f6a52-0c3e-4c55-9a0e-2f4d8c1b6e37
         */
        "X-Request-Id": string;
        /**
         * @description What is left in the current window (`r`), and the seconds until the next one starts (`t`).
         * @example "auth";r=87;t=23
         */
        RateLimit: string;
        /**
         * @description The limit that applies to you, as requests (`q`) in a window of seconds (`w`).
         * @example "auth";q=120;w=60
         */
        "RateLimit-Policy": string;
        /**
         * @description The query parameters that the operation does not have, separated by commas: they were ignored. Sent only in the environments `local` and
         *     `development`, so that a typing error is seen.
         * @example per_pages
         */
        "X-Svc-Ignored": string;
        /**
         * @description The schemes that are accepted here.
         * @example Bearer realm="affiliate-api", Basic realm="affiliate-api", charset="UTF-8"
         */
        "WWW-Authenticate": string;
        /**
         * @description Seconds to wait before the next try, as in `data.retry_after`.
         * @example 60
         */
        "Retry-After": number;
        /**
         * @description How many items match, on all pages together.
         * @example 1
         */
        "X-Svc-Total": number;
        /**
         * @description How many pages there are at the current `per_page`.
         * @example 1
         */
        "X-Svc-TotalPages": number;
        /**
         * @description Always `1`. An open request existed already and is returned; nothing was created.
         * @example 1
         */
        "X-Svc-Existing": 1;
        /**
         * @description The cursor for the next poll. The highest id returned, or when there are none the given `after`, or without one the newest event of the feed (0 while it is empty).
         * @example 1004
         */
        "X-Svc-Last-Event": number;
        /**
         * @description The id of the newest event of the feed, 0 while it is empty. Lower than your `after` where an older backup was restored: continue after this one,
         *     because later ids are given again, and read again what you keep a copy of.
         * @example 1004
         */
        "X-Svc-Feed-End": number;
        /**
         * @description The version of this answer. Send it back in `If-None-Match` to get it again only when it has changed.
         * @example "1f9c2a7b04d35e68-br"
         */
        ETag: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    get_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_me_payout_details: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your payout details. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnPayoutDetails"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            501: components["responses"]["Unavailable"];
            503: components["responses"]["Overloaded"];
        };
    };
    put_me_payout_details: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutDetailsChange"];
            };
        };
        responses: {
            /** @description Your payout details after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnPayoutDetails"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            501: components["responses"]["Unavailable"];
            503: components["responses"]["Overloaded"];
        };
    };
    patch_me_profile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileChange"];
                "application/x-www-form-urlencoded": components["schemas"]["ProfileChange"];
            };
        };
        responses: {
            /** @description Your profile after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnProfile"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_affiliates: {
        parameters: {
            query?: {
                /**
                 * @description Only those that contain this text, ignoring case.
                 * @example trail
                 */
                search?: components["parameters"]["Search"];
                /**
                 * @description `published`: those with at least one published coupon. `any`: all affiliates, also those without a coupon.
                 * @example any
                 */
                coupons?: components["parameters"]["AffiliateCoupons"];
                /**
                 * @description `active`: those who can sign in. `disabled`: those who cannot.
                 * @example disabled
                 */
                status?: components["parameters"]["AffiliateStatusFilter"];
                /**
                 * @description What to order by. By `id`, ascending, when not given.
                 * @example unpaid_commission
                 */
                orderby?: components["parameters"]["AffiliateOrderby"];
                /**
                 * @description The direction, ascending when not given.
                 * @example asc
                 */
                order?: components["parameters"]["OrderAscending"];
                /**
                 * @description The page, from 1. One past the end is empty.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description Items on a page.
                 * @example 20
                 */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of affiliates. */
            200: {
                headers: {
                    "X-Svc-Total": components["headers"]["X-Svc-Total"];
                    "X-Svc-TotalPages": components["headers"]["X-Svc-TotalPages"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Affiliate"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_affiliates_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The affiliate, which is its user id.
                 * @example 42
                 */
                id: components["parameters"]["AffiliateId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The affiliate. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AffiliateDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            501: components["responses"]["Unavailable"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_affiliates_id_clicks: {
        parameters: {
            query?: {
                /**
                 * @description Only clicks of this campaign.
                 * @example autumn
                 */
                campaign?: components["parameters"]["Campaign"];
                /**
                 * @description The first day, in the store's time zone. Without `to`, the range ends today, so that a day in the future gives an empty range. After `to` it is refused.
                 * @example 2026-10-01
                 */
                from?: components["parameters"]["From"];
                /**
                 * @description The last day, included. Alone it means everything up to it.
                 * @example 2026-10-31
                 */
                to?: components["parameters"]["To"];
                /**
                 * @description Adds a series in steps of this length. Weeks start on Monday; the first and last step are cut to the range.
                 * @example month
                 */
                interval?: components["parameters"]["Interval"];
            };
            header?: never;
            path: {
                /**
                 * @description The affiliate, which is its user id.
                 * @example 42
                 */
                id: components["parameters"]["AffiliateId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clicks. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AffiliateClicks"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            501: components["responses"]["Unavailable"];
            503: components["responses"]["Overloaded"];
        };
    };
    post_affiliates_id_invitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The affiliate, which is its user id.
                 * @example 42
                 */
                id: components["parameters"]["AffiliateId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The mail is queued. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_affiliates_id_stats: {
        parameters: {
            query?: {
                /**
                 * @description The first day, in the store's time zone. Without `to`, the range ends today, so that a day in the future gives an empty range. After `to` it is refused.
                 * @example 2026-10-01
                 */
                from?: components["parameters"]["From"];
                /**
                 * @description The last day, included. Alone it means everything up to it.
                 * @example 2026-10-31
                 */
                to?: components["parameters"]["To"];
                /**
                 * @description Adds a series in steps of this length. Weeks start on Monday; the first and last step are cut to the range.
                 * @example month
                 */
                interval?: components["parameters"]["Interval"];
            };
            header?: never;
            path: {
                /**
                 * @description The affiliate, which is its user id.
                 * @example 42
                 */
                id: components["parameters"]["AffiliateId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The totals. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AffiliateStats"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    post_affiliates_id_status: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The affiliate, which is its user id.
                 * @example 42
                 */
                id: components["parameters"]["AffiliateId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AffiliateStatusChange"];
                "application/x-www-form-urlencoded": components["schemas"]["AffiliateStatusChange"];
            };
        };
        responses: {
            /** @description The affiliate after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AffiliateDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            501: components["responses"]["Unavailable"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_coupons: {
        parameters: {
            query?: {
                /**
                 * @description Only those of this user. 0 for those without an affiliate.
                 * @example 42
                 */
                user_id?: components["parameters"]["CouponUserId"];
                /**
                 * @description Only those that contain this text, ignoring case.
                 * @example trail
                 */
                search?: components["parameters"]["Search"];
                /**
                 * @description Only coupons with this status. The published ones when not given.
                 * @example publish
                 */
                status?: components["parameters"]["CouponStatusFilter"];
                /**
                 * @description What to order by. Newest first when not given.
                 * @example unpaid_commission
                 */
                orderby?: components["parameters"]["CouponOrderby"];
                /**
                 * @description The direction, descending when not given.
                 * @example desc
                 */
                order?: components["parameters"]["OrderDescending"];
                /**
                 * @description The page, from 1. One past the end is empty.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description Items on a page.
                 * @example 20
                 */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of coupons. */
            200: {
                headers: {
                    "X-Svc-Total": components["headers"]["X-Svc-Total"];
                    "X-Svc-TotalPages": components["headers"]["X-Svc-TotalPages"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Coupon"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_coupons_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The coupon.
                 * @example 301
                 */
                id: components["parameters"]["CouponId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The coupon. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CouponDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            501: components["responses"]["Unavailable"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_coupons_id_stats: {
        parameters: {
            query?: {
                /**
                 * @description The first day, in the store's time zone. Without `to`, the range ends today, so that a day in the future gives an empty range. After `to` it is refused.
                 * @example 2026-10-01
                 */
                from?: components["parameters"]["From"];
                /**
                 * @description The last day, included. Alone it means everything up to it.
                 * @example 2026-10-31
                 */
                to?: components["parameters"]["To"];
                /**
                 * @description Rebuild the stored figures from the order history and save them, at most once a minute. Needs the write scope. Ignored with a range.
                 * @example true
                 */
                refresh?: components["parameters"]["RefreshCoupon"];
                /**
                 * @description Adds a series in steps of this length. Weeks start on Monday; the first and last step are cut to the range.
                 * @example month
                 */
                interval?: components["parameters"]["Interval"];
            };
            header?: never;
            path: {
                /**
                 * @description The coupon.
                 * @example 301
                 */
                id: components["parameters"]["CouponId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The totals. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CouponStats"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_coupons_id_orders: {
        parameters: {
            query?: {
                /**
                 * @description The first day, in the store's time zone. Without `to`, the range ends today, so that a day in the future gives an empty range. After `to` it is refused.
                 * @example 2026-10-01
                 */
                from?: components["parameters"]["From"];
                /**
                 * @description The last day, included. Alone it means everything up to it.
                 * @example 2026-10-31
                 */
                to?: components["parameters"]["To"];
                /**
                 * @description Only orders with this status.
                 * @example completed
                 */
                status?: components["parameters"]["OrderStatusFilter"];
                /**
                 * @description Only orders whose commission has this status.
                 * @example granted
                 */
                commission_status?: components["parameters"]["CommissionStatusFilter"];
                /**
                 * @description The page, from 1. One past the end is empty.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description Items on a page.
                 * @example 20
                 */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: never;
            path: {
                /**
                 * @description The coupon.
                 * @example 301
                 */
                id: components["parameters"]["CouponId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of orders. */
            200: {
                headers: {
                    "X-Svc-Total": components["headers"]["X-Svc-Total"];
                    "X-Svc-TotalPages": components["headers"]["X-Svc-TotalPages"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_coupons_id_orders_order_id_explanation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The coupon.
                 * @example 301
                 */
                id: components["parameters"]["CouponId"];
                /**
                 * @description The store's own number of the order.
                 * @example 58213
                 */
                order_id: components["parameters"]["OrderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The explanation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommissionExplanation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_orders: {
        parameters: {
            query?: {
                /**
                 * @description Only the order with this number or external id, and the orders of the coupons with this code, ignoring case. All must match as a whole.
                 * @example TRAIL10
                 */
                search?: components["parameters"]["OrderSearch"];
                /**
                 * @description Only those of this coupon.
                 * @example 301
                 */
                coupon_id?: components["parameters"]["FilterCouponId"];
                /**
                 * @description Only those of coupons that are assigned to this user now. For admins; ignored for everybody else, whatever its value.
                 * @example 42
                 */
                user_id?: components["parameters"]["OrderUserId"];
                /**
                 * @description Only orders with this status.
                 * @example completed
                 */
                status?: components["parameters"]["OrderStatusFilter"];
                /**
                 * @description Only orders whose commission has this status.
                 * @example granted
                 */
                commission_status?: components["parameters"]["CommissionStatusFilter"];
                /**
                 * @description The first day, in the store's time zone. Without `to`, the range ends today, so that a day in the future gives an empty range. After `to` it is refused.
                 * @example 2026-10-01
                 */
                from?: components["parameters"]["From"];
                /**
                 * @description The last day, included. Alone it means everything up to it.
                 * @example 2026-10-31
                 */
                to?: components["parameters"]["To"];
                /**
                 * @description The page, from 1. One past the end is empty.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description Items on a page.
                 * @example 20
                 */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of orders. */
            200: {
                headers: {
                    "X-Svc-Total": components["headers"]["X-Svc-Total"];
                    "X-Svc-TotalPages": components["headers"]["X-Svc-TotalPages"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProgramOrder"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_adjustments: {
        parameters: {
            query?: {
                /**
                 * @description Only those of this user. For admins; ignored for everybody else, whatever its value.
                 * @example 42
                 */
                user_id?: components["parameters"]["AdjustmentUserId"];
                /**
                 * @description Only those of this coupon.
                 * @example 301
                 */
                coupon_id?: components["parameters"]["FilterCouponId"];
                /**
                 * @description The page, from 1. One past the end is empty.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description Items on a page.
                 * @example 20
                 */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of adjustments. */
            200: {
                headers: {
                    "X-Svc-Total": components["headers"]["X-Svc-Total"];
                    "X-Svc-TotalPages": components["headers"]["X-Svc-TotalPages"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Adjustment"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            501: components["responses"]["Unavailable"];
            503: components["responses"]["Overloaded"];
        };
    };
    post_adjustments: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your choice. The same key and body within 24 hours replay the first answer that created or found a record; with another body
                 *     the answer is 422 `svc_api_idempotency_mismatch`. While the first request is under way, the answer is 409 `svc_api_in_progress`. A refused
                 *     request does not use up its key.
                 * @example 5f0c2f3e-2c5b-4c39-8a83-9f6f6c1f7f0a
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdjustmentRequest"];
                "application/x-www-form-urlencoded": components["schemas"]["AdjustmentRequest"];
            };
        };
        responses: {
            /** @description The amount was moved. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Adjustment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            501: components["responses"]["Unavailable"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_payouts: {
        parameters: {
            query?: {
                /**
                 * @description Only those of this user. For admins; ignored for everybody else, whatever its value.
                 * @example 42
                 */
                user_id?: components["parameters"]["PayoutUserId"];
                /**
                 * @description Only those of this coupon.
                 * @example 301
                 */
                coupon_id?: components["parameters"]["FilterCouponId"];
                /**
                 * @description Only payouts with this status.
                 * @example paid
                 */
                status?: components["parameters"]["PayoutStatusFilter"];
                /**
                 * @description The first day, in the store's time zone. Without `to`, the range ends today, so that a day in the future gives an empty range. After `to` it is refused.
                 * @example 2026-10-01
                 */
                from?: components["parameters"]["From"];
                /**
                 * @description The last day, included. Alone it means everything up to it.
                 * @example 2026-10-31
                 */
                to?: components["parameters"]["To"];
                /**
                 * @description What to order by. Newest first when not given.
                 * @example date
                 */
                orderby?: components["parameters"]["PayoutOrderby"];
                /**
                 * @description The direction, descending when not given.
                 * @example desc
                 */
                order?: components["parameters"]["OrderDescending"];
                /**
                 * @description The page, from 1. One past the end is empty.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description Items on a page.
                 * @example 20
                 */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of payouts. */
            200: {
                headers: {
                    "X-Svc-Total": components["headers"]["X-Svc-Total"];
                    "X-Svc-TotalPages": components["headers"]["X-Svc-TotalPages"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payout"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            501: components["responses"]["Unavailable"];
            503: components["responses"]["Overloaded"];
        };
    };
    post_payouts: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A value of your choice. The same key and body within 24 hours replay the first answer that created or found a record; with another body
                 *     the answer is 422 `svc_api_idempotency_mismatch`. While the first request is under way, the answer is 409 `svc_api_in_progress`. A refused
                 *     request does not use up its key.
                 * @example 5f0c2f3e-2c5b-4c39-8a83-9f6f6c1f7f0a
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutRequest"];
                "application/x-www-form-urlencoded": components["schemas"]["PayoutRequest"];
            };
        };
        responses: {
            /** @description An open request existed already. Nothing was created. */
            200: {
                headers: {
                    "X-Svc-Existing": components["headers"]["X-Svc-Existing"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payout"];
                };
            };
            /** @description The payout was requested. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutCreated"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            501: components["responses"]["Unavailable"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_payouts_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The payout.
                 * @example 501
                 */
                id: components["parameters"]["PayoutId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payout. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payout"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            501: components["responses"]["Unavailable"];
            503: components["responses"]["Overloaded"];
        };
    };
    post_payouts_id_status: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The payout.
                 * @example 501
                 */
                id: components["parameters"]["PayoutId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutStatusChange"];
                "application/x-www-form-urlencoded": components["schemas"]["PayoutStatusChange"];
            };
        };
        responses: {
            /** @description The payout after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payout"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            501: components["responses"]["Unavailable"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_payouts_id_history: {
        parameters: {
            query?: {
                /**
                 * @description The page, from 1. One past the end is empty.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description Items on a page.
                 * @example 20
                 */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: never;
            path: {
                /**
                 * @description The payout.
                 * @example 501
                 */
                id: components["parameters"]["PayoutId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes. */
            200: {
                headers: {
                    "X-Svc-Total": components["headers"]["X-Svc-Total"];
                    "X-Svc-TotalPages": components["headers"]["X-Svc-TotalPages"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutChange"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            501: components["responses"]["Unavailable"];
            503: components["responses"]["Overloaded"];
        };
    };
    post_payout_runs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutRunRequest"];
                "application/x-www-form-urlencoded": components["schemas"]["PayoutRunRequest"];
            };
        };
        responses: {
            /** @description The outcome for each coupon. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutRun"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            501: components["responses"]["Unavailable"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_payout_batches: {
        parameters: {
            query?: {
                /**
                 * @description The page, from 1. One past the end is empty.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description Items on a page.
                 * @example 20
                 */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of batches. */
            200: {
                headers: {
                    "X-Svc-Total": components["headers"]["X-Svc-Total"];
                    "X-Svc-TotalPages": components["headers"]["X-Svc-TotalPages"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutBatch"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            501: components["responses"]["Unavailable"];
            503: components["responses"]["Overloaded"];
        };
    };
    post_payout_batches: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutBatchRequest"];
                "application/x-www-form-urlencoded": components["schemas"]["PayoutBatchRequest"];
            };
        };
        responses: {
            /** @description The batch was created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutBatchCreated"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            501: components["responses"]["Unavailable"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_payout_batches_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The batch.
                 * @example 1
                 */
                id: components["parameters"]["PayoutBatchId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The batch. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutBatchDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            501: components["responses"]["Unavailable"];
            503: components["responses"]["Overloaded"];
        };
    };
    post_payout_batches_id_status: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The batch.
                 * @example 1
                 */
                id: components["parameters"]["PayoutBatchId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutBatchStatusChange"];
                "application/x-www-form-urlencoded": components["schemas"]["PayoutBatchStatusChange"];
            };
        };
        responses: {
            /** @description The batch after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutBatchDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            501: components["responses"]["Unavailable"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_registrations: {
        parameters: {
            query?: {
                /**
                 * @description Only applications with this status.
                 * @example pending
                 */
                status?: components["parameters"]["RegistrationStatusFilter"];
                /**
                 * @description Only those of this user.
                 * @example 42
                 */
                user_id?: components["parameters"]["FilterUserId"];
                /**
                 * @description Only those that contain this text, ignoring case.
                 * @example trail
                 */
                search?: components["parameters"]["Search"];
                /**
                 * @description The page, from 1. One past the end is empty.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description Items on a page.
                 * @example 20
                 */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of applications. */
            200: {
                headers: {
                    "X-Svc-Total": components["headers"]["X-Svc-Total"];
                    "X-Svc-TotalPages": components["headers"]["X-Svc-TotalPages"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Registration"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            501: components["responses"]["Unavailable"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_registrations_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The application.
                 * @example 7
                 */
                id: components["parameters"]["RegistrationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The application. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Registration"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            501: components["responses"]["Unavailable"];
            503: components["responses"]["Overloaded"];
        };
    };
    post_registrations_id_preview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The application.
                 * @example 7
                 */
                id: components["parameters"]["RegistrationId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegistrationPreview"];
                "application/x-www-form-urlencoded": components["schemas"]["RegistrationPreview"];
            };
        };
        responses: {
            /** @description The mail as it would be sent. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegistrationMail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            501: components["responses"]["Unavailable"];
            503: components["responses"]["Overloaded"];
        };
    };
    post_registrations_id_status: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The application.
                 * @example 7
                 */
                id: components["parameters"]["RegistrationId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegistrationDecision"];
                "application/x-www-form-urlencoded": components["schemas"]["RegistrationDecision"];
            };
        };
        responses: {
            /** @description The application after the decision. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Registration"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            501: components["responses"]["Unavailable"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_clicks_stats: {
        parameters: {
            query?: {
                /**
                 * @description Only those of this coupon.
                 * @example 301
                 */
                coupon_id?: components["parameters"]["FilterCouponId"];
                /**
                 * @description Only clicks of this campaign.
                 * @example autumn
                 */
                campaign?: components["parameters"]["Campaign"];
                /**
                 * @description The first day, in the store's time zone. Without `to`, the range ends today, so that a day in the future gives an empty range. After `to` it is refused.
                 * @example 2026-10-01
                 */
                from?: components["parameters"]["From"];
                /**
                 * @description The last day, included. Alone it means everything up to it.
                 * @example 2026-10-31
                 */
                to?: components["parameters"]["To"];
                /**
                 * @description Adds a series in steps of this length. Weeks start on Monday; the first and last step are cut to the range.
                 * @example month
                 */
                interval?: components["parameters"]["Interval"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clicks. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClickStats"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            501: components["responses"]["Unavailable"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_events: {
        parameters: {
            query?: {
                /**
                 * @description The cursor: only events after this one, oldest first. 0 for all. `page` is ignored with it.
                 * @example 1003
                 */
                after?: components["parameters"]["After"];
                /**
                 * @description Only events of this kind, or of several separated by commas.
                 * @example [
                 *       "referral"
                 *     ]
                 */
                event?: components["parameters"]["EventKinds"];
                /**
                 * @description Only what this user did. 0 for the system.
                 * @example 1
                 */
                user_id?: components["parameters"]["EventActor"];
                /**
                 * @description The page, from 1. One past the end is empty.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description Items on a page.
                 * @example 20
                 */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    "X-Svc-Total": components["headers"]["X-Svc-Total"];
                    "X-Svc-TotalPages": components["headers"]["X-Svc-TotalPages"];
                    "X-Svc-Last-Event": components["headers"]["X-Svc-Last-Event"];
                    "X-Svc-Feed-End": components["headers"]["X-Svc-Feed-End"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            501: components["responses"]["Unavailable"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_events_stream: {
        parameters: {
            query?: {
                /**
                 * @description Only events after this one. 0 for all. Without it, and without `Last-Event-ID`: new events.
                 * @example 1003
                 */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Only events of this kind, or of several separated by commas.
                 * @example [
                 *       "referral"
                 *     ]
                 */
                event?: components["parameters"]["EventKinds"];
                /**
                 * @description Only what this user did. 0 for the system.
                 * @example 1
                 */
                user_id?: components["parameters"]["EventActor"];
            };
            header?: {
                /**
                 * @description The `id` of the last event that you received, which browsers send by themselves when they reconnect. It wins over `cursor`.
                 * @example 1003
                 */
                "Last-Event-ID"?: components["parameters"]["LastEventId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, as long as the connection is open. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            501: components["responses"]["Unavailable"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_reports_summary: {
        parameters: {
            query?: {
                /**
                 * @description The first day, in the store's time zone. Without `to`, the range ends today, so that a day in the future gives an empty range. After `to` it is refused.
                 * @example 2026-10-01
                 */
                from?: components["parameters"]["From"];
                /**
                 * @description The last day, included. Alone it means everything up to it.
                 * @example 2026-10-31
                 */
                to?: components["parameters"]["To"];
                /**
                 * @description Adds a series in steps of this length. Weeks start on Monday; the first and last step are cut to the range.
                 * @example month
                 */
                interval?: components["parameters"]["Interval"];
                /**
                 * @description How many of the best affiliates to list.
                 * @example 10
                 */
                top?: components["parameters"]["Top"];
                /**
                 * @description Recalculate the figures instead of using cached ones.
                 * @example true
                 */
                refresh?: components["parameters"]["RefreshReport"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportSummary"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            501: components["responses"]["Unavailable"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_keys: {
        parameters: {
            query?: {
                /**
                 * @description Only those of this user.
                 * @example 42
                 */
                user_id?: components["parameters"]["FilterUserId"];
                /**
                 * @description Only keys with this status.
                 * @example active
                 */
                status?: components["parameters"]["KeyStatusFilter"];
                /**
                 * @description The page, from 1. One past the end is empty.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description Items on a page.
                 * @example 20
                 */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys. */
            200: {
                headers: {
                    "X-Svc-Total": components["headers"]["X-Svc-Total"];
                    "X-Svc-TotalPages": components["headers"]["X-Svc-TotalPages"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    post_keys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["KeyRequest"];
                "application/x-www-form-urlencoded": components["schemas"]["KeyRequest"];
            };
        };
        responses: {
            /** @description The key was created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyCreated"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    delete_keys_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The API key.
                 * @example 12
                 */
                id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key no longer works. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyRevoked"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_webhooks: {
        parameters: {
            query?: {
                /**
                 * @description The page, from 1. One past the end is empty.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description Items on a page.
                 * @example 20
                 */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of webhooks. */
            200: {
                headers: {
                    "X-Svc-Total": components["headers"]["X-Svc-Total"];
                    "X-Svc-TotalPages": components["headers"]["X-Svc-TotalPages"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    post_webhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookRequest"];
                "application/x-www-form-urlencoded": components["schemas"]["WebhookRequest"];
            };
        };
        responses: {
            /** @description The webhook was created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookCreated"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_webhooks_events: {
        parameters: {
            query?: {
                /**
                 * @description The page, from 1. One past the end is empty.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description Items on a page.
                 * @example 20
                 */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the catalog. */
            200: {
                headers: {
                    "X-Svc-Total": components["headers"]["X-Svc-Total"];
                    "X-Svc-TotalPages": components["headers"]["X-Svc-TotalPages"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEvent"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_webhooks_id_deliveries: {
        parameters: {
            query?: {
                /**
                 * @description The page, from 1. One past the end is empty.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description Items on a page.
                 * @example 20
                 */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: never;
            path: {
                /**
                 * @description The webhook.
                 * @example 5
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    "X-Svc-Total": components["headers"]["X-Svc-Total"];
                    "X-Svc-TotalPages": components["headers"]["X-Svc-TotalPages"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    post_webhooks_id_deliveries_delivery_replay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook.
                 * @example 5
                 */
                id: components["parameters"]["WebhookId"];
                /**
                 * @description The delivery, as `id` in its record.
                 * @example dlv_88
                 */
                delivery: components["parameters"]["WebhookDeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery waits to be sent. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryReplayed"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    post_webhooks_id_test: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook.
                 * @example 5
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The receiver answered. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTested"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            502: components["responses"]["DeliveryFailed"];
            503: components["responses"]["Overloaded"];
        };
    };
    delete_webhooks_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook.
                 * @example 5
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook is gone. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeleted"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    patch_webhooks_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook.
                 * @example 5
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookChange"];
                "application/x-www-form-urlencoded": components["schemas"]["WebhookChange"];
            };
        };
        responses: {
            /** @description The webhook after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    post_store_orders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderRecord"][];
            };
        };
        responses: {
            /** @description An outcome for each record. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreOrderOutcome"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    post_store_clicks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClickRecord"][];
            };
        };
        responses: {
            /** @description An outcome for each record. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreOutcome"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    post_store_registrations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegistrationRecord"][];
            };
        };
        responses: {
            /** @description An outcome for each record. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreOutcome"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    post_store_affiliates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AffiliateRecord"][];
            };
        };
        responses: {
            /** @description An outcome for each record. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreOutcome"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    post_store_coupons: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CouponRecord"][];
            };
        };
        responses: {
            /** @description An outcome for each record. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreOutcome"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    post_store_payout_details: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutDetailsRecord"][];
            };
        };
        responses: {
            /** @description An outcome for each record. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreOutcome"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_store_connections_id_deliveries: {
        parameters: {
            query?: {
                /**
                 * @description Only those of orders without commission, because no click of their visitor is known and they name no coupon of an affiliate.
                 * @example true
                 */
                unknown_visitor?: components["parameters"]["UnknownVisitor"];
                /**
                 * @description The page, from 1. One past the end is empty.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description Items on a page.
                 * @example 20
                 */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: never;
            path: {
                /**
                 * @description The connection.
                 * @example 3f0c9a51d27e4b8896c1f0a45e7d2b63
                 */
                id: components["parameters"]["StoreConnectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    "X-Svc-Total": components["headers"]["X-Svc-Total"];
                    "X-Svc-TotalPages": components["headers"]["X-Svc-TotalPages"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreNotification"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    put_store_connections_id_secret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The connection.
                 * @example 3f0c9a51d27e4b8896c1f0a45e7d2b63
                 */
                id: components["parameters"]["StoreConnectionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StoreSecretChange"];
                "application/x-www-form-urlencoded": components["schemas"]["StoreSecretChange"];
            };
        };
        responses: {
            /** @description The connection with its new secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreConnectionSecured"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    delete_store_connections_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The connection.
                 * @example 3f0c9a51d27e4b8896c1f0a45e7d2b63
                 */
                id: components["parameters"]["StoreConnectionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The shop was disconnected. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreDisconnected"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_store_connections: {
        parameters: {
            query?: {
                /**
                 * @description The page, from 1. One past the end is empty.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description Items on a page.
                 * @example 20
                 */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of connections. */
            200: {
                headers: {
                    "X-Svc-Total": components["headers"]["X-Svc-Total"];
                    "X-Svc-TotalPages": components["headers"]["X-Svc-TotalPages"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreConnection"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    post_store_connections: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StoreConnectionRequest"];
                "application/x-www-form-urlencoded": components["schemas"]["StoreConnectionRequest"];
            };
        };
        responses: {
            /** @description The shop was connected. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreConnectionSecured"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_risk_signals: {
        parameters: {
            query?: {
                /**
                 * @description Only signals with this status.
                 * @example open
                 */
                status?: components["parameters"]["RiskStatusFilter"];
                /**
                 * @description Only signals of this kind.
                 * @example details_changed
                 */
                kind?: components["parameters"]["RiskKindFilter"];
                /**
                 * @description Only signals of this severity.
                 * @example high
                 */
                severity?: components["parameters"]["RiskSeverityFilter"];
                /**
                 * @description Only those of this user.
                 * @example 42
                 */
                user_id?: components["parameters"]["FilterUserId"];
                /**
                 * @description The page, from 1. One past the end is empty.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description Items on a page.
                 * @example 20
                 */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of signals. */
            200: {
                headers: {
                    "X-Svc-Total": components["headers"]["X-Svc-Total"];
                    "X-Svc-TotalPages": components["headers"]["X-Svc-TotalPages"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RiskSignal"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            501: components["responses"]["Unavailable"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_risk_signals_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The signal.
                 * @example 1
                 */
                id: components["parameters"]["RiskSignalId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The signal. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RiskSignal"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            501: components["responses"]["Unavailable"];
            503: components["responses"]["Overloaded"];
        };
    };
    post_risk_signals_id_status: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The signal.
                 * @example 1
                 */
                id: components["parameters"]["RiskSignalId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RiskDecision"];
                "application/x-www-form-urlencoded": components["schemas"]["RiskDecision"];
            };
        };
        responses: {
            /** @description The signal after the decision. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RiskSignal"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            501: components["responses"]["Unavailable"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_settings: {
        parameters: {
            query?: {
                /**
                 * @description The page, from 1. One past the end is empty.
                 * @example 1
                 */
                page?: components["parameters"]["Page"];
                /**
                 * @description Items on a page.
                 * @example 20
                 */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the settings. */
            200: {
                headers: {
                    "X-Svc-Total": components["headers"]["X-Svc-Total"];
                    "X-Svc-TotalPages": components["headers"]["X-Svc-TotalPages"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Setting"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    patch_settings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettingsChange"];
            };
        };
        responses: {
            /** @description The settings that were sent, after the change. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Setting"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    get_openapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenApiDocument"];
                };
            };
            /** @description Unchanged since the version named in `If-None-Match`. Has no body. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Svc-Ignored": components["headers"]["X-Svc-Ignored"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Overloaded"];
        };
    };
    webhook_referral_created: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event, as in the body.
                 * @example commission.added
                 */
                "X-Svc-Event": components["parameters"]["DeliveryEvent"];
                /**
                 * @description The delivery, as `id` in the body.
                 * @example dlv_88
                 */
                "X-Svc-Delivery": components["parameters"]["DeliveryNumber"];
                /**
                 * @description `t=<unix time>,v1=<hex>`. HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole text of the secret, `whsec_` included.
                 * @example t=1792656300,v1=964a20da2c8d8cdda0d6f03905e0de2bdfd0dd73a9346696d688efa0f00c7d85
                 */
                "X-Svc-Signature": components["parameters"]["DeliverySignature"];
                /**
                 * @description The delivery, as Standard Webhooks names it.
                 * @example dlv_88
                 */
                "webhook-id": components["parameters"]["StandardWebhookId"];
                /**
                 * @description Unix time of this attempt.
                 * @example 1792656300
                 */
                "webhook-timestamp": components["parameters"]["StandardWebhookTimestamp"];
                /**
                 * @description `v1,<base64>`. HMAC-SHA256 of `<id>.<timestamp>.<raw body>`, keyed with the bytes after `whsec_`. The public Standard Webhooks libraries verify it.
                 * @example v1,9iPYm5c3U/T+VoJ9GC5vUspstKptNR+itOsogcFkClc=
                 */
                "webhook-signature": components["parameters"]["StandardWebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: components["schemas"]["DeliveryId"];
                    /**
                     * @description The event.
                     * @example referral.created
                     * @constant
                     */
                    event: "referral.created";
                    created: components["schemas"]["UtcDateTime"];
                    site: components["schemas"]["Site"];
                    data: components["schemas"]["ReferralData"];
                };
            };
        };
        responses: {
            "2XX": components["responses"]["Delivered"];
        };
    };
    webhook_commission_added: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event, as in the body.
                 * @example commission.added
                 */
                "X-Svc-Event": components["parameters"]["DeliveryEvent"];
                /**
                 * @description The delivery, as `id` in the body.
                 * @example dlv_88
                 */
                "X-Svc-Delivery": components["parameters"]["DeliveryNumber"];
                /**
                 * @description `t=<unix time>,v1=<hex>`. HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole text of the secret, `whsec_` included.
                 * @example t=1792656300,v1=964a20da2c8d8cdda0d6f03905e0de2bdfd0dd73a9346696d688efa0f00c7d85
                 */
                "X-Svc-Signature": components["parameters"]["DeliverySignature"];
                /**
                 * @description The delivery, as Standard Webhooks names it.
                 * @example dlv_88
                 */
                "webhook-id": components["parameters"]["StandardWebhookId"];
                /**
                 * @description Unix time of this attempt.
                 * @example 1792656300
                 */
                "webhook-timestamp": components["parameters"]["StandardWebhookTimestamp"];
                /**
                 * @description `v1,<base64>`. HMAC-SHA256 of `<id>.<timestamp>.<raw body>`, keyed with the bytes after `whsec_`. The public Standard Webhooks libraries verify it.
                 * @example v1,9iPYm5c3U/T+VoJ9GC5vUspstKptNR+itOsogcFkClc=
                 */
                "webhook-signature": components["parameters"]["StandardWebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: components["schemas"]["DeliveryId"];
                    /**
                     * @description The event.
                     * @example commission.added
                     * @constant
                     */
                    event: "commission.added";
                    created: components["schemas"]["UtcDateTime"];
                    site: components["schemas"]["Site"];
                    data: components["schemas"]["CommissionData"];
                };
            };
        };
        responses: {
            "2XX": components["responses"]["Delivered"];
        };
    };
    webhook_commission_removed: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event, as in the body.
                 * @example commission.added
                 */
                "X-Svc-Event": components["parameters"]["DeliveryEvent"];
                /**
                 * @description The delivery, as `id` in the body.
                 * @example dlv_88
                 */
                "X-Svc-Delivery": components["parameters"]["DeliveryNumber"];
                /**
                 * @description `t=<unix time>,v1=<hex>`. HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole text of the secret, `whsec_` included.
                 * @example t=1792656300,v1=964a20da2c8d8cdda0d6f03905e0de2bdfd0dd73a9346696d688efa0f00c7d85
                 */
                "X-Svc-Signature": components["parameters"]["DeliverySignature"];
                /**
                 * @description The delivery, as Standard Webhooks names it.
                 * @example dlv_88
                 */
                "webhook-id": components["parameters"]["StandardWebhookId"];
                /**
                 * @description Unix time of this attempt.
                 * @example 1792656300
                 */
                "webhook-timestamp": components["parameters"]["StandardWebhookTimestamp"];
                /**
                 * @description `v1,<base64>`. HMAC-SHA256 of `<id>.<timestamp>.<raw body>`, keyed with the bytes after `whsec_`. The public Standard Webhooks libraries verify it.
                 * @example v1,9iPYm5c3U/T+VoJ9GC5vUspstKptNR+itOsogcFkClc=
                 */
                "webhook-signature": components["parameters"]["StandardWebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: components["schemas"]["DeliveryId"];
                    /**
                     * @description The event.
                     * @example commission.removed
                     * @constant
                     */
                    event: "commission.removed";
                    created: components["schemas"]["UtcDateTime"];
                    site: components["schemas"]["Site"];
                    data: components["schemas"]["CommissionData"];
                };
            };
        };
        responses: {
            "2XX": components["responses"]["Delivered"];
        };
    };
    webhook_commission_mla_added: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event, as in the body.
                 * @example commission.added
                 */
                "X-Svc-Event": components["parameters"]["DeliveryEvent"];
                /**
                 * @description The delivery, as `id` in the body.
                 * @example dlv_88
                 */
                "X-Svc-Delivery": components["parameters"]["DeliveryNumber"];
                /**
                 * @description `t=<unix time>,v1=<hex>`. HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole text of the secret, `whsec_` included.
                 * @example t=1792656300,v1=964a20da2c8d8cdda0d6f03905e0de2bdfd0dd73a9346696d688efa0f00c7d85
                 */
                "X-Svc-Signature": components["parameters"]["DeliverySignature"];
                /**
                 * @description The delivery, as Standard Webhooks names it.
                 * @example dlv_88
                 */
                "webhook-id": components["parameters"]["StandardWebhookId"];
                /**
                 * @description Unix time of this attempt.
                 * @example 1792656300
                 */
                "webhook-timestamp": components["parameters"]["StandardWebhookTimestamp"];
                /**
                 * @description `v1,<base64>`. HMAC-SHA256 of `<id>.<timestamp>.<raw body>`, keyed with the bytes after `whsec_`. The public Standard Webhooks libraries verify it.
                 * @example v1,9iPYm5c3U/T+VoJ9GC5vUspstKptNR+itOsogcFkClc=
                 */
                "webhook-signature": components["parameters"]["StandardWebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: components["schemas"]["DeliveryId"];
                    /**
                     * @description The event.
                     * @example commission.mla_added
                     * @constant
                     */
                    event: "commission.mla_added";
                    created: components["schemas"]["UtcDateTime"];
                    site: components["schemas"]["Site"];
                    data: components["schemas"]["CommissionData"];
                };
            };
        };
        responses: {
            "2XX": components["responses"]["Delivered"];
        };
    };
    webhook_commission_mla_removed: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event, as in the body.
                 * @example commission.added
                 */
                "X-Svc-Event": components["parameters"]["DeliveryEvent"];
                /**
                 * @description The delivery, as `id` in the body.
                 * @example dlv_88
                 */
                "X-Svc-Delivery": components["parameters"]["DeliveryNumber"];
                /**
                 * @description `t=<unix time>,v1=<hex>`. HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole text of the secret, `whsec_` included.
                 * @example t=1792656300,v1=964a20da2c8d8cdda0d6f03905e0de2bdfd0dd73a9346696d688efa0f00c7d85
                 */
                "X-Svc-Signature": components["parameters"]["DeliverySignature"];
                /**
                 * @description The delivery, as Standard Webhooks names it.
                 * @example dlv_88
                 */
                "webhook-id": components["parameters"]["StandardWebhookId"];
                /**
                 * @description Unix time of this attempt.
                 * @example 1792656300
                 */
                "webhook-timestamp": components["parameters"]["StandardWebhookTimestamp"];
                /**
                 * @description `v1,<base64>`. HMAC-SHA256 of `<id>.<timestamp>.<raw body>`, keyed with the bytes after `whsec_`. The public Standard Webhooks libraries verify it.
                 * @example v1,9iPYm5c3U/T+VoJ9GC5vUspstKptNR+itOsogcFkClc=
                 */
                "webhook-signature": components["parameters"]["StandardWebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: components["schemas"]["DeliveryId"];
                    /**
                     * @description The event.
                     * @example commission.mla_removed
                     * @constant
                     */
                    event: "commission.mla_removed";
                    created: components["schemas"]["UtcDateTime"];
                    site: components["schemas"]["Site"];
                    data: components["schemas"]["CommissionData"];
                };
            };
        };
        responses: {
            "2XX": components["responses"]["Delivered"];
        };
    };
    webhook_registration_created: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event, as in the body.
                 * @example commission.added
                 */
                "X-Svc-Event": components["parameters"]["DeliveryEvent"];
                /**
                 * @description The delivery, as `id` in the body.
                 * @example dlv_88
                 */
                "X-Svc-Delivery": components["parameters"]["DeliveryNumber"];
                /**
                 * @description `t=<unix time>,v1=<hex>`. HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole text of the secret, `whsec_` included.
                 * @example t=1792656300,v1=964a20da2c8d8cdda0d6f03905e0de2bdfd0dd73a9346696d688efa0f00c7d85
                 */
                "X-Svc-Signature": components["parameters"]["DeliverySignature"];
                /**
                 * @description The delivery, as Standard Webhooks names it.
                 * @example dlv_88
                 */
                "webhook-id": components["parameters"]["StandardWebhookId"];
                /**
                 * @description Unix time of this attempt.
                 * @example 1792656300
                 */
                "webhook-timestamp": components["parameters"]["StandardWebhookTimestamp"];
                /**
                 * @description `v1,<base64>`. HMAC-SHA256 of `<id>.<timestamp>.<raw body>`, keyed with the bytes after `whsec_`. The public Standard Webhooks libraries verify it.
                 * @example v1,9iPYm5c3U/T+VoJ9GC5vUspstKptNR+itOsogcFkClc=
                 */
                "webhook-signature": components["parameters"]["StandardWebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: components["schemas"]["DeliveryId"];
                    /**
                     * @description The event.
                     * @example registration.created
                     * @constant
                     */
                    event: "registration.created";
                    created: components["schemas"]["UtcDateTime"];
                    site: components["schemas"]["Site"];
                    data: components["schemas"]["RegistrationData"];
                };
            };
        };
        responses: {
            "2XX": components["responses"]["Delivered"];
        };
    };
    webhook_registration_accepted: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event, as in the body.
                 * @example commission.added
                 */
                "X-Svc-Event": components["parameters"]["DeliveryEvent"];
                /**
                 * @description The delivery, as `id` in the body.
                 * @example dlv_88
                 */
                "X-Svc-Delivery": components["parameters"]["DeliveryNumber"];
                /**
                 * @description `t=<unix time>,v1=<hex>`. HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole text of the secret, `whsec_` included.
                 * @example t=1792656300,v1=964a20da2c8d8cdda0d6f03905e0de2bdfd0dd73a9346696d688efa0f00c7d85
                 */
                "X-Svc-Signature": components["parameters"]["DeliverySignature"];
                /**
                 * @description The delivery, as Standard Webhooks names it.
                 * @example dlv_88
                 */
                "webhook-id": components["parameters"]["StandardWebhookId"];
                /**
                 * @description Unix time of this attempt.
                 * @example 1792656300
                 */
                "webhook-timestamp": components["parameters"]["StandardWebhookTimestamp"];
                /**
                 * @description `v1,<base64>`. HMAC-SHA256 of `<id>.<timestamp>.<raw body>`, keyed with the bytes after `whsec_`. The public Standard Webhooks libraries verify it.
                 * @example v1,9iPYm5c3U/T+VoJ9GC5vUspstKptNR+itOsogcFkClc=
                 */
                "webhook-signature": components["parameters"]["StandardWebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: components["schemas"]["DeliveryId"];
                    /**
                     * @description The event.
                     * @example registration.accepted
                     * @constant
                     */
                    event: "registration.accepted";
                    created: components["schemas"]["UtcDateTime"];
                    site: components["schemas"]["Site"];
                    data: components["schemas"]["RegistrationData"];
                };
            };
        };
        responses: {
            "2XX": components["responses"]["Delivered"];
        };
    };
    webhook_registration_declined: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event, as in the body.
                 * @example commission.added
                 */
                "X-Svc-Event": components["parameters"]["DeliveryEvent"];
                /**
                 * @description The delivery, as `id` in the body.
                 * @example dlv_88
                 */
                "X-Svc-Delivery": components["parameters"]["DeliveryNumber"];
                /**
                 * @description `t=<unix time>,v1=<hex>`. HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole text of the secret, `whsec_` included.
                 * @example t=1792656300,v1=964a20da2c8d8cdda0d6f03905e0de2bdfd0dd73a9346696d688efa0f00c7d85
                 */
                "X-Svc-Signature": components["parameters"]["DeliverySignature"];
                /**
                 * @description The delivery, as Standard Webhooks names it.
                 * @example dlv_88
                 */
                "webhook-id": components["parameters"]["StandardWebhookId"];
                /**
                 * @description Unix time of this attempt.
                 * @example 1792656300
                 */
                "webhook-timestamp": components["parameters"]["StandardWebhookTimestamp"];
                /**
                 * @description `v1,<base64>`. HMAC-SHA256 of `<id>.<timestamp>.<raw body>`, keyed with the bytes after `whsec_`. The public Standard Webhooks libraries verify it.
                 * @example v1,9iPYm5c3U/T+VoJ9GC5vUspstKptNR+itOsogcFkClc=
                 */
                "webhook-signature": components["parameters"]["StandardWebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: components["schemas"]["DeliveryId"];
                    /**
                     * @description The event.
                     * @example registration.declined
                     * @constant
                     */
                    event: "registration.declined";
                    created: components["schemas"]["UtcDateTime"];
                    site: components["schemas"]["Site"];
                    data: components["schemas"]["RegistrationData"];
                };
            };
        };
        responses: {
            "2XX": components["responses"]["Delivered"];
        };
    };
    webhook_affiliate_created: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event, as in the body.
                 * @example commission.added
                 */
                "X-Svc-Event": components["parameters"]["DeliveryEvent"];
                /**
                 * @description The delivery, as `id` in the body.
                 * @example dlv_88
                 */
                "X-Svc-Delivery": components["parameters"]["DeliveryNumber"];
                /**
                 * @description `t=<unix time>,v1=<hex>`. HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole text of the secret, `whsec_` included.
                 * @example t=1792656300,v1=964a20da2c8d8cdda0d6f03905e0de2bdfd0dd73a9346696d688efa0f00c7d85
                 */
                "X-Svc-Signature": components["parameters"]["DeliverySignature"];
                /**
                 * @description The delivery, as Standard Webhooks names it.
                 * @example dlv_88
                 */
                "webhook-id": components["parameters"]["StandardWebhookId"];
                /**
                 * @description Unix time of this attempt.
                 * @example 1792656300
                 */
                "webhook-timestamp": components["parameters"]["StandardWebhookTimestamp"];
                /**
                 * @description `v1,<base64>`. HMAC-SHA256 of `<id>.<timestamp>.<raw body>`, keyed with the bytes after `whsec_`. The public Standard Webhooks libraries verify it.
                 * @example v1,9iPYm5c3U/T+VoJ9GC5vUspstKptNR+itOsogcFkClc=
                 */
                "webhook-signature": components["parameters"]["StandardWebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: components["schemas"]["DeliveryId"];
                    /**
                     * @description The event.
                     * @example affiliate.created
                     * @constant
                     */
                    event: "affiliate.created";
                    created: components["schemas"]["UtcDateTime"];
                    site: components["schemas"]["Site"];
                    data: components["schemas"]["AffiliateCreatedData"];
                };
            };
        };
        responses: {
            "2XX": components["responses"]["Delivered"];
        };
    };
    webhook_affiliate_payout_details_updated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event, as in the body.
                 * @example commission.added
                 */
                "X-Svc-Event": components["parameters"]["DeliveryEvent"];
                /**
                 * @description The delivery, as `id` in the body.
                 * @example dlv_88
                 */
                "X-Svc-Delivery": components["parameters"]["DeliveryNumber"];
                /**
                 * @description `t=<unix time>,v1=<hex>`. HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole text of the secret, `whsec_` included.
                 * @example t=1792656300,v1=964a20da2c8d8cdda0d6f03905e0de2bdfd0dd73a9346696d688efa0f00c7d85
                 */
                "X-Svc-Signature": components["parameters"]["DeliverySignature"];
                /**
                 * @description The delivery, as Standard Webhooks names it.
                 * @example dlv_88
                 */
                "webhook-id": components["parameters"]["StandardWebhookId"];
                /**
                 * @description Unix time of this attempt.
                 * @example 1792656300
                 */
                "webhook-timestamp": components["parameters"]["StandardWebhookTimestamp"];
                /**
                 * @description `v1,<base64>`. HMAC-SHA256 of `<id>.<timestamp>.<raw body>`, keyed with the bytes after `whsec_`. The public Standard Webhooks libraries verify it.
                 * @example v1,9iPYm5c3U/T+VoJ9GC5vUspstKptNR+itOsogcFkClc=
                 */
                "webhook-signature": components["parameters"]["StandardWebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: components["schemas"]["DeliveryId"];
                    /**
                     * @description The event.
                     * @example affiliate.payout_details_updated
                     * @constant
                     */
                    event: "affiliate.payout_details_updated";
                    created: components["schemas"]["UtcDateTime"];
                    site: components["schemas"]["Site"];
                    data: components["schemas"]["PayoutDetailsData"];
                };
            };
        };
        responses: {
            "2XX": components["responses"]["Delivered"];
        };
    };
    webhook_payout_requested: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event, as in the body.
                 * @example commission.added
                 */
                "X-Svc-Event": components["parameters"]["DeliveryEvent"];
                /**
                 * @description The delivery, as `id` in the body.
                 * @example dlv_88
                 */
                "X-Svc-Delivery": components["parameters"]["DeliveryNumber"];
                /**
                 * @description `t=<unix time>,v1=<hex>`. HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole text of the secret, `whsec_` included.
                 * @example t=1792656300,v1=964a20da2c8d8cdda0d6f03905e0de2bdfd0dd73a9346696d688efa0f00c7d85
                 */
                "X-Svc-Signature": components["parameters"]["DeliverySignature"];
                /**
                 * @description The delivery, as Standard Webhooks names it.
                 * @example dlv_88
                 */
                "webhook-id": components["parameters"]["StandardWebhookId"];
                /**
                 * @description Unix time of this attempt.
                 * @example 1792656300
                 */
                "webhook-timestamp": components["parameters"]["StandardWebhookTimestamp"];
                /**
                 * @description `v1,<base64>`. HMAC-SHA256 of `<id>.<timestamp>.<raw body>`, keyed with the bytes after `whsec_`. The public Standard Webhooks libraries verify it.
                 * @example v1,9iPYm5c3U/T+VoJ9GC5vUspstKptNR+itOsogcFkClc=
                 */
                "webhook-signature": components["parameters"]["StandardWebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: components["schemas"]["DeliveryId"];
                    /**
                     * @description The event.
                     * @example payout.requested
                     * @constant
                     */
                    event: "payout.requested";
                    created: components["schemas"]["UtcDateTime"];
                    site: components["schemas"]["Site"];
                    data: components["schemas"]["PayoutData"];
                };
            };
        };
        responses: {
            "2XX": components["responses"]["Delivered"];
        };
    };
    webhook_payout_created: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event, as in the body.
                 * @example commission.added
                 */
                "X-Svc-Event": components["parameters"]["DeliveryEvent"];
                /**
                 * @description The delivery, as `id` in the body.
                 * @example dlv_88
                 */
                "X-Svc-Delivery": components["parameters"]["DeliveryNumber"];
                /**
                 * @description `t=<unix time>,v1=<hex>`. HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole text of the secret, `whsec_` included.
                 * @example t=1792656300,v1=964a20da2c8d8cdda0d6f03905e0de2bdfd0dd73a9346696d688efa0f00c7d85
                 */
                "X-Svc-Signature": components["parameters"]["DeliverySignature"];
                /**
                 * @description The delivery, as Standard Webhooks names it.
                 * @example dlv_88
                 */
                "webhook-id": components["parameters"]["StandardWebhookId"];
                /**
                 * @description Unix time of this attempt.
                 * @example 1792656300
                 */
                "webhook-timestamp": components["parameters"]["StandardWebhookTimestamp"];
                /**
                 * @description `v1,<base64>`. HMAC-SHA256 of `<id>.<timestamp>.<raw body>`, keyed with the bytes after `whsec_`. The public Standard Webhooks libraries verify it.
                 * @example v1,9iPYm5c3U/T+VoJ9GC5vUspstKptNR+itOsogcFkClc=
                 */
                "webhook-signature": components["parameters"]["StandardWebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: components["schemas"]["DeliveryId"];
                    /**
                     * @description The event.
                     * @example payout.created
                     * @constant
                     */
                    event: "payout.created";
                    created: components["schemas"]["UtcDateTime"];
                    site: components["schemas"]["Site"];
                    data: components["schemas"]["PayoutData"];
                };
            };
        };
        responses: {
            "2XX": components["responses"]["Delivered"];
        };
    };
    webhook_payout_pending: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event, as in the body.
                 * @example commission.added
                 */
                "X-Svc-Event": components["parameters"]["DeliveryEvent"];
                /**
                 * @description The delivery, as `id` in the body.
                 * @example dlv_88
                 */
                "X-Svc-Delivery": components["parameters"]["DeliveryNumber"];
                /**
                 * @description `t=<unix time>,v1=<hex>`. HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole text of the secret, `whsec_` included.
                 * @example t=1792656300,v1=964a20da2c8d8cdda0d6f03905e0de2bdfd0dd73a9346696d688efa0f00c7d85
                 */
                "X-Svc-Signature": components["parameters"]["DeliverySignature"];
                /**
                 * @description The delivery, as Standard Webhooks names it.
                 * @example dlv_88
                 */
                "webhook-id": components["parameters"]["StandardWebhookId"];
                /**
                 * @description Unix time of this attempt.
                 * @example 1792656300
                 */
                "webhook-timestamp": components["parameters"]["StandardWebhookTimestamp"];
                /**
                 * @description `v1,<base64>`. HMAC-SHA256 of `<id>.<timestamp>.<raw body>`, keyed with the bytes after `whsec_`. The public Standard Webhooks libraries verify it.
                 * @example v1,9iPYm5c3U/T+VoJ9GC5vUspstKptNR+itOsogcFkClc=
                 */
                "webhook-signature": components["parameters"]["StandardWebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: components["schemas"]["DeliveryId"];
                    /**
                     * @description The event.
                     * @example payout.pending
                     * @constant
                     */
                    event: "payout.pending";
                    created: components["schemas"]["UtcDateTime"];
                    site: components["schemas"]["Site"];
                    data: components["schemas"]["PayoutData"];
                };
            };
        };
        responses: {
            "2XX": components["responses"]["Delivered"];
        };
    };
    webhook_payout_paid: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event, as in the body.
                 * @example commission.added
                 */
                "X-Svc-Event": components["parameters"]["DeliveryEvent"];
                /**
                 * @description The delivery, as `id` in the body.
                 * @example dlv_88
                 */
                "X-Svc-Delivery": components["parameters"]["DeliveryNumber"];
                /**
                 * @description `t=<unix time>,v1=<hex>`. HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole text of the secret, `whsec_` included.
                 * @example t=1792656300,v1=964a20da2c8d8cdda0d6f03905e0de2bdfd0dd73a9346696d688efa0f00c7d85
                 */
                "X-Svc-Signature": components["parameters"]["DeliverySignature"];
                /**
                 * @description The delivery, as Standard Webhooks names it.
                 * @example dlv_88
                 */
                "webhook-id": components["parameters"]["StandardWebhookId"];
                /**
                 * @description Unix time of this attempt.
                 * @example 1792656300
                 */
                "webhook-timestamp": components["parameters"]["StandardWebhookTimestamp"];
                /**
                 * @description `v1,<base64>`. HMAC-SHA256 of `<id>.<timestamp>.<raw body>`, keyed with the bytes after `whsec_`. The public Standard Webhooks libraries verify it.
                 * @example v1,9iPYm5c3U/T+VoJ9GC5vUspstKptNR+itOsogcFkClc=
                 */
                "webhook-signature": components["parameters"]["StandardWebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: components["schemas"]["DeliveryId"];
                    /**
                     * @description The event.
                     * @example payout.paid
                     * @constant
                     */
                    event: "payout.paid";
                    created: components["schemas"]["UtcDateTime"];
                    site: components["schemas"]["Site"];
                    data: components["schemas"]["PayoutData"];
                };
            };
        };
        responses: {
            "2XX": components["responses"]["Delivered"];
        };
    };
    webhook_payout_reversed: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event, as in the body.
                 * @example commission.added
                 */
                "X-Svc-Event": components["parameters"]["DeliveryEvent"];
                /**
                 * @description The delivery, as `id` in the body.
                 * @example dlv_88
                 */
                "X-Svc-Delivery": components["parameters"]["DeliveryNumber"];
                /**
                 * @description `t=<unix time>,v1=<hex>`. HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole text of the secret, `whsec_` included.
                 * @example t=1792656300,v1=964a20da2c8d8cdda0d6f03905e0de2bdfd0dd73a9346696d688efa0f00c7d85
                 */
                "X-Svc-Signature": components["parameters"]["DeliverySignature"];
                /**
                 * @description The delivery, as Standard Webhooks names it.
                 * @example dlv_88
                 */
                "webhook-id": components["parameters"]["StandardWebhookId"];
                /**
                 * @description Unix time of this attempt.
                 * @example 1792656300
                 */
                "webhook-timestamp": components["parameters"]["StandardWebhookTimestamp"];
                /**
                 * @description `v1,<base64>`. HMAC-SHA256 of `<id>.<timestamp>.<raw body>`, keyed with the bytes after `whsec_`. The public Standard Webhooks libraries verify it.
                 * @example v1,9iPYm5c3U/T+VoJ9GC5vUspstKptNR+itOsogcFkClc=
                 */
                "webhook-signature": components["parameters"]["StandardWebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: components["schemas"]["DeliveryId"];
                    /**
                     * @description The event.
                     * @example payout.reversed
                     * @constant
                     */
                    event: "payout.reversed";
                    created: components["schemas"]["UtcDateTime"];
                    site: components["schemas"]["Site"];
                    data: components["schemas"]["PayoutData"];
                };
            };
        };
        responses: {
            "2XX": components["responses"]["Delivered"];
        };
    };
    webhook_payout_cancelled: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event, as in the body.
                 * @example commission.added
                 */
                "X-Svc-Event": components["parameters"]["DeliveryEvent"];
                /**
                 * @description The delivery, as `id` in the body.
                 * @example dlv_88
                 */
                "X-Svc-Delivery": components["parameters"]["DeliveryNumber"];
                /**
                 * @description `t=<unix time>,v1=<hex>`. HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole text of the secret, `whsec_` included.
                 * @example t=1792656300,v1=964a20da2c8d8cdda0d6f03905e0de2bdfd0dd73a9346696d688efa0f00c7d85
                 */
                "X-Svc-Signature": components["parameters"]["DeliverySignature"];
                /**
                 * @description The delivery, as Standard Webhooks names it.
                 * @example dlv_88
                 */
                "webhook-id": components["parameters"]["StandardWebhookId"];
                /**
                 * @description Unix time of this attempt.
                 * @example 1792656300
                 */
                "webhook-timestamp": components["parameters"]["StandardWebhookTimestamp"];
                /**
                 * @description `v1,<base64>`. HMAC-SHA256 of `<id>.<timestamp>.<raw body>`, keyed with the bytes after `whsec_`. The public Standard Webhooks libraries verify it.
                 * @example v1,9iPYm5c3U/T+VoJ9GC5vUspstKptNR+itOsogcFkClc=
                 */
                "webhook-signature": components["parameters"]["StandardWebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: components["schemas"]["DeliveryId"];
                    /**
                     * @description The event.
                     * @example payout.cancelled
                     * @constant
                     */
                    event: "payout.cancelled";
                    created: components["schemas"]["UtcDateTime"];
                    site: components["schemas"]["Site"];
                    data: components["schemas"]["PayoutData"];
                };
            };
        };
        responses: {
            "2XX": components["responses"]["Delivered"];
        };
    };
    webhook_payout_reopened: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event, as in the body.
                 * @example commission.added
                 */
                "X-Svc-Event": components["parameters"]["DeliveryEvent"];
                /**
                 * @description The delivery, as `id` in the body.
                 * @example dlv_88
                 */
                "X-Svc-Delivery": components["parameters"]["DeliveryNumber"];
                /**
                 * @description `t=<unix time>,v1=<hex>`. HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole text of the secret, `whsec_` included.
                 * @example t=1792656300,v1=964a20da2c8d8cdda0d6f03905e0de2bdfd0dd73a9346696d688efa0f00c7d85
                 */
                "X-Svc-Signature": components["parameters"]["DeliverySignature"];
                /**
                 * @description The delivery, as Standard Webhooks names it.
                 * @example dlv_88
                 */
                "webhook-id": components["parameters"]["StandardWebhookId"];
                /**
                 * @description Unix time of this attempt.
                 * @example 1792656300
                 */
                "webhook-timestamp": components["parameters"]["StandardWebhookTimestamp"];
                /**
                 * @description `v1,<base64>`. HMAC-SHA256 of `<id>.<timestamp>.<raw body>`, keyed with the bytes after `whsec_`. The public Standard Webhooks libraries verify it.
                 * @example v1,9iPYm5c3U/T+VoJ9GC5vUspstKptNR+itOsogcFkClc=
                 */
                "webhook-signature": components["parameters"]["StandardWebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: components["schemas"]["DeliveryId"];
                    /**
                     * @description The event.
                     * @example payout.reopened
                     * @constant
                     */
                    event: "payout.reopened";
                    created: components["schemas"]["UtcDateTime"];
                    site: components["schemas"]["Site"];
                    data: components["schemas"]["PayoutData"];
                };
            };
        };
        responses: {
            "2XX": components["responses"]["Delivered"];
        };
    };
    webhook_payout_failed: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event, as in the body.
                 * @example commission.added
                 */
                "X-Svc-Event": components["parameters"]["DeliveryEvent"];
                /**
                 * @description The delivery, as `id` in the body.
                 * @example dlv_88
                 */
                "X-Svc-Delivery": components["parameters"]["DeliveryNumber"];
                /**
                 * @description `t=<unix time>,v1=<hex>`. HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole text of the secret, `whsec_` included.
                 * @example t=1792656300,v1=964a20da2c8d8cdda0d6f03905e0de2bdfd0dd73a9346696d688efa0f00c7d85
                 */
                "X-Svc-Signature": components["parameters"]["DeliverySignature"];
                /**
                 * @description The delivery, as Standard Webhooks names it.
                 * @example dlv_88
                 */
                "webhook-id": components["parameters"]["StandardWebhookId"];
                /**
                 * @description Unix time of this attempt.
                 * @example 1792656300
                 */
                "webhook-timestamp": components["parameters"]["StandardWebhookTimestamp"];
                /**
                 * @description `v1,<base64>`. HMAC-SHA256 of `<id>.<timestamp>.<raw body>`, keyed with the bytes after `whsec_`. The public Standard Webhooks libraries verify it.
                 * @example v1,9iPYm5c3U/T+VoJ9GC5vUspstKptNR+itOsogcFkClc=
                 */
                "webhook-signature": components["parameters"]["StandardWebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: components["schemas"]["DeliveryId"];
                    /**
                     * @description The event.
                     * @example payout.failed
                     * @constant
                     */
                    event: "payout.failed";
                    created: components["schemas"]["UtcDateTime"];
                    site: components["schemas"]["Site"];
                    data: components["schemas"]["PayoutData"];
                };
            };
        };
        responses: {
            "2XX": components["responses"]["Delivered"];
        };
    };
    webhook_risk_signal_opened: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event, as in the body.
                 * @example commission.added
                 */
                "X-Svc-Event": components["parameters"]["DeliveryEvent"];
                /**
                 * @description The delivery, as `id` in the body.
                 * @example dlv_88
                 */
                "X-Svc-Delivery": components["parameters"]["DeliveryNumber"];
                /**
                 * @description `t=<unix time>,v1=<hex>`. HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole text of the secret, `whsec_` included.
                 * @example t=1792656300,v1=964a20da2c8d8cdda0d6f03905e0de2bdfd0dd73a9346696d688efa0f00c7d85
                 */
                "X-Svc-Signature": components["parameters"]["DeliverySignature"];
                /**
                 * @description The delivery, as Standard Webhooks names it.
                 * @example dlv_88
                 */
                "webhook-id": components["parameters"]["StandardWebhookId"];
                /**
                 * @description Unix time of this attempt.
                 * @example 1792656300
                 */
                "webhook-timestamp": components["parameters"]["StandardWebhookTimestamp"];
                /**
                 * @description `v1,<base64>`. HMAC-SHA256 of `<id>.<timestamp>.<raw body>`, keyed with the bytes after `whsec_`. The public Standard Webhooks libraries verify it.
                 * @example v1,9iPYm5c3U/T+VoJ9GC5vUspstKptNR+itOsogcFkClc=
                 */
                "webhook-signature": components["parameters"]["StandardWebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: components["schemas"]["DeliveryId"];
                    /**
                     * @description The event.
                     * @example risk.signal_opened
                     * @constant
                     */
                    event: "risk.signal_opened";
                    created: components["schemas"]["UtcDateTime"];
                    site: components["schemas"]["Site"];
                    data: components["schemas"]["RiskSignalData"];
                };
            };
        };
        responses: {
            "2XX": components["responses"]["Delivered"];
        };
    };
    webhook_risk_signal_decided: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event, as in the body.
                 * @example commission.added
                 */
                "X-Svc-Event": components["parameters"]["DeliveryEvent"];
                /**
                 * @description The delivery, as `id` in the body.
                 * @example dlv_88
                 */
                "X-Svc-Delivery": components["parameters"]["DeliveryNumber"];
                /**
                 * @description `t=<unix time>,v1=<hex>`. HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole text of the secret, `whsec_` included.
                 * @example t=1792656300,v1=964a20da2c8d8cdda0d6f03905e0de2bdfd0dd73a9346696d688efa0f00c7d85
                 */
                "X-Svc-Signature": components["parameters"]["DeliverySignature"];
                /**
                 * @description The delivery, as Standard Webhooks names it.
                 * @example dlv_88
                 */
                "webhook-id": components["parameters"]["StandardWebhookId"];
                /**
                 * @description Unix time of this attempt.
                 * @example 1792656300
                 */
                "webhook-timestamp": components["parameters"]["StandardWebhookTimestamp"];
                /**
                 * @description `v1,<base64>`. HMAC-SHA256 of `<id>.<timestamp>.<raw body>`, keyed with the bytes after `whsec_`. The public Standard Webhooks libraries verify it.
                 * @example v1,9iPYm5c3U/T+VoJ9GC5vUspstKptNR+itOsogcFkClc=
                 */
                "webhook-signature": components["parameters"]["StandardWebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: components["schemas"]["DeliveryId"];
                    /**
                     * @description The event.
                     * @example risk.signal_decided
                     * @constant
                     */
                    event: "risk.signal_decided";
                    created: components["schemas"]["UtcDateTime"];
                    site: components["schemas"]["Site"];
                    data: components["schemas"]["RiskSignalData"];
                };
            };
        };
        responses: {
            "2XX": components["responses"]["Delivered"];
        };
    };
    webhook_ping: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event, as in the body.
                 * @example commission.added
                 */
                "X-Svc-Event": components["parameters"]["DeliveryEvent"];
                /**
                 * @description The delivery, as `id` in the body.
                 * @example dlv_88
                 */
                "X-Svc-Delivery": components["parameters"]["DeliveryNumber"];
                /**
                 * @description `t=<unix time>,v1=<hex>`. HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole text of the secret, `whsec_` included.
                 * @example t=1792656300,v1=964a20da2c8d8cdda0d6f03905e0de2bdfd0dd73a9346696d688efa0f00c7d85
                 */
                "X-Svc-Signature": components["parameters"]["DeliverySignature"];
                /**
                 * @description The delivery, as Standard Webhooks names it.
                 * @example dlv_88
                 */
                "webhook-id": components["parameters"]["StandardWebhookId"];
                /**
                 * @description Unix time of this attempt.
                 * @example 1792656300
                 */
                "webhook-timestamp": components["parameters"]["StandardWebhookTimestamp"];
                /**
                 * @description `v1,<base64>`. HMAC-SHA256 of `<id>.<timestamp>.<raw body>`, keyed with the bytes after `whsec_`. The public Standard Webhooks libraries verify it.
                 * @example v1,9iPYm5c3U/T+VoJ9GC5vUspstKptNR+itOsogcFkClc=
                 */
                "webhook-signature": components["parameters"]["StandardWebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: components["schemas"]["DeliveryId"];
                    /**
                     * @description The event.
                     * @example ping
                     * @constant
                     */
                    event: "ping";
                    created: components["schemas"]["UtcDateTime"];
                    site: components["schemas"]["Site"];
                    data: components["schemas"]["PingData"];
                };
            };
        };
        responses: {
            "2XX": components["responses"]["Delivered"];
        };
    };
}
