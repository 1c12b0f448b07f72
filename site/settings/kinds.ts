import { isTimeZone } from '../../domain/dates.ts';
import { type OrderStatus, orderStatuses } from '../../domain/orders/order.ts';
import { isBic, isCountry } from '../../domain/payout-details/country.ts';
import { findIbanProblem, normalizeIban } from '../../domain/payout-details/iban.ts';

/** What a form can check before a value is sent. All values within the limits need not be allowed; none outside of them is. */
export interface SettingLimits {
  /** All allowed values, where they are a few words; else null. */
  readonly choices: readonly string[] | null;
  /** Of a number, or of each number of a list. */
  readonly minimum: number | null;
  readonly maximum: number | null;
  /** Of a text, or of each text of a list: its characters, and a regular expression. */
  readonly maxLength: number | null;
  readonly pattern: string | null;
}

const noLimits: SettingLimits = { choices: null, minimum: null, maximum: null, maxLength: null, pattern: null };

/** The allowed values of a setting: a predicate, and the words that complete "must be …". */
export interface SettingType<Value> {
  readonly allowed: string;
  readonly accepts: (value: unknown) => value is Value;
  /** What the values are in JSON. */
  readonly type: 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';
  readonly limits: SettingLimits;
  /** What is wrong with this value, where there is more to say than `allowed`: a sentence and a space. */
  explain?(value: unknown): string;
}

interface KindOptions<Value> extends Partial<SettingLimits> {
  type: Exclude<SettingType<Value>['type'], 'array'>;
  /** Called with values of the type and within the limits. */
  accepts?: (value: never) => boolean;
  explain?: (value: unknown) => string;
}

/** A kind of values that are no list. */
export function kind<Value>(allowed: string, options: KindOptions<Value>): SettingType<Value> {
  const { type, accepts = () => true, explain, ...given } = options;
  const limits = { ...noLimits, ...given };
  const nativeType = type === 'integer' ? 'number' : type;
  return {
    allowed,
    accepts: (value): value is Value => typeof value === nativeType && isWithin(limits, value) && accepts(value as never),
    type,
    limits,
    ...(explain && { explain }),
  };
}

function isWithin({ choices, minimum, maximum, maxLength, pattern }: SettingLimits, value: unknown): boolean {
  if (typeof value === 'number') return value >= (minimum ?? value) && value <= (maximum ?? value);
  if (typeof value !== 'string') return true;
  if (choices !== null && !choices.includes(value)) return false;
  return value.length <= (maxLength ?? value.length) && (pattern === null || new RegExp(pattern, 'u').test(value));
}

export const yesOrNo: SettingType<boolean> = kind('true or false', { type: 'boolean' });

export const oneOf = <const Word extends string>(...words: Word[]): SettingType<Word> =>
  kind(words.map((word) => JSON.stringify(word)).join(' or '), { type: 'string', choices: words });

/** Names and labels are used in mail subjects and headers, where a line break could inject a header. */
export const line = (longest: number): SettingType<string> =>
  kind(`text of 1 to ${longest} characters on one line`, {
    type: 'string',
    maxLength: longest,
    pattern: '^(?=.*\\S)[^\\p{Cc}\\u2028\\u2029]+$',
  });

const { format: inWords } = new Intl.NumberFormat('en-US');

export const integer = (least: number, most: number): SettingType<number> =>
  kind(`a whole number from ${inWords(least)} to ${inWords(most)}`, {
    type: 'integer',
    minimum: least,
    maximum: most,
    accepts: (value: number) => Number.isInteger(value),
  });

export const numberUpTo = (most: number, least = 0): SettingType<number> =>
  kind(`a number from ${inWords(least)} to ${inWords(most)}`, { type: 'number', minimum: least, maximum: most });

export const percent = numberUpTo(100);

export const optionalPercent: SettingType<number | null> = {
  ...percent,
  allowed: `${percent.allowed}, or null`,
  accepts: (value): value is number | null => value === null || percent.accepts(value),
};

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
  limits: item.limits,
});

const currencies = new Set(Intl.supportedValuesOf('currency'));

export const currency: SettingType<string> = kind('an ISO 4217 currency code in capitals, such as "EUR"', {
  type: 'string',
  pattern: '^[A-Z]{3}$',
  accepts: (value: string) => currencies.has(value),
});

// Intl accepts plain offsets such as `+02:00` as zones. They have no daylight-saving time, so days would be wrong by an hour half of the year.
export const timeZone: SettingType<string> = kind('the name of a time zone, such as "Europe/Berlin" or "UTC"', {
  type: 'string',
  pattern: '^[A-Za-z]',
  accepts: isTimeZone,
});

