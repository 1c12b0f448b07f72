import { styleText } from 'node:util';

type Color = 'green' | 'yellow' | 'red' | 'cyan' | 'dim' | 'bold';

/** Colours are for eyes: none in a pipe or a file, none where NO_COLOR asks for none. FORCE_COLOR has the last word, as in Node itself. */
function isColored(): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: refused } = process.env;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return !refused && process.stdout.isTTY && process.stdout.hasColors();
}

export const colored = (color: Color, text: string): string => (isColored() ? styleText(color, text, { validateStream: false }) : text);

/** How many columns there are to fill. A pipe or a file has no edge. */
export const screenWidth = (): number => (process.stdout.isTTY && process.stdout.columns > 0 ? process.stdout.columns : Infinity);

/** False where block characters would come out as rubbish: a locale that names another encoding, or a terminal that has no such letters. */
export function knowsBlocks({ LC_ALL, LC_CTYPE, LANG, TERM }: NodeJS.ProcessEnv = process.env): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG || '';
  // Where nothing is said, as in most containers, whatever shows it knows UTF-8.
  return (locale === '' || /utf-?8/i.test(locale)) && TERM !== 'linux' && TERM !== 'dumb';
}

// Names come from shops and applicants. An escape sequence among them would move the operator's cursor.
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, '?');

const letters = new Intl.Segmenter();
const wide =
  /^[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}\p{Emoji_Presentation}]/u;

/** How many columns a text takes: two for each of 日本, one for é however it is written. */
export function widthOf(text: string): number {
  if (/^[\u0020-\u007E]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of letters.segment(text)) width += wide.test(segment) ? 2 : 1;
  return width;
}

export function padded(text: string, width: number, side: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return side === 'left' ? text + space : space + text;
}
