import { styleText } from 'node:util';

export type Color = 'green' | 'yellow' | 'red' | 'cyan' | 'dim' | 'bold';

/** Colours the text when standard output is a terminal. NO_COLOR and FORCE_COLOR override that, as in Node itself. */
export const colorize = (color: Color, text: string): string => styleText(color, text);

/** Columns of the terminal; Infinity in a pipe or a file. */
export const screenWidth = (): number => (process.stdout.isTTY && process.stdout.columns > 0 ? process.stdout.columns : Infinity);

/** Whether block characters can be displayed: not in a locale with another encoding, nor on a terminal without such glyphs. */
export function supportsBlockCharacters({ LC_ALL, LC_CTYPE, LANG, TERM }: NodeJS.ProcessEnv = process.env): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG || '';
  // Most containers set no locale, and their output is displayed by a UTF-8 terminal.
  return (locale === '' || /utf-?8/i.test(locale)) && TERM !== 'linux' && TERM !== 'dumb';
}

/** Replaces control characters: names come from shops and applicants, and an escape sequence in one would move the operator's cursor. */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, '?');

const graphemes = new Intl.Segmenter();
const wide =
  /^[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}\p{Emoji_Presentation}]/u;

/** Terminal columns of a text: two for each of 日本, one for é in any normal form. */
export function displayWidth(text: string): number {
  if (/^[\u0020-\u007E]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += wide.test(segment) ? 2 : 1;
  return width;
}

export function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return align === 'left' ? text + space : space + text;
}

/** After a space, and after the separators of lists and addresses. */
const breakPoints = /(?<=[ ,/:])/;

/** Breaks a text into lines of at most `width` columns: at a break point where possible, else within a word. Drops nothing. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const piece of text.split(breakPoints).flatMap((part) => splitWord(part, width))) {
    if (displayWidth((line + piece).trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += piece;
  }
  return [...lines, line.trimEnd()];
}

function splitWord(piece: string, width: number): string[] {
  if (displayWidth(piece.trimEnd()) <= width) return [piece];
  const parts = [''];
  for (const { segment } of graphemes.segment(piece)) {
    if (displayWidth(parts.at(-1) + segment) > width) parts.push('');
    parts[parts.length - 1] += segment;
  }
  return parts;
}
