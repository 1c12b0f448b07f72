import { kind, type SettingType } from './kinds.ts';

/** The backgrounds of all pages, light and dark, as in web/shared/base.css. */
const grounds = { white: '#ffffff', 'the dark background': '#0f131a' } as const;

/** WCAG 2.2, 1.4.11: what a button needs to be seen. No colour has the 4.5 of text on both backgrounds. */
const minContrast = 3;

/** A colour that buttons of all pages can have. */
export const optionalBrandColor: SettingType<string> = kind(
  `empty, or a colour such as "#2563eb" with a contrast of at least ${minContrast} on white and on ${grounds['the dark background']}`,
  {
    type: 'string',
    pattern: '^$|^#[0-9A-Fa-f]{6}$',
    accepts: (value: string) => value === '' || explainContrast(value) === '',
    explain: (value) => (typeof value === 'string' && isColor(value) ? explainContrast(value) : ''),
  },
);

const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** Empty where the contrast is enough. */
function explainContrast(color: string): string {
  for (const [name, ground] of Object.entries(grounds)) {
    const contrast = computeContrast(color, ground);
    if (contrast >= minContrast) continue;
    const better = ground === grounds.white ? 'darker' : 'lighter';
    return `Its contrast on ${name} is ${formatContrast(contrast)}, too low to see buttons: choose a ${better} colour. `;
  }
  return '';
}

/** Rounded down, so that a refused one never reads as enough. */
const formatContrast = (contrast: number): string => (Math.floor(contrast * 10) / 10).toFixed(1);

/** White or black, whichever is easier to read on the colour: at least 4.5. */
export const textOn = (color: string): string =>
  computeContrast(color, '#ffffff') >= computeContrast(color, '#000000') ? '#ffffff' : '#000000';

/** The contrast ratio of WCAG 2.2. */
function computeContrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [computeLuminance(one), computeLuminance(other)].toSorted((first, second) => second - first);
  return (lighter + 0.05) / (darker + 0.05);
}

function computeLuminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
