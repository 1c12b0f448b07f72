// Marks the amounts that the old system has paid as paid: API_URL=… API_TOKEN=… node settle.mjs paid.ndjson
// Run it after importing paid.ndjson and before any other import. Running it again changes nothing.
import { readFileSync } from 'node:fs';

const { API_URL, API_TOKEN } = process.env;
process.on('uncaughtException', (error) => {
  console.error(error.cause ? `${error.message}: ${error.cause.message}` : error.message);
  process.exit(1);
});
if (!API_URL || !API_TOKEN || !process.argv[2]) throw new Error('Usage: API_URL=… API_TOKEN=… node settle.mjs <paid.ndjson>');
const orders = readFileSync(process.argv[2], 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const cents = (amount) => Math.round(amount * 100);
const paidAmounts = new Map();
for (const { coupon_id: id, fixed_per_order: commission } of orders) paidAmounts.set(id, (paidAmounts.get(id) ?? 0) + cents(commission));

let settled = 0;
for (const [id, expected] of paidAmounts) await settle(id, expected);
console.log(`${settled} of ${paidAmounts.size} coupons were settled now.`);

async function settle(id, expected) {
  const coupon = await call(`/coupons/${id}`);
  const { code } = coupon;
  if (cents(coupon.paid_commission) >= expected) return console.log(`${code}: is settled already`);
  if (cents(coupon.unpaid_commission) !== expected)
    return console.log(`${code}: ${coupon.unpaid_commission} is unpaid here, but the old system paid ${expected / 100}. Skipped.`);
  const payout = await call('/payouts', { coupon_id: id });
  await call(`/payouts/${payout.id}/status`, { status: 'paid' });
  settled += 1;
  console.log(`${code}: ${payout.amount} is paid`);
}

async function call(resource, json) {
  const headers = { Authorization: `Bearer ${API_TOKEN}`, 'Content-Type': 'application/json' };
  const response = await fetch(API_URL + resource, { headers, ...(json && { method: 'POST', body: JSON.stringify(json) }) });
  const body = await response.json();
  if (response.ok) return body;
  if (body.data?.retry_after === undefined) throw new Error(`${resource}: ${body.code}: ${body.message}`);
  await new Promise((resolve) => setTimeout(resolve, body.data.retry_after * 1000));
  return call(resource, json);
}
