import { iconShapes } from '../shared/icons.ts';

export type Child = Node | string | number | null | undefined | false | readonly Child[];
type Attributes = Record<string, string | number | boolean | undefined>;

/**
 * Creates an element: `h('p.quiet', { role: 'status' }, 'Sent.')`. All elements of this page are created here: text always becomes a text node,
 * never markup, so that nothing in a contract or in a response can inject HTML.
 */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  selector: Tag | `${Tag}.${string}`,
  ...content: [] | [Attributes | Child, ...Child[]]
): HTMLElementTagNameMap[Tag] {
  const [tag = '', ...classes] = selector.split('.');
  const element = document.createElement(tag as Tag);
  if (classes.length > 0) element.className = classes.join(' ');
  const [first, ...others] = content;
  if (isAttributes(first)) setAttributes(element, first);
  append(element, isAttributes(first) ? others : [first, ...others]);
  return element;
}

const isAttributes = (value: Attributes | Child): value is Attributes =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Node);

function setAttributes(target: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) target.setAttribute(name, value === true ? '' : String(value));
}

export function append(target: Node, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false || child === '') continue;
    if (Array.isArray(child)) append(target, child as readonly Child[]);
    else target.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

export function replaceContent(target: Element, ...children: Child[]): void {
  target.replaceChildren();
  append(target, children);
}

/** The text with every match of the pattern replaced by a node. */
export function replaceMatches(text: string, pattern: RegExp, nodeOf: (match: RegExpExecArray) => Child): Child[] {
  const children: Child[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    children.push(text.slice(end, match.index), nodeOf(match));
    end = match.index + match[0].length;
  }
  return [...children, text.slice(end)];
}

/** Values as code, separated by spaces. */
export const codeList = (values: Iterable<string>): Child[] => [...values].flatMap((value) => [h('code', value), ' ']);

/** A heading with a link to itself. */
export function heading(level: 'h2' | 'h3', id: string, text: string): HTMLElement {
  return h(level, { id, tabindex: -1 }, text, h('a.anchor', { href: `#${id}`, 'aria-label': `Link to ${text}` }, icon('link')));
}

const unopened = new WeakMap<HTMLDetailsElement, () => Child>();

/** A `details` element whose content is created when it is first opened. */
export function lazyDetails(className: string, summary: Child, content: () => Child): HTMLDetailsElement {
  const details = h(`details.${className}`, h('summary', summary));
  unopened.set(details, content);
  details.addEventListener('toggle', () => openDetails(details), { once: true });
  return details;
}

/** The content exists when this returns, while the event of the browser comes later. */
export function openDetails(details: HTMLDetailsElement): void {
  const content = unopened.get(details);
  unopened.delete(details);
  if (content) append(details, [content()]);
  details.open = true;
}

const svgNamespace = 'http://www.w3.org/2000/svg';

/** Decorative: the element that contains it has a label of its own. */
export function icon(name: keyof typeof iconShapes): SVGSVGElement {
  const svg = document.createElementNS(svgNamespace, 'svg');
  setAttributes(svg, { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true', focusable: 'false' });
  const path = document.createElementNS(svgNamespace, 'path');
  path.setAttribute('d', iconShapes[name]);
  svg.appendChild(path);
  return svg;
}
