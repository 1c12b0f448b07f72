// Marks as paid what the other system has paid already: API_URL=… API_TOKEN=… node settle.mjs paid.ndjson
// Run it after paid.ndjson was imported and before anything else is. Running it again changes nothing.
import { readFileSync } from 'node:fs';

const { API_URL, API_TOKEN } = process.env;
const orders = readFileSync(process.argv[2], 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const cents = (amount) => Math.round(amount * 100);
const paidThere = new Map();
for (const { coupon_id: id, fixed_per_order: commission } of orders) paidThere.set(id, (paidThere.get(id) ?? 0) + cents(commission));

let settled = 0;
for (const [id, expected] of paidThere) await settle(id, expected);
console.log(`${settled} of ${paidThere.size} coupons were settled now.`);

async function settle(id, expected) {
  const coupon = await call(`/coupons/${id}`);
  const { code } = coupon;
  if (cents(coupon.paid_commission) >= expected) return console.log(`${code}: is settled already`);
  if (cents(coupon.unpaid_commission) !== expected)
    return console.log(`${code}: ${coupon.unpaid_commission} is unpaid here, but ${expected / 100} was paid there. It is left as it is.`);
  const payout = await call('/payouts', { coupon_id: id });
  await call(`/payouts/${payout.id}/status`, { status: 'paid' });
  settled += 1;
  console.log(`${code}: ${payout.amount} is paid`);
}

async function call(resource, json) {
  const headers = { Authorization: `Bearer ${API_TOKEN}`, 'Content-Type': 'application/json' };
  const answer = await fetch(API_URL + resource, { headers, ...(json && { method: 'POST', body: JSON.stringify(json) }) });
  const body = await answer.json();
  if (answer.ok) return body;
  if (body.data?.retry_after === undefined) throw new Error(`${resource}: ${body.code}: ${body.message}`);
  await new Promise((resolve) => setTimeout(resolve, body.data.retry_after * 1000));
  return call(resource, json);
}
