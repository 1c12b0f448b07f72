import { icon, make } from './make.ts';

/** A heading that can be linked to. */
export function heading(level: 'h2' | 'h3', id: string, text: string): HTMLElement {
  const anchor = make('a', { class: 'anchor', href: `#${id}`, 'aria-label': `Link to ${text}` }, icon('link'));
  return make(level, { id, tabindex: -1 }, text, anchor);
}

export const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
