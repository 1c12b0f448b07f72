/** Lengths by country, from the IBAN registry. */
const lengths: Readonly<Record<string, number>> = Object.fromEntries(
  `AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27
   GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22
   MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28
   TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30`
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** In the electronic form: capitals without spaces. */
export const normalizeIban = (text: string): string => text.replace(/[\s-]/g, '').toUpperCase();

/** Returns what is wrong with a normalized IBAN, as the end of a sentence that begins with its name. Null if it is valid. */
export function findIbanProblem(iban: string): string | null {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(iban)) return 'must be an IBAN, such as DE89370400440532013000';
  const country = iban.slice(0, 2);
  const length = lengths[country];
  if (length === undefined) return `begins with ${country}, and no country with IBANs has this code`;
  if (iban.length !== length) return `has ${iban.length} characters, and an IBAN of ${country} has ${length}`;
  return remainder(iban) === 1 ? null : 'has wrong check digits: a character is mistyped';
}

/** ISO 7064 mod 97 of the rearranged IBAN, with letters as numbers from 10 (A) to 35 (Z). */
function remainder(iban: string): number {
  const digits = [...(iban.slice(4) + iban.slice(0, 4))].map((character) => String(Number.parseInt(character, 36))).join('');
  return Number(BigInt(digits) % 97n);
}
