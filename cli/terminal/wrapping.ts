import { widthOf } from './terminal.ts';

/** After a space, and after what lists and addresses are made of. */
const places = /(?<=[ ,/:])/;

/** The text on lines of at most so many columns: broken where it can be read, else wherever it must be. Nothing is left out. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const piece of text.split(places).flatMap((part) => cut(part, width))) {
    if (widthOf((line + piece).trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += piece;
  }
  return [...lines, line.trimEnd()];
}

const letters = new Intl.Segmenter();

function cut(piece: string, width: number): string[] {
  if (widthOf(piece.trimEnd()) <= width) return [piece];
  const parts = [''];
  for (const { segment } of letters.segment(piece)) {
    if (widthOf(parts.at(-1) + segment) > width) parts.push('');
    parts[parts.length - 1] += segment;
  }
  return parts;
}

/** Paragraphs anew for this width. What is indented stays as it is: examples are there to be copied. */
export function reflowed(text: string, width: number): string {
  const lines: string[] = [];
  let paragraph: string[] = [];
  const end = (): void => {
    if (paragraph.length > 0) lines.push(...wrappedAtSpaces(paragraph.join(' '), width));
    paragraph = [];
  };
  for (const line of text.split('\n')) {
    const isProse = /^\S/.test(line) && !/^[^.]{1,30}:$|^Examples?$/.test(line);
    if (isProse) paragraph.push(line);
    else {
      end();
      lines.push(line);
    }
  }
  end();
  return lines.join('\n');
}

function wrappedAtSpaces(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const before = lines.at(-1);
    if (before === '') lines[lines.length - 1] = word;
    else if (widthOf(`${before} ${word}`) <= width) lines[lines.length - 1] += ` ${word}`;
    else lines.push(word);
  }
  return lines;
}
