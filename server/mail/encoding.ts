// How text of any language is written in a mail, which is ASCII in lines of 76 characters: RFC 2047 for headers, RFC 2045 for bodies.

/** A header is one line: whatever could end it, or begin another, becomes a space. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** Short enough for one line beside its header's name, and nothing that a reader would take for an encoded word. */
const isPlain = (text: string, allowed: RegExp): boolean => text.length <= 60 && allowed.test(text) && !text.includes('=?');

const printable = /^[ -~]*$/;
const wordsOfAName = /^[A-Za-z0-9 !#$%&'*+/=?^_`{|}~-]+$/;

/** For a header of plain text, such as the subject. */
export function headerText(text: string): string {
  const line = oneLine(text);
  return isPlain(line, printable) ? line : encodedWords(line);
}

/** For the name before an address, where commas, quotes and brackets would mean something. Empty for no name. */
export function headerName(text: string): string {
  const line = oneLine(text);
  return line === '' || isPlain(line, wordsOfAName) ? line : encodedWords(line);
}

/** 39 bytes are 52 characters of base64: a word of 64, which fits its line with the header's name before it. */
const bytesInAWord = 39;

/** Words are decoded one by one, so none may end within a character. */
function encodedWords(text: string): string {
  const pieces = [''];
  for (const character of text) {
    const longer = pieces.at(-1) + character;
    if (Buffer.byteLength(longer) > bytesInAWord) pieces.push(character);
    else pieces[pieces.length - 1] = longer;
  }
  return pieces.map((piece) => `=?UTF-8?B?${Buffer.from(piece).toString('base64')}?=`).join('\r\n ');
}

/** Quoted-printable: text that is mostly ASCII stays readable as it is. */
export const quotedPrintable = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map(quotedLine)
    .join('\r\n');

const longestLine = 75;
const tab = 9;
const space = 32;

function quotedLine(line: string): string {
  const bytes = [...Buffer.from(line)];
  let quoted = '';
  let width = 0;
  for (const [index, byte] of bytes.entries()) {
    const isAtTheEnd = index === bytes.length - 1;
    const token = isLiteral(byte, isAtTheEnd) ? String.fromCharCode(byte) : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    if (width + token.length > longestLine) {
      quoted += '=\r\n';
      width = 0;
    }
    quoted += token;
    width += token.length;
  }
  return quoted;
}

/** White space at the end of a line is lost on the way, so it is written out there. */
const isLiteral = (byte: number, isAtTheEnd: boolean): boolean =>
  byte === space || byte === tab ? !isAtTheEnd : byte > space && byte < 127 && byte !== '='.charCodeAt(0);
