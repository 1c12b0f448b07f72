/** What is stored about a person, in the order of the export. */
export const personalSections = [
  'account',
  'coupons',
  'orders',
  'movements',
  'payouts',
  'invoices',
  'adjustments',
  'applications',
  'clicks',
  'keys',
  'application_passwords',
  'sessions',
  'known_browsers',
  'second_factor',
  'mails',
  'activity',
] as const;
export type PersonalSection = (typeof personalSections)[number];

export type RowKey = number | string;

/** A row by the names of its columns, without secrets. Columns of amounts end with `_minor`, columns of moments with `_at`. */
export type PersonalRow = Record<string, unknown>;

export interface PersonalDataRepository {
  /** The keys of all rows of a section, in their order. */
  keys(section: PersonalSection, userId: number): Promise<RowKey[]>;
  /** In the order of their keys. */
  rows(section: PersonalSection, keys: readonly RowKey[]): Promise<PersonalRow[]>;
  count(section: PersonalSection, userId: number): Promise<number>;
}
