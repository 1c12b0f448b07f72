// A complete site module with everything that a site can add to the service. Every member is optional: keep what you need.
// docs/guides/extend-a-site.md explains it; test/guides/site-module.test.ts runs it in a service.
import { appendFile } from 'node:fs/promises';

const { PAYDESK_URL = '', PARTNER_KEYS = '', EVENT_BOOK = '' } = process.env;
const partnerKeys = new Set(PARTNER_KEYS.split(',').filter(Boolean).map(Number));

const landingPage = { type: 'string', description: 'Where links of this coupon lead.', examples: ['https://shop.example/with/TRAIL10'] };
const couponSchemas = ['Coupon', 'CouponDetail', 'CouponWithStats'];
const presentCoupon = ({ code }) => ({ landing_page: `https://shop.example/with/${encodeURIComponent(code)}` });

/** @type {import('../../../site/extension.ts').SiteModule} */
export default {
  // Declares the added fields in the served document, for clients and the reference page.
  amendOpenapi(document) {
    for (const name of couponSchemas) {
      const schema = /** @type {{ properties: Record<string, unknown> } | undefined} */ (document.components?.schemas?.[name]);
      // The schemas of an operation that is switched off are not in the document.
      if (schema) schema.properties.landing_page = landingPage;
    }
    return document;
  },

  // The values of the declared fields, for every record in every response.
  present: { Coupon: presentCoupon, CouponDetail: presentCoupon, CouponWithStats: presentCoupon },

  // Called before a payout is created. Null allows it; the client gets the message of a refusal.
  beforePayout({ amountMinor, currency }) {
    return amountMinor > 500_000 ? { refuse: `Payouts over 5000 ${currency} are arranged in person. Write to us.` } : null;
  },

  // Called before an application is accepted or declined.
  beforeRegistration({ decision, applicant }) {
    const isUnreachable = applicant.email.endsWith('@mailbox.invalid');
    return decision === 'accepted' && isUnreachable ? { refuse: 'This email address cannot receive payouts.' } : null;
  },

  // Requests a minute. Called with every request, so it must be fast.
  rateCeiling(identity, byDefault) {
    return identity.kind === 'key' && partnerKeys.has(identity.keyId) ? byDefault * 10 : byDefault;
  },

  // Receives accepted payouts. `affiliate settings set payouts.auto_accept.gateway paydesk` selects this gateway.
  gateways: {
    async paydesk({ idempotencyKey, amountMinor, currency, details, payee }) {
      if (PAYDESK_URL === '') return { status: 'failed', notice: 'The pay desk is not set up: PAYDESK_URL is missing.' };
      const order = { amount: amountMinor, currency, to: details.email, name: payee.displayName };
      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey };
      const signal = AbortSignal.timeout(20_000);
      const response = await fetch(PAYDESK_URL, { method: 'POST', headers, body: JSON.stringify(order), signal }).catch(() => null);
      // The payment may have been accepted before the connection was lost. Never return "failed" here, which allows it to be paid again.
      if (response === null || response.status >= 500)
        return { status: 'created', notice: 'The pay desk did not answer. The store looks into it.' };
      if (!response.ok) return { status: 'failed', notice: 'The pay desk refused the payment.' };
      const { number } = /** @type {{ number: string }} */ (await response.json());
      return { status: 'paid', transactionId: number };
    },
  },

  // Events of the site, which webhooks can subscribe to like those of the service.
  webhookEvents: {
    'payout.large': {
      description: 'A payout of 500 or more was paid.',
      raisedBy: ({ type, data }) => (type === 'payout.paid' && Number(data?.amount) >= 500 ? data : null),
    },
  },

  // Called after the commit of every event, at most once. Use webhooks or GET /events if you must not miss one.
  async onEvent({ kind, info }) {
    if (EVENT_BOOK) await appendFile(EVENT_BOOK, `${kind}: ${info}\n`);
  },
};
