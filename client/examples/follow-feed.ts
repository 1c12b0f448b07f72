// Keeps another system up to date with the change feed. Needs API_URL and API_TOKEN of an admin (scope read). Stop it with Ctrl+C.
import { createApi, follow } from 'affiliate-program-client';

const { API_URL = '', API_TOKEN = '' } = process.env;
const api = createApi({ baseUrl: API_URL, token: API_TOKEN });
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());

// Start from the `event.id` that you stored after the last processed event.
const after = Number(process.env['AFTER'] ?? 0);
for await (const event of follow(api, { after, kinds: ['payout_request', 'payout_paid', 'referral'], signal: stop.signal })) {
  switch (event.event) {
    case 'referral':
      console.log(`${event.id}: order ${event.data.order_id} brings ${event.data.commission}`);
      break;
    case 'payout_request':
    case 'payout_paid':
      console.log(`${event.id}: payout ${event.data.payout_id} of ${event.data.amount} is ${event.data.status}`);
      break;
    default:
      event satisfies never;
  }
}
