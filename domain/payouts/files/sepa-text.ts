/** Letters that have no decomposition into a Latin letter and a mark. */
const replacements: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'TH',
  ı: 'i',
  ħ: 'h',
  Ħ: 'H',
  '’': "'",
  '‘': "'",
  '´': "'",
  '–': '-',
  '—': '-',
  '&': '+',
  '@': '(at)',
  _: '-',
};

/**
 * The text in the characters that every SEPA bank accepts: Latin letters, digits and / - ? : ( ) . , ' + and space. Accents are dropped,
 * other characters become a dot. Banks refuse texts that begin or end with a slash or have two in a row.
 */
export const toSepaText = (text: string, longest: number): string =>
  [...text.normalize('NFD').replaceAll(/\p{M}/gu, '')]
    .map((character) => replacements[character] ?? character)
    .join('')
    .replaceAll(/[^A-Za-z0-9/\-?:().,'+ ]/g, '.')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\/+/g, '/')
    .replace(/^[ /]+/, '')
    .slice(0, longest)
    .replace(/[ /]+$/, '');

/** A name that consists of dots identifies no one. */
export const isLegible = (text: string): boolean => /[A-Za-z]/.test(toSepaText(text, text.length * 4));

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

export const escapeXml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
