import { make } from './make.ts';

const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;

/** Colouring costs an element a token; beyond this the text stays plain. */
const mostCharacters = 120_000;

/** JSON as coloured text. */
export function jsonNodes(text: string): Node[] {
  if (text.length > mostCharacters) return [document.createTextNode(text)];
  const nodes: Node[] = [];
  let end = 0;
  for (const match of text.matchAll(tokens)) {
    const [all, string, colon, word, number] = match;
    if (match.index > end) nodes.push(document.createTextNode(text.slice(end, match.index)));
    if (string !== undefined) nodes.push(make('span', { class: colon === undefined ? 'j-string' : 'j-key' }, string));
    if (colon !== undefined) nodes.push(document.createTextNode(colon));
    if (word !== undefined) nodes.push(make('span', { class: 'j-word' }, word));
    if (number !== undefined) nodes.push(make('span', { class: 'j-number' }, number));
    end = match.index + all.length;
  }
  if (end < text.length) nodes.push(document.createTextNode(text.slice(end)));
  return nodes;
}

export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2) ?? '';

/** JSON indented; whatever is none, as it is. */
export function prettyJson(text: string): string {
  try {
    return jsonText(JSON.parse(text));
  } catch {
    return text;
  }
}
