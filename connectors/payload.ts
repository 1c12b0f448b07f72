import { decimalsOf, divideHalfUp, type Minor } from '../domain/money.ts';
import { maxEmailLength } from '../domain/users/user.ts';

/** The payload has another shape than the platform documents. The message is a sentence without any value of the payload. */
export class PayloadError extends Error {}

export type Fields = Readonly<Record<string, unknown>>;

export function readObject(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new PayloadError(`${name} is not an object.`);
  return value as Fields;
}

/** Far more than orders have. Reading an entry takes longer than parsing it. */
const maxEntries = 2000;

/** `null` and a missing field are an empty list. */
export function readList(fields: Fields, name: string): Fields[] {
  const value = fields[name] ?? [];
  if (!Array.isArray(value)) throw new PayloadError(`${name} is not a list.`);
  if (value.length > maxEntries) throw new PayloadError(`${name} has more than ${maxEntries} entries.`);
  return value.map((item) => readObject(item, `An entry of ${name}`));
}

/** A whole number above zero, as text: ids of other platforms are texts. */
export function readId(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1) throw new PayloadError(`${name} is not a number above zero.`);
  return String(value);
}

/** Null where the payload has no such id. */
export function findId(payload: unknown, name: string): string | null {
  try {
    return readId(readObject(payload, 'The body'), name);
  } catch {
    return null;
  }
}

/** Empty for `null` and anything that is not text. */
export const readText = (fields: Fields, name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');

export function readCount(fields: Fields, name: string): number {
  const value = fields[name] ?? 0;
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw new PayloadError(`${name} is not a whole number.`);
  return value;
}

/** A number or a decimal text, rounded up: shops sell by weight and by length. */
export function readQuantity(fields: Fields, name: string): number {
  const one = 10n ** BigInt(precision);
  const quantity = readDecimal(fields, name);
  return Number(quantity > 0n ? (quantity + one - 1n) / one : quantity / one);
}

/** `zone` completes a date without an offset. */
export function readMoment(fields: Fields, name: string, zone = ''): number {
  const text = readText(fields, name);
  const [day] = /^\d{4}-\d{2}-\d{2}(?=T\d{2}:\d{2}:\d{2})/.exec(text) ?? [];
  const moment = day !== undefined && isDay(day) ? Date.parse(text + zone) : Number.NaN;
  if (Number.isNaN(moment)) throw new PayloadError(`${name} is not a date.`);
  return moment;
}

/** A day of the calendar: `Date.parse` takes 31 February for 3 March. */
function isDay(day: string): boolean {
  const moment = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(day);
}

/** Amounts of a platform may have more decimals than the currency, so they are added before they are rounded. */
const precision = 10;
const decimal = /^(-?)(\d{1,15})(?:\.(\d{1,20}))?$/;

/** A decimal text or a number, as a whole number of 10^-10. `null`, an empty text and a missing field are zero. */
export function readDecimal(fields: Fields, name: string): bigint {
  const value = fields[name] ?? '';
  const text = typeof value === 'number' ? String(value) : value;
  if (text === '') return 0n;
  const [, sign, whole, fraction = ''] = (typeof text === 'string' && decimal.exec(text)) || [];
  if (whole === undefined) throw new PayloadError(`${name} is not an amount.`);
  const units = BigInt(whole + fraction.slice(0, precision).padEnd(precision, '0'));
  return sign === '-' ? -units : units;
}

/** Rounded half up to the currency. */
export function toMinor(decimal: bigint, currency: string): Minor {
  const unit = 10n ** BigInt(precision - decimalsOf(currency));
  const minor = Number(divideHalfUp(decimal, unit));
  if (!Number.isSafeInteger(minor)) throw new PayloadError('An amount is too large.');
  return minor;
}

export const absolute = (amount: bigint): bigint => (amount < 0n ? -amount : amount);

export const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

/** Undefined where the text cannot be stored or is too long: a code, a campaign or a visitor is never worth an order. */
export function shortText(text: string, maxLength: number): string | undefined {
  return text !== '' && text.length <= maxLength && !/[\0\p{Surrogate}]/u.test(text) ? text : undefined;
}

/** Empty where there is no such object. */
export function findObject(fields: Fields, name: string): Fields {
  const value = fields[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** Of the customer, to be compared and not stored. Undefined where it is missing or no address. */
export function readEmail(fields: Fields, name: string): string | undefined {
  const email = shortText(readText(fields, name), maxEmailLength);
  return email?.includes('@') ? email : undefined;
}
