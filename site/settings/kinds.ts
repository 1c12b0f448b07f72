import { isTimeZone } from '../../domain/dates.ts';
import { type OrderStatus, orderStatuses } from '../../domain/orders/order.ts';
import { isBic, isCountry } from '../../domain/payout-details/country.ts';
import { findIbanProblem, normalizeIban } from '../../domain/payout-details/iban.ts';

/** The allowed values of a setting: a predicate, and the words that complete "must be …". */
export interface SettingType<Value> {
  readonly allowed: string;
  readonly accepts: (value: unknown) => value is Value;
  /** What the values are in JSON. */
  readonly type: 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';
  /** All allowed values, where they are a few words; else null. */
  readonly choices: readonly string[] | null;
  /** What is wrong with this value, where there is more to say than `allowed`: a sentence and a space. */
  explain?(value: unknown): string;
}

const kind = <Value>(
  allowed: string,
  accepts: (value: never) => boolean,
  type: Exclude<SettingType<Value>['type'], 'array'>,
  choices: readonly string[] | null = null,
): SettingType<Value> => {
  const nativeType = type === 'integer' ? 'number' : type;
  return { allowed, accepts: (value): value is Value => typeof value === nativeType && accepts(value as never), type, choices };
};

export const yesOrNo: SettingType<boolean> = kind('true or false', () => true, 'boolean');

export const oneOf = <const Word extends string>(...words: Word[]): SettingType<Word> =>
  kind(words.map((word) => JSON.stringify(word)).join(' or '), (value: Word) => words.includes(value), 'string', words);

/** Names and labels are used in mail subjects and headers, where a line break could inject a header. */
export const line = (longest: number): SettingType<string> =>
  kind(
    `text of 1 to ${longest} characters on one line`,
    (value: string) => value.trim() !== '' && value.length <= longest && !/[\p{Cc}\u2028\u2029]/u.test(value),
    'string',
  );

const { format: inWords } = new Intl.NumberFormat('en-US');

export const integer = (least: number, most: number): SettingType<number> =>
  kind(
    `a whole number from ${inWords(least)} to ${inWords(most)}`,
    (value: number) => Number.isInteger(value) && value >= least && value <= most,
    'integer',
  );

export const numberUpTo = (most: number): SettingType<number> =>
  kind(`a number from 0 to ${inWords(most)}`, (value: number) => value >= 0 && value <= most, 'number');

export const percent = numberUpTo(100);

/** The ceiling keeps amounts safe integers in every currency's minor units, sums of many included. */
export const amount = numberUpTo(1_000_000_000);

export const listOf = <Item>(item: SettingType<Item>, { least = 0, most = 100, unique = true } = {}): SettingType<readonly Item[]> => ({
  allowed: `a list of ${least} to ${most} entries${unique ? ', each once' : ''}; each must be ${item.allowed}`,
  accepts: (value): value is readonly Item[] =>
    Array.isArray(value) &&
    value.length >= least &&
    value.length <= most &&
    value.every((entry) => item.accepts(entry)) &&
    (!unique || new Set(value).size === value.length),
  type: 'array',
  choices: null,
});

const currencies = new Set(Intl.supportedValuesOf('currency'));

export const currency: SettingType<string> = kind(
  'an ISO 4217 currency code in capitals, such as "EUR"',
  (value: string) => currencies.has(value),
  'string',
);

// Intl accepts plain offsets such as `+02:00` as zones. They have no daylight-saving time, so days would be wrong by an hour half of the year.
export const timeZone: SettingType<string> = kind(
  'the name of a time zone, such as "Europe/Berlin" or "UTC"',
  (value: string) => /^[A-Za-z]/.test(value) && isTimeZone(value),
  'string',
);

function httpUrl(value: string): URL | null {
  const url = URL.canParse(value) ? new URL(value) : null;
  return url && ['http:', 'https:'].includes(url.protocol) ? url : null;
}

