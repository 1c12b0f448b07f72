import { normalizeIban } from '../domain/payout-details/iban.ts';
import type { PayoutFileFormat } from '../domain/payouts/files/formats.ts';
import type { Payer } from '../domain/payouts/files/payment.ts';
import type { Settings } from './settings/settings.ts';

/** The account that payout files pay from. */
export const buildPayer = ({ payouts: { sepa } }: Settings): Payer => ({ ...sepa, iban: normalizeIban(sepa.iban) });

const required = ['name', 'iban', 'town', 'country'] as const;

/** The settings of the account that a file of this format needs and that are not set. */
export const listMissingPayerSettings = (settings: Settings, format: PayoutFileFormat): string[] =>
  format === 'sepa' ? required.filter((field) => buildPayer(settings)[field] === '').map((field) => `payouts.sepa.${field}`) : [];
