// Two CSV files of another system → NDJSON for `affiliate import`: node convert.mjs affiliates.csv referrals.csv <folder>
// Adapt `columns` and `statuses` to what your export has; docs/guides/move-from-another-system.md explains each choice.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What is needed here, and what the column is called there. */
const columns = {
  affiliate: {
    id: 'affiliate_id',
    login: 'username',
    email: 'email',
    name: 'name',
    status: 'status',
    since: 'date_registered',
    payTo: 'payment_email',
    coupon: 'coupon',
    rate: 'rate',
    parent: 'parent_id',
  },
  referral: {
    id: 'referral_id',
    affiliate: 'affiliate_id',
    order: 'order_id',
    date: 'date',
    total: 'order_total',
    commission: 'commission',
    status: 'status',
  },
};

/** The status there → the status of the order here. Only completed orders bring commission that can be paid out. */
const statuses = { paid: 'completed', unpaid: 'completed', pending: 'processing', rejected: 'cancelled' };

/** A bonus that belongs to no order gets a number that no order of the shop has. */
const bonusNumber = (referral) => 9_000_000_000 + Number(referral.id);

const [affiliateFile, referralFile, folder = 'moved'] = process.argv.slice(2);
const affiliates = rowsOf(affiliateFile, columns.affiliate);
const referrals = rowsOf(referralFile, columns.referral);
const byId = new Map(affiliates.map((affiliate) => [affiliate.id, affiliate]));

mkdirSync(folder, { recursive: true });
write('people', affiliates.flatMap(personLines));
write('paid', referrals.filter(({ status }) => status === 'paid').map(orderLine));
write('open', referrals.filter(({ status }) => status !== 'paid').map(orderLine));

function personLines(affiliate) {
  const { login, email, name, since, payTo, rate, parent } = affiliate;
  const user = {
    kind: 'user',
    login,
    email,
    display_name: name,
    role: 'affiliate',
    date_registered: inUtc(since),
    custom_fields: { old_id: affiliate.id },
  };
  const status = affiliate.status === 'active' ? 'publish' : 'draft';
  const coupon = {
    kind: 'coupon',
    id: Number(affiliate.id),
    code: affiliate.coupon || login.toUpperCase(),
    user: login,
    status,
    percent: amount(rate),
    date_created: inUtc(since),
  };
  const details = { kind: 'payout_details', user: login, method: 'PayPal', method_type: 'paypal', details: { email: payTo } };
  return [{ ...user, ...(parent && { parent: byId.get(parent)?.login }) }, coupon, ...(payTo ? [details] : [])];
}

/** With the commission as it was there, whatever it came from: no percent, and all of it fixed. */
function orderLine(referral) {
  const affiliate = byId.get(referral.affiliate);
  if (!affiliate) throw new Error(`Referral ${referral.id} is of affiliate ${referral.affiliate}, who is not in ${affiliateFile}.`);
  if (!(referral.status in statuses))
    throw new Error(`Referral ${referral.id} is "${referral.status}". Say in \`statuses\` what that is here.`);
  return {
    kind: 'order',
    order_id: referral.order === '' ? bonusNumber(referral) : Number(referral.order),
    coupon_id: Number(affiliate.id),
    date: inUtc(referral.date),
    status: statuses[referral.status],
    total: amount(referral.total),
    percent: 0,
    fixed_per_order: amount(referral.commission),
    fixed_per_product: 0,
  };
}

/** The other system wrote its dates in UTC and did not say so. */
function inUtc(text) {
  if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)) throw new Error(`"${text}" is no date of the form 2026-11-02 09:30:00.`);
  return `${text.replace(' ', 'T')}Z`;
}

/** `1.234` is one and a bit, or a thousand and more: what is not plain is not guessed. */
function amount(text) {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new Error(`"${text}" is no plain amount such as 1234.50.`);
  return Number(text);
}

function write(name, lines) {
  const file = path.join(folder, `${name}.ndjson`);
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const commission = lines.reduce((sum, line) => sum + Math.round((line.fixed_per_order ?? 0) * 100), 0) / 100;
  console.log(`${file}: ${lines.length} lines${commission > 0 ? `, commission ${commission.toFixed(2)}` : ''}`);
}

/** The rows of a CSV file, under the names that are used here. */
function rowsOf(file, names) {
  const [header, ...records] = cellsOf(readFileSync(file, 'utf8'));
  const missing = Object.values(names).filter((column) => !header.includes(column));
  if (missing.length > 0) throw new Error(`${file} has no column ${missing.join(', ')}. It has ${header.join(', ')}.`);
  return records.map((cells) =>
    Object.fromEntries(Object.entries(names).map(([name, column]) => [name, cells[header.indexOf(column)].trim()])),
  );
}

function cellsOf(text) {
  const rows = [];
  for (const [, quoted, plain, end] of text.replace(/^\u{feff}/u, '').matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    if (rows.length === 0 || rows.at(-1).isWhole) rows.push({ cells: [], isWhole: false });
    rows.at(-1).cells.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== ',') rows.at(-1).isWhole = true;
  }
  return rows.map(({ cells }) => cells).filter((cells) => cells.length > 1);
}