/** Referral links add a query to it, so it has none of its own; and it is public, so it contains no password. */
export const webAddress: SettingType<string> = kind(
  'an http or https address without user name, query and fragment, such as "https://shop.example"',
  (value: string) => {
    const url = httpUrl(value);
    return url !== null && value === value.trim() && value.length <= 500 && !/[?#]/.test(value) && url.username + url.password === '';
  },
  'string',
);

/** A page that people open. */
const link: SettingType<string> = kind(
  'an http or https address without user name, such as "https://shop.example/?page=terms"',
  (value: string) => {
    const url = httpUrl(value);
    return url !== null && value === value.trim() && value.length <= 500 && url.username + url.password === '';
  },
  'string',
);

/** Not set while it is empty. */
const orEmpty = (type: SettingType<string>): SettingType<string> =>
  kind(`empty, or ${type.allowed}`, (value: string) => value === '' || type.accepts(value), 'string');

export const optionalLine = (longest: number): SettingType<string> => orEmpty(line(longest));

export const optionalIban: SettingType<string> = orEmpty(
  kind('an IBAN, such as "DE89370400440532013000"', (value: string) => findIbanProblem(normalizeIban(value)) === null, 'string'),
);

export const optionalBic: SettingType<string> = orEmpty(
  kind('a BIC of 8 or 11 characters in capitals, such as "COBADEFFXXX"', (value: string) => isBic(value), 'string'),
);

export const optionalCountry: SettingType<string> = orEmpty(
  kind('the ISO 3166 code of a country in capitals, such as "DE"', (value: string) => isCountry(value), 'string'),
);

/** The name that a stored file has by its content. */
export const optionalHash: SettingType<string> = orEmpty(
  kind('the SHA-256 of a file in 64 digits', (value: string) => /^[0-9a-f]{64}$/.test(value), 'string'),
);

export const optionalLink: SettingType<string> = orEmpty(link);

export const optionalWebAddress: SettingType<string> = orEmpty(webAddress);

/**
 * Compared literally with a browser's `Origin` header, so it is written exactly as browsers send it: lower case, no default port, no path.
 * `*` is not allowed: cookies identify users here, and a wildcard would allow every page on the web to read their figures.
 */
export const origin: SettingType<string> = kind(
  'an exact origin as browsers send it, such as "https://app.example" or "http://localhost:5173" (no path, no "*")',
  (value: string) => httpUrl(value)?.origin === value,
  'string',
);

/** The gateways every site has. */
export const builtInGatewayNames: readonly string[] = ['manual', 'log'];

/** Checks the form only. `SiteSettings.set` checks that the running site has this gateway. */
export const gatewayName: SettingType<string> = kind(
  `the name of a gateway: ${builtInGatewayNames.join(', ')} or one that the site module registers`,
  (value: string) => /^[a-z][a-z0-9_-]{0,39}$/.test(value),
  'string',
);

export interface CouponTemplateSetting {
  /** Null: the store's own rate. */
  readonly percent: number | null;
  readonly discount_type: 'percent' | 'fixed_cart' | 'fixed_product';
  readonly discount_amount: number;
}

const discountType = oneOf('percent', 'fixed_cart', 'fixed_product');

export const couponTemplate: SettingType<CouponTemplateSetting> = kind(
  `an object of exactly percent (null or ${percent.allowed}), discount_type (${discountType.allowed}) and discount_amount (${amount.allowed}; a percentage at most 100)`,
  (value: Record<string, unknown> | null) =>
    value !== null &&
    Object.keys(value).toSorted().join() === 'discount_amount,discount_type,percent' &&
    (value.percent === null || percent.accepts(value.percent)) &&
    discountType.accepts(value.discount_type) &&
    (value.discount_type === 'percent' ? percent : amount).accepts(value.discount_amount),
  'object',
);

export const orderStatusMap: SettingType<Readonly<Record<string, OrderStatus>>> = kind(
  `a JSON object from the store's own statuses to ${orderStatuses.join(', ')}`,
  (value: Record<string, OrderStatus> | null) =>
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(value).length <= 100 &&
    Object.entries(value).every(([own, status]) => /^[\w-]{1,100}$/.test(own) && orderStatuses.includes(status)),
  'object',
);
