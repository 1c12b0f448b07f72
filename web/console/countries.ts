import { countryCodes } from '../../domain/payout-details/country.ts';

const names = new Intl.DisplayNames(undefined, { type: 'region' });

export const nameCountry = (code: string): string => names.of(code) ?? code;

/** The codes in the order of their names, which are in the language of the browser. */
export const countriesByName = countryCodes.toSorted((one, other) => nameCountry(one).localeCompare(nameCountry(other)));
