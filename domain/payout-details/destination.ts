import { isEmailAddress, maxEmailLength } from '../users/user.ts';
import { findCountryProblem, isBic } from './country.ts';
import { findIbanProblem, normalizeIban } from './iban.ts';
import type { MethodType } from './payout-details.ts';

/** Where a method pays to. Optional fields are empty when they were not given. */
export interface BankDestination {
  kind: 'banktransfer';
  holder: string;
  iban: string;
  bic: string;
  street: string;
  postcode: string;
  town: string;
  country: string;
}

export interface PaypalDestination {
  kind: 'paypal';
  email: string;
}

/** One of `email` and `recipient_id` is empty. */
export interface WiseDestination {
  kind: 'wisebank';
  holder: string;
  email: string;
  recipient_id: string;
  /** What the recipient gets. Empty: the store's currency. */
  currency: string;
}

export type PayoutDestination = BankDestination | PaypalDestination | WiseDestination;

/** What is wrong with a field; completes a sentence that begins with the field's name. */
export interface DetailsProblem {
  field: string;
  problem: string;
}

type Read = { destination: PayoutDestination; problems?: undefined } | { destination?: undefined; problems: DetailsProblem[] };

type FieldFormat = 'text' | 'email' | 'iban' | 'bic' | 'country' | 'currency';

/** What a form needs to know about a field. */
interface FormField {
  label: string;
  format: FieldFormat;
  maxLength: number;
  hint?: string;
  isOptional?: true;
}

interface Field extends FormField {
  normalize?(text: string): string;
  /** Completes "<field> …". Null if the text is valid. */
  check(text: string): string | null;
}

const upToCharacters =
  (longest: number): Field['check'] =>
  (text) =>
    text.length <= longest && !/[\p{Cc}\u2028\u2029]/u.test(text) ? null : `must be text of at most ${longest} characters on one line`;

const accepts =
  (isValid: (text: string) => boolean, allowed: string): Field['check'] =>
  (text) =>
    isValid(text) ? null : `must be ${allowed}`;

const capitals = (text: string): string => text.toUpperCase();

const line = (label: string, maxLength: number): Field => ({ label, format: 'text', maxLength, check: upToCharacters(maxLength) });

const email: Field = {
  label: 'E-mail address',
  format: 'email',
  maxLength: maxEmailLength,
  check: accepts(isEmailAddress, 'an email address, such as ada@example.com'),
};
const holder = line('Account holder', 70);
const currencies = new Set(Intl.supportedValuesOf('currency'));

/** The lengths are those of a SEPA credit transfer. */
const fields: { [Kind in PayoutDestination['kind']]: Record<Exclude<keyof Extract<PayoutDestination, { kind: Kind }>, 'kind'>, Field> } = {
  banktransfer: {
    holder,
    iban: { label: 'IBAN', format: 'iban', maxLength: 34, normalize: normalizeIban, check: findIbanProblem },
    bic: {
      label: 'BIC',
      format: 'bic',
      maxLength: 11,
      isOptional: true,
      normalize: normalizeIban,
      check: accepts(isBic, 'a BIC of 8 or 11 characters, such as COBADEFFXXX'),
    },
    street: { ...line('Street and number', 70), isOptional: true },
    postcode: { ...line('Postcode', 16), isOptional: true },
    town: line('Town', 35),
    country: {
      label: 'Country',
      format: 'country',
      maxLength: 2,
      hint: 'Two letters, such as DE.',
      normalize: capitals,
      check: findCountryProblem,
    },
  },
  paypal: { email: { ...email, hint: 'The address of your PayPal account.' } },
  wisebank: {
    holder,
    email: { ...email, isOptional: true, hint: 'The address of your Wise account. Or give your recipient id.' },
    recipient_id: {
      ...line('Recipient id', 64),
      isOptional: true,
      check: accepts((text) => /^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/.test(text), "the recipient's id at Wise"),
    },
    currency: {
      label: 'Currency',
      format: 'currency',
      maxLength: 3,
      hint: 'Three letters, such as EUR. Empty: the currency of the store.',
      isOptional: true,
      normalize: capitals,
      check: accepts((code) => currencies.has(code), 'an ISO 4217 currency code, such as EUR'),
    },
  },
};

