import { type Child, h } from './dom.ts';

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null && Object.keys(value).length > 0;

/** The lines of a value of which the containers below a depth are collapsed. */
function countLines(value: unknown, depth: number): number {
  if (!isContainer(value) || depth === 0) return 1;
  return Object.values(value).reduce((sum: number, child) => sum + countLines(child, depth - 1), 2);
}

/** The greatest depth with which the value has at most `maxLines`, and 1 if there is none. */
function openDepth(value: unknown, maxLines: number): number {
  let depth = 1;
  while (depth < 20 && countLines(value, depth + 1) <= maxLines) depth += 1;
  return depth;
}

/** Indented JSON, of which every nested object and array has a button that collapses it. Its text is the JSON, whatever is collapsed. */
export const jsonTree = (value: unknown, maxLines: number): Child => valueNodes(value, '', openDepth(value, maxLines), '');

function valueNodes(value: unknown, indent: string, depth: number, name: string): Child {
  if (!isContainer(value)) return scalar(value);
  const isArray = Array.isArray(value);
  const entries = Object.entries(value);
  const lines = entries.map(([key, child], index) => [
    `\n${indent}  `,
    !isArray && [h('span.j-key', JSON.stringify(key)), ': '],
    valueNodes(child, `${indent}  `, depth - 1, isArray ? `${name} ${index + 1}` : key),
    index < entries.length - 1 && ',',
  ]);
  const body = h('span.json-body', lines, `\n${indent}`);
  const [open, close] = isArray ? '[]' : '{}';
  if (indent === '') return [open, body, close];
  const size = `${entries.length} ${isArray ? 'items' : 'fields'}`;
  return [toggle(body, `${name}, ${size}`, depth > 0), open, h('span.json-dots'), body, close];
}

/** Contains no text: it is not part of the JSON. A hidden body is replaced by dots in the style. */
function toggle(body: HTMLElement, label: string, isOpen: boolean): HTMLElement {
  const button = h('button.json-toggle', { type: 'button', 'aria-label': label });
  const setOpen = (open: boolean): void => {
    button.setAttribute('aria-expanded', String(open));
    body.hidden = !open;
  };
  button.addEventListener('click', () => setOpen(body.hidden));
  setOpen(isOpen);
  return button;
}

function scalar(value: unknown): Child {
  const kind = typeof value === 'string' ? 'string' : typeof value === 'number' ? 'number' : 'word';
  const text = JSON.stringify(value) ?? '';
  return typeof value === 'object' && value !== null ? text : h(`span.j-${kind}`, text);
}
