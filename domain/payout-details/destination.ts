import { isEmailAddress } from '../users/user.ts';
import { findIbanProblem, isBic, isCountry, normalizeIban } from './iban.ts';
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

interface Field {
  isOptional?: true;
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

const email: Field = { check: accepts(isEmailAddress, 'an email address, such as ada@example.com') };
const holder: Field = { check: upToCharacters(70) };
const currencies = new Set(Intl.supportedValuesOf('currency'));

/** The lengths are those of a SEPA credit transfer. */
const fields: { [Kind in PayoutDestination['kind']]: Record<Exclude<keyof Extract<PayoutDestination, { kind: Kind }>, 'kind'>, Field> } = {
  banktransfer: {
    holder,
    iban: { normalize: normalizeIban, check: findIbanProblem },
    bic: { isOptional: true, normalize: normalizeIban, check: accepts(isBic, 'a BIC of 8 or 11 characters, such as COBADEFFXXX') },
    street: { isOptional: true, check: upToCharacters(70) },
    postcode: { isOptional: true, check: upToCharacters(16) },
    town: { check: upToCharacters(35) },
    country: { normalize: capitals, check: accepts(isCountry, 'the ISO 3166 code of a country, such as DE') },
  },
  paypal: { email },
  wisebank: {
    holder,
    email: { ...email, isOptional: true },
    recipient_id: {
      isOptional: true,
      check: accepts((text) => /^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/.test(text), "the recipient's id at Wise"),
    },
    currency: {
      isOptional: true,
      normalize: capitals,
      check: accepts((code) => currencies.has(code), 'an ISO 4217 currency code, such as EUR'),
    },
  },
};

const hasFields = (kind: string): kind is PayoutDestination['kind'] => Object.hasOwn(fields, kind);

/** Null for kinds whose details are free. */
export function readDestination(kind: MethodType, details: Readonly<Record<string, unknown>>): Read | null {
  if (!hasFields(kind)) return null;
  const allowed: Record<string, Field> = fields[kind];
  const problems = Object.keys(details)
    .filter((name) => !Object.hasOwn(allowed, name))
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

const list = (names: readonly string[]): string => new Intl.ListFormat('en').format(names);