/** What a form asks for where details are free. */
const suggestedFields: Record<Exclude<MethodType, PayoutDestination['kind']>, Record<string, FormField>> = {
  stripeapi: { account: { ...line('Stripe account', 100), hint: 'Its id, such as acct_1A2b3C.' } },
  credit: {},
  custom: { instructions: line('How you want to be paid', 1000) },
};

/** The fields of a kind by their name, in the order of a form. */
export const listFields = (kind: MethodType): { isFree: boolean; fields: Readonly<Record<string, FormField>> } =>
  hasFields(kind) ? { isFree: false, fields: fields[kind] } : { isFree: true, fields: suggestedFields[kind] };

const hasFields = (kind: MethodType): kind is PayoutDestination['kind'] => Object.hasOwn(fields, kind);

/** Bounds the error: details may have any number of unknown fields. */
const maxUnknownFields = 20;

/** Null for kinds whose details are free. */
export function readDestination(kind: MethodType, details: Readonly<Record<string, unknown>>): Read | null {
  if (!hasFields(kind)) return null;
  const allowed: Record<string, Field> = fields[kind];
  const problems = Object.keys(details)
    .filter((name) => !Object.hasOwn(allowed, name))
    .slice(0, maxUnknownFields)
    .map((name) => ({ field: name, problem: `is no field of ${kind}: it has ${list(Object.keys(allowed))}` }));
  const values: Record<string, string> = {};
  for (const [name, field] of Object.entries(allowed)) {
    const value = readField(details[name], field);
    if (typeof value === 'string') values[name] = value;
    else problems.push({ field: name, problem: value.problem });
  }
  const destination = { kind, ...values } as unknown as PayoutDestination;
  if (problems.length === 0 && destination.kind === 'wisebank') problems.push(...findWiseProblems(destination));
  return problems.length > 0 ? { problems } : { destination };
}

function readField(value: unknown, { isOptional, normalize, check }: Field): string | { problem: string } {
  const given = typeof value === 'number' ? String(value) : (value ?? '');
  if (typeof given !== 'string') return { problem: 'must be text' };
  const text = normalize ? normalize(given.trim()) : given.trim();
  if (text === '') return isOptional ? '' : { problem: 'is missing' };
  const problem = check(text);
  return problem === null ? text : { problem };
}

function findWiseProblems({ email: address, recipient_id: id }: WiseDestination): DetailsProblem[] {
  if (address === '' && id === '') return [{ field: 'email', problem: 'is missing: give email or recipient_id' }];
  return address !== '' && id !== '' ? [{ field: 'recipient_id', problem: 'and email exclude each other: give one of them' }] : [];
}

/** The details as they are stored: normalized, without empty fields. */
export const storedDetails = (destination: PayoutDestination): Record<string, string> =>
  Object.fromEntries(Object.entries(destination).filter(([name, text]) => name !== 'kind' && text !== ''));

/** Enough for the owner to recognise the destination: its last four characters, or the first of an email address with its host. */
export function destinationHint(destination: PayoutDestination): string {
  if (destination.kind === 'banktransfer') return destination.iban.slice(-4);
  if (destination.email !== '') return shortenEmail(destination.email);
  const id = destination.kind === 'wisebank' ? destination.recipient_id : '';
  // Of a short id no more than half.
  return id.slice(id.length - Math.min(4, Math.floor(id.length / 2)));
}

function shortenEmail(address: string): string {
  const at = address.lastIndexOf('@');
  const [first = '', ...rest] = address.slice(0, at);
  return `${rest.length > 0 ? first : ''}…${address.slice(at)}`;
}

const list = (names: readonly string[]): string => new Intl.ListFormat('en').format(names);