function httpUrl(value: string): URL | null {
  const url = URL.canParse(value) ? new URL(value) : null;
  return url && ['http:', 'https:'].includes(url.protocol) ? url : null;
}

/** It is public, so it contains no password. */
function isPublicAddress(value: string): boolean {
  const url = httpUrl(value);
  return url !== null && value === value.trim() && url.username + url.password === '';
}

/** Referral links add a query to it, so it has none of its own. */
export const webAddress: SettingType<string> = kind(
  'an http or https address without user name, query and fragment, such as "https://shop.example"',
  { type: 'string', maxLength: 500, pattern: '^[Hh][Tt][Tt][Pp][Ss]?:[^?#]+$', accepts: isPublicAddress },
);

/** A page that people open. */
const link: SettingType<string> = kind('an http or https address without user name, such as "https://shop.example/?page=terms"', {
  type: 'string',
  maxLength: 500,
  pattern: '^[Hh][Tt][Tt][Pp][Ss]?:.+$',
  accepts: isPublicAddress,
});

/** Not set while it is empty. */
const orEmpty = (type: SettingType<string>): SettingType<string> =>
  kind(`empty, or ${type.allowed}`, {
    type: 'string',
    maxLength: type.limits.maxLength,
    pattern: type.limits.pattern && `^$|${type.limits.pattern}`,
    accepts: (value: string) => value === '' || type.accepts(value),
  });

export const optionalLine = (longest: number): SettingType<string> => orEmpty(line(longest));

export const optionalIban: SettingType<string> = orEmpty(
  kind('an IBAN, such as "DE89370400440532013000"', {
    type: 'string',
    accepts: (value: string) => findIbanProblem(normalizeIban(value)) === null,
  }),
);

export const optionalBic: SettingType<string> = orEmpty(
  kind('a BIC of 8 or 11 characters in capitals, such as "COBADEFFXXX"', {
    type: 'string',
    pattern: '^[A-Z0-9]{8}([A-Z0-9]{3})?$',
    accepts: isBic,
  }),
);

export const optionalCountry: SettingType<string> = orEmpty(
  kind('the ISO 3166 code of a country in capitals, such as "DE"', { type: 'string', pattern: '^[A-Z]{2}$', accepts: isCountry }),
);

/** The name that a stored file has by its content. */
export const optionalHash: SettingType<string> = orEmpty(
  kind('the SHA-256 of a file in 64 digits', { type: 'string', pattern: '^[0-9a-f]{64}$' }),
);

export const optionalLink: SettingType<string> = orEmpty(link);

export const optionalWebAddress: SettingType<string> = orEmpty(webAddress);

/**
 * Compared literally with a browser's `Origin` header, so it is written exactly as browsers send it: lower case, no default port, no path.
 * `*` is not allowed: cookies identify users here, and a wildcard would allow every page on the web to read their figures.
 */
export const origin: SettingType<string> = kind(
  'an exact origin as browsers send it, such as "https://app.example" or "http://localhost:5173" (no path, no "*")',
  { type: 'string', pattern: '^https?://[^/]+$', accepts: (value: string) => httpUrl(value)?.origin === value },
);

/** The gateways every site has. */
export const builtInGatewayNames: readonly string[] = ['manual', 'log'];

/** Checks the form only. `SiteSettings.set` checks that the running site has this gateway. */
export const gatewayName: SettingType<string> = kind(
  `the name of a gateway: ${builtInGatewayNames.join(', ')} or one that the site module registers`,
  { type: 'string', pattern: '^[a-z][a-z0-9_\\-]{0,39}$' },
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
  {
    type: 'object',
    accepts: (value: Record<string, unknown> | null) =>
      value !== null &&
      Object.keys(value).toSorted().join() === 'discount_amount,discount_type,percent' &&
      (value.percent === null || percent.accepts(value.percent)) &&
      discountType.accepts(value.discount_type) &&
      (value.discount_type === 'percent' ? percent : amount).accepts(value.discount_amount),
  },
);

export const orderStatusMap: SettingType<Readonly<Record<string, OrderStatus>>> = kind(
  `a JSON object from the store's own statuses to ${orderStatuses.join(', ')}`,
  {
    type: 'object',
    accepts: (value: Record<string, OrderStatus> | null) =>
      value !== null &&
      !Array.isArray(value) &&
      Object.keys(value).length <= 100 &&
      Object.entries(value).every(([own, status]) => /^[\w-]{1,100}$/.test(own) && orderStatuses.includes(status)),
  },
);
