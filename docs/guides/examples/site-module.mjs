// A complete site module: everything that a site can add to the service. Take what you need and leave the rest out: every member is optional.
// docs/guides/extend-a-site.md walks through it; test/guides/site-module.test.ts runs it in the real service.
import { appendFile } from 'node:fs/promises';

const { PAYDESK_URL = '', PARTNER_KEYS = '', EVENT_BOOK = '' } = process.env;
const partnerKeys = new Set(PARTNER_KEYS.split(',').filter(Boolean).map(Number));

const landingPage = { type: 'string', description: 'Where links of this coupon lead.', examples: ['https://shop.example/with/TRAIL10'] };
const recordsOfCoupons = ['Coupon', 'CouponDetail', 'CouponWithStats'];
const shown = ({ code }) => ({ landing_page: `https://shop.example/with/${encodeURIComponent(code)}` });

/** @type {import('../../../site/extension.ts').SiteModule} */
export default {
  // What the site adds stands in the document that it serves, so clients and the reference page know of it.
  amendOpenapi(document) {
    for (const name of recordsOfCoupons) {
      const schema = /** @type {{ properties: Record<string, unknown> } | undefined} */ (document.components?.schemas?.[name]);
      // An operation that is switched off takes its schemas along.
      if (schema) schema.properties.landing_page = landingPage;
    }
    return document;
  },

  // The values of the declared fields, for every record of every answer.
  present: { Coupon: shown, CouponDetail: shown, CouponWithStats: shown },

  // Asked before a payout is made. Null lets it pass; the sentence is what the client reads.
  beforePayout({ amountMinor, currency }) {
    return amountMinor > 500_000 ? { refuse: `Payouts over 5000 ${currency} are arranged in person. Write to us.` } : null;
  },

  // Asked before an application is accepted or declined.
  beforeRegistration({ decision, applicant }) {
    const isUnreachable = applicant.email.endsWith('@mailbox.invalid');
    return decision === 'accepted' && isUnreachable ? { refuse: 'Nobody can be paid at this address.' } : null;
  },

  // Requests a minute. Asked with every request, so it only looks something up.
  rateCeiling(identity, byDefault) {
    return identity.kind === 'key' && partnerKeys.has(identity.keyId) ? byDefault * 10 : byDefault;
  },

  // Where accepted payouts go: `affiliate settings set payouts.auto_accept.gateway paydesk` chooses this one.
  gateways: {
    async paydesk({ idempotencyKey, amountMinor, currency, details, payee }) {
      if (PAYDESK_URL === '') return { status: 'failed', notice: 'The pay desk is not set up: PAYDESK_URL is missing.' };
      const order = { amount: amountMinor, currency, to: details.email, name: payee.displayName };
      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey };
      const signal = AbortSignal.timeout(20_000);
      const asked = await fetch(PAYDESK_URL, { method: 'POST', headers, body: JSON.stringify(order), signal }).catch(() => null);
      // It may have been taken before the line broke: under way, until somebody has looked. Never "failed", which lets it be paid again.
      if (asked === null || asked.status >= 500)
        return { status: 'created', notice: 'The pay desk did not answer. The store looks into it.' };
      if (!asked.ok) return { status: 'failed', notice: 'The pay desk refused the payment.' };
      const { number } = /** @type {{ number: string }} */ (await asked.json());
      return { status: 'paid', transactionId: number };
    },
  },

  // Events of the site's own, which webhooks can subscribe to beside those of the service.
  webhookEvents: {
    'payout.large': {
      description: 'A payout of 500 or more was paid.',
      raisedBy: ({ type, data }) => (type === 'payout.paid' && Number(data?.amount) >= 500 ? data : null),
    },
  },

  // Told of everything that has happened, once it has. For what must not miss anything there are webhooks and GET /events.
  async onEvent({ kind, info }) {
    if (EVENT_BOOK) await appendFile(EVENT_BOOK, `${kind}: ${info}\n`);
  },
};
