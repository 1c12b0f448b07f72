type Child = Node | string | number | null | undefined | false | readonly Child[];
type Attributes = Record<string, string | number | boolean | undefined>;

/**
 * The only way this page makes elements: text always becomes a text node, never markup, so nothing that stands in a contract or
 * in an answer can become part of the page.
 */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  setAttributes(made, attributes);
  append(made, children);
  return made;
}

function setAttributes(target: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) target.setAttribute(name, value === true ? '' : String(value));
}

export function append(target: Node, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(target, child as readonly Child[]);
    else target.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

export const replaceContent = (target: Element, ...children: Child[]): void => {
  target.replaceChildren();
  append(target, children);
};

const svg = 'http://www.w3.org/2000/svg';

const shapes = {
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  sun: 'M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6l1.4 1.4M17 17l1.4 1.4M5.6 18.4L7 17M17 7l1.4-1.4M12 8a4 4 0 100 8 4 4 0 000-8z',
  copy: 'M9 9h10v10H9zM5 15V5h10',
  done: 'M5 12.5l4.5 4.5L19 7.5',
  key: 'M13 12a4 4 0 108 0 4 4 0 00-8 0zM13 12H3v4M7 12v3',
  link: 'M10 14a4 4 0 005.7 0l3-3a4 4 0 00-5.7-5.7l-1 1M14 10a4 4 0 00-5.7 0l-3 3a4 4 0 005.7 5.7l1-1',
} as const;

/** Decoration: whatever carries it has words of its own. */
export function icon(name: keyof typeof shapes): SVGSVGElement {
  const picture = document.createElementNS(svg, 'svg');
  setAttributes(picture, { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true', focusable: 'false' });
  const line = document.createElementNS(svg, 'path');
  line.setAttribute('d', shapes[name]);
  picture.appendChild(line);
  return picture;
}
