// Converts two CSV files of another system to NDJSON for `affiliate import`: node convert.mjs affiliates.csv referrals.csv <folder>
// Adapt `columns` and `statuses` to your export; docs/guides/move-from-another-system.md explains each choice.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The column names of the export. */
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

/** Exported status → status of the order. Only completed orders have commission that can be paid out. */
const statuses = { paid: 'completed', unpaid: 'completed', pending: 'processing', rejected: 'cancelled' };

/** A bonus without an order gets a number that no order of the store has. */
const bonusNumber = (referral) => 9_000_000_000 + Number(referral.id);

process.on('uncaughtException', ({ message }) => {
  console.error(message);
  process.exit(1);
});
const [affiliateFile, referralFile, folder = 'moved'] = process.argv.slice(2);
if (!referralFile) {
  console.error('Usage: node convert.mjs <affiliates.csv> <referrals.csv> [folder]');
  process.exit(1);
}
const affiliates = readRows(affiliateFile, columns.affiliate);
const referrals = readRows(referralFile, columns.referral);
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
    date_registered: toUtc(since),
    custom_fields: { old_id: affiliate.id },
  };
  const status = affiliate.status === 'active' ? 'publish' : 'draft';
  const coupon = {
    kind: 'coupon',
    id: Number(affiliate.id),
    code: affiliate.coupon || login.toUpperCase(),
    user: login,
    status,
    percent: parseAmount(rate),
    date_created: toUtc(since),
  };
  const details = { kind: 'payout_details', user: login, method: 'PayPal', method_type: 'paypal', details: { email: payTo } };
  return [{ ...user, ...(parent && { parent: byId.get(parent)?.login }) }, coupon, ...(payTo ? [details] : [])];
}

/** Keeps the exported commission as a fixed amount, without a percentage. */
function orderLine(referral) {
  const affiliate = byId.get(referral.affiliate);
  if (!affiliate) throw new Error(`Referral ${referral.id} belongs to affiliate ${referral.affiliate}, who is not in ${affiliateFile}.`);
  if (!(referral.status in statuses))
    throw new Error(`Referral ${referral.id} has the status "${referral.status}". Add it to \`statuses\`.`);
  return {
    kind: 'order',
    order_id: referral.order === '' ? bonusNumber(referral) : Number(referral.order),
    coupon_id: Number(affiliate.id),
    date: toUtc(referral.date),
    status: statuses[referral.status],
    total: parseAmount(referral.total),
    percent: 0,
    fixed_per_order: parseAmount(referral.commission),
    fixed_per_product: 0,
  };
}

/** The exported dates are UTC without an offset. */
function toUtc(text) {
  if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)) throw new Error(`"${text}" is not a date of the form 2026-11-02 09:30:00.`);
  return `${text.replace(' ', 'T')}Z`;
}

/** Refuses ambiguous amounts: `1.234` could be 1.234 or 1,234. */
function parseAmount(text) {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new Error(`"${text}" is not a plain amount such as 1234.50.`);
  return Number(text);
}

function write(name, lines) {
  const file = path.join(folder, `${name}.ndjson`);
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const commission = lines.reduce((sum, line) => sum + Math.round((line.fixed_per_order ?? 0) * 100), 0) / 100;
  console.log(`${file}: ${lines.length} lines${commission > 0 ? `, commission ${commission.toFixed(2)}` : ''}`);
}

/** The rows of a CSV file as objects with the names in `names`. */
function readRows(file, names) {
  const [header, ...records] = parseCsv(readFileSync(file, 'utf8'));
  const missing = Object.values(names).filter((column) => !header.includes(column));
  if (missing.length > 0) throw new Error(`${file} has no column ${missing.join(', ')}. It has ${header.join(', ')}.`);
  return records.map((cells) =>
    Object.fromEntries(Object.entries(names).map(([name, column]) => [name, cells[header.indexOf(column)].trim()])),
  );
}

function parseCsv(text) {
  const rows = [];
  for (const [, quoted, plain, end] of text.replace(/^\u{feff}/u, '').matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    if (rows.length === 0 || rows.at(-1).isComplete) rows.push({ cells: [], isComplete: false });
    rows.at(-1).cells.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== ',') rows.at(-1).isComplete = true;
  }
  return rows.map(({ cells }) => cells).filter((cells) => cells.length > 1);
}
